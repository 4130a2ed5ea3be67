// The dialog about the table: the people, who decides for each seat, and the settings.

import { botOptions, byId, closable, copyButton, count, fill, make, requesting } from "./dom.js";
import { DRAW } from "./concede.js";
import { seatMark } from "./seats.js";

/** Describe what may be undone, and whether the other players have to agree. */
function undoing({ players, your_seats: own, settings, free_undo: free }) {
  if (free) return "anything, without asking";
  const others = players.some((player, seat) => player === "human" && !own.includes(seat));
  const asked = others ? "if the others agree" : "without asking anybody";
  return settings.casual ? `${asked}, also past dice and drawn cards, because this table is casual` : `${asked}, but never past dice, a drawn card or revealed information`;
}

const timed = ({ clock }) => clock?.some((left) => left !== null);

/** The data of a table that the dialog displays. Of clocks, it is only whether there are any and whether the time is up. */
const shownOf = (table) => JSON.stringify({ ...table, running: null, thinking: null, clock: table.clock?.map((left) => left && left > 0) });

const waitText = (seconds) => (seconds >= 120 && seconds % 60 === 0 ? `${seconds / 60} minutes` : count(seconds, "second"));

/** Describe the kind of clocks. The seats show the remaining time. */
function clocks(settings) {
  const end = settings.bot_on_time ? "a bot takes over when the time is up" : "a player whose time is up loses";
  if (settings.move_time) return `${waitText(settings.move_time)} for each action; ${end}`;
  return `for the whole match${settings.increment ? `; each action adds ${waitText(settings.increment)}` : ""}; ${end}`;
}

/** Create a list of terms and descriptions that opens with a click, and stays open when it is drawn again. */
function folded(id, title, rows) {
  const open = byId(id)?.parentElement.open;
  return make("details", { open }, make("summary", { id }, title), make("dl", {}, rows.map(([term, text]) => make("div", {}, make("dt", {}, term), make("dd", {}, text)))));
}

export class About {
  /**
   * @param {(seat: number, player: string) => Promise<unknown>} reseat
   * @param {string} page the link of the game's own page, or "" if it has none
   */
  constructor(reseat, page) {
    Object.assign(this, { reseat, page, table: null, shown: "", proposed: "" });
    const dialog = byId("about");
    byId("open-about").addEventListener("click", () => dialog.showModal());
    closable(dialog, byId("close-about"));
  }

  set(table) {
    this.table = table;
    const shown = shownOf(table);
    if (shown !== this.shown) this.draw(table);
    this.shown = shown;
  }

  draw(table) {
    const focused = byId("about").contains(document.activeElement) ? document.activeElement.id : "";
    fill(byId("about-body"),
      make("ul", { class: "people" }, table.names.map((name, seat) => this.person(table, name, seat))),
      make("dl", {}, this.facts(table).map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value)))),
      this.keys(), this.details(table));
    if (focused) byId(focused)?.focus();
  }

  person(table, name, seat) {
    const bot = table.players[seat] !== "human";
    const where = bot ? `${table.player_labels[seat]} plays` : !table.present[seat] ? "not here now" : table.replaceable?.includes(seat) ? "here, but not acting" : "here";
    const mine = table.your_seats.includes(seat);
    return make("li", { data: { seat: String(seat) } },
      seatMark(seat),
      make("span", { class: "who" }, make("bdi", {}, name), make("span", { class: "words" }, mine ? `you, ${where}` : where)),
      this.handing(table, name, seat, mine));
  }

  /** A menu to choose who plays for one's own seat, or for a seat whose player has been away or idle for long. */
  handing(table, name, seat, mine) {
    const offered = table.replaceable?.includes(seat);
    if (table.spectator || !table.bots?.length || !(mine || offered)) return null;
    const id = `player-${seat}`;
    const player = table.players[seat];
    const plays = (label) => `${label} plays`;
    const known = player === "human" || table.bots.some((bot) => bot.name === player);
    const select = make("select", { id, class: "player", on: { change: (event) => this.hand(seat, event.target.value) } },
      make("option", { value: "human", selected: player === "human", disabled: table.lost.includes(seat) }, mine ? "I play" : "a person plays"),
      known ? null : make("option", { value: player, selected: true }, plays(table.player_labels[seat])),
      botOptions(table.bots, player, plays));
    return [make("label", { for: id, class: "unseen" }, `Who plays for ${name}`), select];
  }

  /** If the request is refused, redraw the current player. */
  async hand(seat, player) {
    if (!(await this.reseat(seat, player))) this.draw(this.table);
  }

  facts(table) {
    return [
      ["Game", table.title || table.game],
      this.page && ["Page", make("a", { href: this.page }, "The page of the game")],
      ["You", table.spectator ? "a spectator, who sees public information" : table.your_seats.map((seat) => table.names[seat]).join(", ")],
      !table.spectator && ["Undo", undoing(table)],
      table.hosted && ["Lobby", make("a", { href: "/", id: "to-lobby" }, "Back to the lobby")],
      table.spectator_path && ["To watch", [make("a", { href: table.spectator_path, target: "_blank", rel: "noopener" }, "The link to watch"), " ", copyButton(new URL(table.spectator_path, location.href).href, "the link to watch")]],
      table.spectator_count > 0 && ["Watching", count(table.spectator_count, "person", "people")],
      timed(table) && ["Clocks", clocks(table.settings)],
      table.settings.idle_timeout && table.players.filter((player) => player === "human").length > 1 && ["Idle timeout", `If somebody does not move for ${waitText(table.settings.idle_timeout)}, the others may let a bot play for them.`],
      table.rules && ["Rules", make("button", { type: "button", on: { click: () => { byId("about").close(); byId("open-rules").click(); } } }, "Read the rules")],
    ].filter(Boolean);
  }

  /** Display what can be proposed to the other players in a state. */
  propose({ proposals }) {
    const shown = JSON.stringify(proposals);
    if (shown === this.proposed) return;
    this.proposed = shown;
    const buttons = proposals.filter(({ kind }) => kind !== DRAW).map(({ kind, label, help }) =>
      make("button", { type: "button", id: kind, title: help, data: requesting("propose", { kind }) }, label));
    fill(byId("proposals"), buttons);
  }

  keys() {
    const keys = [["Tab", "go to the next usable part"], ["Arrow keys", "go to the neighbouring parts"], ["Enter or Space", "choose the part, or show why it cannot be used"],
      ["Esc", "cancel a choice, close a dialog"], this.table.hints && ["h", "show a hint"], ["n (held)", "show the numbers of places"], ["/", "list all actions, and type one"],
      ["Enter on a line of the log", "show that position; the arrow keys move on, Esc returns"]];
    return folded("keys", "Keys", keys.filter(Boolean).map(([key, does]) => [make("kbd", {}, key), does]));
  }

  details({ commitment }) {
    if (!commitment) return null;
    const check = [make("code", {}, commitment), copyButton(commitment, "the fairness check"), " At the end, it shows that no card and no die was changed."];
    return folded("more", "Details", [["Fairness check", check]]);
  }
}
