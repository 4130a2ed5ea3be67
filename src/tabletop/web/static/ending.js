// The outcome of a match, and what to do afterwards.

import { byId, closesElsewhere, copyButton, fill, make, requesting } from "./dom.js";
import { seatMark } from "./seats.js";

export class Ending {
  /** @param {(page: string) => string} link returns the link of another page of the server */
  constructor(link) {
    Object.assign(this, { link, shown: "", follows: false });
    const details = () => byId("details");
    closesElsewhere(byId("ending"), () => details()?.open, () => { details().open = false; });
  }

  /** Display the outcome, or nothing during the match. Return whether the match has just ended. */
  set(over, table) {
    const place = byId("ending");
    const text = over ? JSON.stringify([over, table?.names]) : "";
    if (text === this.shown) return false;
    const news = over !== null && place.hidden;
    this.shown = text;
    place.hidden = over === null;
    if (over) fill(place, this.parts(over, table));
    else place.replaceChildren();
    const next = over?.next_table && this.link(over.next_table);
    if (next && this.follows) location.assign(next);
    this.invite(next && table && !table.spectator ? next : "", table);
    return news;
  }

  /** Show that somebody else has opened a table for a rematch, whose link is `next`, or "" if nobody has. */
  invite(next, table) {
    byId("rematch").hidden = !next;
    if (!next) return;
    const others = table.names.filter((_, seat) => table.players[seat] === "human" && !table.your_seats.includes(seat));
    const who = others.length === 1 ? others[0] : "Another player";
    fill(byId("rematch"), make("span", {}, make("bdi", {}, who), " wants a rematch."), make("a", { href: next, class: "button main" }, "Play again"));
  }

  parts(over, table) {
    const names = table?.names ?? [];
    const options = Object.entries(over.options ?? {}).filter(([, value]) => value !== null && value !== "");
    const facts = [
      over.reason && ["Reason", over.reason],
      over.seed && ["Seed", make("bdi", {}, over.seed)],
      options.length && ["Options", options.map(([name, value]) => `${over.option_labels[name]}: ${shortened(value)}`).join(", ")],
      over.command && ["The same setup again", withCopy(over.command, "the command")],
      over.salt && ["Salt", withCopy(over.salt, "the salt")],
    ].filter(Boolean);
    return [
      make("h3", { id: "ending-heading", tabindex: "-1" }, over.winners.map(seatMark), make("span", {}, over.text || "The match is over")),
      over.points?.length ? this.points(over, names) : null,
      make("div", { class: "ways" },
        table?.hosted ? this.again(over.next_table, table.spectator) : null,
        over.replay_page ? make("a", { href: over.replay_page, class: "button", id: "replay", target: "_blank", rel: "noopener" }, "Watch the replay") : null,
        table?.hosted ? make("a", { href: "/", class: "button", id: "lobby" }, "Back to the lobby") : null,
        make("details", { id: "details" }, make("summary", {}, "Details"), make("div", {},
          make("dl", {}, facts.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value)))),
          over.salt ? make("p", { class: "remark" }, "The seed and a secret salt determined all cards and dice. Now that the salt is known, everybody can check that nothing was changed.") : null))),
    ];
  }

  /** A button for a rematch with the same people. The first person opens the table, and the others follow. */
  again(next, spectator) {
    if (next) return make("a", { href: this.link(next), class: "button main", id: "again" }, spectator ? "Watch the next match" : "Play again");
    if (spectator) return null;
    const follow = () => { this.follows = true; };
    return make("button", { type: "button", class: "main", id: "again", title: "The same people, each one seat further", data: requesting("again"), on: { click: follow } }, "Play again");
  }

  points({ points, winners }, names) {
    return make("table", { class: "points" },
      make("caption", { class: "unseen" }, "Points"),
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Seat"), make("th", { scope: "col" }, "Points"))),
      make("tbody", {}, points.map((value, seat) => make("tr", { class: winners.includes(seat) ? "won" : "" },
        make("th", { scope: "row" }, seatMark(seat), make("bdi", {}, names[seat] ?? `Seat ${seat + 1}`)),
        make("td", {}, String(value))))));
  }
}

const shortened = (value) => (String(value).length > 80 ? `${String(value).slice(0, 79)}…` : String(value));

function withCopy(text, what) {
  return [make("code", {}, text), copyButton(text, what)];
}
