// Clicks, taps, drags and keys on the picture, and the actions that they choose.

import { byId, fill, make, placeBeside } from "./dom.js";
import { chosenOf, goingOn, nextParts, ofItems, setsAt, step, toggled, whole, within, withoutChosen } from "./paths.js";
import { focusPart, partAt, partOf } from "./picture.js";

const FAR = 8; // pixels: a pointer that moves less clicks, one that moves more drags
const LONG = 450; // milliseconds for which a finger rests on a part to show its details

export class Clicking {
  /**
   * @param {import("./picture.js").Picture} picture
   * @param {{send: (choice: {words: string}, from: Element|null) => void, why: (part: string, chosen: string[]) => void, full: (high: number) => void,
   *          inspect: (part: Element|null) => void, changed: () => void, confirms: () => boolean}} doing
   *   `confirms` returns whether to ask before an action is played
   */
  constructor(picture, doing) {
    Object.assign(this, { picture, doing, choices: [], prefix: [], picked: [], drag: null, pressed: null, dragged: false, resting: 0, rested: false, hasRested: false, followsRest: false });
    const place = picture.place;
    document.addEventListener("click", (event) => this.once(event), true);
    place.addEventListener("click", (event) => this.clicked(event));
    place.addEventListener("keydown", (event) => this.key(event));
    place.addEventListener("pointerdown", (event) => this.press(event));
    addEventListener("pointermove", (event) => this.move(event));
    addEventListener("pointerup", (event) => this.release(event));
    addEventListener("pointercancel", () => this.drop());
    place.addEventListener("pointerover", (event) => {
      if (event.pointerType === "mouse") this.inspect(event.target);
    });
    place.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") this.doing.inspect(null); });
    place.addEventListener("focusin", (event) => { if (event.target.matches(":focus-visible")) this.inspect(event.target); });
    place.addEventListener("focusout", () => this.doing.inspect(null));
    place.addEventListener("contextmenu", (event) => { if (this.resting || this.rested) event.preventDefault(); });
    document.addEventListener("keydown", (event) => { if (event.key === "Escape") this.escape(event); });
    document.addEventListener("click", (event) => this.elsewhere(event));
    byId("chooser").addEventListener("keydown", (event) => this.walkChooser(event));
    byId("cancel").addEventListener("click", () => this.clear(true));
  }

  /** Set the possible actions. With `keep`, keep the chosen parts if an action still contains them. */
  set(choices, keep) {
    this.choices = choices;
    this.picked = keep ? this.picked.flatMap((entry) => choices.find(({ id }) => id === entry.id) ?? []) : [];
    if (!keep || !within(choices, this.prefix).length) this.prefix = [];
    this.closeChooser();
    this.show();
  }

  show() {
    const lit = nextParts(withoutChosen(this.choices, this.picked), this.prefix);
    const actions = new Map();
    for (const part of lit) {
      const only = whole(this.choices, [...this.prefix, part]);
      if (only && !only.set) actions.set(part, only.words);
    }
    this.picture.mark({ lit, chosen: [...this.prefix, ...this.picked.flatMap(({ item }) => item.path)], actions });
    this.doing.changed();
  }

  clear(focus = false) {
    const last = this.prefix.findLast((id) => !this.picture.part(id)?.closest(".tt-after"));
    this.prefix = this.picked = [];
    const hadFocus = byId("chooser").contains(document.activeElement) || focus;
    this.closeChooser();
    this.show();
    const part = last && hadFocus && this.picture.part(last);
    if (part) focusPart(part);
  }

  /** Handle a click on a part, by pointer or key. */
  act(part) {
    const id = part.dataset.part;
    this.closeChooser();
    const chosen = this.prefix;
    let led = step(this.choices, chosen, id);
    if (!led && this.prefix.includes(id)) {
      if (this.prefix.at(-1) === id) return this.clear();
      this.prefix = this.prefix.slice(0, this.prefix.indexOf(id) + 1); // go back to this part
      return this.show();
    }
    if (!led && this.prefix.length) {
      this.prefix = []; // a click elsewhere cancels the choice, and may start another one
      led = step(this.choices, [], id);
    }
    if (!led) {
      this.show();
      this.doing.why(id, chosen);
      return undefined;
    }
    if (led.send?.set) return this.toggle(led.send);
    this.prefix = led.prefix;
    this.show();
    if (!led.send) this.offer(part, led.ask ?? []);
    else if (this.doing.confirms()) this.ask(part, "Play this?", [led.send]);
    else this.doing.send(led.send, part);
    return undefined;
  }

  /** The set whose items are to be chosen after the parts clicked so far, or undefined. */
  get openSet() {
    return setsAt(this.choices, this.prefix).find(({ path }) => path.length === this.prefix.length);
  }

  /** Choose an entry of a set, or no longer choose it. */
  toggle(entry) {
    const picked = toggled(this.picked, entry);
    if (!picked) return this.doing.full(entry.set.several.high);
    this.picked = picked;
    this.prefix = entry.set.path;
    return this.show();
  }

  /** Play the chosen entries of a set. */
  finish(set, from) {
    const choice = ofItems(set, chosenOf(this.picked, set));
    this.clear();
    this.doing.send(choice, from);
  }

