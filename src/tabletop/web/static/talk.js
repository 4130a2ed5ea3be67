// What people say to each other: the line under the log, and what was said while the log was closed.

import { byId, say } from "./dom.js";
import { narrow } from "./drawers.js";

export class Talk {
  /** @param {{say: (text: string, from: Element) => Promise<unknown>, isOpen: () => boolean}} doing */
  constructor(doing) {
    Object.assign(this, { doing, table: null, unread: 0 });
    byId("talk").addEventListener("submit", (event) => this.submit(event));
    byId("bar-log").addEventListener("click", () => this.looked());
    narrow.addEventListener("change", () => this.looked());
  }

  /** Who may say something here; who only watches may read. */
  set(table) {
    this.table = table;
    byId("talk").hidden = !table.chat || table.spectator;
  }

  async submit(event) {
    event.preventDefault();
    const field = byId("say");
    const text = field.value.trim();
    if (!text) return;
    const sent = await this.doing.say(text.toWellFormed?.() ?? text, field); // half of a letter would be no message
    if (sent && field.value.trim() === text) field.value = "";
  }

  /** Somebody says something; whoever has closed the log is told so. */
  heard(seat, text) {
    if (!narrow.matches || this.doing.isOpen() || this.table?.your_seats.includes(seat)) return;
    this.unread += 1;
    say(byId("heard"), `${this.table?.names[seat] ?? "Somebody"}: ${text}`);
    this.mark();
  }

  looked() {
    if (narrow.matches && !this.doing.isOpen()) return;
    this.unread = 0;
    say(byId("heard"), "");
    this.mark();
  }

  mark() {
    const mark = byId("unread");
    mark.hidden = !this.unread;
    say(mark, this.unread ? `${this.unread} new` : "");
  }
}
