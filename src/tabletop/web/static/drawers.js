// On a narrow page the actions and the log are drawers, opened from the bar at the bottom.

import { byId } from "./dom.js";

export const narrow = matchMedia("(max-width: 760px), (max-width: 960px) and (max-height: 480px) and (min-aspect-ratio: 4/3)");

/** A phone in landscape orientation. It has drawers, too, but the picture of a wide page. */
export const sideways = matchMedia("(max-width: 960px) and (max-height: 480px) and (min-aspect-ratio: 4/3)");
const DRAWERS = { actions: "bar-actions", story: "bar-log" };

export class Drawers {
  constructor() {
    for (const [drawer, button] of Object.entries(DRAWERS)) {
      byId(button).addEventListener("click", () => this.toggle(drawer));
      byId(drawer).querySelector(".close").addEventListener("click", () => this.close(true));
    }
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !event.defaultPrevented && this.open && narrow.matches) {
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
    if (!narrow.matches) return;
    document.body.dataset.drawer = drawer;
    this.told();
    if (drawer === "story") byId("log").scrollTop = byId("log").scrollHeight;
    if (focus) byId(drawer).querySelector("h2").focus();
  }

  close(focus = false) {
    const was = this.open;
    delete document.body.dataset.drawer;
    this.told();
    if (was && focus) byId(DRAWERS[was]).focus();
  }

  told() {
    for (const [drawer, button] of Object.entries(DRAWERS)) byId(button).setAttribute("aria-expanded", String(this.open === drawer));
  }
}
