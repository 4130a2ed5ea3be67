// The list of actions is a drawer, which covers the side column of a wide page. On a narrow page the log is a drawer, too,
// and both are opened from the bar at the bottom.

import { byId } from "./dom.js";

export const narrow = matchMedia("(max-width: 760px), (max-width: 960px) and (max-height: 480px) and (min-aspect-ratio: 4/3)");

/** A phone in landscape orientation, and a small phone. Each has a picture of its own. */
export const sideways = matchMedia("(max-width: 960px) and (max-height: 480px) and (min-aspect-ratio: 4/3)");
export const small = matchMedia("(max-width: 500px) and (max-height: 740px)");
const DRAWERS = { actions: ["bar-actions", "open-actions"], story: ["bar-log"] }; // with the buttons that open them

export class Drawers {
  constructor() {
    for (const [drawer, buttons] of Object.entries(DRAWERS)) {
      for (const button of buttons) byId(button).addEventListener("click", () => this.toggle(drawer));
      byId(drawer).querySelector(".close").addEventListener("click", () => this.close(true));
    }
    document.addEventListener("pointerdown", ({ target }) => {
      if (!narrow.matches && this.open && !target.closest("#actions, #open-actions")) this.close();
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !event.defaultPrevented && this.open) {
        event.preventDefault();
        this.close(true);
      }
    });
    narrow.addEventListener("change", () => this.close());
  }

  get open() {
    return document.body.dataset.drawer ?? "";
  }

  toggle(drawer) {
    if (this.open === drawer) this.close(true);
    else this.show(drawer);
  }

  show(drawer, focus = true) {
    if (!narrow.matches && drawer !== "actions") return;
    document.body.dataset.drawer = drawer;
    this.updateButtons();
    if (focus) byId(drawer).querySelector("h2").focus();
  }

  close(focus = false) {
    const was = this.open;
    delete document.body.dataset.drawer;
    this.updateButtons();
    if (was && focus) DRAWERS[was].map(byId).find((button) => button.checkVisibility())?.focus();
  }

  updateButtons() {
    for (const [drawer, buttons] of Object.entries(DRAWERS)) {
      for (const button of buttons) byId(button).setAttribute("aria-expanded", String(this.open === drawer));
    }
  }
}
