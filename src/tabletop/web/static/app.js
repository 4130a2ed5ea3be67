// The page of a table: display the messages of the server, and send the player's requests.

import { About } from "./about.js";
import { Actions } from "./actions.js";
import { Alerts } from "./alerts.js";
import { ask } from "./ask.js";
import { Clicking } from "./clicking.js";
import { byId, fill, make, say, sentence, watchers } from "./dom.js";
import { Concede } from "./concede.js";
import { Drawers, narrow, sideways, small } from "./drawers.js";
import { Ending } from "./ending.js";
import { Inspection } from "./inspect.js";
import { Invite } from "./invite.js";
import { Lesson } from "./lesson.js";
import { Look } from "./look.js";
import { rememberTable } from "./mine.js";
import { play, remember } from "./motion.js";
import { eitherWay, withEquals, withItems } from "./paths.js";
import { Picture } from "./picture.js";
import { Queue } from "./queue.js";
import { Rules } from "./rules.js";
import { Seats } from "./seats.js";
import { settings, showSettings } from "./settings.js";
import { askConsent, Bubble, forgetConsent, isStanding, Log, note, showHold, Standing } from "./story.js";
import { connect } from "./tabletop.js";
import { Talk } from "./talk.js";
import { lastThings, Turn } from "./turn.js";

const HOVER = 150; // milliseconds for which the mouse rests on a line before its things are requested

const layout = () => (sideways.matches ? "landscape" : small.matches ? "small" : narrow.matches ? "narrow" : "wide");
const learns = new URLSearchParams(location.search).has("learn");
const table = connect(location, { picture: layout(), data: false, lessons: learns });
let state = null; // the displayed state, whereas `table.state` is the last one received
let seated = null;
let unsent = false; // whether the page displays that a request was not sent
let hint = null; // the hint for this position: null, {} while a bot thinks, then {words, label, confidence, reasons, path}

const picture = new Picture(byId("picture"));
const drawers = new Drawers();
const seats = new Seats();
const talk = new Talk({ say: (text, from) => answer(table.say(text), from), isOpen: () => drawers.open === "story" });
const log = new Log((seat, text) => talk.heard(seat, text));
const bubble = new Bubble();
const inspection = new Inspection();
const standing = new Standing();
const ending = new Ending((page) => table.linkTo(page));
const own = location.pathname.endsWith("/plain") ? table.linkTo(location.pathname.replace(/\/plain$/, "")) : "";
const about = new About((seat, player) => answer(table.reseat(seat, player), byId(`player-${seat}`)), own);
const actions = new Actions({ send: act, hint: (path) => picture.hint(path), isDrawn: (part) => picture.part(part) !== null, clicking: () => clicking });
const clicking = new Clicking(picture, { send: act, why, full: (high) => note(`You have already chosen ${high}.`), inspect: (part) => inspection.show(part), changed: guide, confirms: () => settings.confirms });
const shownBy = new Map(); // for each action, by the number of actions with it: the things in the picture that show it
const turn = new Turn(pointAt);
let pointed = null; // the action whose things are marked, as in `shownBy`
const queue = new Queue(show);
const look = new Look({ look: (ply, from) => answer(table.look(ply), from), began: lookingBack, changed: inWords });
const alerts = new Alerts();
const invite = new Invite();
const lesson = new Lesson(learns);
const concede = new Concede();
new Rules((from) => answer(table.rules(), from));
showSettings();

// Requests of the player.

/** Wait for the answer to a request. Return null if it fails, after displaying the reason where the request was made. */
async function answer(asked, from) {
  const box = from?.getBoundingClientRect();
  try {
    return (await asked) ?? true;
  } catch (error) {
    unsent = error.reason === "unsent";
    if (error.reason === "lost") return null; // after reconnecting, the state shows whether the request was carried out
    if (from === byId("line")) actions.wrong(error);
    else beside(error.message, from, box);
    return null;
  }
}

/** Display a text next to an element, or at its former place. */
function beside(words, from, box) {
  bubble.show(words, from?.isConnected ? from : box && { isConnected: true, getBoundingClientRect: () => box });
}

/** Play a choice, or a typed line. */
async function act(choice, from) {
  bubble.hide();
  drawersAside(from);
  const isOwn = typeof choice !== "string" && state.covered === choice.seat;
  const done = await answer(isOwn ? table.request("sit", { seat: choice.seat }) : table.act(choice, { revision: state?.revision }), from);
  if (!done || from !== byId("line")) return;
  actions.taken();
  drawers.close(true);
}

