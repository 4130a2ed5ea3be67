// A client of a table for pages, workers and programs in JavaScript.
//
//     import { connect } from "/tabletop.js";
//
// the table of this page's address
//     table.on("state", (state, before, changed) => draw(state.view, changed.lines));
//     await table.act("roll"); // or table.act(state.choices[0])
//
// The module imports nothing, needs no document, and reconnects when the connection was cut. The types are in
// tabletop.d.ts. The messages are described in the reference of the protocol.
//
// A game's own page runs in a sandboxed frame of the server's page. There the module talks to that page through a
// MessagePort, and the frame never receives the token of the seat.

/** The version of the protocol of this module. */
export const PROTOCOL = 2;

/** The names of the events. See `Table.on`. */
export const EVENTS = ["table", "state", "log", "note", "consent", "connected", "lost", "ended"];

/** The tables of this page that have not been closed, in order of creation. */
export const tables = new Set();

/** The mark of the message with which a frame requests a table from the page around it: `{connect: FRAME_MARK, options}`, with a port. */
export const FRAME_MARK = "tabletop";

const OPTIONS = { picture: "", data: true, lessons: false };
const PAUSES = [0.4, 1, 2, 4, 8, 15]; // seconds before each new attempt, the last value repeats
const TRY_AGAIN = new Set([4408, 4429]); // too late or too many messages: reconnect later
const GONE = 4410; // the program that displayed this page as its window has ended
const FRAME_CALLS = new Set(["layout", "openNext", "retry", "close"]); // methods that a frame may call in the page around it
const LINES = 1000; // number of lines of the log to keep
const DOUBLE_CLICK = { milliseconds: 500, pixels: 10 }; // two presses closer than both are a double click
const CUTS = { svg: "<", text: " " }; // the separators at which the texts of a state are cut into pieces

/** A request was not carried out. `message` is the reason in words, and `reason` a code. See `Table`. */
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
 * @param {{picture?: "" | "wide" | "narrow" | "small" | "landscape", data?: boolean, lessons?: boolean}} [options] The picture that each state
 *   contains (none by default), and whether views, actions and events are sent as data (true by default) and sentences of
 *   the tutorial are sent (false by default).
 * @returns {Table} A table that is not connected yet. Add listeners with `on` at once to receive the first state.
 */
export function connect(link = globalThis.location, options = {}) {
  for (const name of Object.keys(options)) {
    if (!(name in OPTIONS)) throw new TypeError(`connect has no option ${JSON.stringify(name)}; use ${Object.keys(OPTIONS).join(" or ")}`);
  }
  const table = new Table(link, { ...OPTIONS, ...options });
  tables.add(table);
  return table;
}

/**
 * A table, as seen through one link.
 *
 * Requests return a promise, which resolves to the answer, or rejects with a `TableError`. The `reason` of the error is one
 * of the protocol, such as `illegal`, or `unsent` (there was no connection, so nothing was sent), or `lost` (the connection
 * was lost before the answer arrived, and the next state shows whether the request was carried out). No request is sent
 * twice.
 */
export class Table {
  /** The last message about the table (seats, players and clocks), or null before the first. */
  info = null;
  /** The last state, or null before the first. */
  state = null;
  /** The last lines of the log, at most a thousand. */
  lines = [];

  #line; // the connection to the server, or to the page around this frame
  #found = false; // whether the connection has delivered a message about the table
  #sent = 0;
  #waiting = new Map(); // the requests without an answer: number -> {kept, broken}
  #ears = new Map(EVENTS.map((name) => [name, new Set()]));
  #since = []; // the lines of the log after the last state
  #newest = -1; // the number of the last line
  #repeats = false; // whether the server repeats the last lines of the log
  #port = null; // of a frame that uses this table

  constructor(link, options) {
    const heard = {
      begin: () => this.#forget(),
      hear: (message) => this.#hear(message),
      lost: (loss) => this.#tell("lost", loss),
      ended: (end) => this.#tell("ended", end),
    };
    this.#line = link === globalThis.location && isFramed() ? new FrameLine(options, heard) : new ServerLine(link, options, heard);
  }

  /** Whether the table is connected. */
  get connected() {
    return this.#line.isOpen && this.#found;
  }

  /**
   * Add a listener. Its arguments depend on the event:
   *
   * - `table`: the message about the table,
   * - `state`: the state, the previous state (null for the first), and the changes since: `fields` (the names of the fields
   *   that differ), `view` (the names of the fields of the view that differ) and `lines` (the new lines of the log),
   * - `log`: new lines,
   * - `note`: a short message about the table, `text`,
   * - `consent`: a request for the consent of others, or its end,
   * - `connected`: no arguments, the table is connected or reconnected,
   * - `lost`: `{seconds, message}`, the seconds until the next attempt and the reason, if it is known,
   * - `ended`: `{message, reason}`, the server has closed the table, and only `retry` connects again. The reason is one of the
   *   protocol, or `gone` if the program has ended that displayed this page as its window.
   *
   * @param {string} name one of `EVENTS`
   * @param {Function} ear
   * @returns {() => void} a function that removes the listener
   */
  on(name, ear) {
    const ears = this.#ears.get(name);
    if (!ears) throw new TypeError(`there is no event ${JSON.stringify(name)}; use one of ${EVENTS.join(", ")}`);
    ears.add(ear);
    return () => void ears.delete(ear);
  }

