// Looking back: an earlier position stands in the place of the present one, until somebody wants to be here again.
// The present picture goes on below it, out of sight.

import { byId, count, fill, make, say } from "./dom.js";
import { parsePicture } from "./guard.js";

const APART = 130; // milliseconds between two questions, as a key that is held down asks many

export class Look {
  /**
   * @param {{look: (ply: number, from: Element) => Promise<object | null>, began: () => void, changed: () => void}} doing
   *   asks for a position (null where there is none), and hears when looking back begins, and when something else is shown
   */
  constructor(doing) {
    Object.assign(this, { doing, past: null, wanted: null, asks: false, newest: 0, since: 0, asked: false });
    const lines = byId("lines");
    lines.addEventListener("click", (event) => {
      if (getSelection().isCollapsed) this.goTo(lineOf(event.target)); // else somebody marks words to copy them
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

  /** The position in words, where an earlier one is shown. */
  get text() {
    return this.past?.text;
  }

  // What people do.

  goTo(line) {
    if (line?.hasAttribute("tabindex")) this.go(Number(line.dataset.ply), line);
  }

  step(by, from) {
    this.go((this.wanted ?? this.past?.ply ?? this.newest) + by, from);
  }

  /** Show the position after so many actions; questions that come meanwhile wait, but for the last. */
  async go(ply, from) {
    if (ply < 0) return;
    if (ply >= this.newest) return void this.now();
    this.wanted = ply;
    if (this.asks) return;
    this.asks = true;
    while (this.wanted !== null) {
      const pause = new Promise((over) => { setTimeout(over, APART); });
      const asked = this.wanted;
      const told = await this.doing.look(asked, from);
      if (told && this.wanted !== null && asked < this.newest) this.show(told);
      if (!told || this.wanted === asked) this.wanted = null;
      else await pause;
    }
    this.asks = false;
  }

  /** The present position again. */
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

  /** Up and down go through the log, Enter shows what a line tells of. */
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

  // What comes.

  /** Another state has come. Nobody is thrown out by news, but for what has been undone. */
  came({ ply, your_turn: asked }) {
    const undone = this.isBack && ply <= this.past.ply; // or it is the present one
    this.newest = ply;
    this.asked = asked.length > 0;
    byId("look-back").disabled = !ply;
    if (undone) this.now();
    else if (this.isBack) this.tell();
  }

  /** New lines of the log have been shown: a line that was undone leads nowhere. */
  told() {
    let least = Infinity;
    const lines = [...byId("lines").children].reverse();
    for (const line of lines) {
      const ply = Number(line.dataset.ply);
      const gone = ply > least;
      least = Math.min(least, ply);
      line.classList.toggle("gone", gone);
      if (gone) line.removeAttribute("tabindex");
      else if (!line.hasAttribute("tabindex")) line.tabIndex = -1;
    }
    if (this.isBack && lines.some((line) => Number(line.dataset.n) > this.past.log_line && Number(line.dataset.ply) < this.past.ply)) this.now();
    if (!byId("lines").querySelector('li[tabindex="0"]') || !byId("lines").contains(document.activeElement)) rove(lines.find((line) => line.hasAttribute("tabindex")));
    if (this.isBack) this.mark();
  }

  show(told) {
    if (!this.isBack) {
      this.since = this.newest;
      this.toggle(true);
      this.doing.began();
    }
    this.past = told;
    let drawn;
    try {
      drawn = parsePicture(told.svg);
    } catch {
      drawn = make("pre", { tabIndex: 0 }, told.text);
    }
    fill(byId("past"), drawn);
    this.tell();
    this.mark();
    this.doing.changed();
  }

  toggle(back) {
    document.body.classList.toggle("back-then", back);
    for (const id of ["then", "past"]) byId(id).hidden = !back;
    for (const id of ["picture", "choices", "typing", "hint", "undo", "redo"]) byId(id).inert = back;
  }

  /** How far back it is, and what has come since somebody looks back. */
  tell() {
    const { ply } = this.past;
    const more = this.newest - this.since;
    say(byId("then-text"), `${ply ? `after ${ply}` : "before the first"} of ${count(this.newest, "action")}`);
    say(byId("then-news"), more > 0 ? `${count(more, "action")} since${this.asked ? ", and it is your turn" : ""}` : "");
    byId("then-back").disabled = !ply;
  }

  /** In the log, what came after the position is faint, and its line is marked. */
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

/** Tab comes to one line of the log alone: to this one. */
function rove(to) {
  byId("lines").querySelector('li[tabindex="0"]')?.setAttribute("tabindex", "-1");
  to?.setAttribute("tabindex", "0");
}
