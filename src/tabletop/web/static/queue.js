// States are shown one after the other, each when the motions of the last are done.
// Nobody waits for that: whoever touches the page or a key sees the newest at once.

const MOST = 300; // milliseconds that a state is shown at least, when others wait behind it
const HURRY = 4; // with so many waiting, they are shown as fast as they can be seen

export class Queue {
  /** @param {(state: object) => number} show shows a state, and returns how long its motions take */
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
    const pause = this.waiting.length >= HURRY ? MOST / 3 : Math.max(motion, this.waiting.length ? MOST / 2 : 0);
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
