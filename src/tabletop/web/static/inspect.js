// A closer look at a part of the picture: an enlarged drawing and its description.

import { byId, fill, say } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
const UPRIGHT = 1.15; // ratio of height to width from which on a part is drawn like a card, with text on it

export class Inspection {
  constructor() {
    this.part = null;
    byId("inspect-close").addEventListener("click", () => this.close());
    document.addEventListener("pointerdown", ({ target, pointerType }) => {
      if (pointerType !== "mouse" && !byId("inspect").contains(target)) this.close();
    });
    document.addEventListener("keydown", (event) => { if (event.key === "Escape") this.close(); });
  }

  /** Display the details of a part, or of none if it is null. */
  show(part) {
    if (part === this.part) return;
    this.part = part;
    if (!part) return void this.close();
    byId("inspect").hidden = false;
    say(byId("inspect-title"), part.dataset.label);
    say(byId("inspect-text"), part.dataset.about);
    fill(byId("inspect-picture"), enlarged(part));
  }

  /** Update the details for another picture, or remove them if the part is gone. */
  drawn(picture) {
    if (!this.part) return;
    const part = picture.part(this.part.dataset.part);
    this.show(part?.dataset.about && part.dataset.key === this.part.dataset.key ? part : null);
  }

  close() {
    this.part = null;
    byId("inspect").hidden = true;
    byId("inspect-picture").replaceChildren();
  }
}

/** Return a copy of the drawing of a card, or null for other parts, whose drawings have nothing to read. */
function enlarged(part) {
  const { x, y, width, height } = (part.querySelector(":scope > .tt-ring") ?? part).getBBox();
  if (height < UPRIGHT * width || !part.querySelector("text")) return null;
  const copy = part.cloneNode(true);
  for (const element of [copy, ...copy.querySelectorAll("*")]) element.removeAttribute("id");
  for (const mark of copy.querySelectorAll(":scope > :is(.tt-ring, .tt-touch)")) mark.remove();
  copy.removeAttribute("transform");
  copy.removeAttribute("class");
  const drawing = document.createElementNS(SVG, "svg");
  drawing.setAttribute("class", "tt-picture");
  drawing.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
  drawing.setAttribute("aria-hidden", "true"); // the title and the text contain the same
  drawing.append(copy);
  return drawing;
}
