// The picture in the page: display it, keep the focus, and move through it with the arrow keys.

import { make } from "./dom.js";
import { parsePicture } from "./guard.js";

const SVG = "http://www.w3.org/2000/svg";
const GAP = 3; // units between the drawing and the frame around it
const MARGIN = 8; // pixels above what is scrolled into view
const SMALLEST = 0.76; // minimum scale on a narrow page, because smaller parts are hard to touch
const PLACE = /^(?:([a-z]+)-)?([a-z]?\d{1,3})$/; // the kind and the number of a place, which its label contains, too
const LARGE = 60; // pixels: the height from which on the number of a place is at its top
const LEAST = 12; // pixels: the minimum size of text
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Picture {
  /** @param {HTMLElement} place the element that contains the picture */
  constructor(place) {
    this.place = place;
    this.source = "";
    new ResizeObserver(() => this.fit()).observe(place);
    place.addEventListener("keydown", (event) => this.walk(event));
    place.addEventListener("focusin", (event) => this.ring(partOf(event.target)));
    place.addEventListener("focusout", () => this.ring(null));
  }

  get root() {
    return this.place.querySelector("svg");
  }

  /** All parts, in the order of the picture. */
  get parts() {
    return [...this.place.querySelectorAll(".tt-part")];
  }

  part(id) {
    return this.place.querySelector(`.tt-part[data-part="${CSS.escape(id)}"]`);
  }

  /** Display another picture, and return whether it differs. */
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
    this.fit();
    if (was) this.refocus(was);
    return true;
  }

  /** On a narrow page, shrink a picture that is slightly too high, and scroll one whose texts would become too small. */
  fit() {
    const box = this.root?.viewBox.baseVal;
    if (!box?.width) return;
    const shrunk = this.place.clientHeight / ((this.place.clientWidth * box.height) / box.width);
    const letters = [...this.root.querySelectorAll("text")].map((text) => text.getAttribute("font-size"));
    const smallest = (Math.min(...letters) * this.place.clientHeight) / box.height;
    this.place.classList.toggle("fitted", shrunk < 1 && shrunk >= SMALLEST && smallest >= LEAST);
  }

  /**
   * Scroll the usable parts into view if the picture is higher than its element, as on a short phone.
   *
   * If half of them are visible, do nothing. Otherwise scroll to where most of them are, and among such places to the lowest
   * one, where the hand is.
   */
  reveal() {
    const place = this.place;
    const room = place.clientHeight;
    const deepest = place.scrollHeight - room;
    if (deepest <= 0) return;
    const zero = place.getBoundingClientRect().top - place.scrollTop;
    const lit = [...place.querySelectorAll(".tt-lit")].map((part) => part.getBoundingClientRect())
      .map(({ top, bottom }) => ({ top: top - zero, bottom: bottom - zero }));
    const seen = (from) => lit.filter(({ top, bottom }) => top >= from && bottom <= from + room).length;
    if (!lit.length || seen(place.scrollTop) * 2 >= lit.length) return;
    const places = [0, deepest, ...lit.map(({ top }) => Math.max(0, Math.min(deepest, top - MARGIN)))].sort((first, second) => second - first);
    place.scrollTop = places.reduce((best, from) => (seen(from) > seen(best) ? from : best));
  }

  prepare(root) {
    root.setAttribute("role", "group"); // the role of an image would hide the buttons in it
    root.querySelector(":scope > title")?.remove(); // the label is enough, because a title would show a tooltip everywhere
    // Measure all parts before the first change, or the browser would lay out the picture again for each part.
    const boxes = new Map(this.parts.map((part) => [part, part.getBBox()]));
    for (const [part, box] of boxes) {
      // The details show more than a tooltip would.
      if (part.dataset.about) part.querySelector(":scope > title")?.remove();
      part.dataset.label = part.getAttribute("aria-label") ?? part.dataset.part;
      for (const name of ["role", "tabindex", "aria-label"]) part.removeAttribute(name);
      const inner = part.querySelector(".tt-part");
      if (!inner) for (const piece of part.children) piece.setAttribute("aria-hidden", "true");
      part.insertBefore(touch(part, box), inner ? part.firstChild : null);
    }
  }

  /** Restore the focus: to the same thing, or else to the same place, or else to the picture. */
  refocus({ key, part }) {
    const same = key && this.place.querySelector(`.tt-part[data-key="${CSS.escape(key)}"]`);
    const next = same || this.part(part) || this.place.querySelector(".tt-part.tt-lit");
    if (next) focusPart(next);
    else this.place.focus({ preventScroll: true });
  }

  /** The parts that represent verbs. */
  get verbs() {
    return new Set(this.parts.filter((part) => "verb" in part.dataset).map((part) => part.dataset.part));
  }

  /** The parts that count as other parts, as [part, other part]. */
  get equals() {
    return this.parts.filter((part) => part.dataset.like).map(({ dataset }) => [dataset.part, dataset.like]);
  }

  /** Mark the parts that are lit, that are chosen, and that complete a choice. Show the parts that follow the chosen ones. */
  mark({ lit, chosen, actions }) {
    const held = document.activeElement; // read before hiding parts, because a hidden element loses the focus
    for (const piece of this.place.querySelectorAll(".tt-after")) piece.classList.toggle("tt-now", piece.dataset.after === chosen.join("\n"));
    for (const part of this.parts) {
      const id = part.dataset.part;
      const isLit = lit.has(id);
      part.classList.toggle("tt-lit", isLit);
      part.classList.toggle("tt-chosen", chosen.includes(id));
      const button = part.querySelector(":scope > .tt-touch");
      const possible = isLit || chosen.includes(id);
      // Tab moves between lit parts. The arrow keys reach the other parts, too.
      button.setAttribute("tabindex", possible ? "0" : "-1");
      button.setAttribute("aria-disabled", String(!possible));
      if (chosen.includes(id)) button.setAttribute("aria-pressed", "true");
      else button.removeAttribute("aria-pressed");
      if (actions.has(id)) part.dataset.action = actions.get(id);
      else delete part.dataset.action;
    }
    if (held.closest(".tt-after:not(.tt-now)")) this.refocus({});
    if (!lit.size && this.parts.length) this.place.querySelector(".tt-touch").setAttribute("tabindex", "0"); // an entry point for the keyboard
  }

  /** Show the numbers of places, such as 12 for "vertex-12" and e4 for "e4", or remove them. */
  number(on) {
    for (const shown of this.place.querySelectorAll(".tt-name")) shown.remove();
    if (!on) return;
    const scale = this.root?.getScreenCTM()?.a ?? 1;
    for (const part of this.parts) {
      const [, kind, name] = part.dataset.part.match(PLACE) ?? [];
      const isNamed = name && new RegExp(kind ? `\\b${kind} ${name}\\b` : `^${name}\\b`, "i").test(part.dataset.label);
      if (!isNamed || [...part.querySelectorAll("text")].some(({ textContent }) => textContent === name)) continue;
      const touched = part.querySelector(":scope > .tt-touch").getBBox();
      const text = document.createElementNS(SVG, "text");
      const isLarge = touched.height * scale > LARGE; // its middle shows something else
      text.setAttribute("class", "tt-name");
      text.setAttribute("aria-hidden", "true");
      text.setAttribute("x", String(touched.x + touched.width / 2));
      text.setAttribute("y", String(touched.y + touched.height * (isLarge ? 0.15 : 0.5)));
      text.setAttribute("font-size", String(LEAST / scale));
      text.textContent = name;
      part.append(text);
    }
  }

  /** Highlight the parts of a choice in the list. */
  hint(path) {
    for (const part of this.parts) part.classList.toggle("tt-hint", path.includes(part.dataset.part));
  }

  /** Highlight things, given by their keys, or by their parts if they have none. */
  point(things) {
    for (const part of this.parts) part.classList.toggle("tt-pointed", things.includes(part.dataset.key || part.dataset.part));
  }

  /** Highlight the parts of a hint. */
  suggest(path) {
    for (const part of this.parts) part.classList.toggle("tt-suggested", path.includes(part.dataset.part));
  }

  /** Display the keyboard focus. */
  ring(part) {
    this.place.querySelector(".tt-focused")?.classList.remove("tt-focused");
    if (part && document.activeElement.matches(":focus-visible")) part.classList.add("tt-focused");
  }

  walk(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const from = partOf(event.target);
    const parts = this.parts.filter((part) => !part.closest(".tt-after:not(.tt-now)"));
    let to = null;
    if (ARROWS[event.key]) to = from ? nearest(from, parts, ARROWS[event.key]) : parts[0];
    else if (event.key === "Home") to = parts[0];
    else if (event.key === "End") to = parts.at(-1);
    else return;
    event.preventDefault();
    if (to) focusPart(to);
  }
}

