// A client of a table: whatever a page, a worker or a program in JavaScript has to do with a table goes through here.
//
//     import { connect } from "/tabletop.js";
//
//     const table = connect(); // the table of this page's own address
//     table.on("state", (state, before, changed) => draw(state.view, changed.lines));
//     await table.act("roll"); // or table.act(state.choices[0])
//
// The module imports nothing, needs no document, and reconnects when the connection was cut. The types are in
// tabletop.d.ts. The messages are described in the reference of the protocol.
//
// A game's own page runs in a sandboxed frame of the server's page. There the module talks to that page through a
// MessagePort, and the frame never receives the token of the seat.

/** The version of the protocol that it speaks. */
export const PROTOCOL = 2;

/** What can be listened to; see `Table.on`. */
export const EVENTS = ["table", "state", "log", "note", "consent", "connected", "lost", "ended"];

/** The tables of this page that have not been left, the first one first. */
export const tables = new Set();

/** The mark of the message by which a frame asks the page around it for a table: `{connect: FRAME_MARK, options}`, with a port. */
export const FRAME_MARK = "tabletop";

const OPTIONS = { picture: "", data: true };
const PAUSES = [0.4, 1, 2, 4, 8, 15]; // seconds before each new try; the last one repeats
const TRY_AGAIN = new Set([4408, 4429]); // came too late, or sent too much: worth another try, later
const GONE = 4410; // the program at whose terminal this was a window has ended
const FRAME_CALLS = new Set(["layout", "openNext", "retry", "close"]); // methods that a frame may call in the page around it
const LINES = 1000; // of the log that are kept
const DOUBLE_CLICK = { milliseconds: 500, pixels: 10 }; // two presses that are closer than both are a double click
const CUTS = { svg: "<", text: " " }; // where the texts of a state are cut into pieces

/** Something was not done; `message` says why in words, and `reason` in one: see `Table`. */
export class TableError extends Error {
  constructor(message, reason) {
    super(message);
    Object.assign(this, { name: "TableError", reason });
  }
}

/**
 * Sit down at a table.
 *
 * @param {string | URL | Location} [link] The link of a seat, such as `https://HOST/t/TABLE#TOKEN`. The default is the
 *   table of this page: a game's own page asks the page around its frame, other pages use their own address and keep
 *   its token for the tab.
 * @param {{picture?: "" | "wide" | "narrow", data?: boolean}} [options] The picture that each state contains (none by
 *   default), and whether views, actions and events are sent as data (true by default).
 * @returns {Table} A table that is not connected yet. Add listeners with `on` at once to receive the first state.
 */
export function connect(link = globalThis.location, options = {}) {
  for (const name of Object.keys(options)) {
    if (!(name in OPTIONS)) throw new TypeError(`connect has no option ${JSON.stringify(name)}: there are ${Object.keys(OPTIONS).join(" and ")}`);
  }
  const table = new Table(link, { ...OPTIONS, ...options });
  tables.add(table);
  return table;
}

/**
 * A table, as one link shows it.
 *
 * What asks for something returns a promise. It is kept when it is done, with what was asked for; else it is broken
 * with a `TableError`. Its `reason` is one of the protocol, such as `illegal`; or `unsent`: there was no connection,
 * and nothing was sent; or `lost`: the connection was lost before the answer came, and the next state shows whether
 * it was done. Nothing is ever sent twice.
 */
export class Table {
  /** The last message about the table: its seats, players and clocks; null before the first. */
  info = null;
  /** The last state; null before the first. */
  state = null;
  /** The last lines of the log, up to a thousand. */
  lines = [];

  #line; // the connection to the server, or to the page around this frame
  #found = false; // whether the connection has delivered a message about the table
  #sent = 0;
  #waiting = new Map(); // what was asked and not answered: number -> {kept, broken}
  #ears = new Map(EVENTS.map((name) => [name, new Set()]));
  #since = []; // the lines of the log after the last state
  #newest = -1; // the number of the last line
  #anew = false; // whether the log is told from its last lines on again
  #port = null; // of the frame that takes part through this table

  constructor(link, options) {
    const heard = {
      begin: () => this.#forget(),
      hear: (message) => this.#hear(message),
      lost: (loss) => this.#tell("lost", loss),
      ended: (end) => this.#tell("ended", end),
    };
    this.#line = link === globalThis.location && isFramed() ? new FrameLine(options, heard) : new ServerLine(link, options, heard);
  }

  /** Whether there is a connection just now. */
  get connected() {
    return this.#line.isOpen && this.#found;
  }

