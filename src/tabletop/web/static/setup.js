// The options of a table as a form in a dialog.

import { botOptions, byId, closable, fill, make, say } from "./dom.js";
import { againstBots } from "./gallery.js";
import { optionField, readOptions } from "./options.js";
import { seatMark } from "./seats.js";

export class Setup {
  /** @param {(wish: object) => Promise<string>} open opens a table, and returns why it was not opened, or "" */
  constructor(open) {
    Object.assign(this, { open, game: null });
    closable(byId("setup"), byId("close-setup"));
    byId("count").addEventListener("change", () => this.#seatPeople());
    byId("seed").addEventListener("input", () => { byId("open").elements["seed-kind"].value = "own"; });
    byId("open").addEventListener("submit", (event) => this.#submit(event));
  }

  /** Show the options of a game. They are kept until another game is chosen. */
  show(game, seats) {
    say(byId("open-error"), "");
    if (this.game !== game) {
      this.game = game;
      say(byId("setup-heading"), `Options of ${game.title}`);
      byId("people-list").replaceChildren();
      fill(byId("options-list"), game.options.map(optionField));
      byId("options").hidden = !game.options.length;
    }
    fill(byId("count"), game.seats.map((number) => make("option", { value: String(number), selected: number === seats }, String(number))));
    this.#seatPeople();
    byId("setup").showModal();
    byId("setup-heading").focus();
  }

  /** Display a row for each seat, and keep the entries. */
  #seatPeople() {
    const before = people();
    const seats = Number(byId("count").value);
    fill(byId("people-list"), againstBots(this.game, seats).map((usual, seat) => {
      const number = seat + 1;
      const { name, player } = before[seat] ?? { name: "", player: usual };
      return make("li", {}, seatMark(seat),
        make("input", { class: "name", value: name, maxLength: 40, placeholder: `Player ${number}`, "aria-label": `Name of seat ${number}` }),
        make("select", { class: "player", "aria-label": `Player of seat ${number}` },
          make("option", { value: "human" }, "a person"),
          botOptions(this.game.bots ?? [], player, (label) => label)));
    }));
  }

  async #submit(event) {
    event.preventDefault();
    const button = byId("open-table");
    button.disabled = true;
    say(byId("open-error"), "");
    try {
      say(byId("open-error"), await this.open(this.#wish()));
    } catch (error) {
      say(byId("open-error"), error.message);
    }
    button.disabled = false;
    if (byId("open-error").textContent) button.focus();
    else byId("setup").close();
  }

  /** Return the request for a table. Throw an Error for an invalid entry. */
  #wish() {
    const kind = byId("open").elements["seed-kind"].value;
    const seed = byId("seed").value.trim();
    if (kind === "own" && !seed) throw new Error("Enter the words of the seed, or choose a random one.");
    const sitting = people();
    const others = sitting.flatMap(({ player }, seat) => (player === "human" ? [seat] : [])).slice(1);
    const opens = byId("open-seats").checked;
    if (opens && !others.length) throw new Error("There is only one seat for a person, so nobody could join. Add a second person, or do not open the table.");
    return {
      game: this.game.name,
      seats: sitting.length,
      names: sitting.map(({ name }) => name),
      players: sitting.map(({ player }) => player),
      options: readOptions(byId("options-list"), this.game.options),
      seed: kind === "own" ? seed : "",
      weekly: kind === "weekly",
      ...readSettings(),
      open: opens ? others : [],
    };
  }
}

/** Return the settings of the table that are filled in. The browser has checked their limits. */
function readSettings() {
  const fields = [...byId("manners").querySelectorAll("[data-setting]")];
  return Object.fromEntries(fields.filter(({ value }) => value).map((field) => [field.dataset.setting, valueOf(field)]));
}

/** The value of a setting, in the unit of the server. */
function valueOf({ type, checked, value, dataset }) {
  if (type === "checkbox") return checked;
  return value === "never" ? null : Number(value) * Number(dataset.unit ?? 1);
}

function people() {
  return [...byId("people-list").children].map((row) => ({ name: row.querySelector(".name").value.trim(), player: row.querySelector(".player").value }));
}
