// Small helpers to build and find elements. Text is never interpreted as markup.

export const byId = (id) => document.getElementById(id);

/** Create an element with properties and children. */
export function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "class") element.className = value;
    else if (key === "data") Object.assign(element.dataset, value);
    else if (key === "on") for (const [event, heard] of Object.entries(value)) element.addEventListener(event, heard);
    else if (key in element && !key.includes("-") && key !== "list") element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** The data of a button that sends a request when it is clicked; see `app.js`. */
export const requesting = (type, fields = {}) => ({ request: type, fields: JSON.stringify(fields) });

/** Replace the children of an element. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
}

/** Set a text only if it differs, so that screen readers do not repeat a live region. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Create the options of a select for bots ({name, group, label}), grouped under headings. */
export function botOptions(bots, chosen, text) {
  const groups = new Map();
  for (const bot of bots) groups.set(bot.group, [...(groups.get(bot.group) ?? []), bot]);
  return [...groups].map(([group, members]) => make("optgroup", { label: group }, members.map(({ name, label }) => make("option", { value: name, selected: name === chosen }, text(label)))));
}

/** Return "1 action", "2 actions". */
export const count = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;

/** Return words as a sentence, with a capital letter and a full stop. */
export const sentence = (words) => `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? "" : "."}`;

/** Return "1 watching", "3 watching". */
export const watchers = (number) => `${number} watching`;

/** Create a button that copies a text and confirms it. */
export function copyButton(text, what, label = "Copy") {
  const button = make("button", { type: "button", class: "quiet", "aria-label": `Copy ${what}` }, label);
  button.addEventListener("click", async () => {
    const copied = await copy(text, button);
    button.textContent = copied ? "Copied" : "Select and copy it";
    setTimeout(() => { button.textContent = label; }, 2000);
  });
  return button;
}

async function copy(text, beside) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without a secure context there is no clipboard, so copy through a selection.
    const area = make("textarea", { value: text, class: "unseen", readOnly: true });
    beside.after(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    beside.focus();
    return copied;
  }
}

/** Format seconds as m:ss or h:mm:ss. */
export function clockText(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] ? parts : parts.slice(1);
  return shown.map((part, at) => (at ? String(part).padStart(2, "0") : String(part))).join(":");
}

/** Place a floating element above or below a rectangle, completely inside the window. */
export function placeBeside(element, box) {
  const margin = 8;
  const size = element.getBoundingClientRect();
  const above = box.top - size.height - margin;
  const below = box.bottom + margin;
  const top = above >= margin ? above : Math.min(below, innerHeight - size.height - margin);
  const middle = (box.left + box.right) / 2 - size.width / 2;
  element.style.left = `${Math.max(margin, Math.min(middle, innerWidth - size.width - margin))}px`;
  element.style.top = `${Math.max(margin, top)}px`;
}

/** Close an element with Escape or a press outside it. */
export function closesElsewhere(element, isOpen, close) {
  document.addEventListener("pointerdown", (event) => { if (isOpen() && !element.contains(event.target)) close(); });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || !isOpen()) return;
    event.preventDefault();
    close();
  });
}

/** Close a dialog with its button or a press outside it. */
export function closable(dialog, button) {
  button.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
}

/** Access to "localStorage" or "sessionStorage". If the browser forbids storage, values are not kept. */
export const keeper = (storage) => ({
  get(key) {
    try { return globalThis[storage].getItem(key); } catch { return null; }
  },
  set(key, value) {
    try { globalThis[storage].setItem(key, value); } catch { /* nothing to do: all works without */ }
  },
});
