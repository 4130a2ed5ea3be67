// The page of an attacker: it tries to reach more than its own table. See ../test_faces.py.

import { connect } from "/tabletop.js";

const table = connect();
globalThis.seen = ""; // every message that the page receives
for (const name of ["table", "state", "log", "note"]) table.on(name, (message) => { globalThis.seen += JSON.stringify(message); });
const lobby = { method: "POST", body: JSON.stringify({ game: "lcr" }), headers: { "Content-Type": "text/plain" } };

/** What something comes to: its value in words, or the name of its error. */
async function tried(attempt) {
  try { return String(await attempt()); } catch (error) { return error.reason ?? error.name; }
}

/** What a table says to a token. */
const sit = (link) => new Promise((resolve) => {
  const other = connect(link);
  other.on("table", () => resolve("let in"));
  other.on("ended", ({ reason }) => resolve(reason));
  other.on("lost", () => { other.close(); resolve("lost"); });
});

/** Whether an element loads. */
const loads = (name, more) => new Promise((resolve) => {
  const made = Object.assign(document.createElement(name), more);
  made.onload = () => resolve("loaded");
  made.onerror = () => resolve("blocked");
  setTimeout(() => resolve("silent"), 500);
  document.body.append(made);
});

/** Whether a page of the server appears in a frame within the frame. */
const framed = (src) => new Promise((resolve) => {
  const inner = Object.assign(document.createElement("iframe"), { src });
  inner.onload = () => resolve(inner.contentDocument ? "shown" : "empty");
  document.body.append(inner);
  setTimeout(() => resolve("empty"), 500);
});

globalThis.ran = false;

globalThis.attack = async ([other, elsewhere]) => {
  const told = {};
  told.local = await tried(() => localStorage.length);
  told.session = await tried(() => sessionStorage.length);
  told.database = await tried(() => indexedDB.open("x"));
  told.cookie = await tried(() => document.cookie);
  told.tables = await tried(() => fetch("/api/tables"));
  told.unread = await tried(async () => (await fetch("/api/tables", { mode: "no-cors" })).type);
  told.open = await tried(() => fetch("/api/tables", lobby));
  told.openUnread = await tried(() => fetch("/api/tables", { ...lobby, mode: "no-cors" }));
  told.mine = await tried(() => fetch("/api/mine", lobby));
  told.join = await tried(() => fetch(`/api/tables/${other.split(/[/#]/).at(-2)}/join`, lobby));
  told.host = await tried(() => fetch("/api/host"));
  told.numbers = await tried(() => fetch("/metrics"));
  told.page = await tried(() => fetch(other.split("#")[0]));
  told.plain = await tried(() => fetch(location.pathname.replace("page/", "plain")));
  told.elsewhere = await tried(() => fetch(elsewhere));
  told.socketElsewhere = await tried(() => sit(elsewhere));
  told.socket = await tried(() => sit(location.href + "#guessed"));
  told.ofOther = await tried(() => sit(other));
  told.link = await tried(() => table.linkTo("/"));
  told.inline = await tried(async () => { await loads("script", { textContent: "globalThis.ran = true" }); return globalThis.ran; });
  told.evaluated = await tried(() => eval("1"));
  told.script = await loads("script", { src: `${elsewhere}/x.js` });
  told.opened = await tried(() => window.open("/"));
  told.opener = await tried(() => window.opener);
  told.worker = await tried(() => new Worker("/tabletop.js", { type: "module" }));
  told.around = await tried(() => parent.document);
  told.address = await tried(() => { top.location.href = "/host"; });
  told.pushed = await tried(() => parent.history.pushState(null, "", "/host"));
  told.framed = await framed("/");
  return told;
};
