// Chat: the field under the log, and a counter of messages received while the log is closed.

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

  /** Show the field only to players at a table with chat. Spectators can read. */
  set(table) {
    this.table = table;
    byId("talk").hidden = !table.settings.chat || table.spectator;
  }

  async submit(event) {
    event.preventDefault();
    const field = byId("say");
    const text = field.value.trim();
    if (!text) return;
    const sent = await this.doing.say(text.toWellFormed?.() ?? text, field); // half a character cannot be sent
    if (sent && field.value.trim() === text) field.value = "";
  }

  /** Announce a chat message if the log is closed. */
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
