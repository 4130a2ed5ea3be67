// The possible actions as buttons, and the field for typing an action. Actions that start with a part of the picture are only
// in the complete list, which is a drawer. The others are large buttons next to the board.

import { byId, count, fill, make, requesting, say } from "./dom.js";
import { chosenOf, doneLabel, grouped, setsAt, within } from "./paths.js";

const FEW = 10; // Maximum number of actions displayed in one row without headings. With more there is a filter, too.

export class Actions {
  /**
   * @param {{send: (choice: {words: string}, from: Element|null) => void,
   *          hint: (path: string[]) => void, isDrawn: (part: string) => boolean,
   *          clicking: () => import("./clicking.js").Clicking}} doing `isDrawn` returns whether the picture contains a part
   */
  constructor(doing) {
    Object.assign(this, { doing, choices: [], ways: [], more: 0, passes: null, prefix: [], picked: [], typed: [], at: 0, suggested: "" });
    byId("filter").addEventListener("input", () => this.draw());
    byId("typing").addEventListener("submit", (event) => this.submit(event));
    byId("line").addEventListener("keydown", (event) => this.recall(event));
    byId("line").addEventListener("input", () => this.wrong(null));
    const list = byId("choices");
    for (const event of ["pointerover", "focusin"]) list.addEventListener(event, ({ target }) => this.hint(target.closest("button")));
    for (const event of ["pointerleave", "focusout"]) list.addEventListener(event, () => this.hint(null));
    list.addEventListener("keydown", (event) => this.walk(event));
  }

  /** @param ways the choices in each order in which their parts can be clicked */
  set({ choices, more_choices: more, commands, passes }, ways) {
    Object.assign(this, { choices, ways, more, passes });
    fill(byId("words"), choices.slice(0, 200).map(({ words }) => make("option", { value: words })));
    fill(byId("commands"), commands.map((line) => make("li", {}, make("code", {}, line))));
    byId("usage").hidden = !commands.length;
    byId("typing").hidden = !commands.length && !choices.length;
    this.wrong(null);
    this.draw();
  }

  /** If parts are chosen, display only the actions that continue from them. */
  narrowTo(prefix, picked) {
    if (String(prefix) === String(this.prefix) && picked === this.picked) return;
    Object.assign(this, { prefix, picked });
    this.draw();
  }

  draw() {
    const filter = byId("filter");
    filter.hidden = this.choices.length <= FEW;
    const wanted = filter.hidden ? "" : filter.value.trim().toLowerCase();
    const possible = this.prefix.length ? within(this.ways, this.prefix) : this.choices;
    const shown = possible.filter(({ label, words }) => `${label} ${words}`.toLowerCase().includes(wanted));
    const focused = byId("choices").contains(document.activeElement) ? document.activeElement.dataset.words : null;
    const inWords = possible.every(({ path }) => !path.length); // without a picture there is room for headings
    const groups = inWords || shown.length > FEW ? grouped(shown) : [["", shown]];
    fill(byId("choices"), groups.map(([name, members]) => this.group(name, members, groups.length)), this.done(), this.remarks(shown, wanted), this.passing());
    this.quick();
    if (focused !== null) this.refocus(focused);
    const number = count(this.choices.length + this.more, "action");
    say(byId("bar-actions"), this.choices.length ? `Actions (${this.choices.length + this.more})` : "Actions");
    byId("choices").setAttribute("aria-label", number);
  }

  group(name, members, groups) {
    const list = make("ul", { class: "choices" }, members.map((choice) => make("li", {}, this.button(choice))));
    if (groups < 2) return list;
    return make("section", { class: "group" }, make("h3", {}, name, make("small", {}, ` ${members.length}`)), list);
  }

  /** Mark the action of a hint, or none if `words` is "". */
  suggest(words) {
    if (words === this.suggested) return;
    this.suggested = words;
    this.draw();
    if (words) this.find(byId("choices"), words)?.scrollIntoView({ block: "nearest" });
  }

