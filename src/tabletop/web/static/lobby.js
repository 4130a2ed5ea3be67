// The lobby: open a table, share its links, see the open tables, join one, and return to earlier ones.

import { ask as askServer, keyIn, keyOfPage, withHash } from "./ask.js";
import { botOptions, byId, copyButton, count, fill, keeper, make, say, SEAL } from "./dom.js";
import { forget, mine, rememberTable } from "./mine.js";
import { optionField, readOptions } from "./options.js";
import { seatMark } from "./seats.js";

const KEY = "tabletop:key";
const NAME = "tabletop:name";
const LOOK_AGAIN = 10000; // milliseconds between two updates of the open tables
const MOST_OPENED = 20; // maximum number of tables whose links are displayed
const FEW = 2; // number of the visitor's tables displayed at first, so that a phone shows the form below

const kept = keeper("sessionStorage"); // for this tab

let games = [];
let opened = []; // the tables whose links are displayed
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

// The form.

const game = () => games.find(({ name }) => name === byId("game").value) ?? games[0];

function chooseGame() {
  const chosen = game();
  const before = Number(byId("count").value);
  const wanted = chosen.seats.includes(before) ? before : chosen.seats[0];
  fill(byId("count"), chosen.seats.map((number) => make("option", { value: String(number), selected: number === wanted }, String(number))));
  fill(byId("options-list"), chosen.options.map(optionField));
  byId("options").hidden = !chosen.options.length;
  seatPeople();
}

/** Display a row for each seat, and keep what was entered before. */
function seatPeople() {
  const bots = game().bots ?? [];
  const before = people();
  const rival = game().rival;
  fill(byId("people-list"), Array.from({ length: Number(byId("count").value) }, (_, seat) => {
    const number = seat + 1;
    const was = before[seat] ?? { name: "", player: seat && rival && !before.length ? rival : "human" };
    const name = make("input", { class: "name", value: was.name, maxLength: 40, placeholder: `Player ${number}`, "aria-label": `Name of seat ${number}` });
    const player = make("select", { class: "player", "aria-label": `Player of seat ${number}` },
      make("option", { value: "human" }, "a person"),
      botOptions(bots, was.player, (bot) => `bot: ${bot}`));
    return make("li", {}, seatMark(seat), name, player);
  }));
}

function people() {
  return [...byId("people-list").children].map((row) => ({ name: row.querySelector(".name").value.trim(), player: row.querySelector(".player").value }));
}

/** Read the controls with `data-setting`, which is the name of a setting of the server. An empty one is left out. */
function settings() {
  const controls = [...byId("open").querySelectorAll("[data-setting]")];
  const wrong = controls.find((control) => !control.checkValidity());
  if (wrong) throw new Error(wrong.dataset.fault);
  const value = ({ type, checked, value: text, dataset: { unit = 1 } }) => (type === "checkbox" ? checked : text === "never" ? null : Number(text) * unit);
  return Object.fromEntries(controls.filter((control) => control.value).map((control) => [control.dataset.setting, value(control)]));
}

function wish() {
  const kind = byId("open").elements["seed-kind"].value;
  const seed = byId("seed").value.trim();
  if (kind === "own" && !seed) throw new Error("Enter the words of the seed, or choose a random one.");
  const sitting = people();
  const others = sitting.flatMap(({ player }, seat) => (player === "human" ? [seat] : [])).slice(1);
  const opens = byId("open-seats").checked;
  if (opens && !others.length) throw new Error("There is only one seat for a person, so nobody could join. Add a second person, or do not open the table.");
  return {
    game: game().name,
    seats: sitting.length,
    names: sitting.map(({ name }) => name),
    players: sitting.map(({ player }) => player),
    options: readOptions(byId("options-list"), game().options),
    seed: kind === "own" ? seed : "",
    weekly: kind === "weekly",
    ...settings(),
    open: opens ? others : [],
  };
}

async function open(event) {
  event.preventDefault();
  const button = byId("open-table");
  let wished;
  try {
    wished = wish();
  } catch (error) {
    return say(byId("open-error"), error.message);
  }
  button.disabled = true;
  say(byId("open-error"), "");
  const answer = await ask("/api/tables", wished);
  button.disabled = false;
  if (!unlocked(answer)) return lock(answer.body?.error);
  if (answer.status !== 201) {
    say(byId("open-error"), answer.body?.error ?? `The table was not opened (status ${answer.status}).`);
    return button.focus();
  }
  rememberTable(answer.body);
  showLinks(answer.body);
  return look();
}

// The links.

const TAKEN = "taken over by another player";

function showLinks(table) {
  opened = [table, ...opened.filter((one) => one.table !== table.table)].slice(0, MOST_OPENED);
  byId("opened").hidden = false;
  fillLinks();
  byId("opened-heading").focus();
}

