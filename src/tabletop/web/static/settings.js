// The player's settings, which this browser remembers.

import { byId, keeper } from "./dom.js";

const PACES = { slow: 2.5, normal: 1, fast: 0.4, none: 0 };

const stored = keeper("localStorage");
const place = (name) => `tabletop:${name}`;

export const settings = {
  get: (name) => stored.get(place(name)),
  set: (name, value) => stored.set(place(name), value),

  /** Whether a click on the board asks before it plays an action. */
  get confirms() {
    return stored.get(place("confirm")) === "on";
  },

  /** The factor for the duration of animations. 0 for no animations. */
  get pace() {
    return PACES[stored.get(place("speed"))] ?? PACES.normal;
  },
};

/** Connect the settings to their fields in the dialog about the table. */
export function showSettings() {
  const [confirm, speed] = [byId("confirm"), byId("speed")];
  confirm.checked = settings.confirms;
  confirm.addEventListener("change", () => settings.set("confirm", confirm.checked ? "on" : ""));
  speed.value = settings.get("speed") in PACES ? settings.get("speed") : "normal";
  speed.addEventListener("change", () => settings.set("speed", speed.value));
}
