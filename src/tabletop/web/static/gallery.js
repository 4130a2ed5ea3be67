// The games as a gallery: a card for each game, with its picture and the two ways to begin.

import { byId, closable, fill, make, say } from "./dom.js";
import { markdown } from "./rules.js";

/** Return "2 players", "2–4 players". */
function playersText(seats) {
  const [fewest, most] = [Math.min(...seats), Math.max(...seats)];
  return `${fewest === most ? "" : `${fewest}–`}${most} ${most === 1 ? "player" : "players"}`;
}

/** The number of seats at first: the fewest with an opponent, if the game has one. */
export const usualSeats = ({ seats }) => seats.find((number) => number > 1) ?? seats[0];

/** The players of a match against bots. */
export const againstBots = ({ rival }, seats) => Array.from({ length: seats }, (_, seat) => (seat ? rival : "human"));

export class Gallery {
  /**
   * @param {(wish: object) => Promise<string>} open opens a table, and returns why it was not opened, or ""
   * @param {(game: object, seats: number) => void} setup shows the options of a game
   * @param {(path: string) => Promise<{status: number, body: object}>} ask requests data
   */
  constructor({ open, setup, ask }) {
    Object.assign(this, { open, setup, ask });
    closable(byId("rules"), byId("close-rules"));
  }

  show(games) {
    fill(byId("games-list"), games.map((game) => this.#card(game)));
  }

  #card(game) {
    const { name, title, seats, summary, minutes, rules, lessons, tutor } = game;
    const picture = make("img", { src: `/api/games/${encodeURIComponent(name)}/picture`, alt: "", loading: "lazy", decoding: "async" });
    picture.addEventListener("error", () => picture.remove());
    const error = make("p", { class: "error", role: "alert" });
    const count = make("select", { "aria-label": `Players of ${title}` }, seats.map((number) => make("option", { value: String(number), selected: number === usualSeats(game) }, playersText([number]))));
    const chosen = () => Number(count.value);
    const button = (kind, label, act) => make("button", { type: "button", class: kind, "aria-label": `${label}: ${title}`, on: { click: (event) => act(event.currentTarget) } }, label);
    const opens = (players, more = {}) => async (from) => {
      from.disabled = true;
      say(error, "");
      say(error, await this.open({ game: name, seats: chosen(), players: players(), ...more }));
      from.disabled = false;
    };
    const bot = button("main", "Play a bot", opens(() => againstBots(game, chosen())));
    const friends = button("", "Play with friends", opens(() => Array(chosen()).fill("human")));
    const learn = lessons && button("quiet", "Learn", opens(() => againstBots({ rival: tutor }, chosen()), { casual: true, learns: true }));
    const adapt = () => {
      bot.textContent = chosen() === 1 ? "Play alone" : "Play a bot";
      bot.ariaLabel = `${bot.textContent}: ${title}`;
      friends.hidden = chosen() === 1;
    };
    count.addEventListener("change", adapt);
    adapt();
    return make("li", { class: "sheet", data: { game: name } },
      make("div", { class: "cover" }, picture),
      make("h2", {}, title),
      summary && make("p", {}, summary),
      make("p", { class: "remark" }, [playersText(seats), minutes && `${minutes} min`].filter(Boolean).join(" · "),
        rules && " · ", rules && make("button", { type: "button", class: "quiet", "aria-label": `Rules of ${title}`, on: { click: () => this.#rules(game, error) } }, "Rules"),
        learn && " · ", learn),
      make("div", { class: "doing" },
        seats.length > 1 && count, bot, friends,
        button("quiet", "Options", () => this.setup(game, chosen()))),
      error);
  }

  async #rules({ name, title }, error) {
    const { status, body } = await this.ask(`/api/games/${encodeURIComponent(name)}/rules`);
    if (status !== 200) return say(error, body?.error ?? "The rules could not be loaded.");
    say(byId("rules-title"), `Rules of ${title}`);
    fill(byId("rules-body"), markdown(body.rules));
    return byId("rules").showModal();
  }
}
