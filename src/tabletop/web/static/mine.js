// The tables that this browser knows, as they were opened, joined or visited here. They are kept for this browser alone;
// where storage is forbidden, they are forgotten with the page.

const PLACE = "tabletop:mine";
const MOST = 50; // tables: the server answers about so many at once
const MOST_LINKS = 8; // of one table

let unstored = null; // what is remembered where it cannot be stored

/** The tables, the latest first: {table, title, names, when, opener, seats: [{link, as}]}. */
export function mine() {
  if (unstored) return unstored;
  try {
    return JSON.parse(localStorage.getItem(PLACE) ?? "[]").filter(isTable);
  } catch {
    return [];
  }
}

/** Remember a table, or what is new of it: a link to a seat and whose it is, the token of who has opened it. */
export function rememberTable({ table, title, names, link, as, opener }) {
  const before = mine();
  const known = before.find((one) => one.table === table);
  const seats = (known?.seats ?? []).filter((seat) => seat.link !== link);
  if (link) seats.unshift({ link, as });
  keep([
    { table, title, names, when: Date.now(), opener: opener ?? known?.opener ?? "", seats: seats.slice(0, MOST_LINKS) },
    ...before.filter((one) => one !== known),
  ].slice(0, MOST));
}

export function forget(table) {
  keep(mine().filter((one) => one.table !== table));
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

/** What was stored by something else is left alone: a link must be one of this server's tables. */
const isTable = (one) => isText(one?.table) && isText(one.title) && isText(one.opener) && Array.isArray(one.names)
  && Array.isArray(one.seats) && one.seats.every((seat) => isText(seat?.link) && seat.link.startsWith("/t/") && isText(seat.as));