/** Drop choices and bubbles, because they would be hidden. */
function lookingBack() {
  clicking.clear();
  bubble.hide();
  inspection.close();
  drawers.close();
}

/** Display the description of the position that the picture shows. */
function inWords() {
  if (state) say(byId("position"), look.text ?? state.text);
}

/** Close the drawer after a choice in it, because the picture shows the effect. */
function drawersAside(from) {
  if (drawers.open === "actions" && from !== byId("line")) drawers.close(true);
}

/** Request a hint, one at a time, and mark its action in the picture and in the list. */
async function askHint(button) {
  if (hint) return;
  const mine = hint = {};
  guide();
  const suggestion = await answer(table.hint(), button);
  if (hint !== mine) return; // the position has changed
  const choice = state?.choices.find(({ words }) => words === suggestion?.words);
  hint = suggestion?.words ? { ...suggestion, label: choice?.label ?? suggestion.words, path: choice?.path ?? [] } : null;
  markHint();
  guide();
}

function markHint() {
  actions.suggest(hint?.words ?? "");
  picture.suggest(hint?.path ?? []);
  document.body.classList.toggle("hinted", Boolean(hint?.path?.length));
}

function forgetHint() {
  hint = null;
  markHint();
}

async function why(part, chosen) {
  const from = picture.part(part);
  const box = from?.getBoundingClientRect();
  const words = await answer(table.explain(from?.dataset.like ?? part, chosen), from);
  if (words) beside(words, from, box);
}

// A button with `data-request` sends this request, with its `data-fields`. Spectators do not see these buttons.
document.addEventListener("click", ({ target }) => {
  const button = target.closest("button[data-request]");
  if (!button) return;
  const { request, fields = "{}" } = button.dataset;
  const dialog = button.closest("dialog");
  dialog?.close(); // questions and refusals are displayed next to the board
  answer(table.request(request, JSON.parse(fields)), dialog ? byId(`open-${dialog.id}`) : button);
});
byId("undo").addEventListener("click", (event) => {
  const button = event.currentTarget;
  if (button.getAttribute("aria-disabled")) bubble.show(state.undo_refusal, button);
  else answer(table.undo(), button);
});
byId("redo").addEventListener("click", (event) => answer(table.redo(), event.currentTarget));
byId("hint").addEventListener("click", (event) => {
  if (!hint?.words) askHint(event.currentTarget);
});
byId("open-invite").addEventListener("click", async () => {
  const { body } = await ask("/api/games"); // with the address of the server for other people
  const { title, names, invitation, spectator_path: spectators } = seated;
  invite.show({ title, names, links: [], invitation, spectators }, body ?? {});
});
addEventListener("pagehide", () => { if (seated?.hosted) rememberHere(seated); });
byId("retry").addEventListener("click", () => table.retry());
for (const query of [narrow, sideways, small]) {
  query.addEventListener("change", () => {
    table.layout(layout());
    if (look.isBack) look.step(0, byId("then"));
  });
}
addEventListener("hashchange", () => location.reload());

const toLine = () => {
  drawers.show("actions", false);
  byId("line").select();
};

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // keep the token in the address
  toLine();
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || look.isBack || event.target.closest("input, textarea, select, dialog")) return;
  if (event.key === "h" && !byId("hint").hidden) byId("hint").click();
  if (event.key === "n" && !event.repeat) picture.number(true);
  if (event.key !== "/") return;
  event.preventDefault();
  toLine();
});

document.addEventListener("keyup", ({ key }) => { if (key === "n") picture.number(false); });

// Messages of the server.

table.on("table", tableChanged);
table.on("state", stateCame);
table.on("log", (lines) => {
  log.add(lines);
  look.updateLog();
});
table.on("consent", (message) => askConsent(message, (yes) => answer(table.consent(yes, { kind: message.kind }))));
table.on("note", ({ text }) => {
  const inSight = !narrow.matches && table.lines.slice(-5).some((line) => line.kind === "remark" && line.text === text);
  if (!inSight && !isStanding(text, seated)) note(sentence(text));
});
table.on("connected", connected);
table.on("lost", lost);
table.on("ended", (why) => {
  if (why.reason === "gone") gone(why);
  else if (why.reason === "stopped" && state) stopped(why);
  else ended(why);
});

function stateCame(message, before, { lines }) {
  // An action or the end of the match answers an open request.
  if (before && (before.ply !== message.ply || message.over)) forgetConsent();
  log.came();
  look.came(message);
  shownBy.set(message.ply, lastThings(message.svg));
  alerts.came(message, before, lines);
  queue.add(message);
}

