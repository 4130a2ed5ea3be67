// An optional sound and notification when it is the player's turn, and a softer sound for actions of others.

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
    // Browsers allow sound only after the first touch or key.
    for (const event of ["pointerdown", "keydown"]) addEventListener(event, () => { if (byId("sound").checked) this.wake(); }, { capture: true });
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.shown?.close(); });
  }

  seated(table) {
    this.table = table;
    byId("notify").closest("label").hidden = table.spectator;
  }

  /** React to a new state and to the lines of the log since the previous state. */
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
    } catch { // some browsers on phones have the class, but do not let pages use it
      say(byId("alerts-error"), NONE);
      return;
    }
    this.shown.addEventListener("click", () => { window.focus(); this.shown.close(); });
  }

  wake() {
    this.audio ??= globalThis.AudioContext && new AudioContext();
    if (this.audio?.state === "suspended") this.audio.resume();
  }

  /** Play two rising notes, or a low one if `soft`. */
  play(soft) {
    this.wake();
    // A suspended audio context would play all its sounds together when it resumes.
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