  button(choice) {
    const { words, label, set, id } = choice;
    if (set) {
      const isPicked = this.picked.some((entry) => entry.id === id);
      return make("button", { type: "button", "aria-pressed": String(isPicked), data: { words: id }, on: { click: () => this.doing.clicking().toggle(choice) } }, label);
    }
    const hinted = words === this.suggested;
    return make("button", { type: "button", class: hinted && "suggested", "aria-description": hinted && "hint", title: words === label ? undefined : words, data: { words }, on: { click: (event) => this.doing.send(choice, event.currentTarget) } }, label);
  }

  /** The buttons that play the chosen items of the sets that are open now. */
  done() {
    const sets = setsAt(this.choices, this.prefix);
    return sets.map((set) => {
      const number = chosenOf(this.picked, set).length;
      return make("button", { type: "button", class: "main", disabled: number < set.several.low, data: { words: set.words },
        on: { click: (event) => this.doing.clicking().finish(set, event.currentTarget) } }, doneLabel(set, number, sets.length > 1 ? set.label : "Done"));
    });
  }

  remarks(shown, wanted) {
    const lines = [];
    if (!shown.length && this.choices.length) lines.push(wanted ? "No action contains these letters." : "No action continues from here.");
    if (this.more) lines.push(`And ${this.more} more, which you can type.`);
    return lines.map((line) => make("p", { class: "remark" }, line));
  }

  /** Display the actions that do not start in the picture next to it. */
  quick() {
    const place = byId("quick");
    const focused = place.contains(document.activeElement) ? document.activeElement.dataset.words : null;
    fill(place, this.choices.filter(({ path }) => !(path.length && path.every(this.doing.isDrawn))).map((choice) => this.button(choice)), this.done(), this.passing());
    if (focused !== null) (this.find(place, focused) ?? place.querySelector("button") ?? byId("picture")).focus();
  }

  /** Return the button with which a player passes until the end of the turn, or decides again. */
  passing() {
    if (this.passes === null) return [];
    return make("button", { type: "button", class: "quiet pass-turn", title: "Pass until the end of the turn", data: { words: "", ...requesting("pass", { on: !this.passes }) } }, this.passes ? "Stop passing" : "Pass this turn");
  }

  find(place, words) {
    return place.querySelector(`button[data-words="${CSS.escape(words)}"]`);
  }

  refocus(words) {
    const list = byId("choices");
    (this.find(list, words) ?? list.querySelector("button") ?? byId("actions-heading")).focus({ preventScroll: true });
  }

  hint(button) {
    const choice = button && this.choices.find(({ words, id = words }) => id === button.dataset.words);
    this.doing.hint(choice?.path ?? []);
  }

  /** Arrow keys move through the list, in addition to Tab. */
  walk(event) {
    const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    const buttons = [...byId("choices").querySelectorAll("button")];
    const at = buttons.indexOf(event.target);
    if (!by || at < 0) return;
    event.preventDefault();
    buttons[Math.max(0, Math.min(buttons.length - 1, at + by))].focus();
  }

  submit(event) {
    event.preventDefault();
    const line = byId("line").value.trim();
    if (!line) return this.wrong({ message: "Type an action, such as one of those below." });
    this.typed = [...this.typed.filter((old) => old !== line), line].slice(-50);
    this.at = this.typed.length;
    return this.doing.send(line, byId("line"));
  }

  /** Empty the field after the line was accepted. */
  taken() {
    byId("line").value = "";
    this.wrong(null);
  }

  /** Display the error in the typed line, or none if it is null. A command that is not possible now is answered with the possible ones. */
  wrong(error) {
    const [typed] = byId("line").value.trim().split(/\s/, 1);
    const commands = [...new Set(this.choices.map(({ words }) => words.split(" ", 1)[0]))];
    const isImpossible = error?.reason === "words" && commands.length && !this.more && !commands.includes(typed.toLowerCase());
    say(byId("line-error"), isImpossible ? `“${typed}” is not possible. Possible now: ${commands.slice(0, FEW).join(", ")}.` : error?.message ?? "");
    byId("line").setAttribute("aria-invalid", String(error !== null));
  }

  /** Bring earlier lines back with the arrow keys, as at a terminal. */
  recall(event) {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const line = byId("line");
    if (!by || !this.typed.length || (line.value && line.value !== this.typed[this.at])) return;
    event.preventDefault();
    this.at = Math.max(0, Math.min(this.typed.length, this.at + by));
    line.value = this.typed[this.at] ?? "";
  }
}
