// The page of a table whose game has its own page, which runs in a sandboxed frame without the token of the seat.
// Below the frame, a strip shows information that it may leave out: the player's time, a bot that plays for them, the end.

import { byId, clockText, say } from "./dom.js";
import { connect, FRAME_MARK, tables } from "./tabletop.js";

const [path] = location.pathname.match(/^.*?\/t\/[^/]+/);
const frame = byId("frame");
let heard = null; // the table that the strip shows
let since = 0; // when the clocks were received
let refusal = ""; // the reason why the player's seat is not given back

addEventListener("message", ({ source, data, ports: [port] }) => {
  if (source !== frame.contentWindow || data?.connect !== FRAME_MARK || !port) return;
  const table = connect(location, data.options);
  table.share(port);
  if (!tables.has(heard)) listen(table);
});

function listen(table) {
  heard = table;
  table.on("table", () => {
    since = performance.now();
    refusal = "";
    draw();
  });
  table.on("state", draw);
}

/** A seat of the player for which a bot plays. */
const seatOfBot = ({ your_seats: own, players }) => own.find((seat) => players[seat] !== "human");

/** The remaining seconds of a seat, or null for a seat without a clock. */
function left({ clock, running }, seat) {
  if (typeof clock[seat] !== "number") return null;
  return Math.max(0, clock[seat] - (running.includes(seat) ? (performance.now() - since) / 1000 : 0));
}

function draw() {
  const { info, state } = heard ?? {};
  if (!info) return;
  const seat = state?.over ? undefined : seatOfBot(info);
  const time = state?.over ? null : left(info, seat ?? info.your_seats[0]);
  const bot = seat === undefined ? "" : refusal || `The ${info.player_labels[seat]} is playing for ${info.names[seat]}${time === 0 ? ", because the time is up" : ""}`;
  say(byId("words"), state?.over ? "The match is over" : bot || info.hold?.text || "");
  byId("clock").textContent = time === null ? "" : clockText(time);
  byId("clock").hidden = time === null;
  byId("back").hidden = !bot || info.lost.includes(seat);
  frame.title = info.title;
  document.title = `${state?.your_turn.length ? "Your turn · " : ""}${info.title}`;
}

byId("back").addEventListener("click", () => heard.reseat(seatOfBot(heard.info), "human").catch(({ message }) => {
  refusal = message;
  draw();
}));
addEventListener("hashchange", () => location.reload());
setInterval(draw, 500);

// The frame keeps the focus, so that keys reach the game's page.
frame.addEventListener("load", () => frame.focus());
byId("plain").href = `${path}/plain${location.hash}`;
frame.src = `${path}/page/`;
