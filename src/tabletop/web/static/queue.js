// Display states one after the other, each after the animations of the previous one. A touch or a key displays the newest
// state at once.

import { settings } from "./settings.js";

const STEP = 300; // milliseconds for which a state is displayed at the normal pace while others wait
const HURRY = 8; // number of waiting states from which on each is displayed for a third of that time

export class Queue {
  /** @param {(state: object) => number} show displays a state, and returns the duration of its animations */
  constructor(show) {
    Object.assign(this, { show, waiting: [], timer: 0 });
    for (const event of ["pointerdown", "keydown"]) addEventListener(event, () => this.hurry(), { capture: true });
    document.addEventListener("visibilitychange", () => this.hurry());
  }

  add(state) {
    this.waiting.push(state);
    if (document.hidden) this.hurry();
    else if (!this.timer) this.next();
  }

  next() {
    this.timer = 0;
    const state = this.waiting.shift();
    if (!state) return;
    const motion = this.show(state);
    const step = settings.pace * STEP;
    const pause = this.waiting.length >= HURRY ? step / 3 : Math.max(motion, this.waiting.length ? step : 0);
    if (pause) this.timer = setTimeout(() => this.next(), pause);
    else this.next();
  }

  hurry() {
    clearTimeout(this.timer);
    this.timer = 0;
    const newest = this.waiting.at(-1);
    this.waiting = [];
    if (newest) this.show(newest);
  }
}