function tableChanged(message) {
  if (message.hosted && (!seated || remembered(message) !== remembered(seated))) rememberHere(message);
  seated = message;
  document.body.classList.toggle("spectator", message.spectator);
  say(byId("title"), message.title || message.game);
  log.names = message.names;
  talk.set(message);
  seats.seated(message);
  about.set(message);
  alerts.seated(message);
  standing.set(message, state?.over);
  byId("open-rules").hidden = !message.rules;
  byId("watching").hidden = !message.spectator_count;
  say(byId("watching"), message.spectator_count ? watchers(message.spectator_count) : "");
  showInvitation();
  showHold(message.hold);
  byId("hint").hidden = message.spectator || !message.hints;
  if (state) {
    ending.set(state.over, seated);
    lesson.set(state, seated);
    showTurn();
  }
  guide();
}

const remembered = ({ title, names, your_seats: own }) => JSON.stringify([title, names, own]);

/** Add this table to the lobby's list of the visitor's own tables. */
function rememberHere({ title, game, names, your_seats: own }) {
  const [, page, name] = location.pathname.match(/^(.*\/t\/([^/]+))/);
  rememberTable({ table: name, title: title || game, names, link: page + new URL(table.linkTo(page)).hash, as: own.map((seat) => names[seat]).join(", ") });
}

/** Return the button of a person who takes their turn at a shared screen, as a choice. */
const sitDown = (seat) => ({ words: "ready", label: `I am ${table.info.names[seat]}, show my view`, path: [], seat });

/** Display a state, and return the duration of its animations in milliseconds. */
function show(sent) {
  const next = sent.covered === null ? sent : { ...sent, choices: [sitDown(sent.covered)] };
  const before = remember(picture.root);
  const same = state?.ply === next.ply;
  state = next;
  if (!same) forgetHint();
  const changed = picture.show(next.svg);
  if (changed) markHint();
  const choices = withItems(next.choices);
  const ways = eitherWay(withEquals(choices, picture.equals), picture.verbs);
  clicking.set(ways, same);
  if (next.your_turn.length && !same) picture.reveal();
  actions.set({ ...next, choices }, ways);
  seats.state(next);
  if (seated) {
    standing.set(seated, next.over);
    concede.set(next, seated);
    about.propose(next);
    lesson.set(next, seated);
  }
  showInvitation();
  log.show(next.log_line);
  showTurn();
  look.updateLog();
  inWords();
  byId("redo").disabled = !next.can_redo;
  whyNot(byId("undo"), next.can_undo, next.undo_refusal);
  document.body.classList.toggle("your-turn", next.your_turn.length > 0);
  document.body.classList.toggle("over", next.over !== null);
  say(byId("actions-heading"), next.over ? "How it ended" : "What you can do");
  if (changed) inspection.drawn(picture);
  guide();
  if (ending.set(next.over, seated) && narrow.matches) drawers.show("actions", false);
  return changed ? play(picture.root, before) : 0;
}

/** Offer to invite people while seats are free. */
function showInvitation() {
  byId("inviting").hidden = !seated?.invitation || Boolean(state?.over);
  if (byId("inviting").hidden) byId("invite").close();
}

/** Display the last turn of the others during the player's own turn. */
function showTurn() {
  if (seated) turn.set(state.your_turn.length ? table.lines.filter(({ number }) => number <= state.log_line) : [], seated);
  log.follow();
}

/** Mark the things in the picture that show an action, or none for null. */
async function pointAt(ply, tapped) {
  if (tapped && drawers.open === "story") drawers.close(true); // it covers the board
  pointed = ply;
  if (ply !== null && !shownBy.has(ply)) { // it was played before this page was opened
    if (!tapped) await new Promise((done) => { setTimeout(done, HOVER); });
    if (pointed !== ply || shownBy.has(ply)) return;
    shownBy.set(ply, []);
    const past = await table.look(ply).catch(() => null);
    if (past) shownBy.set(ply, lastThings(past.svg));
    else shownBy.delete(ply);
  }
  if (pointed === ply) picture.point(shownBy.get(ply) ?? []);
}

/** Disable a button, and give the reason in its tooltip, on a tap, and for screen readers. */
function whyNot(button, can, reason) {
  button.disabled = !can && !reason; // a disabled button does not react to taps
  if (can || !reason) button.removeAttribute("aria-disabled");
  else button.setAttribute("aria-disabled", "true");
  button.title = reason;
  say(byId(button.getAttribute("aria-describedby")), reason);
}

