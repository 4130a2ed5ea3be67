// The line to the server: says hello, hears messages, and comes back when it was cut.

import { stateAfter } from "./pieces.js";

const PAUSES = [0.4, 1, 2, 4, 8, 15]; // seconds before each new try; the last one repeats
const TRY_AGAIN = new Set([4408, 4429]); // came too late, or sent too much: worth another try, later
const GONE = 4410; // the program at whose terminal this was a window has ended

export class Connection {
  /**
   * @param {string} address of the socket
   * @param {() => object} hello makes the first message
   * @param {{message: (m: object) => void, lost: (seconds: number, why: string) => void, found: () => void, ended: (why: string) => void, gone: (why: string) => void}} ears
   */
  constructor(address, hello, ears) {
    Object.assign(this, { address, hello, ears, tries: 0, socket: null, timer: 0, over: false, reason: "", state: null });
    addEventListener("online", () => this.now());
    addEventListener("offline", () => this.drop());
    addEventListener("pageshow", (event) => { if (event.persisted) this.now(); });
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.now(); });
    this.open();
  }

  get live() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  open() {
    clearTimeout(this.timer);
    const socket = new WebSocket(this.address);
    this.socket = socket;
    this.found = false;
    socket.addEventListener("open", () => socket.send(JSON.stringify(this.hello())));
    socket.addEventListener("message", (event) => this.hear(socket, event.data));
    socket.addEventListener("close", (event) => { if (this.socket === socket) this.closed(event); });
  }

  hear(socket, data) {
    if (this.socket !== socket) return;
    const message = JSON.parse(data);
    if (message.type === "error") {
      this.reason = message.message; // the server closes the line
      return undefined;
    }
    if (message.type === "table" && !this.found) {
      // Only an answer to hello shows that the line is good: an open socket alone does not.
      this.found = true;
      this.tries = 0;
      this.reason = "";
      this.ears.found();
    }
    if (message.type === "changes") return this.ears.message(this.state = stateAfter(this.state, message));
    if (message.type === "state") this.state = message;
    return this.ears.message(message);
  }

  closed({ code, reason }) {
    if (code === GONE) {
      this.over = true;
      this.ears.gone(this.reason || "The program has ended.");
      return;
    }
    if (code >= 4400 && code < 4500 && !TRY_AGAIN.has(code)) {
      this.over = true;
      this.ears.ended(this.reason || reason || "The server has closed this table.");
      return;
    }
    const step = code === 4429 ? Math.max(this.tries, 3) : this.tries;
    const pause = PAUSES[Math.min(step, PAUSES.length - 1)] * (0.8 + 0.4 * Math.random());
    this.tries += 1;
    this.ears.lost(pause, this.reason);
    this.timer = setTimeout(() => this.open(), pause * 1000);
  }

  /** Try at once, when there is a reason to hope. */
  now() {
    if (this.over || this.live || this.socket?.readyState === WebSocket.CONNECTING) return;
    this.open();
  }

  /** Take the line for lost: who is offline may never hear that it has ended. */
  drop() {
    if (!this.live) return;
    this.socket.close();
    this.socket = null;
    this.closed({});
  }

  /** Begin anew after the server had said that it is over. */
  again() {
    this.over = false;
    this.tries = 0;
    this.open();
  }

  /** Whether the message went out. */
  send(message) {
    if (!this.live) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }
}
