// In a game's own page: a small link to our page, in a corner. The server puts this script into every such page.

const [table] = location.pathname.match(/^.*?\/t\/[^/]+/);
const host = document.createElement("div"); // the page's styles end at it
const link = document.createElement("a");
link.textContent = "Plain page";
link.title = "This table with words, buttons and the log, as every game has it";
link.href = `${table}/plain${location.hash}`;
Object.assign(host.style, { all: "initial", position: "fixed", right: "6px", bottom: "6px", zIndex: "2147483647" });
Object.assign(link.style, {
  font: "12px/16px system-ui, sans-serif", padding: "4px 8px", borderRadius: "12px", display: "block", opacity: "0.8",
  color: "#eee", background: "#333", border: "1px solid #999",
});
host.attachShadow({ mode: "open" }).append(link);
document.body.append(host);
