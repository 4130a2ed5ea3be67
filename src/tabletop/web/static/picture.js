// The picture in the page: put in place, kept in focus, walked through with the arrow keys.

import { parsePicture } from "./guard.js";
import { make } from "./dom.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Picture {
  /** @param {HTMLElement} place where the picture stands */
  constructor(place) {
    this.place = place;
    this.source = "";
    place.addEventListener("keydown", (event) => this.walk(event));
    place.addEventListener("focusin", (event) => this.ring(partOf(event.target)));
    place.addEventListener("focusout", () => this.ring(null));
  }

  get root() {
    return this.place.querySelector("svg");
  }

  /** All parts, in the order they stand in the picture. */
  get parts() {
    return [...this.place.querySelectorAll(".tt-part")];
  }

  part(id) {
    return this.place.querySelector(`.tt-part[data-part="${CSS.escape(id)}"]`);
  }

  /** Show another picture; returns whether anything changed. */
  show(text) {
    if (text === this.source) return false;
    const focused = this.place.contains(document.activeElement) ? partOf(document.activeElement) : null;
    const was = focused && { key: focused.dataset.key, part: focused.dataset.part };
    let picture;
    try {
      picture = parsePicture(text);
    } catch (error) {
      picture = make("p", { class: "error" }, `The picture could not be shown (${error.message}). The list of actions still works.`);
    }
    this.source = text;
    this.place.replaceChildren(picture);
    if (picture.localName === "svg") this.prepare(picture);
    if (was) this.refocus(was);
    return true;
  }

  prepare(root) {
    root.setAttribute("role", "group"); // an image would hide the buttons in it
    for (const part of this.parts) {
      // A part that holds parts cannot be a button: what is in a button is hidden from screen readers.
      part.setAttribute("role", part.querySelector(".tt-part") ? "group" : "button");
      if (part.dataset.about) part.setAttribute("aria-description", part.dataset.about);
    }
  }

  /** Focus is where it was: on the same thing, else at the same place, else at the picture. */
  refocus({ key, part }) {
    const same = key && this.place.querySelector(`.tt-part[data-key="${CSS.escape(key)}"]`);
    (same || this.part(part) || this.place.querySelector(".tt-part.tt-lit") || this.place).focus({ preventScroll: true });
  }

  /** Mark what is lit, chosen, and completes a choice. */
  mark({ lit, chosen, actions }) {
    for (const part of this.parts) {
      const id = part.dataset.part;
      const isLit = lit.has(id);
      part.classList.toggle("tt-lit", isLit);
      part.classList.toggle("tt-chosen", chosen.includes(id));
      // Tab goes from one lit part to the next; the arrow keys reach the others as well.
      part.setAttribute("tabindex", isLit || chosen.includes(id) ? "0" : "-1");
      if (part.getAttribute("role") === "button") {
        part.setAttribute("aria-disabled", String(!isLit && !chosen.includes(id)));
        part.setAttribute("aria-pressed", String(chosen.includes(id)));
      }
      if (actions.has(id)) part.dataset.action = actions.get(id);
      else delete part.dataset.action;
    }
    if (!lit.size && this.parts.length) this.parts[0].setAttribute("tabindex", "0"); // a way in for the keyboard
  }

  /** Show faintly where a choice of the list would lead. */
  hint(path) {
    for (const part of this.parts) part.classList.toggle("tt-hint", path.includes(part.dataset.part));
  }

  /** The ring of the keyboard's focus, drawn in the picture itself. */
  ring(part) {
    this.place.querySelector(".tt-focus-ring")?.remove();
    if (!part?.matches(":focus-visible")) return;
    const box = part.getBBox();
    const ring = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    const gap = 3;
    const geometry = { x: box.x - gap, y: box.y - gap, width: box.width + 2 * gap, height: box.height + 2 * gap, rx: 6 };
    for (const [name, value] of Object.entries(geometry)) ring.setAttribute(name, value);
    ring.setAttribute("class", "tt-focus-ring");
    part.append(ring);
  }

  walk(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const from = partOf(event.target);
    const parts = this.parts;
    let to = null;
    if (ARROWS[event.key]) to = from ? nearest(from, parts, ARROWS[event.key]) : parts[0];
    else if (event.key === "Home") to = parts[0];
    else if (event.key === "End") to = parts.at(-1);
    else return;
    event.preventDefault();
    to?.focus();
  }
}

/** The part an element of the picture belongs to, or null. */
export const partOf = (element) => element?.closest?.(".tt-part") ?? null;

function nearest(from, parts, [dx, dy]) {
  const start = middle(from);
  let best = null;
  let least = Infinity;
  for (const part of parts) {
    if (part === from) continue;
    const { x, y } = middle(part);
    const along = (x - start.x) * dx + (y - start.y) * dy;
    const aside = Math.abs((x - start.x) * dy) + Math.abs((y - start.y) * dx);
    // Straight ahead counts more than near: the arrow key goes where it points.
    const cost = along + 2.5 * aside;
    if (along > 1 && cost < least) [best, least] = [part, cost];
  }
  return best;
}

function middle(part) {
  const box = part.getBoundingClientRect();
  return { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
}
