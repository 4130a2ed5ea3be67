// What changed between two pictures is seen: things with the same key travel, new ones appear,
// dice turn, numbers that changed rest a moment. It knows no game, and never holds up a hand.

const TRAVEL = 240; // milliseconds for one step, always under 300
const TOGETHER = 1100; // many steps share this time, overlapping as they must
const REST = 1400; // how long a changed number stays marked

const still = matchMedia("(prefers-reduced-motion: reduce)");
const keyed = (root) => root ? [...root.querySelectorAll("[data-key]")].filter((element) => element.dataset.key) : [];

/** What is needed of a picture, before it goes, to see later what has changed. */
export function remember(root) {
  const seen = new Map();
  if (!root || still.matches || document.hidden) return { seen, size: "" };
  for (const element of keyed(root)) {
    seen.set(element.dataset.key, { box: element.getBoundingClientRect(), numbers: numbersOf(element), die: dieOf(element) });
  }
  return { seen, size: sizeOf(root) };
}

/** Animate from what was remembered to the picture that is there; returns how long it takes, in milliseconds. */
export function play(root, { seen, size }) {
  if (!root || !seen.size || still.matches || document.hidden || size !== sizeOf(root)) return 0;
  const steps = [[], [], [], []]; // dice, journeys, what is new, numbers: in this order
  const travelling = new Set();
  for (const element of keyed(root)) {
    const before = seen.get(element.dataset.key);
    if (element.classList.contains("tt-die")) {
      if (!before || before.die !== dieOf(element)) steps[0].push((delay) => turn(element, delay));
      continue;
    }
    const carried = insideOf(element, travelling);
    if (!before) {
      if (!carried) steps[2].push((delay) => appear(element, delay));
      travelling.add(element);
      continue;
    }
    const after = element.getBoundingClientRect();
    if (!carried && moved(before.box, after)) {
      travelling.add(element);
      steps[1].push((delay) => travel(element, before.box, after, delay));
    }
    numbersOf(element).forEach((text, at) => {
      if (before.numbers[at] !== undefined && before.numbers[at] !== text) steps[3].push((delay) => rest(ownNumbers(element)[at], delay));
    });
  }
  const ordered = [...steps[0], ...steps[1], ...steps[2], ...steps[3]];
  const apart = Math.min(TRAVEL, TOGETHER / ordered.length);
  ordered.forEach((start, at) => start(at * apart));
  return ordered.length ? (ordered.length - 1) * apart + TRAVEL : 0;
}

/** Where and how large a picture is: between pictures of different sizes nothing can be followed. */
function sizeOf(root) {
  const screen = root.getScreenCTM();
  return screen ? [root.getAttribute("viewBox"), ...[screen.a, screen.e, screen.f].map((value) => value.toFixed(2))].join(" ") : "none";
}

const dieOf = (element) => (element.classList.contains("tt-die") ? element.innerHTML : "");
const ownNumbers = (element) => [...element.querySelectorAll(".tt-number")].filter((number) => number.closest("[data-key]") === element);
const numbersOf = (element) => ownNumbers(element).map((number) => number.textContent);
const moved = (one, other) => one.width > 0 && other.width > 0 && (Math.abs(one.left - other.left) > 1 || Math.abs(one.top - other.top) > 1 || Math.abs(one.width - other.width) > 1);

function insideOf(element, others) {
  for (let above = element.parentElement; above; above = above.parentElement) if (others.has(above)) return true;
  return false;
}

/** The element's own transformation, as CSS: an animation of `transform` would else put its attribute aside. */
function own(element) {
  const matrix = element.transform?.baseVal.consolidate()?.matrix;
  return matrix ? `matrix(${matrix.a}, ${matrix.b}, ${matrix.c}, ${matrix.d}, ${matrix.e}, ${matrix.f})` : "";
}

function travel(element, from, to, delay) {
  // Both boxes in the units of the element's parent, where its transformation counts.
  const screen = element.parentElement.getScreenCTM?.();
  if (!screen) return;
  const inverse = screen.inverse();
  const old = new DOMPoint(from.left, from.top).matrixTransform(inverse);
  const now = new DOMPoint(to.left, to.top).matrixTransform(inverse);
  const size = from.width / to.width;
  const base = own(element);
  animate(element, delay, [
    { transform: `translate(${old.x - now.x * size}px, ${old.y - now.y * size}px) scale(${size}) ${base}` },
    { transform: `translate(0px, 0px) scale(1) ${base}` },
  ]);
}

function appear(element, delay) {
  animate(element, delay, [{ opacity: 0 }, { opacity: getComputedStyle(element).opacity }]);
}

function turn(element, delay) {
  const { x, y } = centre(element);
  const base = own(element);
  const about = (degrees) => `${base} translate(${x}px, ${y}px) rotate(${degrees}deg) translate(${-x}px, ${-y}px)`;
  animate(element, delay, [{ transform: about(-220), opacity: 0.4 }, { transform: about(0), opacity: 1 }]);
}

function rest(element, delay) {
  const { x, y } = centre(element);
  const base = own(element);
  const about = (size) => `${base} translate(${x}px, ${y}px) scale(${size}) translate(${-x}px, ${-y}px)`;
  animate(element, delay, [{ transform: about(1) }, { transform: about(1.35) }, { transform: about(1) }]);
  element.classList.add("tt-changed");
  setTimeout(() => element.classList.remove("tt-changed"), delay + REST);
}

function centre(element) {
  const box = element.getBBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

function animate(element, delay, frames) {
  element.animate(frames, { duration: TRAVEL, delay, easing: "cubic-bezier(.3, .1, .2, 1)", fill: "backwards" });
}
