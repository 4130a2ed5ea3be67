// The log, the details, and notices about the match.

import { byId, fill, make, placeBeside, requesting, say, sentence } from "./dom.js";
import { narrow } from "./drawers.js";
import { seatColour, seatMark } from "./seats.js";

const MOST = 1000; // maximum number of log lines in the page
const NOTE_STAYS = 12000; // milliseconds
const BUBBLE_STAYS = 7000;

export class Log {
  /** @param {(seat: number, text: string) => void} heard called with each chat message that arrives while the page is open */
  constructor(heard) {
    Object.assign(this, { heard, names: [] });
    const frame = byId("log");
    this.follows = true; // whether the newest line is visible, and stays so
    frame.addEventListener("scroll", () => {
      if (frame.clientHeight === this.height) this.follows = frame.scrollHeight - frame.scrollTop - frame.clientHeight < 40;
    });
    new ResizeObserver(() => this.follow()).observe(frame);
    this.begin();
  }

  /** Expect the log from the start, because the server sends it again. */
  begin() {
    this.isRepeat = true;
    this.waiting = [];
    this.newest = -1;
  }

  /** A state has arrived, so the repeated lines of the log are complete. */
  came() {
    if (!this.waiting.length) this.isRepeat = false;
  }

  /** Add new lines. They are displayed with the position that they led to, but chat messages at once. */
  add(lines) {
    this.waiting.push(...lines);
    if (!this.isRepeat && lines.some(isSaid)) this.show(this.newest);
  }

  /** Display the lines up to a number. After reconnecting, they replace the lines with the same numbers. */
  show(newest) {
    this.newest = newest;
    const due = (line) => line.number <= newest || isSaid(line);
    const lines = this.waiting.filter(due);
    this.waiting = this.waiting.filter((line) => !due(line));
    if (!lines.length) return;
    const frame = byId("log");
    const list = byId("lines");
    // Screen readers do not read old events to a new visitor.
    frame.setAttribute("aria-live", this.isRepeat ? "off" : "polite");
    if (this.isRepeat) for (const item of [...list.children]) if (Number(item.dataset.n) >= lines[0].number) item.remove();
    if (!lines.every(isSaid)) for (const old of list.querySelectorAll(".fresh")) old.classList.remove("fresh");
    for (const line of lines) place(list, this.line(line));
    while (list.children.length > MOST) list.firstElementChild.remove();
    if (this.isRepeat) this.follows = true;
    this.follow();
    const heard = this.isRepeat ? [] : lines.filter(isSaid);
    this.isRepeat = false;
    for (const { seat, text } of heard) this.heard(seat, text);
  }

  /** Scroll to the newest line, unless the reader has scrolled to an earlier one. */
  follow() {
    const frame = byId("log");
    this.height = frame.clientHeight;
    if (this.follows) frame.scrollTop = frame.scrollHeight;
  }

  /** Create a line in the colour of its seat. The heading of a turn has the mark of the seat, too. */
  line({ number: n, text, seat, kind, ply }) {
    const mark = kind === "turn" && seatMark(seat);
    const words = kind === "chat" ? [make("bdi", { class: "speaker" }, this.names[seat] ?? `Seat ${seat + 1}`), ": ", make("bdi", {}, text)] : [kind === "remark" ? sentence(text) : text];
    return make("li", { data: { n: String(n), ply: String(ply) }, class: [kind, seatColour(seat), !this.isRepeat && "fresh"].filter(Boolean).join(" ") }, mark, words);
  }
}

const isSaid = ({ kind }) => kind === "chat";

/** Insert a line according to its number, because a chat message may arrive before earlier events are displayed. */
function place(list, item) {
  let before = list.lastElementChild;
  while (before && Number(before.dataset.n) > Number(item.dataset.n)) before = before.previousElementSibling;
  if (before) before.after(item);
  else list.prepend(item);
}

/** A short text next to the element that it is about, which screen readers read, too. */
export class Bubble {
  constructor() {
    this.timer = 0;
    this.place = byId("bubble");
    document.addEventListener("pointerdown", (event) => { if (!this.place.contains(event.target)) this.hide(); });
    document.addEventListener("keydown", (event) => { if (event.key === "Escape") this.hide(); });
  }

  show(message, beside) {
    clearTimeout(this.timer);
    // Only elements inside an open dialog are visible above it.
    (document.querySelector("dialog[open]") ?? document.body).append(this.place);
    this.place.hidden = false;
    this.place.textContent = message;
    const box = beside?.isConnected && beside.checkVisibility?.() !== false ? beside.getBoundingClientRect() : byId("guide").getBoundingClientRect();
    placeBeside(this.place, box);
    this.timer = setTimeout(() => this.hide(), BUBBLE_STAYS + 40 * message.length);
  }