  // Requests.

  /**
   * Send a request of the protocol. The methods below are shorter for the usual ones.
   *
   * @param {string} type the type of the request, such as `pass`
   * @param {object} [fields] its fields, without `id`
   * @returns {Promise<object | undefined>} the message that answers it, or nothing if the request is not a question
   */
  request(type, fields = {}) {
    if (!this.connected) return Promise.reject(new TableError("Not sent, because the connection is lost. Try again later.", "unsent"));
    this.#sent += 1;
    this.#line.send({ ...fields, type, id: this.#sent }); // JSON omits undefined values
    return new Promise((kept, broken) => { this.#waiting.set(this.#sent, { kept, broken }); });
  }

  /**
   * Play an action.
   *
   * @param {string | {words: string, seat: number}} choice words as a person would type them, or one of `state.choices`
   * @param {{seat?: number, revision?: number}} [more] the seat that acts, if this link has several seats, and the `revision`
   *   of the state that the action answers, by default the last one. The action is refused if the seat has acted since
   *   (except with the same action) or if actions were undone or redone since.
   * @returns {Promise<void>}
   */
  act(choice, { seat, revision = this.state?.revision } = {}) {
    const line = typeof choice === "string" ? choice : choice.words;
    const known = typeof choice === "string" ? this.state?.choices.find(({ words }) => words === line) : choice;
    press.plays = true;
    const whose = seat ?? known?.seat ?? (this.info?.your_seats.length > 1 ? this.state?.your_turn[0] : undefined);
    return this.request("act", { line, seat: whose, revision });
  }

  /** Undo my last action and all later ones, with the consent of the others if needed. @returns {Promise<void>} */
  undo() {
    return this.request("undo");
  }

  /** Repeat undone actions. @returns {Promise<void>} */
  redo() {
    return this.request("redo");
  }

  /**
   * Answer a request of another player. See the event `consent`.
   *
   * @param {boolean} yes
   * @param {{kind?: string}} [more] the `kind` of the request, by default any open request
   * @returns {Promise<void>}
   */
  consent(yes, { kind } = {}) {
    return this.request("consent", { yes, kind });
  }

  /** Request a hint from a bot. @returns {Promise<object>} a `hint`, without `words` if the position has changed meanwhile */
  hint() {
    return this.request("hint");
  }

  /** Request the reason why a part of the picture cannot be used after the chosen parts. @returns {Promise<string>} */
  explain(part, chosen = []) {
    return this.request("why", { part, chosen }).then(({ message }) => message);
  }

  /** Send a message to everybody at the table. @returns {Promise<void>} */
  say(text) {
    return this.request("say", { text });
  }

  /** Request the position after `ply` actions. @returns {Promise<object>} a `past` */
  look(ply) {
    return this.request("look", { ply });
  }

  /** Request the rules of the game. @returns {Promise<string>} Markdown */
  rules() {
    return this.request("rules").then(({ text }) => text);
  }

  /** Enter one of `info.commands`, such as `hand`, which only show information. @returns {Promise<object>} a `text` */
  enter(line) {
    return this.request("ask", { line });
  }

  /** Request the commands of the game, in topics of which each has a `title`, `rows` and a `note`. @returns {Promise<object[]>} */
  help() {
    return this.request("help").then(({ topics }) => topics);
  }

  /** Propose one of `state.proposals` to the other players, by its `kind`. @returns {Promise<void>} */
  propose(kind) {
    return this.request("propose", { kind });
  }

  /**
   * Let a seat lose, by default the only seat of this link, or its seat to act.
   *
   * @param {{seat?: number}} [more] one of `state.can_resign`
   * @returns {Promise<void>}
   */
  resign({ seat } = {}) {
    return this.request("resign", { seat });
  }

  /** Change the player of a seat to "human" or a bot name. @returns {Promise<void>} */
  reseat(seat, player) {
    return this.request("seat", { seat, player });
  }

  /** Open a table for a rematch, whose page is then in `state.over.next_table`. @returns {Promise<void>} */
  playAgain() {
    return this.request("again");
  }

  /** Request another picture in states from now on: "", "wide", "narrow", "small" or "landscape". */
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
   * Let a frame use this table without the token: its requests are sent, and it receives the messages.
   *
   * @param {MessagePort} port The port that the frame has sent with `FRAME_MARK`.
   */
  share(port) {
    this.#port = port;
    this.on("lost", (loss) => port.postMessage({ ...loss, type: "lost" }));
    this.on("ended", (end) => port.postMessage({ ...end, type: "ended" }));
    port.onmessage = ({ data }) => this.#serve(data);
  }

  // Outgoing messages.

  /** Handle a call or a request of the frame. */
  #serve({ call, args, id, type, ...fields }) {
    if (FRAME_CALLS.has(call)) return this[call](...args);
    return this.request(type, fields).then(
      (answer) => this.#port.postMessage({ ...answer, id, type: answer?.type ?? "done" }),
      ({ message, reason }) => this.#port.postMessage({ id, type: "refused", message, reason }));
  }

  // Incoming messages.

  #hear(message) {
    switch (message.type) {
      case "table": this.#heardTable(message); break;
      case "log": this.#heardLines(message.lines); break;
      case "state": this.#heardState(message, this.state && different(this.state, message)); break;
      case "changes": this.#heardState(stateAfter(this.state, message), [...Object.keys(message.fields), ...Object.keys(message.pieces)]); break;
      default:
        if (message.id !== undefined) return this.#answer(message);
        this.#tell(message.type, message);
    }
    return this.#port?.postMessage(withoutTokens(message.type === "changes" ? this.state : message));
  }

  #heardTable(message) {
    this.info = message;
    if (!this.#found) {
      // Only an answer to the hello message shows that the connection works. An open socket is not enough.
      this.#found = this.#repeats = true;
      this.#line.found();
      this.#tell("connected");
    }
    this.#tell("table", message);
  }