  /**
   * Listen. What an ear is given depends on what happens:
   *
   * - `table`: the message about the table;
   * - `state`: the state, the one before (null for the first), and what changed since: `fields`, the names of the fields
   *   of the state that differ; `view`, those of its view; `lines`, the lines of the log since;
   * - `log`: new lines;
   * - `note`: a short message about the table, `text`;
   * - `consent`: somebody asks for something, or asks no more;
   * - `connected`: nothing; the connection is open, or open again;
   * - `lost`: `{seconds, message}`: in how many seconds it is tried again, and why it was lost, where that is known;
   * - `ended`: `{message, reason}`: the server wants no more of it, and only `retry` tries again. The reason is one of the
   *   protocol, or `gone` where the program has ended whose window this was.
   *
   * @param {string} name one of `EVENTS`
   * @param {Function} ear
   * @returns {() => void} ends it
   */
  on(name, ear) {
    const ears = this.#ears.get(name);
    if (!ears) throw new TypeError(`nothing is called ${JSON.stringify(name)}: there are ${EVENTS.join(", ")}`);
    ears.add(ear);
    return () => void ears.delete(ear);
  }

  // What people do.

  /**
   * Play an action.
   *
   * @param {string | {words: string, seat: number}} choice words as a person would type them, or one of `state.choices`
   * @param {{seat?: number, revision?: number}} [more] whose action it is, where this link has several seats, and the
   *   `revision` of the state that it answers: by default of the last. It is refused when the seat has acted since,
   *   unless that was the same action, and when actions were undone or redone since.
   * @returns {Promise<void>}
   */
  act(choice, { seat, revision = this.state?.revision } = {}) {
    const line = typeof choice === "string" ? choice : choice.words;
    const known = typeof choice === "string" ? this.state?.choices.find(({ words }) => words === line) : choice;
    press.plays = true;
    const whose = seat ?? known?.seat ?? (this.info?.your_seats.length > 1 ? this.state?.your_turn[0] : undefined);
    return this.#ask({ type: "act", line, seat: whose, revision });
  }

  /** Undo my last action and all later ones; the others may be asked. @returns {Promise<void>} */
  undo() {
    return this.#ask({ type: "undo" });
  }

  /** Repeat undone actions. @returns {Promise<void>} */
  redo() {
    return this.#ask({ type: "redo" });
  }

  /**
   * Answer who asks for something: see the event `consent`.
   *
   * @param {boolean} yes
   * @param {{pause?: boolean}} [more] whether it was for a pause, as the event said: by default whatever is asked now
   * @returns {Promise<void>}
   */
  consent(yes, { pause } = {}) {
    return this.#ask({ type: "consent", yes, pause });
  }

  /** Ask what a bot would do. @returns {Promise<object>} a `hint`; without `words`, the position has changed meanwhile */
  hint() {
    return this.#ask({ type: "hint" });
  }

  /** Ask why a part of the picture cannot be used now. @returns {Promise<string>} */
  explain(part) {
    return this.#ask({ type: "why", part }, ({ message }) => message);
  }

  /** Send a message to everybody at the table. @returns {Promise<void>} */
  say(text) {
    return this.#ask({ type: "say", text });
  }

  /** Ask for the position after so many actions. @returns {Promise<object>} a `past` */
  look(ply) {
    return this.#ask({ type: "look", ply });
  }

  /** Ask for the rules of the game. @returns {Promise<string>} Markdown */
  rules() {
    return this.#ask({ type: "rules" }, ({ text }) => text);
  }

  /** Ask for states that a seat cannot tell from the real one. @returns {Promise<object[]>} */
  sample(count = 1, { seat } = {}) {
    return this.#ask({ type: "sample", count, seat }, ({ states }) => states);
  }

  /** Ask to stop all clocks, or to let them run again. @returns {Promise<void>} */
  pause(on) {
    return this.#ask({ type: "pause", on });
  }

  /** Change the player of a seat: "human", or the name of a bot. @returns {Promise<void>} */
  reseat(seat, player) {
    return this.#ask({ type: "seat", seat, player });
  }

  /** Open a table for the same people; `state.over.next_table` says where. @returns {Promise<void>} */
  playAgain() {
    return this.#ask({ type: "again" });
  }

  /** Request another picture in states from now on: "", "wide" or "narrow". */
  layout(picture) {
    this.#line.layout(picture, this.connected);
  }

  /** Open the table of the next match, `state.over.next_table`, in this window. A game's own page is replaced as well. */
  openNext() {
    this.#line.openNext(this.state?.over?.next_table);
  }

