// The last turn of the other players as a list, which stays visible during the player's own turn.

import { byId, fill, make, say } from "./dom.js";
import { seatColour } from "./seats.js";

const isAction = ({ kind, text }) => text && kind !== "chat" && kind !== "remark";

/** The lines of actions that were not undone. */
function played(lines) {
  let least = Infinity;
  const kept = [];
  for (const line of lines.filter(isAction).toReversed()) {
    if (line.ply > least) continue;
    least = line.ply;
    kept.push(line);
  }
  return kept.reverse();
}

/** Split lines into turns, [{seat, lines}, ...]. Without headings of turns in the log, each action is a turn. */
function turns(lines) {
  const hasHeadings = lines.some(({ kind }) => kind === "turn");
  const split = [];
  for (const line of lines) {
    const last = split.at(-1);
    const begins = hasHeadings ? line.kind === "turn" : line.ply !== last?.lines[0].ply;
    if (!last || begins) split.push({ seat: line.seat, lines: [line] });
    else last.lines.push(line);
    split.at(-1).seat ??= line.seat;
  }
  return split;
}

/** Return the turns of others after the player's last turn before the present one. `own` are the seats of the player. */
export function othersTurns(lines, own) {
  const all = turns(played(lines));
  const isOwn = ({ seat }) => seat === null || own.includes(seat);
  while (all.length && isOwn(all.at(-1))) all.pop();
  return all.slice(all.findLastIndex(isOwn) + 1);
}

export class Turn {
  /** @param {(ply: number | null, tapped?: boolean) => void} point marks the parts of an action on the board, or none */
  constructor(point) {
    Object.assign(this, { point, shown: "" });
    const list = byId("turn-lines");
    for (const event of ["pointerover", "focusin", "click"]) {
      list.addEventListener(event, ({ target }) => {
        const item = target.closest("li");
        this.point(item ? Number(item.dataset.ply) : null, event === "click");
      });
    }
    for (const event of ["pointerleave", "focusout"]) list.addEventListener(event, () => this.point(null));
    list.addEventListener("keydown", ({ key, target }) => {
      const to = { ArrowUp: target.previousElementSibling, ArrowDown: target.nextElementSibling }[key];
      to?.focus();
    });
  }

  /** Display the turns of others in these lines. */
  set(lines, { names, your_seats: own }) {
    const theirs = own.length ? othersTurns(lines, own) : [];
    const items = theirs.flatMap((turn) => turn.lines);
    const keys = items.map(({ number, kind }) => `${number}${kind}`); // a heading has the number of its first line
    for (const line of byId("lines").children) line.classList.toggle("above", keys.includes(`${line.dataset.n}${line.matches(".turn") ? "turn" : ""}`));
    const shown = keys.join(" ");
    if (shown === this.shown) return;
    this.shown = shown;
    const seats = new Set(theirs.map(({ seat }) => seat));
    byId("turn").hidden = !items.length;
    const single = seats.size === 1;
    const heading = single ? `What ${names[theirs[0].seat]} did` : "What the others did";
    say(byId("turn-heading"), heading);
    say(byId("log-label"), items.length ? "Last turn" : "Log"); // on a phone, the list is in the drawer of the log
    fill(byId("turn-lines"), items.filter(({ kind }) => !single || kind !== "turn").map(item));
    byId("turn-lines").firstElementChild?.setAttribute("tabindex", "0"); // the arrow keys reach the others
  }
}

const item = ({ text, seat, kind, ply }) =>
  make("li", { class: [kind, seatColour(seat)].filter(Boolean).join(" "), tabIndex: -1, data: { ply: String(ply) } }, text);

/** The things in a picture that show the last action, by key or else by part. */
export function lastThings(svg) {
  const tags = svg.match(/<g\b[^>]*\btt-last\b[^>]*>/g) ?? [];
  const parsed = new DOMParser().parseFromString(`<svg xmlns="http://www.w3.org/2000/svg">${tags.map((tag) => `${tag}</g>`).join("")}</svg>`, "image/svg+xml");
  return [...parsed.querySelectorAll("g")].map(({ dataset }) => dataset.key || dataset.part);
}
