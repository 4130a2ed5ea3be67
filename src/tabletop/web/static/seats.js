// The seats: marks, names, turns, presence and clocks.

import { byId, clockText, fill, make } from "./dom.js";

const COLOURS = ["blue", "red", "orange", "yellow", "sky", "green", "purple", "grey"];
const SHAPES = [
  "M10 1a9 9 0 1 1 0 18a9 9 0 1 1 0-18z", "M2 2h16v16h-16z", "M10 1l9.5 17h-19z", "M10 0l10 10l-10 10l-10-10z",
  "M.5 2h19l-9.5 17z", "M5.5 .5h9v5h5v9h-5v5h-9v-5h-5v-9h5z", "M2 18.5v-10.5l8-8l8 8v10.5z",
  "M10 -1L13.6 3.8L19.5 4.5L17.2 10L19.5 15.5L13.6 16.2L10 21L6.4 16.2L0.5 15.5L2.8 10L0.5 4.5L6.4 3.8z",
];
const SUNK = [14, 14, 16, 14, 12, 14, 15, 14]; // the vertical position of the number in each shape
const CROWD = 4; // number of seats whose names fit in one row
const SVG = "http://www.w3.org/2000/svg";

/** The CSS class for the colour of a seat, or "" for no seat. */
export const seatColour = (seat) => (seat === null ? "" : `of-${COLOURS[seat % COLOURS.length]}`);

/** Create the mark of a seat: its colour, shape and number, as in the pictures. */
export function seatMark(seat) {
  const kind = seat % COLOURS.length;
  const colour = COLOURS[kind];
  const mark = document.createElementNS(SVG, "svg");
  const shape = document.createElementNS(SVG, "path");
  const letter = document.createElementNS(SVG, "text");
  mark.setAttribute("viewBox", "-2 -2 24 24");
  mark.setAttribute("class", "mark");
  mark.setAttribute("aria-hidden", "true");
  shape.setAttribute("d", SHAPES[kind]);
  shape.setAttribute("class", `tt-${colour} tt-stroke-ink`);
  letter.setAttribute("x", "10");
  letter.setAttribute("y", String(SUNK[kind]));
  letter.setAttribute("text-anchor", "middle");
  letter.setAttribute("class", `tt-on-${colour}`);
  letter.textContent = String(seat + 1);
  mark.append(shape, letter);
  return mark;
}

export class Seats {
  constructor() {
    this.table = null;
    this.turn = [];
    this.since = 0;
    setInterval(() => this.tick(), 500);
  }

  /** Store the seats of a table message. Clocks run on from its arrival. */
  seated(table) {
    this.table = table;
    this.since = performance.now();
    this.draw();
  }

  /** Store whose turn it is. */
  state({ turn, over }) {
    this.turn = over ? [] : turn;
    this.draw();
  }

  draw() {
    const table = this.table;
    if (!table) return;
    byId("seats").classList.toggle("crowd", table.names.length > CROWD);
    byId("seats").classList.toggle("held", table.hold !== null);
    fill(byId("seats"), table.names.map((name, seat) => this.seat(table, name, seat)));
    this.tick();
  }

  seat(table, name, seat) {
    const called = table.seat_titles[seat];
    const more = called.startsWith(`${name} `) ? called.slice(name.length + 1) : ""; // on the second line, never truncated
    const bot = table.players[seat] !== "human";
    const mine = table.your_seats.includes(seat);
    const away = !bot && !table.present[seat];
    const slow = !away && table.replaceable?.includes(seat);
    const words = [mine && "you", table.player_labels[seat], away && "away", slow && "inactive"].filter(Boolean).join(", ");
    const turn = this.turn.includes(seat);
    const timed = typeof table.clock?.[seat] === "number";
    return make("li", { class: `seat${turn ? " turn" : ""}${away ? " away" : ""}${mine ? " mine" : ""}`, "aria-current": turn ? "true" : undefined, data: { seat: String(seat) } },
      seatMark(seat),
      make("span", { class: "who" },
        make("bdi", { class: "name", title: called }, more ? name : called),
        make("span", { class: "sub" },
          more && make("span", { class: "as" }, more),
          timed && make("span", { class: "clock", role: "timer", "aria-label": `Time of ${name}`, data: { clock: String(seat) } }),
          words && make("span", { class: "words" }, words))),
      turn && make("span", { class: "unseen" }, "to move"));
  }

  tick() {
    const clock = this.table?.clock;
    if (!clock) return;
    for (const shown of document.querySelectorAll("[data-clock]")) {
      const seat = Number(shown.dataset.clock);
      const gone = this.table.running?.includes(seat) ? (performance.now() - this.since) / 1000 : 0;
      const left = clock[seat] - gone;
      const text = clockText(left);
      if (shown.textContent !== text) shown.textContent = text;
      shown.classList.toggle("short", left < 30);
    }
  }
}