  /**
   * Return the link by which the same player opens another page of the server, such as `state.over.next_table`.
   *
   * A game's own page does not receive the token, so the call raises an error there. Use `openNext`.
   */
  linkTo(page) {
    return this.#line.linkTo(page);
  }

  /** Try to reconnect at once, also after `ended`. */
  retry() {
    this.#line.retry();
  }

  /** Leave the table permanently. */
  close() {
    tables.delete(this);
    this.#line.close();
    this.#forget();
  }

  /**
   * Let a frame take part in this table: its requests are sent, and it receives the messages, without any token.
   *
   * @param {MessagePort} port The port that the frame has sent with `FRAME_MARK`.
   */
  share(port) {
    this.#port = port;
    this.on("lost", (loss) => port.postMessage({ ...loss, type: "lost" }));
    this.on("ended", (end) => port.postMessage({ ...end, type: "ended" }));
    port.onmessage = ({ data }) => this.#serve(data);
  }

  // Messages out.

  /** Handle a call or a request of the frame. */
  #serve({ call, args, id, ...request }) {
    if (FRAME_CALLS.has(call)) return this[call](...args);
    return this.#ask(request).then(
      (answer) => this.#port.postMessage({ ...answer, id, type: answer?.type ?? "done" }),
      ({ message, reason }) => this.#port.postMessage({ id, type: "refused", message, reason }));
  }

  #ask(request, answer = (told) => told) {
    if (!this.connected) return Promise.reject(new TableError("Not sent, because the connection is lost. Try again later.", "unsent"));
    this.#sent += 1;
    this.#line.send({ ...request, id: this.#sent }); // what is undefined is left out of JSON
    return new Promise((kept, broken) => { this.#waiting.set(this.#sent, { kept: (told) => kept(answer(told)), broken }); });
  }

  // Messages in.

  #hear(told) {
    switch (told.type) {
      case "table": this.#heardTable(told); break;
      case "log": this.#heardLines(told.lines); break;
      case "state": this.#heardState(told, this.state && different(this.state, told)); break;
      case "changes": this.#heardState(stateAfter(this.state, told), [...Object.keys(told.fields), ...Object.keys(told.pieces)]); break;
      default:
        if (told.id !== undefined) return this.#answer(told);
        this.#tell(told.type, told);
    }
    return this.#port?.postMessage(withoutTokens(told.type === "changes" ? this.state : told));
  }

  #heardTable(told) {
    this.info = told;
    if (!this.#found) {
      // Only an answer to hello shows that the line is good: an open socket alone does not.
      this.#found = this.#anew = true;
      this.#line.found();
      this.#tell("connected");
    }
    this.#tell("table", told);
  }

  #heardLines(lines) {
    // Another connection is told the last lines again, those that it knows as well.
    const known = this.#anew ? this.lines.filter(({ number }) => number < lines[0].number) : this.lines;
    this.lines = [...known, ...lines].slice(-LINES);
    if (this.state) this.#since.push(...lines.filter(({ number }) => number > this.#newest));
    this.#newest = lines.at(-1).number;
    this.#anew = false;
    this.#tell("log", lines);
  }

  #heardState(state, fields) {
    const before = this.state;
    const lines = this.#since.filter(({ number }) => number <= state.log_line);
    this.#since = this.#since.filter(({ number }) => number > state.log_line);
    this.state = state;
    const view = fields?.includes("view") ? different(before.view ?? {}, state.view ?? {}) : [];
    this.#tell("state", state, before, { fields: fields ?? Object.keys(state), view, lines });
  }

  #answer(told) {
    const waiting = this.#waiting.get(told.id);
    this.#waiting.delete(told.id);
    if (told.type === "refused") waiting?.broken(new TableError(told.message, told.reason));
    else waiting?.kept(told.type === "done" ? undefined : told);
  }

  #tell(name, ...what) {
    for (const ear of [...(this.#ears.get(name) ?? [])]) ear(...what);
  }

  /** Reject all pending requests: a connection that is gone will not answer them. */
  #forget() {
    this.#found = false;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { broken } of waiting) broken(new TableError("The connection was lost before the answer arrived.", "lost"));
  }
}

/** The connection to the server. It is opened again when it was cut. */
class ServerLine {
  #address;
  #origin;
  #token;
  #options;
  #heard;
  #socket = null;
  #timer = 0;
  #tries = 0;
  #hello = null; // the first message of this connection
  #over = false; // whether only `retry` connects again
  #error = {}; // the last `error` of this connection
  #leaving = new AbortController();

