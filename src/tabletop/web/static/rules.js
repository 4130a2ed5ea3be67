// The rules of the game as a dialog. The subset of Markdown that rules need is converted to elements and text, so that
// nothing in the rules is ever interpreted as markup.

import { byId, closable, fill, make } from "./dom.js";

export class Rules {
  /** @param {(from: Element) => Promise<string | null>} ask requests the rules, and displays a failure */
  constructor(ask) {
    Object.assign(this, { ask, text: null });
    byId("open-rules").addEventListener("click", (event) => this.open(event.currentTarget));
    closable(byId("rules"), byId("close-rules"));
  }

  async open(from) {
    this.text ??= await this.ask(from);
    if (this.text === null) return;
    fill(byId("rules-body"), markdown(this.text));
    byId("rules").showModal();
  }
}

const DEEPEST = 8; // maximum depth of nested quotes and lists, below which everything is plain text
const FENCE = /^\s*(```|~~~)/;
const HEADING = /^\s{0,3}(#{1,6})\s+(.*?)\s*#*$/;
const RULE = /^\s{0,3}([-*_])(\s*\1){2,}\s*$/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(?=\S)/;
const QUOTE = /^\s{0,3}>\s?/;
const BEGINNINGS = [FENCE, HEADING, RULE, QUOTE, ITEM]; // of blocks that end a paragraph
const COLUMNS = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;
const INLINE = /(`+)(.+?)\1(?!`)|\*\*(?=\S)(.+?)\*\*|__(?=\S)(.+?)__|\*(?=\S)(.+?)\*|(?<!\w)_(?=\S)(.+?)_(?!\w)|!?\[([^\]]*)\]\(\s*([^)\s]*)[^)]*\)|<(https?:[^>\s]+)>|\\([!-/:-@[-`{-~])/s;

/** Convert Markdown to elements: headings, paragraphs, lists, quotes, tables, code, emphasis and links. */
export function markdown(text) {
  return blocks(text.replace(/\r\n?/g, "\n").replace(/<!--.*?-->/gs, "").split("\n"), 0);
}

function blocks(lines, depth) {
  const made = [];
  for (let at = 0; at < lines.length;) {
    const [block, next] = depth > DEEPEST ? [make("p", {}, lines.join("\n")), lines.length] : oneBlock(lines, at, depth);
    if (block) made.push(block);
    at = next;
  }
  return made;
}

/** Return the block that starts at a line (null for an empty line), and the index of the next block. */
function oneBlock(lines, at, depth) {
  const line = lines[at];
  if (!line.trim()) return [null, at + 1];
  if (FENCE.test(line)) {
    const mark = line.match(FENCE)[1];
    const end = last(lines, at + 1, (next) => !next.trim().startsWith(mark));
    return [make("pre", {}, make("code", {}, lines.slice(at + 1, end).join("\n"))), end + 1];
  }
  const heading = line.match(HEADING);
  if (heading) return [make(`h${Math.min(6, heading[1].length + 2)}`, {}, inline(heading[2])), at + 1];
  if (RULE.test(line)) return [make("hr"), at + 1];
  if (line.includes("|") && COLUMNS.test(lines[at + 1] ?? "")) return table(lines, at);
  if (QUOTE.test(line)) {
    const end = last(lines, at, (next) => QUOTE.test(next));
    return [make("blockquote", {}, blocks(lines.slice(at, end).map((quoted) => quoted.replace(QUOTE, "")), depth + 1)), end];
  }
  if (ITEM.test(line)) return list(lines, at, depth);
  const end = last(lines, at + 1, (next) => next.trim() && !BEGINNINGS.some((begins) => begins.test(next)));
  return [make("p", {}, inline(lines.slice(at, end).join("\n"))), end];
}

/** Return the index of the first line that does not continue the block. */
function last(lines, from, goesOn) {
  let end = from;
  while (end < lines.length && goesOn(lines[end])) end += 1;
  return end;
}

function list(lines, from, depth) {
  const first = lines[from].match(ITEM);
  const items = [];
  let [at, end] = [from, from];
  for (let item = first; item && isSameList(item, first); item = lines[at]?.match(ITEM)) {
    end = itemEnd(lines, at, first[1].length);
    const inside = item[0].length;
    const own = [lines[at].slice(inside), ...lines.slice(at + 1, end).map((line) => line.slice(Math.min(inside, indent(line))))];
    const within = blocks(own, depth + 1);
    items.push(make("li", {}, within.length === 1 && within[0].localName === "p" ? [...within[0].childNodes] : within));
    at = last(lines, end, (line) => !line.trim());
  }
  const number = parseInt(first[2], 10);
  return [make(isNumber(first) ? "ol" : "ul", isNumber(first) && number !== 1 ? { start: number } : {}, items), end];
}

const indent = (line) => line.match(/^\s*/)[0].length;
const isNumber = (item) => /\d/.test(item[2]);
const isSameList = (item, first) => item[1].length === first[1].length && isNumber(item) === isNumber(first);

/** Return the end of a list item, which includes further indented lines and continued paragraphs. */
function itemEnd(lines, from, edge) {
  let at = from + 1;
  while (at < lines.length) {
    const next = last(lines, at, (line) => !line.trim());
    if (next === lines.length || indent(lines[next]) <= edge) {
      if (next > at || next === lines.length || BEGINNINGS.some((begins) => begins.test(lines[at]))) return at;
    }
    at = next + 1;
  }
  return at;
}

function table(lines, at) {
  const end = last(lines, at + 2, (line) => line.includes("|") && line.trim());
  const cells = (line, name) => line.trim().replace(/^\||(?<!\\)\|$/g, "").split(/(?<!\\)\|/).map((cell) => make(name, {}, inline(cell.trim().replaceAll("\\|", "|"))));
  const head = make("thead", {}, make("tr", {}, cells(lines[at], "th")));
  const body = make("tbody", {}, lines.slice(at + 2, end).map((line) => make("tr", {}, cells(line, "td"))));
  return [make("div", { class: "scrolls", tabIndex: 0 }, make("table", {}, head, body)), end];
}

/** Convert emphasis, code and links in a text. */
function inline(text) {
  const made = [];
  let rest = text;
  for (let match = rest.match(INLINE); match; match = rest.match(INLINE)) {
    const [whole, , code, bold, bold2, light, light2, label, target, address, plain] = match;
    made.push(rest.slice(0, match.index));
    rest = rest.slice(match.index + whole.length);
    if (code !== undefined) made.push(make("code", {}, code.trim() || code));
    else if (bold ?? bold2) made.push(make("strong", {}, inline(bold ?? bold2)));
    else if (light ?? light2) made.push(make("em", {}, inline(light ?? light2)));
    else if (address) made.push(link(address, [address]));
    else if (plain) made.push(plain);
    else if (whole.startsWith("!")) made.push(label);
    else made.push(link(target, inline(label)));
  }
  return [...made, rest].filter((piece) => piece !== "");
}

/** Create a link to a web page. For other targets, return only the text. */
function link(target, words) {
  const isPage = /^https?:\/\//i.test(target) && URL.canParse(target);
  return isPage ? make("a", { href: target, target: "_blank", rel: "noopener noreferrer" }, words) : make("span", {}, words);
}