/** Return the hint, or the text that a bot is thinking, or "" if there is neither. */
function advice() {
  if (hint) return hint.words ? `Hint: ${hint.label}${hint.confidence && ` (${hint.confidence.replaceAll(" %", "\u00a0%")})`}` : "Waiting for a hint …";
  if (state.your_turn.length || !seated) return "";
  if (seated.thinking) return `${seated.thinking} …`;
  const mine = state.turn.find((seat) => seated.your_seats.includes(seat) && seated.players[seat] !== "human");
  return mine === undefined ? "" : `The ${seated.player_labels[mine]} is playing for ${seated.names[mine]} …`;
}

/** Display the question and the choices so far under the picture. */
function guide() {
  if (!state) return;
  // There is only room for two lines, so use the first part of the label. The details show the rest.
  const chosen = clicking.prefix.map((id) => (picture.part(id)?.dataset.label ?? id).split(", ", 1)[0]);
  const wanted = state.over ? state.over.text || "The match is over." : advice() || state.prompt;
  const next = picture.part(clicking.prefix.at(-1) ?? "")?.dataset.then ?? `Choose a target for ${chosen.join(" → ")}.`;
  const isOpen = chosen.length > 0 && !clicking.openSet;
  say(byId("prompt"), isOpen ? next : wanted);
  const because = (!state.over && !chosen.length && hint?.reasons?.join(" · ")) || "";
  say(byId("because"), because.replaceAll(" %", "\u00a0%"));
  byId("because").title = because;
  byId("guide").classList.toggle("choosing", isOpen);
  byId("guide").classList.toggle("thinking", Boolean(hint ? !hint.words : seated?.thinking));
  byId("hint").disabled = !state.your_turn.length || hint !== null;
  byId("cancel").hidden = !chosen.length;
  if (chosen.length) picture.reveal();
  actions.narrowTo(clicking.prefix, clicking.picked);
  document.title = `${state.your_turn.length ? "Your turn · " : ""}${byId("title").textContent}`;
}

// The connection to the server.

function lost({ seconds: pause, message }) {
  isLost(true);
  const seconds = Math.round(pause);
  const when = seconds < 2 ? "Trying again …" : `Trying again in ${seconds} seconds …`;
  say(byId("lost-text"), `Connection lost${message ? ` (${message})` : ""}. ${when}`);
}

/** Display that there is no connection, and grey out all actions meanwhile. */
function isLost(yes) {
  byId("lost").hidden = !yes;
  document.body.classList.toggle("lost", yes);
}

/** Keep the last picture without any actions, because there will be no further messages. */
function gone({ message: words }) {
  queue.hurry(); // a waiting state would be displayed over this
  for (const control of [byId("hint"), byId("undo"), byId("redo"), byId("open-concede")]) control.disabled = true;
  clicking.set([], false);
  if (state) actions.set({ ...state, choices: [], more_choices: 0, commands: [] }, []);
  isLost(false);
  say(byId("prompt"), "");
  fill(byId("stopped"), make("span", {}, words));
  byId("stopped").hidden = false;
  document.body.classList.remove("your-turn");
  document.title = byId("title").textContent;
}

function connected() {
  isLost(false);
  byId("table").inert = false;
  if (unsent) { // the request can be sent now
    bubble.hide();
    actions.wrong(null);
    unsent = false;
  }
  forgetConsent(); // the server repeats a request that is still open
  log.begin();
}

/** Keep the last picture of a table that the host has ended. */
function stopped(why) {
  gone(why);
  byId("standing").replaceChildren();
  byId("hold").hidden = byId("talk").hidden = true;
  fill(byId("stopped"), make("span", {}, sentence(why.message)), make("a", { href: "/", class: "button" }, "Back to the lobby"));
}

function ended({ message: words, reason }) {
  isLost(false);
  const tryAgain = () => { byId("fatal").hidden = true; table.retry(); };
  fill(byId("fatal"),
    make("h2", {}, reason === "stopped" ? "This table is not active now" : "This table cannot be shown"),
    make("p", {}, sentence(words)),
    make("div", { class: "ways" },
      reason !== "stopped" && make("button", { type: "button", on: { click: tryAgain } }, "Try again"),
      make("a", { href: "/", class: "button" }, "Back to the lobby")));
  byId("fatal").hidden = false;
  byId("table").inert = true;
}