  hide() {
    this.place.hidden = true;
    this.place.textContent = "";
  }
}

/** Notices about lasting conditions, with a button for a remedy: bots that play for people, and absent or idle people. */
export class Standing {
  constructor() {
    this.shown = "";
  }

  set(table, over) {
    const all = over ? [] : [...table.your_seats.filter((seat) => table.players[seat] !== "human").map((seat) => own(table, seat)), ...(table.replaceable ?? []).map((seat) => offered(table, seat))];
    const shown = JSON.stringify(all);
    if (shown === this.shown) return; // do not repeat the text or replace its buttons
    this.shown = shown;
    fill(byId("standing"), all.map(({ seat, words, does, player }) => make("p", { class: "notice", data: { seat: String(seat) } },
      make("span", {}, words),
      does && make("button", { type: "button", data: requesting("seat", { seat, player }) }, does))));
  }
}

/** The notice that a bot plays for the reader. */
function own(table, seat) {
  const alone = table.your_seats.length === 1;
  const isLost = table.lost.includes(seat);
  const out = table.clock[seat] === 0 ? (alone ? "Your time is" : `The time of ${table.names[seat]} is`) + " up" : `${alone ? "You have" : `${table.names[seat]} has`} resigned`;
  const words = isLost ? `${out}: a bot plays this seat.` : `The ${table.player_labels[seat]} is playing for ${alone ? "you" : table.names[seat]}.`;
  return { seat, words, does: !isLost && "Play yourself", player: "human" };
}

/** The notice that a seat may be given to a bot: the last of the first group of bots. Other bots are under "Table". */
function offered(table, seat) {
  if (table.your_seats.includes(seat)) return { seat, words: "You have not moved for a long time. The others may let a bot play for you." };
  const player = table.bots.filter(({ group }) => group === table.bots[0].group).at(-1)?.name;
  return { seat, words: `${table.names[seat]} ${table.present[seat] ? "has not acted" : "has been away"} for a long time.`, does: player && "Let a bot play", player };
}

/** Display the reason why the table waits, with a button for the proposal that ends this. */
export function showHold(hold) {
  byId("hold").hidden = !hold;
  if (!hold) return;
  say(byId("hold-text"), sentence(hold.text));
  say(byId("go-on"), hold.label);
  Object.assign(byId("go-on").dataset, requesting("propose", { kind: hold.kind }));
  byId("go-on").hidden = !hold.kind;
}

/** Whether a note repeats one of the lasting notices, or the offer of a rematch to players. */
export const isStanding = (text, { spectator }) => text.endsWith(": this seat may be given to a bot") || (!spectator && text.endsWith(" has opened a table"));

/** Display a note, which disappears after a while. */
export function note(text) {
  const line = make("p", { class: "notice note" }, make("span", {}, text));
  const away = () => line.remove();
  line.append(make("button", { type: "button", class: "quiet", "aria-label": "Close this notice", on: { click: away } }, "Close"));
  byId("notes").append(line);
  while (byId("notes").children.length > (narrow.matches ? 1 : 3)) byId("notes").firstElementChild.remove();
  setTimeout(away, NOTE_STAYS);
}

/** Display a request of another player with its answers, or the reader's own request, or the reason why it has ended. */
export function askConsent({ name, kind, aim, yours, reason }, answer) {
  const box = byId("consent");
  const button = (id, text, yes) =>
    make("button", { type: "button", id, class: yes ? "" : "quiet", on: { click: () => { forgetConsent(); byId("picture").focus({ preventScroll: true }); answer(yes); } } }, text);
  clearTimeout(fading);
  box.hidden = !kind && !reason;
  if (box.hidden) return;
  if (yours) {
    fill(box, make("span", {}, "You asked ", make("bdi", {}, name), ` to ${aim}. Waiting for an answer.`),
      button("consent-no", "Withdraw", false));
  } else if (kind) {
    fill(box, make("span", {}, make("bdi", {}, name), ` asks to ${aim}.`),
      make("div", { class: "ways" }, button("consent-yes", "Accept", true), button("consent-no", "Decline", false)));
  } else {
    fill(box, make("span", {}, sentence(reason)));
    fading = setTimeout(forgetConsent, NOTE_STAYS);
  }
}

let fading;

export function forgetConsent() {
  byId("consent").hidden = true;
}
