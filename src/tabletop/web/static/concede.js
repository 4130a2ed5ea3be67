// The dialog with which a player resigns or offers a draw.

import { byId, closable, make, requesting } from "./dom.js";

/** The kind of the proposal that is made here. `about.js` shows the others. */
export const DRAW = "draw";

const dialog = () => make("dialog", { id: "concede", "aria-labelledby": "concede-title" },
  make("div", { class: "drawer-head" },
    make("h2", { id: "concede-title", tabIndex: -1 }, "End the match?"),
    make("button", { type: "button", id: "close-concede", class: "quiet" }, "Play on")),
  make("p", { id: "concede-text" }),
  make("div", { class: "ways" },
    make("button", { type: "button", id: "resign", class: "main", data: requesting("resign") }, "Resign"),
    make("button", { type: "button", id: "offer-draw", data: requesting("propose", { kind: DRAW }) }, "Offer a draw")));

export class Concede {
  constructor() {
    document.body.append(dialog());
    byId("open-concede").addEventListener("click", () => byId("concede").showModal());
    closable(byId("concede"), byId("close-concede"));
  }

  /** Offer what is possible in a state. */
  set({ can_resign: seats, proposals, seat: shown }, { names }) {
    const canDraw = proposals.some(({ kind }) => kind === DRAW);
    const seat = seats.includes(shown) ? shown : seats[0];
    Object.assign(byId("resign").dataset, requesting("resign", { seat }));
    byId("open-concede").hidden = !seats.length && !canDraw;
    if (byId("open-concede").hidden) byId("concede").close();
    byId("resign").hidden = !seats.length;
    byId("offer-draw").hidden = !canDraw;
    const whose = seats.length > 1 ? names[seat] : "You";
    const loses = whose === "You" ? "You lose" : `${whose} loses`;
    const ending = names.length > 2 ? `${loses} if you resign, and a bot plays on.` : `${loses} if you resign.`;
    byId("concede-text").textContent = [seats.length && ending, canDraw && `A draw needs the consent of the other ${names.length > 2 ? "players" : "player"}.`].filter(Boolean).join(" ");
  }
}
