// In a game's own page: a strip in a corner with a link to our page, and what such a page may leave out: one's time, a bot
// that plays for whoever reads it, the end. The server puts this script into every such page.

import { tables } from "/tabletop.js"; // the one that the page has connected with
import { clockText } from "./dom.js";

const [path] = location.pathname.match(/^.*?\/t\/[^/]+/);
const host = document.createElement("div"); // the page's styles end at it
const [strip, clock, words, back, link] = ["div", "span", "span", "button", "a"].map((name) => document.createElement(name));
let heard = null; // the table that is listened to
let since = 0; // when it told its clocks
let refusal = ""; // why one's seat is not given back

/** A seat of the reader's that a bot plays for. */
const botted = ({ you, players }) => you.find((seat) => players[seat] !== "human");

/** The seconds that a seat has left now; null for a seat without a clock. */
function left({ clock, running }, seat) {
  if (typeof clock[seat] !== "number") return null;
  return Math.max(0, clock[seat] - (running.includes(seat) ? (performance.now() - since) / 1000 : 0));
}

function listen(table) {
  heard = table;
  since = performance.now();
  table?.on("table", () => {
    since = performance.now();
    refusal = "";
    draw();
  });
  table?.on("state", draw);
}

function draw() {
  const { info, state } = heard ?? {};
  const seat = info && !state?.over ? botted(info) : undefined;
  const time = info && !state?.over ? left(info, seat ?? info.you[0]) : null;
  const bot = seat === undefined ? "" : refusal || `${info.players[seat]} plays for ${info.names[seat]}${time === 0 ? ": the time is up" : ""}`;
  const said = state?.over ? "The match is over" : bot || (info?.paused ? "The clocks stand still" : "");
  if (words.textContent !== said) words.textContent = said; // it is read out once
  words.style.position = said ? "" : "absolute"; // it takes no room, and is there: else what comes into it is not read out
  clock.textContent = time === null ? "" : clockText(time);
  clock.style.display = time === null ? "none" : "";
  back.style.display = bot && time !== 0 ? "" : "none";
}

back.onclick = () => heard.reseat(botted(heard.info), "human").catch(({ message }) => {
  refusal = message;
  draw();
});
back.type = "button";
back.textContent = "Play yourself";
words.role = "status";
clock.role = "timer";
clock.ariaLabel = "Your time";
link.textContent = "Plain page";
link.title = "This table with words, buttons and the log, as every game has it";
link.href = `${path}/plain${location.hash}`;
Object.assign(host.style, { all: "initial", position: "fixed", right: "6px", bottom: "6px", zIndex: "2147483647" });
Object.assign(strip.style, {
  font: "12px/24px system-ui, sans-serif", padding: "0 8px", borderRadius: "12px", display: "flex", gap: "0 10px", opacity: "0.9",
  color: "#eee", background: "#333", border: "1px solid #999",
});
for (const one of [back, link]) Object.assign(one.style, { font: "inherit", color: "inherit", background: "none", border: "0", padding: "0", minHeight: "24px", textDecoration: "underline", cursor: "pointer" });
strip.append(clock, words, back, link);
host.attachShadow({ mode: "open" }).append(strip);
document.body.append(host);
draw();
setInterval(() => {
  const [table] = tables; // a page may connect later, or to another table
  if (table !== heard) listen(table);
  draw();
}, 500);