  /** Offer choices next to the part: those that end here, and those whose next part is not in the picture. */
  offer(part, ends) {
    const unseen = goingOn(this.choices, this.prefix).filter(({ path }) => !this.picture.part(path[this.prefix.length]));
    const offered = [...ends, ...unseen];
    const others = goingOn(this.choices, this.prefix).length > unseen.length;
    if (offered.length) this.ask(part, others ? "Choose here, or click a part with a ring:" : "Choose:", offered);
  }

  /** Display a button for each of these choices next to the part. */
  ask(part, title, choices) {
    const box = byId("chooser");
    byId("chooser-title").textContent = title;
    fill(byId("chooser-list"), choices.map((choice) => make("button", {
      type: "button", data: { words: choice.words },
      on: { click: () => {
        this.prefix = [];
        this.closeChooser();
        this.show();
        focusPart(part);
        if (choice.set) this.toggle(choice);
        else this.doing.send(choice, part);
      } },
    }, choice.label)));
    box.hidden = false;
    placeBeside(box, part.getBoundingClientRect());
    box.querySelector("button").focus();
  }

  closeChooser() {
    byId("chooser").hidden = true;
  }

  walkChooser(event) {
    const buttons = [...byId("chooser-list").children];
    const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    buttons.at((buttons.indexOf(document.activeElement) + by) % buttons.length).focus();
  }

  clicked(event) {
    if (this.dragged || this.rested) return void (this.dragged = this.rested = false);
    // The picture may have changed between press and click. The click counts for the present part if it is the same thing.
    const part = partAt(event) ?? partOf(event.target);
    if (!part) return void (this.prefix.length && this.clear());
    if (this.pressed && (this.pressed.part !== part.dataset.part || this.pressed.key !== part.dataset.key)) return;
    if (event.pointerType === "touch" && !part.matches(".tt-lit, .tt-chosen")) this.inspect(part);
    this.act(part);
  }

  /** Show the details of the described part that contains an element. */
  inspect(element) {
    this.doing.inspect(element.closest("[data-about]"));
  }

  /** Treat a double click as one click, because the second would hit whatever is there after the first. */
  once(event) {
    // Chromium may count a long press and the next tap as a double click.
    if (event.detail < 2 || this.followsRest) return;
    if (!event.target.closest("#picture, #chooser, #actions, #guide, #bar")) return;
    if (event.target.closest("input, summary, .tt-now .tt-part:not([data-action])")) return; // repeated clicks turn a tile
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  key(event) {
    if (event.key !== "Enter" && event.key !== " ") return;
    const part = partOf(event.target);
    if (!part) return;
    event.preventDefault();
    if (!event.repeat) this.act(part);
  }

  escape(event) {
    if (event.defaultPrevented) return;
    if (this.drag) this.drop();
    if (this.prefix.length || this.picked.length || !byId("chooser").hidden) {
      event.preventDefault();
      this.clear(true);
    }
  }

  elsewhere(event) {
    if (!event.target.isConnected || event.target.closest("#picture, #chooser, #actions, #guide, #bar, #inspect")) return;
    if (this.prefix.length) this.clear();
  }

  // Dragging from a part to a next part, with a mouse or pen only, because moving a finger scrolls.

  press(event) {
    const part = partAt(event) ?? partOf(event.target);
    this.pressed = part && { part: part.dataset.part, key: part.dataset.key };
    this.followsRest = this.hasRested;
    this.dragged = this.rested = this.hasRested = false;
    if (part && event.pointerType === "touch") this.rest(part, event);
    if (part && event.button === 0 && event.pointerType !== "touch") this.drag = { id: part.dataset.part, x: event.clientX, y: event.clientY, far: false };
  }

  /** Show the details of a part on which a finger rests, instead of playing it. */
  rest(part, { clientX: x, clientY: y }) {
    this.stopRest();
    this.at = { x, y };
    this.resting = setTimeout(() => {
      this.resting = 0;
      this.rested = this.hasRested = true; // a click ends only the first
      this.inspect(part);
    }, LONG);
  }

  stopRest() {
    clearTimeout(this.resting);
    this.resting = 0;
  }

  move(event) {
    if (this.resting && Math.hypot(event.clientX - this.at.x, event.clientY - this.at.y) > FAR) this.stopRest();
    const drag = this.drag;
    if (!drag) return;
    if (!drag.far) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR) return;
      if (!this.prefix.includes(drag.id) && !goingOn(this.choices, [drag.id]).length) return void (this.drag = null);
      drag.far = true;
      this.closeChooser();
      if (!this.prefix.includes(drag.id)) this.prefix = [drag.id];
      this.show();
      document.body.classList.add("dragging");
      getSelection().removeAllRanges();
    }
    const over = partAt(event);
    this.picture.hint(over?.classList.contains("tt-lit") ? [over.dataset.part] : []);
  }

  release(event) {
    const drag = this.drag;
    this.drop();
    if (!drag?.far) return;
    this.dragged = true; // ignore the click that follows a drag
    setTimeout(() => { this.dragged = false; }, 0);
    const over = partAt(event);
    if (over?.classList.contains("tt-lit")) this.act(over);
    else this.clear();
  }

  drop() {
    this.stopRest();
    this.drag = null;
    document.body.classList.remove("dragging");
    this.picture.hint([]);
  }
}