  #heardLines(lines) {
    // After reconnecting, the server repeats the last lines, even those received before.
    const known = this.#repeats ? this.lines.filter(({ number }) => number < lines[0].number) : this.lines;
    this.lines = [...known, ...lines].slice(-LINES);
    if (this.state) this.#since.push(...lines.filter(({ number }) => number > this.#newest));
    this.#newest = lines.at(-1).number;
    this.#repeats = false;
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

  #answer(message) {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.type === "refused") waiting?.broken(new TableError(message.message, message.reason));
    else waiting?.kept(message.type === "done" ? undefined : message);
  }

  #tell(name, ...what) {
    for (const ear of [...(this.#ears.get(name) ?? [])]) ear(...what);
  }

  /** Reject all pending requests, because a lost connection will not answer them. */
  #forget() {
    this.#found = false;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { broken } of waiting) broken(new TableError("The connection was lost before the answer arrived.", "lost"));
  }
}

/** The connection to the server. It reconnects after a loss. */
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
    if (connected) this.send({ type: "layout", picture }); // otherwise `found` sends it
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
    throw new TypeError("a game's own page does not receive tokens and links; use table.openNext() to open the next match");
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

  #hear({ type, ...rest }) {
    if (!this.isOpen) return;
    if (type === "lost" || type === "ended") {
      this.#heard.begin();
      this.#heard[type](rest);
    } else {
      this.#heard.hear({ type, ...rest });
    }
  }
}

/** Check whether this is a page in a frame of another page. */
const isFramed = () => globalThis.parent !== undefined && globalThis.parent !== globalThis;

/** A message without the tokens in its links. */
function withoutTokens(message) {
  const { type, over } = message;
  if (type === "table") return { ...message, spectator_path: "", invitation: "" };
  if (type !== "state" || !over?.next_table) return message;
  return { ...message, over: { ...over, next_table: over.next_table.split("#")[0] } };
}

// A double click or a held key plays one action, because the second press would hit whatever the new position shows there.

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

/** Parse a link into its address and the token after its `#`. */
function readLink(link) {
  const [address, token = ""] = String(link).split("#");
  const url = URL.canParse(address) ? new URL(address) : null;
  const place = url?.pathname.match(/^(.*\/t\/([^/]+))/);
  if (!place) throw new TypeError(`${JSON.stringify(address)} is not a link to a table, which looks like https://HOST/t/TABLE#TOKEN`);
  const wire = url.protocol === "https:" ? "wss:" : "ws:";
  return { origin: url.origin, address: `${wire}//${url.host}${place[1]}/socket`, name: place[2], token: decoded(token) };
}

/** Decode a token. An incomplete one becomes "", which the server refuses. */
function decoded(token) {
  try {
    return decodeURIComponent(token);
  } catch {
    return "";
  }
}

/** Store the token of the page's own link for the tab, because the page may be opened again without it. */
function keepToken(name, token) {
  const place = `tabletop:${name}`;
  try {
    if (token) sessionStorage.setItem(place, token);
    return token || sessionStorage.getItem(place) || "";
  } catch {
    return token; // if storage is forbidden, the token is lost with the page
  }
}

/** The names of the fields in which two objects differ. */
function different(before, now) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]));
}

/** Return the state after changes to the last state of the same connection. */
function stateAfter(last, { fields, pieces }) {
  const whole = Object.entries(pieces).map(([name, parts]) => {
    const cut = CUTS[name];
    const old = cut ? last[name].split(cut) : last[name];
    const made = parts.flatMap((part) => (Array.isArray(part) ? old.slice(...part) : [part]));
    return [name, cut ? made.join(cut) : made];
  });
  return { ...last, ...fields, ...Object.fromEntries(whole) };
}
