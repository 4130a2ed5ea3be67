// Upriver on a page of its own: the other's cards above, the banks
// between them, one's own below, and the hand.

import { connect } from "/tabletop.js";

const RIVERS = ["ash", "birch", "cedar", "elm", "fir"];
const table = connect();
let held = ""; // the card in hand that was chosen, such as "ash 7"

const byId = (id) => document.getElementById(id);
const nameOf = ([river, miles]) => `${river} ${miles || "loan"}`;
const at = (river, cards) => cards.filter(([one]) => one === river);

/** An element with properties and children. */
function make(name, properties, ...children) {
  const made = document.createElement(name);
  Object.assign(made, properties);
  made.append(...children);
  return made;
}

/** A button that plays these words, where they are legal now. */
function button(className, words, ariaLabel, ...children) {
  const { choices } = table.state;
  const choice = choices.find((one) => one.words === words);
  const disabled = !choice;
  const onclick = () => play(choice);
  const properties = { className, ariaLabel, disabled, onclick };
  return make("button", properties, ...children);
}

/** A card as it is seen; what was laid just now is marked. */
function card([river, miles], fresh) {
  const title = nameOf([river, miles]);
  const className = `card ${river} ${title === fresh ? "fresh" : ""}`;
  return make("span", { className, title }, `${miles || "$"}`);
}

/** What the cards of a river are worth, as the rules have it. */
function worth(cards) {
  if (!cards.length) return 0;
  const loans = cards.filter(([, miles]) => !miles).length;
  const sum = cards.reduce((before, [, miles]) => before + miles, -20);
  return sum * (1 + loans) + (cards.length >= 8 ? 20 : 0);
}

/** Who sits at a side, and how many points that is. */
function side(seat, laid) {
  const points = RIVERS.map((river) => worth(at(river, laid)));
  const sum = points.reduce((before, one) => before + one, 0);
  return `${table.info.names[seat]}: ${sum}`;
}

/** Cards that were laid at a river, and what they are worth. */
function pile(cards, fresh) {
  const sum = make("b", { className: "worth" }, `${worth(cards)}`);
  return [...cards.map((one) => card(one, fresh)), sum];
}

/** A river: both piles, and the bank on which one leaves cards. */
function column(river, mine, others, bank, fresh) {
  const top = bank.length ? card(bank.at(-1), fresh) : "bank";
  const goes = held.startsWith(`${river} `);
  const onBank = goes
    ? ["bank", `leave ${held}`, `Leave it on the bank of ${river}`]
    : ["bank", `take ${river}`, `Take from the bank of ${river}`];
  const laid = goes ? `lay ${held}` : "";
  return make("section", { className: `river ${river}` },
    make("h2", {}, river),
    make("div", { className: "pile others" }, ...pile(others, fresh)),
    button(...onBank, top),
    button("pile mine", laid, `Lay at ${river}`, ...pile(mine, fresh)));
}

/** A card in one's hand: a click chooses it, and another one not. */
function inHand(one) {
  const { choices } = table.state;
  const name = nameOf(one);
  return make("button", {
    className: name === held ? "held" : "",
    ariaLabel: name,
    ariaPressed: name === held,
    disabled: !choices.some(({ words }) => words === `leave ${name}`),
    onclick() {
      held = held === name ? "" : name;
      draw();
    },
  }, card(one));
}

/** What is wanted now, in words. */
function wanted({ over, your_turn: asked, view, seat, prompt }) {
  if (over) return over.text;
  if (held) return `${held}: lay it at its river, or leave it there.`;
  const draws = asked.length && view.hands[seat].length < 8;
  return draws ? "Draw a card, or take one from a bank." : prompt;
}

function draw(fresh = "") {
  const { state } = table;
  const { laid, banks, deck, hands } = state.view;
  const me = state.seat ?? 0; // spectators sit with the first
  const [mine, others] = [laid[me], laid[1 - me]];
  byId("prompt").textContent = wanted(state);
  byId("above").textContent = side(1 - me, others);
  byId("below").textContent = side(me, mine);
  byId("rivers").replaceChildren(...RIVERS.map((name) => column(
    name, at(name, mine), at(name, others), banks[name], fresh)));
  const back = make("span", { className: "card" }, `${deck.length}`);
  byId("hand").replaceChildren(
    ...(state.seat === null ? [] : hands[me].map(inHand)),
    button("deck", "draw", `Draw one of ${deck.length} cards`, back));
  byId("undo").disabled = !state.can_undo;
  byId("again").hidden = !state.over;
}

/** What is refused is said. */
async function ask(asked) {
  try {
    await asked;
  } catch (error) {
    byId("news").textContent = error.message;
  }
}

function play(choice) {
  held = "";
  ask(table.act(choice));
}

byId("undo").onclick = () => ask(table.undo());
byId("again").onclick = () => {
  // Another player may have opened the next table already.
  const next = table.state.over.next_table;
  if (next) table.openNext();
  else ask(table.playAgain());
};

table.on("state", (state, before, { lines }) => {
  if (before?.ply !== state.ply) held = "";
  const said = lines.map(({ text }) => text).join(" ");
  if (said) byId("news").textContent = said;
  const words = lines.map(({ event }) => event?.value.action?.value);
  const last = words.findLast((it) => /^(lay|leave) /.test(it)) ?? "";
  draw(last.replace(/^\w+ /, ""));
});
table.on("lost", () => { byId("prompt").textContent = "Cut off …"; });
table.on("ended", ({ message }) => {
  byId("prompt").textContent = message;
});
