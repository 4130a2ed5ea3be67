// The host's page: all tables, people, addresses, and metrics.

import { ask, keyIn, keyOfPage } from "./ask.js";
import { byId, copyButton, count, fill, make, say, watchers } from "./dom.js";
import { seatMark } from "./seats.js";

const LOOK_AGAIN = 5000; // milliseconds

const tables = new Map(); // the rows of the list, by table name
const addresses = new Map();

// The key is only in the address of the page and is not stored.
const asHost = (path, body) => ask(path, { key: keyOfPage(), body });

let looking = null; // the pending request

/** Update the page after a pending update, which may contain older data. */
async function look() {
  while (looking) await looking;
  looking = lookOnce().finally(() => { looking = null; });
  return looking;
}

async function lookOnce() {
  if (!keyOfPage()) return lock("");
  const { status, body } = await asHost("/api/host");
  byId("lost").hidden = status === 200 || status === 401;
  if (status === 401) return lock(body?.error ?? "This key is not valid.");
  if (status !== 200) return say(byId("lost"), body?.error ?? `The server answered ${status}.`);
  byId("locked").hidden = true;
  byId("tables").hidden = byId("beside").hidden = false;
  showRows(byId("tables-list"), tables, body.tables, ({ table }) => table, tableRow, "No table is open.");
  showRows(byId("addresses-list"), addresses, body.addresses.map((visitor) => ({ ...visitor, own: visitor.address === body.your_address })), ({ address }) => address, addressRow, "No visitors yet.");
  fill(byId("numbers-list"), body.numbers.map(({ name, help, value }) => make("div", {}, make("dt", {}, help), make("dd", { data: { name } }, amount(name, value)))));
  if (!byId("metrics").childElementCount) fill(byId("metrics"), make("code", {}, body.metrics), copyButton(body.metrics, "the token for Prometheus"));
}

const amount = (name, value) => (name.endsWith("_bytes") ? `${Math.round(value / 1e6)} MB` : value.toLocaleString());

function lock(message) {
  byId("locked").hidden = false;
  byId("tables").hidden = byId("beside").hidden = true;
  say(byId("key-error"), message);
}

/** Show rows in order. Keep the elements of existing rows, with their open details and the focus. */
function showRows(list, rows, items, nameOf, row, none) {
  const names = items.map(nameOf);
  for (const name of [...rows.keys()]) if (!names.includes(name)) rows.delete(name);
  for (const [at, item] of items.entries()) {
    const content = JSON.stringify(item);
    const before = rows.get(names[at]);
    if (before?.content === content) continue;
    const made = row(item);
    const { item: shown, parts } = before ?? { item: make("li", { data: { name: names[at] } }, Object.values(made)), parts: made };
    if (parts !== made) renew(parts, made);
    rows.set(names[at], { item: shown, parts, content });
  }
  const wanted = names.length ? names.map((name) => rows.get(name).item) : [make("li", { class: "remark" }, none)];
  if (wanted.length !== list.children.length || wanted.some((item, at) => list.children[at] !== item)) fill(list, wanted);
}

/** Replace the parts of a row whose content differs. */
function renew(parts, made) {
  for (const [name, part] of Object.entries(made)) {
    if (parts[name].dataset.content === part.dataset.content) continue;
    const [open, focused] = [parts[name].open, parts[name].contains(document.activeElement)];
    parts[name].replaceWith(part);
    parts[name] = part;
    if (open) part.open = true;
    if (focused) part.querySelector("button, summary, a")?.focus();
  }
}

/** A part of a row, which is replaced only if its data changes. */
const part = (kind, about, ...children) => make(kind, { data: { content: JSON.stringify(about) } }, ...children);

// Tables.