function fillLinks() {
  fill(byId("opened-list"), opened.map((one) => make("article", { class: "links", data: { table: one.table } },
    make("h3", {}, one.title),
    make("ul", {},
      one.links.map((link, seat) => linkRow(link, seatMark(seat), one.names[seat], one.link_notes[seat])),
      linkRow(one.spectators, null, "To watch", one.spectators_see_more ? "no link, because a spectator sees what some players may not see" : "its link cannot be shown again")),
    one.commitment ? make("p", { class: "remark" }, `${SEAL}: `, make("code", {}, one.commitment)) : null)));
}

/** Remove a displayed link after a person from the lobby has taken its seat, because it is no longer valid. */
function takeLinks(tables) {
  let news = false;
  for (const one of opened) {
    const { names, taken_seats: taken } = tables.find(({ table }) => table === one.table) ?? { taken_seats: [] };
    for (const seat of taken.filter((seat) => one.link_notes[seat] !== TAKEN)) {
      news = true;
      one.names = names;
      one.links[seat] = null;
      one.link_notes[seat] = TAKEN;
    }
  }
  if (news) fillLinks();
}

function linkRow(link, mark, whose, why) {
  const who = make("span", { class: "whose" }, mark, make("bdi", { title: whose }, whose));
  if (!link) return make("li", {}, who, make("span", { class: "remark" }, why));
  const address = new URL(link, location.href).href;
  const field = make("input", { value: address, readOnly: true, "aria-label": `Link of ${whose}`, on: { focus: (event) => event.target.select() } });
  return make("li", {}, who, field, copyButton(address, `the link of ${whose}`), make("a", { href: address, class: "button", target: "_blank", rel: "opener", "aria-label": `Open the link of ${whose}` }, "Open"));
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
      opens && opener && make("button", { type: "button", id: `links-${name}`, "aria-label": `Links of ${title}`, on: { click: (event) => tellLinks(table, event.currentTarget) } }, "Links"),
      make("button", { type: "button", class: "quiet", id: `remove-${name}`, "aria-label": `Remove ${title} from my tables`, on: { click: () => remove(name) } }, "Remove")));
}

async function tellLinks({ table, opener }, button) {
  button.disabled = true;
  say(byId("mine-error"), "");
  const answer = await askServer(`/api/tables/${encodeURIComponent(table)}/links`, { key: opener, body: {} });
  button.disabled = false;
  if (answer.status === 200) return showLinks(answer.body);
  say(byId("mine-error"), answer.body?.error ?? "The links could not be loaded.");
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
  byId("new").hidden = byId("tables").hidden = false;
  const tables = Array.isArray(answer.body) ? answer.body : null;
  if (!tables) return refill(byId("tables-list"), [answer.body?.error ?? "The list could not be read."], (words) => make("li", { class: "error" }, words));
  takeLinks(tables);
  const own = new Map(mine().map(({ table, seats }) => [table, seats.find(({ as }) => as)]));
  const rows = tables.map((table) => ({ ...table, own: own.get(table.table), canJoin: table.free_seats > 0 && !own.get(table.table) }));
  rows.sort((one, other) => other.canJoin - one.canJoin);
  byId("tables").classList.toggle("joinable", rows.some(({ canJoin }) => canJoin));
  byId("joiner").hidden = !rows.some(({ canJoin }) => canJoin);
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
        : table.spectator_path && !table.stopped && make("a", { href: table.spectator_path, class: "button", id: `watch-${table.table}`, "aria-label": `Watch ${table.title}` }, table.over ? "Watch" : "Watch")));
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
  byId("new").hidden = byId("tables").hidden = true;
  if (key()) say(byId("key-error"), message || "This key is not valid. Copy the whole link of the lobby.");
}

function unlock(event) {
  event.preventDefault();
  const given = byId("key").value.trim();
  const seat = withHash(given).match(/\/t\/[^/#]+#.+$/); // the link of a seat on this server
  if (seat) location.assign(seat[0]);
  else location.hash = keyIn(given);
}

// Startup.

async function start() {
  lookAtMine();
  const answer = await ask("/api/games");
  games = answer.body?.games ?? [];
  if (!games.length) return say(byId("open-error"), answer.body?.error ?? "This server offers no games.");
  fill(byId("game"), games.map(({ name, title }) => make("option", { value: name }, title)));
  chooseGame();
  return list();
}

byId("game").addEventListener("change", () => { byId("people-list").replaceChildren(); chooseGame(); });
byId("count").addEventListener("change", seatPeople);
byId("seed").addEventListener("input", () => { byId("open").elements["seed-kind"].value = "own"; });
byId("open").addEventListener("submit", open);
byId("unlock").addEventListener("submit", unlock);
addEventListener("hashchange", () => { say(byId("key-error"), ""); start(); });
byId("my-name").value = kept.get(NAME) ?? "";
byId("my-name").addEventListener("change", () => kept.set(NAME, byId("my-name").value));
byId("mine-more").addEventListener("click", () => { showsAll = !showsAll; showMine(); });
addEventListener("pageshow", (event) => { if (event.persisted) look(); }); // after returning from a table
setInterval(() => { if (!document.hidden) (byId("locked").hidden ? look : lookAtMine)(); }, LOOK_AGAIN);
start();
