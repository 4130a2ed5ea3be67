// Looking back: display an earlier position in place of the present one until the player returns.
// The present picture is still updated, but hidden.

import { byId, count, fill, make, say } from "./dom.js";
import { parsePicture } from "./guard.js";

const APART = 130; // milliseconds between two requests, because a held key sends many

export class Look {
  /**
   * @param {{look: (ply: number, from: Element) => Promise<object | null>, began: () => void, changed: () => void}} doing
   *   `look` requests a position (null if there is none), `began` is called when looking back begins, and `changed` when
   *   another position is displayed
   */
  constructor(doing) {
    Object.assign(this, { doing, past: null, wanted: null, asks: false, newest: 0, since: 0, asked: false });
    const lines = byId("lines");
    lines.addEventListener("click", (event) => {
      if (getSelection().isCollapsed) this.goTo(lineOf(event.target)); // otherwise the player selects text to copy
    });
    lines.addEventListener("keydown", (event) => this.lineKey(event));
    byId("look-back").addEventListener("click", (event) => this.step(-1, event.currentTarget));
    byId("then-back").addEventListener("click", (event) => this.step(-1, event.currentTarget));
    byId("then-on").addEventListener("click", (event) => this.step(1, event.currentTarget));
    byId("then-now").addEventListener("click", () => this.now());
    document.addEventListener("keydown", (event) => this.key(event));
  }

  get isBack() {
    return this.past !== null;
  }

  /** The description of the earlier position, if one is displayed. */
  get text() {
    return this.past?.text;
  }

  // Requests of the player.

  goTo(line) {
    if (line?.hasAttribute("tabindex")) this.go(Number(line.dataset.ply), line);
  }

  step(by, from) {
    this.go((this.wanted ?? this.past?.ply ?? this.newest) + by, from);
  }

  /** Display the position after `ply` actions. Of the requests made meanwhile, only the last one follows. */
  async go(ply, from) {
    if (ply < 0) return;
    if (ply >= this.newest) return void this.now();
    this.wanted = ply;
    if (this.asks) return;
    this.asks = true;
    while (this.wanted !== null) {
      const pause = new Promise((over) => { setTimeout(over, APART); });
      const asked = this.wanted;
      const position = await this.doing.look(asked, from);
      if (position && this.wanted !== null && asked < this.newest) this.show(position);
      if (!position || this.wanted === asked) this.wanted = null;
      else await pause;
    }
    this.asks = false;
  }

  /** Return to the present position. */
  now() {
    this.wanted = null;
    if (!this.isBack) return;
    const within = byId("then").contains(document.activeElement);
    this.past = null;
    this.toggle(false);
    byId("past").replaceChildren();
    this.mark();
    this.doing.changed();
    if (within) byId("picture").focus({ preventScroll: true });
  }

  key(event) {
    if (!this.isBack || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest("input, textarea, select, dialog")) return;
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by && event.key !== "Escape") return;
    event.preventDefault();
    if (by) this.step(by, byId("then"));
    else this.now();
  }

  /** Move through the log with the arrow keys, and display the position of a line with Enter. */
  lineKey(event) {
    const line = lineOf(event.target);
    if (!line || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.goTo(line);
      return;
    }
    const all = [...byId("lines").querySelectorAll("li[tabindex]")];
    const at = all.indexOf(line);
    const to = { ArrowUp: all[Math.max(0, at - 1)], ArrowDown: all[at + 1], Home: all[0], End: all.at(-1) }[event.key];
    if (!to) return;
    event.preventDefault();
    rove(to);
    to.focus();
  }

  // Messages of the server.

  /** React to a new state. Stay at the earlier position unless it was undone. */
  came({ ply, your_turn: asked }) {
    const undone = this.isBack && ply <= this.past.ply; // or it is the present one
    this.newest = ply;
    this.asked = asked.length > 0;
    byId("look-back").disabled = !ply;
    if (undone) this.now();
    else if (this.isBack) this.tell();
  }

  /** Update the log: lines of undone actions cannot be opened. */
  updateLog() {
    let least = Infinity;
    const lines = [...byId("lines").children].reverse();
    for (const line of lines) {
      const ply = Number(line.dataset.ply);
      const gone = ply > least;
      least = Math.min(least, ply);
      line.classList.toggle("gone", gone && !line.matches(".chat, .remark")); // these were not undone
      if (gone) line.removeAttribute("tabindex");
      else if (!line.hasAttribute("tabindex")) line.tabIndex = -1;
    }
    if (this.isBack && lines.some((line) => Number(line.dataset.n) > this.past.log_line && Number(line.dataset.ply) < this.past.ply)) this.now();
    if (!byId("lines").querySelector('li[tabindex="0"]') || !byId("lines").contains(document.activeElement)) rove(lines.find((line) => line.hasAttribute("tabindex")));
    if (this.isBack) this.mark();
  }

  show(position) {
    if (!this.isBack) {
      this.since = this.newest;
      this.toggle(true);
      this.doing.began();
    }
    this.past = position;
    let drawn;
    try {
      drawn = parsePicture(position.svg);
    } catch {
      drawn = make("pre", { tabIndex: 0 }, position.text);
    }
    fill(byId("past"), drawn);
    this.tell();
    this.mark();
    this.doing.changed();
  }

  toggle(back) {
    document.body.classList.toggle("back-then", back);
    for (const id of ["then", "past"]) byId(id).hidden = !back;
    for (const id of ["picture", "quick", "choices", "typing", "hint", "undo", "redo", "open-concede"]) byId(id).inert = back;
  }

  /** Display how far back the position is, and how much has happened since. */
  tell() {
    const { ply } = this.past;
    const more = this.newest - this.since;
    say(byId("then-text"), `${ply ? `after ${ply}` : "before the first"} of ${count(this.newest, "action")}`);
    say(byId("then-news"), more > 0 ? `${count(more, "action")} since${this.asked ? ", and it is your turn" : ""}` : "");
    byId("then-back").disabled = !ply;
  }

  /** Mark the line of the position in the log, and dim the later lines. */
  mark() {
    const { past } = this;
    let here = null;
    for (const line of byId("lines").children) {
      const later = past !== null && Number(line.dataset.n) > past.log_line;
      line.classList.toggle("later", later);
      line.removeAttribute("aria-current");
      if (past && !later && !line.classList.contains("gone")) here = line;
    }
    here?.setAttribute("aria-current", "true");
    here?.scrollIntoView({ block: "nearest" });
  }
}

const lineOf = (element) => element.closest("#lines > li");

/** Make this line the only one in the log that Tab reaches. */
function rove(to) {
  byId("lines").querySelector('li[tabindex="0"]')?.setAttribute("tabindex", "-1");
  to?.setAttribute("tabindex", "0");
}