  constructor(link, options, heard) {
    const { origin, address, name, token } = readLink(link);
    this.#origin = origin;
    this.#address = address;
    this.#options = options;
    this.#heard = heard;
    this.#token = link === globalThis.location ? keepToken(name, token) : token;
    this.#watch();
    this.#open();
  }

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  send(message) {
    this.#socket.send(JSON.stringify(message));
  }

  /** The server has answered the first message. */
  found() {
    this.#tries = 0;
    this.#error = {};
    if (this.#hello.picture !== this.#options.picture) this.layout(this.#options.picture, true);
  }

  layout(picture, connected) {
    this.#options.picture = picture;
    if (connected) this.send({ type: "layout", picture }); // else `found` sends it
  }

  openNext(page) {
    if (page) globalThis.location.assign(this.linkTo(page));
  }

  linkTo(page) {
    const address = new URL(page, this.#origin);
    return address.hash ? address.href : `${address.href}#${encodeURIComponent(this.#token)}`;
  }

  retry() {
    if (this.#over) this.#tries = 0;
    this.#over = this.#leaving.signal.aborted;
    this.#hope();
  }

  close() {
    this.#over = true;
    this.#leaving.abort();
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #watch() {
    const { signal } = this.#leaving;
    const hear = (place, name, heard) => place?.addEventListener?.(name, heard, { signal });
    hear(globalThis, "online", () => this.#hope());
    hear(globalThis, "offline", () => this.#drop());
    hear(globalThis, "pageshow", (event) => { if (event.persisted) this.#hope(); });
    hear(globalThis.document, "visibilitychange", () => { if (!document.hidden) this.#hope(); });
  }

  #open() {
    clearTimeout(this.#timer);
    this.#heard.begin();
    const socket = new WebSocket(this.#address);
    this.#socket = socket;
    this.#hello = { type: "hello", token: this.#token, protocol: PROTOCOL, ...this.#options, changes: true };
    socket.addEventListener("open", () => { if (this.#socket === socket) this.send(this.#hello); });
    socket.addEventListener("message", (event) => { if (this.#socket === socket) this.#hear(JSON.parse(event.data)); });
    const closed = (event) => { if (this.#socket === socket) this.#closed(event); };
    socket.addEventListener("close", closed);
    // A connection that the policy of the page forbids emits `error`, but never `close`.
    socket.addEventListener("error", (event) => { if (socket.readyState === WebSocket.CLOSED) closed(event); });
  }

  #hear(message) {
    // The server closes the connection after an error.
    if (message.type === "error") this.#error = { message: message.message, reason: message.reason };
    else this.#heard.hear(message);
  }

  #closed({ code, reason }) {
    this.#socket = null;
    this.#heard.begin();
    const { message = "" } = this.#error;
    if (code === GONE) {
      this.#over = true;
      this.#heard.ended({ message: message || "The program has ended.", reason: "gone" });
      return;
    }
    if (code >= 4400 && code < 4500 && !TRY_AGAIN.has(code)) {
      this.#over = true;
      this.#heard.ended({ message: message || reason || "The server has closed this table.", reason: this.#error.reason ?? "refused" });
      return;
    }
    const step = code === 4429 ? Math.max(this.#tries, 3) : this.#tries;
    const seconds = PAUSES[Math.min(step, PAUSES.length - 1)] * (0.8 + 0.4 * Math.random());
    this.#tries += 1;
    this.#timer = setTimeout(() => this.#open(), seconds * 1000);
    this.#heard.lost({ seconds, message });
  }

  /** Reconnect at once, unless a connection is open or being opened. */
  #hope() {
    const there = this.#socket && this.#socket.readyState <= WebSocket.OPEN;
    if (!this.#over && !there) this.#open();
  }

  /** Treat the connection as lost: a browser that is offline may never report its end. */
  #drop() {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.close();
    this.#closed({});
  }
}

/** The connection of a game's own page to the page around its frame, which keeps the token and talks to the server. */
class FrameLine {
  isOpen = true;
  #port;
  #heard;

  constructor(options, heard) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#heard = heard;
    port1.onmessage = ({ data }) => this.#hear(data);
    globalThis.parent.postMessage({ connect: FRAME_MARK, options }, new URL(import.meta.url).origin, [port2]);
    addEventListener("pagehide", ({ persisted }) => { if (!persisted) this.close(); });
  }

  send(message) {
    this.#port.postMessage(message);
  }

  found() {}

  layout(picture) {
    this.#call("layout", picture);
  }

  openNext() {
    this.#call("openNext");
  }

  linkTo() {
    throw new TypeError("a game's own page receives no token and no links: use table.openNext() to open the next match");
  }

  retry() {
    this.#call("retry");
  }

  close() {
    if (this.isOpen) this.#call("close");
    this.isOpen = false;
  }

  #call(call, ...args) {
    this.send({ call, args });
  }

  #hear({ type, ...told }) {
    if (!this.isOpen) return;
    if (type === "lost" || type === "ended") {
      this.#heard.begin();
      this.#heard[type](told);
    } else {
      this.#heard.hear({ type, ...told });
    }
  }
}

/** Check whether this is a page in a frame of another page. */
const isFramed = () => globalThis.parent !== undefined && globalThis.parent !== globalThis;

/** A message without the tokens in its links. */
function withoutTokens(message) {
  const { type, over } = message;
  if (type === "table") return { ...message, spectator_path: "" };
  if (type !== "state" || !over?.next_table) return message;
  return { ...message, over: { ...over, next_table: over.next_table.split("#")[0] } };
}

// A double click, or a key that is held, plays one action: the second press would meet whatever the new position shows there.

let press = { time: 0, x: 0, y: 0, isTouch: false, repeats: false, plays: false, follows: false };

/** Note a press of a button or key. `follows` is whether an earlier one of the same double click has played an action. */
function pressed({ timeStamp: time, clientX: x = 0, clientY: y = 0, pointerType }, repeats) {
  press = { time, x, y, isTouch: pointerType === "touch", repeats, plays: false, follows: press.plays || (repeats && press.follows) };
}

const isNear = ({ timeStamp, clientX, clientY }) =>
  timeStamp - press.time < DOUBLE_CLICK.milliseconds && Math.hypot(clientX - press.x, clientY - press.y) < DOUBLE_CLICK.pixels;

/** Check whether an event belongs to a repeated press. Browsers count the clicks of a mouse, but not every one counts taps. */
function isRepeated({ type, detail }) {
  return type.startsWith("key") || type.startsWith("pointer") || press.isTouch ? press.repeats : detail > 1;
}

/** Withhold an event from the page if it repeats a press that has played an action. */
function keepOnce(event) {
  if (event.type === "pointerdown") pressed(event, isNear(event));
  if (event.type === "keydown") pressed(event, event.repeat);
  if (!press.follows || !isRepeated(event)) return;
  if (!event.type.startsWith("pointer")) event.preventDefault();
  event.stopImmediatePropagation();
}

if (globalThis.document) {
  for (const name of ["pointerdown", "pointerup", "mousedown", "mouseup", "click", "dblclick", "keydown"]) addEventListener(name, keepOnce, { capture: true });
}

/** Where a link leads, and the token behind its `#`. */
function readLink(link) {
  const [address, token = ""] = String(link).split("#");
  const url = URL.canParse(address) ? new URL(address) : null;
  const place = url?.pathname.match(/^(.*\/t\/([^/]+))/);
  if (!place) throw new TypeError(`${JSON.stringify(address)} is no link of a table: it looks like https://HOST/t/TABLE#TOKEN`);
  const wire = url.protocol === "https:" ? "wss:" : "ws:";
  return { origin: url.origin, address: `${wire}//${url.host}${place[1]}/socket`, name: place[2], token: decoded(token) };
}

/** A token as it is, "" for one that is cut off: the server says that it opens nothing. */
function decoded(token) {
  try {
    return decodeURIComponent(token);
  } catch {
    return "";
  }
}

/** The token of a page's own link: kept for its tab, as somebody may open the page again without it. */
function keepToken(name, token) {
  const place = `tabletop:${name}`;
  try {
    if (token) sessionStorage.setItem(place, token);
    return token || sessionStorage.getItem(place) || "";
  } catch {
    return token; // where storage is forbidden it is forgotten with the page
  }
}

/** The names of the fields in which two objects differ. */
function different(before, now) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]));
}

/** The state that changes make of the last one that came over the same line. */
function stateAfter(last, { fields, pieces }) {
  const whole = Object.entries(pieces).map(([name, parts]) => {
    const cut = CUTS[name];
    const old = cut ? last[name].split(cut) : last[name];
    const made = parts.flatMap((part) => (Array.isArray(part) ? old.slice(...part) : [part]));
    return [name, cut ? made.join(cut) : made];
  });
  return { ...last, ...fields, ...Object.fromEntries(whole) };
}
