// A table in the browser: what the server tells is shown, what people do is sent.

import { About } from "./about.js";
import { Actions } from "./actions.js";
import { Clicking } from "./clicking.js";
import { Connection } from "./connection.js";
import { byId, fill, kept, make, say } from "./dom.js";
import { Drawers, narrow } from "./drawers.js";
import { Ending } from "./ending.js";
import { play, remember } from "./motion.js";
import { Picture } from "./picture.js";
import { Queue } from "./queue.js";
import { Seats } from "./seats.js";
import { askConsent, Bubble, forgetConsent, Inspection, Log, note } from "./story.js";

const table = location.pathname.split("/")[2];
const asked = new Map(); // what was sent and may be answered: number -> {from, line}
let state = null;
let seated = null;
let sent = 0;
let newest = null; // the ply of the newest state that came, shown or not yet
let typed = 0; // the number of the typed line that is on its way
let hint = null; // what a bot would do here: {id} while it thinks, then {id, words, label, sure}

const picture = new Picture(byId("picture"));
const drawers = new Drawers();
const seats = new Seats();
const log = new Log();
const bubble = new Bubble();
const inspection = new Inspection();
const ending = new Ending({ again: (from) => ask({ type: "again" }, from), link: (page) => `${page}#${encodeURIComponent(token())}` });
const about = new About((seat, player) => ask({ type: "seat", seat, player }, byId(`player-${seat}`)));
const actions = new Actions({ send: act, hint: (path) => picture.hint(path) });
const clicking = new Clicking(picture, { send: act, why, inspect: (part, how) => inspection.show(part, how), changed: guide });
const queue = new Queue(show);
const line = new Connection(
  `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/t/${table}/socket`,
  () => ({ type: "hello", token: token(), picture: narrow.matches ? "narrow" : "wide", data: false, changes: true }),
  { message, lost, found, ended, gone },
);

/** The token of this seat: in the link's fragment, or kept from an earlier one in this tab. */
function token() {
  const place = `tabletop:${table}`;
  const given = decodeURIComponent(location.hash.slice(1));
  if (given) kept.set(place, given);
  return given || kept.get(place) || "";
}

// What people do.

/** Send a request; whether it went out. */
function ask(request, from) {
  sent += 1;
  if (!line.send({ ...request, id: sent })) {
    bubble.show("Not sent: the connection is lost. Try again when it is back.", from);
    return false;
  }
  asked.set(sent, { from, box: from?.getBoundingClientRect() });
  asked.delete(sent - 50);
  if (from === byId("line")) typed = sent;
  return true;
}

function act(words, from) {
  const choice = state?.choices.find((one) => one.words === words);
  const seat = choice?.seat ?? (seated?.you.length > 1 ? state?.asked[0] : undefined);
  bubble.hide();
  drawersAside(from);
  ask({ type: "act", line: words, ply: state?.ply, ...(seat === undefined ? {} : { seat }) }, from);
}

/** What was chosen in the drawer is seen on the picture. */
function drawersAside(from) {
  if (drawers.open === "actions" && from !== byId("line")) drawers.close(true);
}

/** Ask what a bot would do; one question at a time. */
function askHint(button) {
  if (hint || !ask({ type: "hint" }, button)) return;
  hint = { id: sent };
  guide();
}

/** What the bot would do is marked where it is done: in the list, and in the picture. */
function hinted({ id, words, sure }) {
  if (hint?.id !== id) return;
  const choice = state?.choices.find((one) => one.words === words);
  hint = words ? { id, words, sure, label: choice?.label ?? words, path: choice?.path ?? [] } : null;
  markHint();
  guide();
}

function markHint() {
  actions.suggest(hint?.words ?? "");
  picture.suggest(hint?.path ?? []);
  document.body.classList.toggle("hinted", Boolean(hint?.path?.length));
}

function forgetHint() {
  hint = null;
  markHint();
}

function why(part) {
  ask({ type: "why", part }, picture.part(part));
}

byId("undo").addEventListener("click", (event) => {
  const button = event.currentTarget;
  if (button.getAttribute("aria-disabled")) bubble.show(state.no_undo, button);
  else ask({ type: "undo" }, button);
});
byId("redo").addEventListener("click", (event) => ask({ type: "redo" }, event.currentTarget));
byId("hint").addEventListener("click", (event) => {
  if (!hint?.words) askHint(event.currentTarget);
});
byId("retry").addEventListener("click", () => line.now());
narrow.addEventListener("change", () => line.send({ type: "layout", picture: narrow.matches ? "narrow" : "wide" }));
addEventListener("hashchange", () => location.reload());
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, textarea, select, dialog")) return;
  if (event.key === "h" && !byId("hint").hidden) byId("hint").click();
  if (event.key !== "/") return;
  event.preventDefault();
  drawers.show("actions", false);
  byId("line").focus();
});

// What the server tells.

function message(told) {
  const heard = {
    table: () => tableChanged(told),
    state: () => stateCame(told),
    log: () => log.add(told.lines),
    refused: () => answered(told),
    why: () => answered(told),
    hint: () => hinted(told),
    consent: () => askConsent(told, (yes) => line.send({ type: "consent", yes })),
    note: () => note(told.text),
  };
  heard[told.type]?.();
}

function stateCame(told) {
  // Whoever plays on has answered the question whether to take back.
  if (newest !== null && newest !== told.ply) forgetConsent();
  newest = told.ply;
  queue.add(told);
}

