// A sound and a notification for whoever switches them on: when it becomes their turn, and a softer sound for others' actions.

import { byId, keeper, say } from "./dom.js";

const PLACE = { sound: "tabletop:sound", notify: "tabletop:notify" };
const REFUSED = "Notifications are blocked. Allow them for this site in the settings of your browser.";
const NONE = "This browser does not support notifications here.";

const stored = keeper("localStorage");

export class Alerts {
  constructor() {
    Object.assign(this, { audio: null, shown: null, table: null });
    byId("sound").checked = stored.get(PLACE.sound) === "on";
    byId("notify").checked = stored.get(PLACE.notify) === "on" && globalThis.Notification?.permission === "granted";
    byId("sound").addEventListener("change", (event) => this.soundSwitched(event.target.checked));
    byId("notify").addEventListener("change", (event) => this.notifySwitched(event.target));
    // Before somebody has touched the page, a browser lets it make no sound.
    for (const event of ["pointerdown", "keydown"]) addEventListener(event, () => { if (byId("sound").checked) this.wake(); }, { capture: true });
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.shown?.close(); });
  }

  seated(table) {
    this.table = table;
    byId("notify").closest("label").hidden = table.spectator;
  }

  /** A state has come after another one, with lines of the log. */
  came(state, before, lines) {
    if (!before || state.ply <= before.ply) return;
    const others = lines.some(({ seat, kind }) => seat !== null && kind !== "chat" && !this.table?.your_seats.includes(seat));
    const mine = state.your_turn.length > 0 && (others || !before.your_turn.length);
    if (byId("sound").checked && (mine || others)) this.play(!mine);
    if (mine && document.hidden && byId("notify").checked) this.notify();
  }

  soundSwitched(on) {
    stored.set(PLACE.sound, on ? "on" : "");
    if (on) this.play(false);
  }

  async notifySwitched(box) {
    say(byId("alerts-error"), "");
    stored.set(PLACE.notify, "");
    if (!box.checked) return;
    const granted = "Notification" in globalThis ? await Notification.requestPermission() : "none";
    box.checked = granted === "granted";
    if (box.checked) stored.set(PLACE.notify, "on");
    else say(byId("alerts-error"), granted === "none" ? NONE : REFUSED);
  }

  notify() {
    try {
      this.shown = new Notification("Your turn", { body: this.table?.title || this.table?.game, tag: location.pathname });
    } catch { // some browsers of phones have the name, but let no page do it
      say(byId("alerts-error"), NONE);
      return;
    }
    this.shown.addEventListener("click", () => { window.focus(); this.shown.close(); });
  }

  wake() {
    this.audio ??= globalThis.AudioContext && new AudioContext();
    if (this.audio?.state === "suspended") this.audio.resume();
  }

  /** Two notes that rise; a low one where it is soft. */
  play(soft) {
    this.wake();
    // What is played to one that sleeps would all sound at once when it wakes.
    if (!this.audio || (this.audio.state !== "running" && !navigator.userActivation?.isActive)) return;
    const { currentTime: now, destination } = this.audio;
    const [tone, volume] = [this.audio.createOscillator(), this.audio.createGain()];
    tone.type = "triangle";
    tone.frequency.setValueAtTime(soft ? 392 : 587, now);
    if (!soft) tone.frequency.setValueAtTime(880, now + 0.1);
    volume.gain.setValueAtTime(soft ? 0.03 : 0.15, now);
    volume.gain.exponentialRampToValueAtTime(0.0001, now + (soft ? 0.1 : 0.3));
    tone.connect(volume).connect(destination);
    tone.start(now);
    tone.stop(now + 0.3);
  }
}
