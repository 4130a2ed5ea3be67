// The tables that were opened, joined or visited in this browser. They are stored in this browser only. If storage is
// forbidden, they are lost when the page is closed.

const PLACE = "tabletop:mine";
const MOST = 50; // maximum number of tables, which is the server's limit for one request
const MOST_LINKS = 8; // maximum number of links of one table

let unstored = null; // the tables, if they cannot be stored

/** The tables, latest first: {table, title, names, when, opener, seats: [{link, as}]}. */
export function mine() {
  if (unstored) return unstored;
  try {
    return JSON.parse(localStorage.getItem(PLACE) ?? "[]").filter(isTable);
  } catch {
    return [];
  }
}

/** Store a table or new data of it: the link to a seat and its name, or the token of the person who opened it. */
export function rememberTable({ table, title, names, link, as, opener }) {
  const before = mine();
  const known = before.find((entry) => entry.table === table);
  const seats = (known?.seats ?? []).filter((seat) => seat.link !== link);
  if (link) seats.unshift({ link, as });
  keep([
    { table, title, names, when: Date.now(), opener: opener ?? known?.opener ?? "", seats: seats.slice(0, MOST_LINKS) },
    ...before.filter((entry) => entry !== known),
  ].slice(0, MOST));
}

export function forget(table) {
  keep(mine().filter((entry) => entry.table !== table));
}

function keep(tables) {
  try {
    localStorage.setItem(PLACE, JSON.stringify(tables));
    unstored = null;
  } catch {
    unstored = tables;
  }
}

const isText = (value) => typeof value === "string";

/** Check whether a stored value is a table, with links of this server only. Other values are ignored. */
const isTable = (entry) => isText(entry?.table) && isText(entry.title) && isText(entry.opener) && Array.isArray(entry.names)
  && Array.isArray(entry.seats) && entry.seats.every((seat) => isText(seat?.link) && seat.link.startsWith("/t/") && isText(seat.as));
