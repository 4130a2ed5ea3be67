// Check pictures before they are put into the page: they may only draw, without scripts or loading anything.

const SVG = "http://www.w3.org/2000/svg";
const DRAWN = new Set(["svg", "g", "title", "desc", "defs", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon",
  "text", "tspan", "textPath", "linearGradient", "radialGradient", "stop", "pattern", "clipPath", "mask", "use", "symbol", "marker"]);

/** Parse a picture into an element of this page. Throw an Error with the reason if it is not acceptable. */
export function parsePicture(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  const root = parsed.documentElement;
  if (root.localName !== "svg" || root.namespaceURI !== SVG || parsed.querySelector("parsererror")) throw new Error("it is not an SVG");
  for (const style of root.querySelectorAll("style")) style.remove(); // the page contains the styles
  for (const element of [root, ...root.querySelectorAll("*")]) check(element);
  return document.importNode(root, true);
}

function check(element) {
  if (element.namespaceURI !== SVG || !DRAWN.has(element.localName)) throw new Error(`it contains <${element.localName}>`);
  for (const { localName, value } of element.attributes) {
    if (/^on/i.test(localName)) throw new Error(`it contains ${localName}=`);
    if (localName === "href" && !value.startsWith("#")) throw new Error("it loads something from outside");
    if (/url\(\s*["']?(?!#)/i.test(value) && !localName.startsWith("data-") && !localName.startsWith("aria-")) throw new Error("it loads something from outside");
  }
}
