// The dialog with the invitation to a table, in the lobby and at the table: one link for everybody.

import { ask } from "./ask.js";
import { byId, closable, copyButton, count, fill, make, say } from "./dom.js";

const LOOK_AGAIN = 5000; // milliseconds between two updates of the free seats
const ON_THIS_COMPUTER = ["localhost", "127.0.0.1", "[::1]"];

/** Request the table of an invitation, {table, title, names, free_seats, spectator_path, state}, or take a seat there. */
export function askInvitation(link, does = "", body = {}) {
  const [path, token] = link.split("#");
  return ask(`/api/invitations/${path.split("/").at(-1)}${does}`, { key: token, body });
}

/** Return "1 of 3 seats is free". */
export function freeText({ names, free_seats: free }) {
  if (!free.length) return "No seat is free any more.";
  return `${free.length} of ${count(names.length, "seat")} ${free.length === 1 ? "is" : "are"} free.`;
}

const dialog = () => make("dialog", { id: "invite", "aria-labelledby": "invite-heading" },
  make("div", { class: "drawer-head" },
    make("h2", { id: "invite-heading", tabIndex: -1 }, "Invite friends"),
    make("button", { type: "button", id: "close-invite", class: "quiet", "aria-label": "Close the invitation" }, "Close")),
  make("div", { id: "invite-all" },
    make("p", {}, "Send this link to everybody who plays. Each player opens it and clicks “Sit down”."),
    make("p", { class: "row", id: "invite-row" }, make("input", { id: "invite-link", readOnly: true, "aria-label": "Invitation" }))),
  make("div", { id: "invite-each" },
    make("p", {}, "This table has no invitation, because an earlier version opened it. Send each player the link of a seat."),
    make("ul", { id: "invite-seats" })),
  make("p", { id: "invite-here", class: "notice" },
    make("span", {}, "This link works only on this computer. To let other devices open it, restart the server with ", make("code", {}, "--host 0.0.0.0"), ".")),
  make("img", { id: "invite-qr", alt: "QR code of the invitation", hidden: true }),
  make("p", { id: "invite-free", role: "status" }),
  make("p", { class: "row" }, make("a", { id: "invite-sit", class: "button main" }, "Sit down"), make("span", { id: "invite-watch" })));

export class Invite {
  constructor() {
    this.link = "";
    document.body.append(dialog());
    closable(byId("invite"), byId("close-invite"));
    byId("invite-link").addEventListener("focus", (event) => event.target.select());
    setInterval(() => { if (byId("invite").open && !document.hidden) this.#look(); }, LOOK_AGAIN);
  }

  /**
   * Show the invitation of a table, or the links of its seats if it has none.
   *
   * @param table the answer of the server about its links
   * @param place {address, only_here}: the address of the server for other people
   */
  show({ title, names, links, invitation, spectators }, { address, only_here: onlyHere }) {
    const isHere = ON_THIS_COMPUTER.includes(location.hostname);
    const base = isHere && address ? address : location.origin;
    const link = invitation ? base + invitation : "";
    this.link = invitation;
    say(byId("invite-heading"), `Invite friends to ${title}`);
    byId("invite-all").hidden = !link;
    byId("invite-each").hidden = Boolean(link);
    fill(byId("invite-seats"), names.map((name, seat) => links[seat] && make("li", {}, make("bdi", {}, name), " ", copyButton(base + links[seat], `the link of ${name}`))));
    byId("invite-link").value = link;
    fill(byId("invite-row"), byId("invite-link"), copyButton(link, "the invitation"),
      navigator.share && make("button", { type: "button", on: { click: () => navigator.share({ title, url: link }).catch(() => {}) } }, "Share"));
    byId("invite-here").hidden = !(isHere && onlyHere);
    byId("invite-sit").hidden = !links.some(Boolean);
    byId("invite-sit").href = links.find(Boolean) ?? "";
    fill(byId("invite-watch"), spectators && copyButton(base + spectators, "the link to watch", "Copy the link to watch"));
    say(byId("invite-free"), "");
    this.#draw(link, !link || (isHere && onlyHere));
    this.#look();
    byId("invite").showModal();
    byId("invite-heading").focus();
  }

  /** Draw the QR code, unless there is no link that another device could open. */
  async #draw(link, isUseless) {
    const image = byId("invite-qr");
    image.hidden = true;
    if (isUseless) return;
    const answer = await fetch("/api/qr", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ link }) }).catch(() => null);
    if (!answer?.ok || byId("invite-link").value !== link) return;
    image.src = `data:image/svg+xml,${encodeURIComponent(await answer.text())}`;
    image.hidden = false;
  }

  async #look() {
    const asked = this.link;
    if (!asked) return;
    const { status, body } = await askInvitation(asked);
    if (this.link === asked) say(byId("invite-free"), status === 200 ? freeText(body) : body?.error ?? "");
  }
}
