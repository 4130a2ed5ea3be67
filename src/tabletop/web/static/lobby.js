// The lobby: open a table, hand out its links, see which tables are open.

import { botOptions, byId, copyButton, count, fill, kept, make, say } from "./dom.js";
import { optionField, readOptions } from "./options.js";
import { seatMark } from "./seats.js";

const KEY = "tabletop:key";
const OPENED = "tabletop:opened";
const LOOK_AGAIN = 10000; // milliseconds between two looks at the open tables

let games = [];

/** The key of the host: in the link's fragment, or kept from an earlier one in this tab. */
function key() {
  const given = decodeURIComponent(location.hash.slice(1));
  if (given) kept.set(KEY, given);
  return given || kept.get(KEY) || "";
}

/** What the server answers: {status, body}; status 0 when it cannot be reached. */
async function ask(path, body) {
  const headers = key() ? { Authorization: `Bearer ${key()}` } : {};
  const request = body === undefined ? { headers } : { method: "POST", headers: { ...headers, "Content-Type": "application/json" }, body: JSON.stringify(body) };
  try {
    const answer = await fetch(path, request);
    return { status: answer.status, body: await answer.json().catch(() => null) };
  } catch {
    return { status: 0, body: { error: "The server cannot be reached. Is it still running?" } };
  }
}

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

/** A row for each seat; what was written already stays. */
function seatPeople() {
  const bots = game().bots ?? [];
  const before = people();
  const rival = game().rival;
  fill(byId("people-list"), Array.from({ length: Number(byId("count").value) }, (_, seat) => {
    const number = seat + 1;
    const was = before[seat] ?? { name: "", player: seat && rival && !before.length ? rival : "human" };
    const name = make("input", { class: "name", value: was.name, maxLength: 40, placeholder: `Player ${number}`, "aria-label": `Name at seat ${number}` });
    const player = make("select", { class: "player", "aria-label": `Who plays seat ${number}` },
      make("option", { value: "human" }, "a person"),
      botOptions(bots, was.player, (bot) => `bot: ${bot}`));
    return make("li", {}, seatMark(seat), name, player);
  }));
}

function people() {
  return [...byId("people-list").children].map((row) => ({ name: row.querySelector(".name").value.trim(), player: row.querySelector(".player").value }));
}

function wish() {
  const kind = byId("open").elements["seed-kind"].value;
  const seed = byId("seed").value.trim();
  if (kind === "own" && !seed) throw new Error("The seed has no words yet: write some, or choose a new one.");
  if (!byId("clock").checkValidity()) throw new Error("The clock takes half a minute to 600 minutes, in halves; empty means no clock.");
  const minutes = byId("clock").value;
  const sitting = people();
  return {
    game: game().name,
    seats: sitting.length,
    names: sitting.map(({ name }) => name),
    players: sitting.map(({ player }) => player),
    options: readOptions(byId("options-list"), game().options),
    seed: kind === "own" ? seed : "",
    weekly: kind === "weekly",
    casual: byId("casual").checked,
    clock: minutes === "" ? null : Number(minutes) * 60,
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
    say(byId("open-error"), answer.body?.error ?? `The table was not opened (the server answered ${answer.status}).`);
    return button.focus();
  }
  const sitting = wished.names.map((name, seat) => name || `Player ${seat + 1}`);
  keep([{ title: game().title, names: sitting, players: wished.players, ...answer.body }, ...opened()]);
  showOpened();
  byId("opened-heading").focus();
  return list();
}

// The links.

const opened = () => JSON.parse(kept.get(OPENED) ?? "[]");
const keep = (tables) => kept.set(OPENED, JSON.stringify(tables.slice(0, 20)));

function showOpened() {
  const tables = opened();
  byId("opened").hidden = !tables.length;
  fill(byId("opened-list"), tables.map((table) => make("article", { class: "links", data: { table: table.table } },
    make("h3", {}, table.title),
    make("ul", {},
      table.links.map((link, seat) => linkRow(link, seatMark(seat), table.names[seat], table.players[seat])),
      linkRow(table.spectators, null, "To watch", "human")),
    table.commitment ? make("p", { class: "remark" }, "Salt, sealed: ", make("code", {}, table.commitment)) : null)));
}

function linkRow(link, mark, whose, player) {
  const who = make("span", { class: "whose" }, mark, make("bdi", { title: whose }, whose));
  if (!link) return make("li", {}, who, make("span", { class: "remark" }, `played by the bot ${player}`));
  const address = new URL(link, location.href).href;
  const field = make("input", { value: address, readOnly: true, "aria-label": `Link of ${whose}`, on: { focus: (event) => event.target.select() } });
  return make("li", {}, who, field, copyButton(address, `the link of ${whose}`), make("a", { href: address, class: "button", target: "_blank", rel: "opener", "aria-label": `Open the link of ${whose}` }, "Open"));
}

// The tables.

async function list() {
  const answer = await ask("/api/tables");
  if (!unlocked(answer)) return lock();
  byId("locked").hidden = true;
  byId("new").hidden = byId("tables").hidden = false;
  const tables = Array.isArray(answer.body) ? answer.body : answer.body?.tables;
  if (!tables) return fill(byId("tables-list"), make("li", { class: "error" }, answer.body?.error ?? "The list could not be read."));
  return fill(byId("tables-list"), tables.length ? tables.map(tableRow) : make("li", { class: "remark" }, "None yet."));
}

function tableRow(table) {
  const stands = table.stopped ? "stands still: its rules have changed" : table.over ? "over" : `${count(table.ply, "action")} played`;
  return make("li", { data: { table: table.table } }, make("span", { class: "title" }, table.title), make("br"),
    make("bdi", {}, (table.names ?? []).join(", ")), make("br"),
    make("span", { class: "remark" }, `${stands}, ${table.people ? `${table.here} of ${count(table.people, "person", "people")} here` : "bots only"}`));
}

function lock(message = "") {
  byId("locked").hidden = false;
  byId("new").hidden = byId("tables").hidden = true;
  if (key()) say(byId("key-error"), message || "This key is not valid. Perhaps the server was started again since?");
}

function unlock(event) {
  event.preventDefault();
  const written = byId("key").value.trim();
  location.hash = written.includes("#") ? written.slice(written.indexOf("#") + 1) : written;
}

// What happens when the page comes.

async function start() {
  showOpened();
  const answer = await ask("/api/games");
  games = answer.body?.games ?? [];
  if (!games.length) return say(byId("open-error"), answer.body?.error ?? "The server knows no games.");
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
setInterval(() => { if (!document.hidden && byId("locked").hidden) list(); }, LOOK_AGAIN);
start();
