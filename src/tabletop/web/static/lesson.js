// The tutorial: one sentence at a time about what the player can do now.

import { byId, say } from "./dom.js";

export class Lesson {
  /** @param {boolean} isOn whether the tutorial was requested */
  constructor(isOn) {
    Object.assign(this, { isOn, sentences: [], read: new Set(), ply: 0 });
    byId("lesson-next").addEventListener("click", () => this.#next());
    byId("lesson-skip").addEventListener("click", () => {
      this.isOn = false;
      this.#show();
      history.replaceState(null, "", location.pathname + location.hash);
    });
  }

  /** Choose a sentence for a state. An action also moves on to the next sentence. */
  set({ lessons, ply, your_turn: yourTurn, over }, { your_seats: own, lost }) {
    if (over || own.every((seat) => lost.includes(seat))) this.isOn = false;
    if (this.isOn && !yourTurn.length) return;
    if (ply !== this.ply) this.read.add(byId("lesson-text").textContent);
    Object.assign(this, { sentences: lessons, ply });
    this.#show();
  }

  #next() {
    this.read.add(byId("lesson-text").textContent);
    this.#show();
    if (byId("lesson").hidden) byId("picture").focus({ preventScroll: true });
  }

  #show() {
    const sentence = this.isOn ? this.sentences.find((text) => !this.read.has(text)) : undefined;
    byId("lesson").hidden = !sentence;
    say(byId("lesson-text"), sentence ?? "");
  }
}
