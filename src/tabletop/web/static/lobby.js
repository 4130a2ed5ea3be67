// The lobby: choose a game, play a bot or invite friends, join an open table, and return to earlier ones.

import { ask as askServer, keyIn, keyOfPage, withHash } from "./ask.js";
import { byId, count, fill, keeper, make, say } from "./dom.js";
import { Gallery } from "./gallery.js";
import { Invite } from "./invite.js";
import { forget, mine, rememberTable } from "./mine.js";
import { Setup } from "./setup.js";

const KEY = "tabletop:key";
const NAME = "tabletop:name";
const LOOK_AGAIN = 10000; // milliseconds between two updates of the open tables
const FEW = 2; // number of the visitor's tables displayed at first, so that a phone shows the games below

const kept = keeper("sessionStorage"); // for this tab

const keptName = keeper("localStorage"); // as on the page of an invitation

let place = {}; // {address, only_here}: the address of the server for other people
let standing = new Map(); // the state of the visitor's tables, by name
let showsAll = false; // all of the visitor's tables

/** The key of the lobby, from the link's fragment or stored from an earlier link in this tab. */
function key() {
  const given = keyOfPage();
  if (given) kept.set(KEY, given);
  return given || kept.get(KEY) || "";
}

const ask = (path, body) => askServer(path, { key: key(), body });

const unlocked = ({ status }) => status !== 401 && status !== 403;

// Opening tables.

const gallery = new Gallery({ open, setup: (game, seats) => setup.show(game, seats), ask });
const setup = new Setup(open);
const invite = new Invite();

/** Open a table, and sit down there or show its invitation. Return why it was not opened, or "". */
async function open({ learns, ...wish }) {
  const name = byId("my-name").value.trim();
  const own = wish.players.indexOf("human");
  const names = [...(wish.names ?? wish.players.map(() => ""))];
  if (own >= 0) names[own] ||= name;
  const answer = await ask("/api/tables", { ...wish, names });
  if (!unlocked(answer)) {
    lock(answer.body?.error);
    return "";
  }
  if (answer.status !== 201) return answer.body?.error ?? `The table was not opened (status ${answer.status}).`;
  rememberTable(answer.body);
  const { invitation, links, spectators } = answer.body;
  const page = links.find(Boolean) ?? spectators;
  if (!invitation && page) location.assign(learns ? page.replace("#", "?learn#") : page);
  else look();
  if (invitation) invite.show(answer.body, place);
  return invitation || page ? "" : "The table is open, but only the host can watch it.";
}

const filled = new Map(); // the data of each list as displayed

/** Fill a list with a row for each item if the items have changed, and keep the focus. */
function refill(list, items, row) {
  const about = JSON.stringify(items);
  if (filled.get(list) === about) return;
  filled.set(list, about);
  const focused = list.contains(document.activeElement) ? document.activeElement.id : "";
  fill(list, items.map(row));
  byId(focused)?.focus();
}

// The visitor's own tables.

const STANDS = { over: "over", ended: "closed by the host", stopped: "stopped for now", gone: "deleted, its links no longer work" };

async function lookAtMine() {
  const tables = mine();
  if (tables.length) {
    const tokenOf = (seat) => seat?.link.split("#")[1] ?? "";
    const asked = tables.map(({ table, opener, seats }) => ({ table, token: opener || tokenOf(seats[0]), seat: tokenOf(seats.find(({ as }) => as)) }));
    const answer = await askServer("/api/mine", { body: { tables: asked } });
    if (answer.status === 200) standing = new Map(answer.body.map((it, at) => [tables[at].table, it]));
  }
  showMine();
}

function showMine() {
  const tables = mine();
  const shown = showsAll ? tables : tables.slice(0, FEW);
  byId("mine").hidden = !tables.length;
  refill(byId("mine-list"), shown.map((table) => [table, standing.get(table.table) ?? {}]), mineRow);
  byId("mine-more").hidden = tables.length <= FEW;
  say(byId("mine-more"), showsAll ? "Show only the latest" : `Show all ${tables.length}`);
}

function mineRow([table, { state = "", ply = 0, people_present: here = 0, people = 0, your_turn: yours = false }]) {
  const { table: name, title, names, when, opener, seats } = table;
  const played = state && `${count(ply, "action")} played, ${here} of ${count(people, "person", "people")} here`;
  const last = new Date(when).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  const opens = !["ended", "gone"].includes(state);
  const way = ({ link, as }, at) => make("a", { href: link, class: "button", id: `go-${at}-${name}` }, state === "over" ? "Watch" : as ? make("span", {}, "Continue as ", make("bdi", {}, as)) : "Watch");
  return make("li", { data: { table: name, state } }, make("span", { class: "title" }, title), make("br"),
    make("bdi", {}, names.join(", ")), make("br"),
    yours && make("strong", { class: "yours" }, "Your turn"), yours && " · ",
    make("span", { class: "remark" }, [STANDS[state] ?? played, `last visit ${last}`].filter(Boolean).join(" · ")),
    make("div", { class: "doing" },
      opens && (state === "over" ? seats.slice(0, 1) : seats).map(way),
      state === "on" && people > 1 && opener && make("button", { type: "button", id: `invite-${name}`, "aria-label": `Invite to ${title}`, on: { click: (event) => tellInvitation(table, event.currentTarget) } }, "Invite"),
      make("button", { type: "button", class: "quiet", id: `remove-${name}`, "aria-label": `Remove ${title} from my tables`, on: { click: () => remove(name) } }, "Remove")));
}