function tableChanged(told) {
  seated = told;
  document.body.classList.toggle("spectator", told.spectator);
  say(byId("title"), told.title || told.game);
  seats.seated(told);
  about.set(told);
  byId("hint").hidden = told.spectator || !told.hints;
  if (state) ending.set(state.over, seated);
  guide();
}

/** An answer stands where the question was asked. */
function answered({ id, message: words }) {
  const { from, box } = asked.get(id) ?? {};
  asked.delete(id);
  if (id === typed) typed = 0;
  if (id === hint?.id) hinted({ id, words: "" });
  if (from === byId("line")) actions.wrong(words);
  else bubble.show(words, from?.isConnected ? from : box && { isConnected: true, getBoundingClientRect: () => box });
}

/** Show a state; returns how long its motions take. */
function show(next) {
  const before = remember(picture.root);
  const same = state?.ply === next.ply;
  if (typed && !same) {
    typed = 0;
    actions.taken();
  }
  state = next;
  if (!same) forgetHint();
  const changed = picture.show(next.svg);
  if (changed) markHint();
  clicking.set(next.choices, same);
  if (next.asked.length && !same) picture.reveal();
  actions.set(next);
  seats.state(next);
  log.show(next.line);
  say(byId("position"), next.text);
  byId("redo").disabled = !next.can_redo;
  whyNot(byId("undo"), next.can_undo, next.no_undo);
  document.body.classList.toggle("your-turn", next.asked.length > 0);
  document.body.classList.toggle("over", next.over !== null);
  say(byId("actions-heading"), next.over ? "How it ended" : "What you can do");
  if (!same) inspection.close();
  if (changed) inspection.drawn(picture);
  guide();
  if (ending.set(next.over, seated)) drawers.show("actions", false);
  return changed ? play(picture.root, before) : 0;
}

/** A button that is off says why: to whoever points at it or taps it, and to screen readers. */
function whyNot(button, can, reason) {
  button.disabled = !can && !reason; // what is disabled hears no finger
  if (can || !reason) button.removeAttribute("aria-disabled");
  else button.setAttribute("aria-disabled", "true");
  button.title = reason;
  say(byId(button.getAttribute("aria-describedby")), reason);
}

/** What a bot advises, or that one thinks; "" when there is nothing to say of bots. */
function advice() {
  if (hint) return hint.words ? `Hint: ${hint.label} · ${hint.sure.replaceAll(" %", "\u00a0%")}` : "A bot thinks about a hint …";
  return seated?.thinking && !state.asked.length ? `${seated.thinking} …` : "";
}

/** Under the picture: what is wanted, and what was chosen so far. */
function guide() {
  if (!state) return;
  // Its name is enough here, what else there is to say of it stands in the closer look: there is room for two lines.
  const chosen = clicking.prefix.map((id) => (picture.part(id)?.dataset.label ?? id).split(", ", 1)[0]);
  const wanted = state.over ? state.over.text || "The match is over." : advice() || state.prompt;
  const next = picture.part(clicking.prefix.at(-1) ?? "")?.dataset.then ?? `${chosen.join(" → ")}: choose what comes next.`;
  say(byId("prompt"), chosen.length ? next : wanted);
  byId("guide").classList.toggle("choosing", chosen.length > 0);
  byId("guide").classList.toggle("thinking", Boolean(hint ? !hint.words : seated?.thinking));
  byId("hint").disabled = !state.asked.length || hint !== null;
  byId("cancel").hidden = !chosen.length;
  if (chosen.length) picture.reveal();
  actions.narrowTo(clicking.prefix);
  document.title = `${state.asked.length ? "Your turn · " : ""}${byId("title").textContent}`;
}

// The line to the server.

function lost(pause, why) {
  byId("lost").hidden = false;
  const seconds = Math.round(pause);
  const when = seconds < 2 ? "Trying again …" : `Trying again in ${seconds} seconds …`;
  say(byId("lost-text"), `Connection lost${why ? ` (${why})` : ""}. ${when}`);
  asked.clear();
  if (hint && !hint.words) forgetHint();
}

/** The program has ended: the last picture stays, and nothing can be done with it. */
function gone(words) {
  queue.hurry(); // a state that waits would be shown over this
  for (const control of [byId("hint"), byId("undo"), byId("redo")]) control.disabled = true;
  clicking.set([], false);
  if (state) actions.set({ ...state, choices: [], more: 0, commands: [] });
  byId("lost").hidden = true;
  say(byId("prompt"), words);
  document.body.classList.remove("your-turn");
  document.title = byId("title").textContent;
}

function found() {
  byId("lost").hidden = true;
  byId("table").inert = false;
  forgetConsent(); // a question that is still open is asked again
  log.begin();
}

function ended(words) {
  byId("lost").hidden = true;
  fill(byId("fatal"),
    make("h2", {}, "This table cannot be shown"),
    make("p", {}, words),
    make("p", {}, "A link to a seat looks like /t/…#…; all of it is needed, also what stands behind the #."),
    make("button", { type: "button", on: { click: () => { byId("fatal").hidden = true; line.again(); } } }, "Try again"),
    make("a", { href: "/", class: "button" }, "To the lobby"));
  byId("fatal").hidden = false;
  byId("table").inert = true;
}
