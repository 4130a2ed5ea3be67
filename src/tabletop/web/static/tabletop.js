// A client of a table: whatever a page, a worker or a program in JavaScript has to do with a table goes through here.
//
//     import { connect } from "/tabletop.js";
//
//     const table = connect(); // the table of this page's own address
//     table.on("state", (state, before, changed) => draw(state.view, changed.lines));
//     await table.act("roll"); // or table.act(state.choices[0])
//
// It imports nothing, needs no document, and comes back by itself when the line was cut. Its types are in
// tabletop.d.ts; what the messages hold is described in the reference of the protocol.

/** The version of the protocol that it speaks. */
export const PROTOCOL = 1;

/** What can be listened to; see `Table.on`. */
export const EVENTS = ["table", "state", "log", "note", "consent", "found", "lost", "ended"];

/** The tables of this page that have not been left, the first one first. */
export const tables = new Set();

const OPTIONS = { picture: "", data: true };
const PAUSES = [0.4, 1, 2, 4, 8, 15]; // seconds before each new try; the last one repeats
const TRY_AGAIN = new Set([4408, 4429]); // came too late, or sent too much: worth another try, later
const GONE = 4410; // the program at whose terminal this was a window has ended
const LINES = 1000; // of the log that are kept
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
 * @param {string | URL | Location} [link] of a seat, as `https://HOST/t/TABLE#TOKEN`; by default the address of this
 *   page, whose token is kept for its tab
 * @param {{picture?: "" | "wide" | "narrow", data?: boolean}} [options] which picture a state is to have (none by
 *   default), and whether views, actions and events come as data
 * @returns {Table} which is not connected yet: what is to hear of the first state is given to `on` at once
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

  #address;
  #origin;
  #token;
  #options;
  #socket = null;
  #timer = 0;
  #tries = 0;
  #hello = null; // the first message of this connection
  #found = false; // whether it has been answered
  #over = false; // whether it comes back by itself no more
  #error = {}; // the last `error` of this connection
  #sent = 0;
  #waiting = new Map(); // what was asked and not answered: number -> {kept, broken}
  #ears = new Map(EVENTS.map((name) => [name, new Set()]));
  #since = []; // the lines of the log after the last state
  #newest = -1; // the number of the last line
  #anew = false; // whether the log is told from its last lines on again
  #leaving = new AbortController();

  constructor(link, options) {
    const { origin, address, name, token } = readLink(link);
    this.#origin = origin;
    this.#address = address;
    this.#options = options;
    this.#token = link === globalThis.location ? keepToken(name, token) : token;
    this.#watch();
    this.#open();
  }

  /** Whether there is a connection just now. */
  get connected() {
    return this.#socket?.readyState === WebSocket.OPEN && this.#found;
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
   * - `found`: nothing; the connection is there, or there again;
   * - `lost`: `{seconds, why}`: in how many seconds it is tried again, and why it was lost, where that is known;
   * - `ended`: `{why, reason}`: the server wants no more of it, and only `retry` tries again. The reason is one of the
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
   * @param {{seat?: number, ply?: number}} [more] whose action it is, where this link has several seats, and the `ply`
   *   of the state that it answers: by default of the last. It is refused when the seat has acted since, unless that
   *   was the same action.
   * @returns {Promise<void>}
   */
  act(choice, { seat, ply = this.state?.ply } = {}) {
    const line = typeof choice === "string" ? choice : choice.words;
    const known = typeof choice === "string" ? this.state?.choices.find(({ words }) => words === line) : choice;
    const whose = seat ?? known?.seat ?? (this.info?.you.length > 1 ? this.state?.asked[0] : undefined);
    return this.#ask({ type: "act", line, seat: whose, ply });
  }

  /** Take back my last action and all since; the others may be asked. @returns {Promise<void>} */
  undo() {
    return this.#ask({ type: "undo" });
  }

  /** Play again what was taken back. @returns {Promise<void>} */
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
  why(part) {
    return this.#ask({ type: "why", part }, ({ message }) => message);
  }

  /** Say something to all who are at the table. @returns {Promise<void>} */
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

  /** Open a table for the same people; `state.over.next` says where. @returns {Promise<void>} */
  again() {
    return this.#ask({ type: "again" });
  }

  /** Have another picture in states from now on: "", "wide" or "narrow". */
  layout(picture) {
    this.#options.picture = picture;
    if (this.connected) this.#send({ type: "layout", picture }); // else it is said when it is found
  }

  /** The link by which the same person opens another page of the server, such as `state.over.next`. */
  linkTo(page) {
    const address = new URL(page, this.#origin);
    return address.hash ? address.href : `${address.href}#${encodeURIComponent(this.#token)}`;
  }

  /** Try at once to come back, also after `ended`. */
  retry() {
    if (this.#over) this.#tries = 0;
    this.#over = this.#leaving.signal.aborted;
    this.#hope();
  }

  /** Leave the table for good. */
  close() {
    tables.delete(this);
    this.#over = true;
    this.#leaving.abort();
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.#forget();
  }

  // Messages out.

  #ask(request, answer = (told) => told) {
    if (!this.connected) return Promise.reject(new TableError("Not sent: the connection is lost. Try again when it is back.", "unsent"));
    this.#sent += 1;
    this.#send({ ...request, id: this.#sent }); // what is undefined is left out of JSON
    return new Promise((kept, broken) => { this.#waiting.set(this.#sent, { kept: (told) => kept(answer(told)), broken }); });
  }

  #send(message) {
    this.#socket.send(JSON.stringify(message));
  }

  // Messages in.

  #hear(socket, text) {
    if (this.#socket !== socket) return;
    const told = JSON.parse(text);
    switch (told.type) {
      case "table": return this.#heardTable(told);
      case "log": return this.#heardLines(told.lines);
      case "state": return this.#heardState(told, this.state && different(this.state, told));
      case "changes": return this.#heardState(stateAfter(this.state, told), [...Object.keys(told.fields), ...Object.keys(told.pieces)]);
      case "error": return void (this.#error = { why: told.message, reason: told.reason }); // the server closes the line
      default: return told.id === undefined ? this.#tell(told.type, told) : this.#answer(told);
    }
  }

  #heardTable(told) {
    this.info = told;
    if (!this.#found) {
      // Only an answer to hello shows that the line is good: an open socket alone does not.
      this.#found = this.#anew = true;
      this.#tries = 0;
      this.#error = {};
      if (this.#hello.picture !== this.#options.picture) this.layout(this.#options.picture);
      this.#tell("found");
    }
    this.#tell("table", told);
  }

  #heardLines(lines) {
    // Another connection is told the last lines again, those that it knows as well.
    const known = this.#anew ? this.lines.filter(({ n }) => n < lines[0].n) : this.lines;
    this.lines = [...known, ...lines].slice(-LINES);
    if (this.state) this.#since.push(...lines.filter(({ n }) => n > this.#newest));
    this.#newest = lines.at(-1).n;
    this.#anew = false;
    this.#tell("log", lines);
  }

  #heardState(state, fields) {
    const before = this.state;
    const lines = this.#since.filter(({ n }) => n <= state.line);
    this.#since = this.#since.filter(({ n }) => n > state.line);
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

  /** Nothing that was asked over a line that is gone will be answered. */
  #forget() {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { broken } of waiting) broken(new TableError("The connection was lost before the answer came.", "lost"));
  }

  // The line to the server: it is opened again when it was cut.

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
    this.#forget();
    const socket = new WebSocket(this.#address);
    this.#socket = socket;
    this.#found = false;
    this.#hello = { type: "hello", token: this.#token, protocol: PROTOCOL, ...this.#options, changes: true };
    socket.addEventListener("open", () => { if (this.#socket === socket) this.#send(this.#hello); });
    socket.addEventListener("message", (event) => this.#hear(socket, event.data));
    const closed = (event) => { if (this.#socket === socket) this.#closed(event); };
    socket.addEventListener("close", closed);
    // What a page's own policy forbids is an error, and never closes.
    socket.addEventListener("error", (event) => { if (socket.readyState === WebSocket.CLOSED) closed(event); });
  }

  #closed({ code, reason }) {
    this.#socket = null;
    this.#forget();
    const { why = "" } = this.#error;
    if (code === GONE) {
      this.#over = true;
      this.#tell("ended", { why: why || "The program has ended.", reason: "gone" });
      return;
    }
    if (code >= 4400 && code < 4500 && !TRY_AGAIN.has(code)) {
      this.#over = true;
      this.#tell("ended", { why: why || reason || "The server has closed this table.", reason: this.#error.reason ?? "refused" });
      return;
    }
    const step = code === 4429 ? Math.max(this.#tries, 3) : this.#tries;
    const seconds = PAUSES[Math.min(step, PAUSES.length - 1)] * (0.8 + 0.4 * Math.random());
    this.#tries += 1;
    this.#timer = setTimeout(() => this.#open(), seconds * 1000);
    this.#tell("lost", { seconds, why });
  }

  /** Try at once, when there is a reason to hope. */
  #hope() {
    const there = this.#socket && this.#socket.readyState <= WebSocket.OPEN; // or on its way
    if (!this.#over && !there) this.#open();
  }

  /** Take the line for lost: who is offline may never hear that it has ended. */
  #drop() {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.close();
    this.#closed({});
  }
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