async function tellInvitation({ table, opener }, button) {
  button.disabled = true;
  say(byId("mine-error"), "");
  const answer = await askServer(`/api/tables/${encodeURIComponent(table)}/links`, { key: opener, body: {} });
  button.disabled = false;
  if (answer.status === 200) return invite.show(answer.body, place);
  say(byId("mine-error"), answer.body?.error ?? "The invitation could not be loaded.");
  return byId(button.id)?.focus();
}

function remove(table) {
  forget(table);
  showMine();
  byId(mine().length ? "mine-heading" : "tables-heading").focus();
}

// The tables.

/** Update all lists. */
const look = () => Promise.all([lookAtMine(), list()]);

async function list() {
  const answer = await ask("/api/tables");
  if (!unlocked(answer)) return lock(answer.status === 403 ? answer.body?.error : "");
  byId("locked").hidden = true;
  byId("games").hidden = byId("joiner").hidden = byId("tables").hidden = false;
  const tables = Array.isArray(answer.body) ? answer.body : null;
  if (!tables) return refill(byId("tables-list"), [answer.body?.error ?? "The list could not be read."], (words) => make("li", { class: "error" }, words));
  const own = new Map(mine().map(({ table, seats }) => [table, seats.find(({ as }) => as)]));
  const rows = tables.map((table) => ({ ...table, own: own.get(table.table), canJoin: table.free_seats > 0 && !own.get(table.table) }));
  rows.sort((first, second) => second.canJoin - first.canJoin);
  byId("tables").classList.toggle("joinable", rows.some(({ canJoin }) => canJoin));
  return rows.length ? refill(byId("tables-list"), rows, tableRow) : refill(byId("tables-list"), ["None yet."], (words) => make("li", { class: "remark" }, words));
}

function tableRow(table) {
  const { own, canJoin } = table;
  const stands = table.stopped ? STANDS.stopped : table.over ? STANDS.over : `${count(table.ply, "action")} played`;
  const free = table.free_seats ? `, ${count(table.free_seats, "seat")} free` : table.spectator_path && !table.over && !table.stopped ? ", no seat free" : "";
  return make("li", { data: { table: table.table } }, make("span", { class: "title" }, table.title), make("br"),
    make("bdi", {}, (table.names ?? []).join(", ")), make("br"),
    make("span", { class: "remark" }, `${stands}, ${table.people ? `${table.people_present} of ${count(table.people, "person", "people")} here` : "bots only"}${free}`),
    make("div", { class: "doing" },
      canJoin && make("button", { type: "button", class: "main", id: `join-${table.table}`, "aria-label": `Join ${table.title}`, on: { click: (event) => join(table, event.currentTarget) } }, "Join"),
      own ? make("a", { href: own.link, class: "button", id: `own-${table.table}` }, "Continue as ", make("bdi", {}, own.as))
        : table.spectator_path && !table.stopped && make("a", { href: table.spectator_path, class: "button", id: `watch-${table.table}`, "aria-label": `Watch ${table.title}` }, "Watch")));
}

/** Take a free seat, and open its page. */
async function join({ table }, button) {
  button.disabled = true;
  say(byId("join-error"), "");
  const answer = await ask(`/api/tables/${encodeURIComponent(table)}/join`, { name: byId("my-name").value.trim() });
  button.disabled = false;
  if (answer.status !== 200) {
    say(byId("join-error"), answer.body?.error ?? `You could not join (status ${answer.status}).`);
    await list();
    return (byId(button.id) ?? byId("tables-heading")).focus();
  }
  rememberTable({ ...answer.body, as: answer.body.names[answer.body.seat] });
  return location.assign(answer.body.link);
}

function lock(message = "") {
  byId("locked").hidden = false;
  byId("games").hidden = byId("joiner").hidden = byId("tables").hidden = true;
  if (key()) say(byId("key-error"), message || "This key is not valid. Copy the whole link of the lobby.");
}

function unlock(event) {
  event.preventDefault();
  const given = byId("key").value.trim();
  const seat = withHash(given).match(/\/[ti]\/[^/#]+#.+$/); // an invitation, or the link of a seat, on this server
  if (seat) location.assign(seat[0]);
  else location.hash = keyIn(given);
}

// Startup.

async function start() {
  lookAtMine();
  const answer = await ask("/api/games");
  const games = answer.body?.games ?? [];
  place = answer.body ?? {};
  if (!games.length) return say(byId("games-error"), answer.body?.error ?? "This server offers no games.");
  gallery.show(games);
  return list();
}

byId("unlock").addEventListener("submit", unlock);
addEventListener("hashchange", () => { say(byId("key-error"), ""); start(); });
byId("my-name").value = keptName.get(NAME) ?? "";
byId("my-name").addEventListener("change", () => keptName.set(NAME, byId("my-name").value));
byId("mine-more").addEventListener("click", () => { showsAll = !showsAll; showMine(); });
addEventListener("pageshow", (event) => { if (event.persisted) look(); }); // after returning from a table
setInterval(() => { if (!document.hidden) (byId("locked").hidden ? look : lookAtMine)(); }, LOOK_AGAIN);
start();
