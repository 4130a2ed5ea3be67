// The page of an invitation: it describes the table, and a button takes a seat. Opening the page takes none, because
// chat programs open links, too.

import { keyOfPage } from "./ask.js";
import { byId, fill, keeper, make, say } from "./dom.js";
import { askInvitation, freeText } from "./invite.js";
import { mine, rememberTable } from "./mine.js";
import { seatMark } from "./seats.js";

const NAME = "tabletop:name";
const LOOK_AGAIN = 5000; // milliseconds
const STATES = { over: "This match is over.", ended: "The host has closed this table.", stopped: "This match is stopped for now." };

const kept = keeper("localStorage");
let isGone = false; // the link is not valid
const link = () => `${location.pathname}#${keyOfPage()}`;

async function look() {
  const { status, body } = await askInvitation(link());
  say(byId("problem"), status === 200 ? "" : body?.error ?? `The server answered ${status}.`);
  isGone = status === 404;
  if (status === 200 || isGone) byId("table").hidden = isGone;
  if (status === 200) show(body);
}

function show(invited) {
  const { table, title, names, free_seats: free, spectator_path: watch, state } = invited;
  const own = mine().find((known) => known.table === table)?.seats.find(({ as }) => as);
  const canSit = state === "on" && free.length > 0 && !own;
  say(byId("title"), title);
  document.title = title;
  fill(byId("seats"), names.map((name, seat) => make("li", {}, seatMark(seat), free.includes(seat) ? make("span", { class: "remark" }, "free") : make("bdi", {}, name))));
  say(byId("free"), STATES[state] ?? (own ? "You have a seat at this table." : freeText(invited)));
  byId("sit-form").hidden = !canSit;
  fill(byId("ways"),
    own && make("a", { href: own.link, class: "button main" }, "Continue as ", make("bdi", {}, own.as)),
    watch && make("a", { href: watch, class: "button" }, "Watch"));
}

/** Take the next free seat, and open its page. */
async function sit(event) {
  event.preventDefault();
  byId("sit").disabled = true;
  say(byId("sit-error"), "");
  const { status, body } = await askInvitation(link(), "/sit", { name: byId("my-name").value.trim() });
  byId("sit").disabled = false;
  if (status === 200) {
    rememberTable({ ...body, as: body.names[body.seat] });
    return location.assign(body.link);
  }
  await look();
  return say(byId("sit-error"), body?.error ?? `You could not sit down (status ${status}).`);
}

byId("sit-form").addEventListener("submit", sit);
byId("my-name").value = kept.get(NAME) ?? "";
byId("my-name").addEventListener("change", () => kept.set(NAME, byId("my-name").value));
addEventListener("hashchange", look);
addEventListener("pageshow", (event) => { if (event.persisted) look(); });
setInterval(() => { if (!document.hidden && !isGone) look(); }, LOOK_AGAIN);
look();