function tableRow(table) {
  const { title, names, created, ply, over, stopped, present_seats: present, spectator_count: watching, people, people_present: here, free_seats: free, links, link_notes: notes, spectators, spectators_see_more: seesMore, player_labels: bots } = table;
  const since = new Date(created).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  const how = stopped || (over ? "over" : `${count(ply, "action")} played`);
  const content = [how, `since ${since}`, people ? `${here} of ${count(people, "person", "people")} here` : "bots only", watching && watchers(watching), free && `${count(free, "seat")} free`];
  const who = (seat) => bots[seat] || (present.includes(seat) ? "here" : links[seat] || notes[seat] ? "away" : "");
  return {
    title: part("div", title, make("span", { class: "title" }, title)),
    people: part("ul", [names, names.map((_, seat) => who(seat))], names.map((name, seat) => make("li", {}, seatMark(seat), make("bdi", {}, name), make("span", { class: "remark" }, who(seat))))),
    how: part("div", content, make("span", { class: "remark" }, content.filter(Boolean).join(" · "))),
    links: part("details", [links, notes, spectators], make("summary", {}, "Links"),
      make("ul", {}, names.map((name, seat) => linkRow(name, links[seat], notes[seat])), linkRow(seesMore ? "To watch (not for players, because it shows hidden information)" : "To watch", spectators, "cannot be shown"))),
    doing: part("div", "end", endButton(table)),
  };
}

function linkRow(whose, link, note) {
  if (!link) return make("li", {}, make("bdi", {}, whose), ": ", make("span", { class: "remark" }, note));
  const address = new URL(link, location.href).href;
  return make("li", {}, make("a", { href: address, target: "_blank", rel: "noopener" }, make("bdi", {}, whose)), copyButton(address, `the link of ${whose}`));
}

/** A button that ends a table after a second press. */
function endButton({ table, title }) {
  const first = make("button", { type: "button", "aria-label": `End ${title}` }, "End");
  const end = make("button", { type: "button", class: "danger" }, "Close the table permanently");
  const keep = make("button", { type: "button", class: "quiet" }, "No");
  const place = make("div", { class: "doing" }, first);
  first.addEventListener("click", () => { fill(place, make("span", {}, "Everybody has to leave. The record is kept."), end, keep); keep.focus(); });
  keep.addEventListener("click", () => { fill(place, first); first.focus(); });
  end.addEventListener("click", () => doing(end, byId("tables-error"), byId("tables-heading"), "/api/host/end", { table }));
  return place;
}

// Addresses.

function addressRow({ address, requests, seconds_since, connections, blocked, own }) {
  const network = address.includes(":") ? `${address}/64` : address || "unknown";
  const content = [blocked && "blocked", count(connections, "connection"), count(requests, "request"), seconds_since !== null && `last ${since(seconds_since)} ago`];
  const does = blocked ? "Unblock" : "Block";
  const button = make("button", { type: "button", "aria-label": `${does} ${network}` }, does);
  button.addEventListener("click", () => doing(button, byId("addresses-error"), byId("addresses-heading"), "/api/host/block", { address, blocked: !blocked }));
  return {
    address: part("div", network, make("span", { class: "title" }, network), own ? " (you)" : ""),
    content: part("div", content, make("span", { class: "remark" }, content.filter(Boolean).join(" · "))),
    doing: part("div", [blocked, own], own && !blocked ? null : make("div", { class: "doing" }, button)),
  };
}

const since = (seconds) => (seconds < 90 ? `${Math.round(seconds)} s` : seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`);

async function doing(button, error, heading, path, body) {
  button.disabled = true;
  say(error, "");
  const answer = await asHost(path, body);
  button.disabled = false;
  if (answer.status === 200) await look();
  else say(error, answer.body?.error ?? `The request failed (status ${answer.status}).`);
  (button.isConnected ? button : heading).focus();
}

byId("unlock").addEventListener("submit", (event) => {
  event.preventDefault();
  location.hash = keyIn(byId("key").value);
  byId("key").value = "";
});
addEventListener("hashchange", look);
setInterval(() => { if (!document.hidden && !looking && byId("locked").hidden) look(); }, LOOK_AGAIN);
look();
