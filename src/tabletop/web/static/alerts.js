// A sound and an optional notification when it is the player's turn, and a softer sound for actions of others.

import { byId, say } from "./dom.js";
import { settings } from "./settings.js";

const REFUSED = "Notifications are blocked. Allow them for this site in the settings of your browser.";
const NONE = "This browser does not support notifications here.";

export class Alerts {
  constructor() {
    Object.assign(this, { audio: null, shown: null, table: null });
    this.switchSound(settings.get("sound") !== "off");
    byId("notify").checked = settings.get("notify") === "on" && globalThis.Notification?.permission === "granted";
    // Browsers allow sound only after the first touch or key.
    for (const event of ["pointerdown", "keydown"]) addEventListener(event, () => { if (this.sounds) this.wake(); }, { capture: true });
    byId("sound").addEventListener("click", () => {
      this.switchSound(!this.sounds);
      settings.set("sound", this.sounds ? "on" : "off");
      if (!this.sounds) return;
      this.wake();
      this.play(false);
    });
    byId("notify").addEventListener("change", (event) => this.notifySwitched(event.target));
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
    if (this.sounds && (mine || others)) this.play(!mine);
    if (mine && document.hidden && byId("notify").checked) this.notify();
  }

  switchSound(on) {
    this.sounds = on;
    byId("sound").setAttribute("aria-checked", String(on));
  }

  async notifySwitched(box) {
    say(byId("alerts-error"), "");
    settings.set("notify", "");
    if (!box.checked) return;
    const granted = "Notification" in globalThis ? await Notification.requestPermission() : "none";
    box.checked = granted === "granted";
    if (box.checked) settings.set("notify", "on");
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