/** The part that contains an element of the picture, or null. */
export const partOf = (element) => element?.closest?.(".tt-part") ?? null;

/**
 * Return the part that a pointer means, or null. Lit parts have an invisible margin for fingers, which may overlap other
 * parts. If several margins overlap, the nearest part is meant.
 */
export function partAt({ clientX, clientY }) {
  const elements = document.elementsFromPoint(clientX, clientY);
  const first = partOf(elements[0]);
  if (first && !elements[0].matches(".tt-hit")) return first; // directly on the drawing
  const away = (room) => {
    const { x, y } = middle(room);
    return Math.hypot(x - clientX, y - clientY);
  };
  const rooms = elements.filter((element) => element.matches(".tt-lit .tt-hit") && partOf(element).matches(".tt-lit"));
  return rooms.length ? partOf(rooms.reduce((best, room) => (away(room) < away(best) ? room : best))) : first;
}

/** Move the keyboard focus to a part. */
export const focusPart = (part) => part.querySelector(":scope > .tt-touch")?.focus({ preventScroll: false });

/**
 * Create the button of a part, for keyboards and screen readers: a frame around the drawing.
 *
 * The part itself is not a button, because its text would become the label, and a button must not contain other buttons, as
 * parts may.
 */
function touch(part, box) {
  const frame = document.createElementNS(SVG, "rect");
  const attributes = { x: box.x - GAP, y: box.y - GAP, width: box.width + 2 * GAP, height: box.height + 2 * GAP, rx: 6,
    class: "tt-touch", role: "button", tabindex: "-1", "aria-label": part.dataset.label };
  for (const [name, value] of Object.entries(attributes)) frame.setAttribute(name, value);
  if (part.dataset.about) frame.setAttribute("aria-description", part.dataset.about);
  return frame;
}

function nearest(from, parts, [dx, dy]) {
  const start = middle(from);
  let best = null;
  let least = Infinity;
  for (const part of parts) {
    if (part === from) continue;
    const { x, y } = middle(part);
    const along = (x - start.x) * dx + (y - start.y) * dy;
    const aside = Math.abs((x - start.x) * dy) + Math.abs((y - start.y) * dx);
    // Prefer parts straight ahead to nearer ones, so that the focus goes where the arrow points.
    const cost = along + 2.5 * aside;
    if (along > 1 && cost < least) [best, least] = [part, cost];
  }
  return best;
}

function middle(part) {
  const box = part.getBoundingClientRect();
  return { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
}
