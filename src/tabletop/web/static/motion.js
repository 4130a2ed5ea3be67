// Animate the difference between two pictures: things with the same key move, new things appear, dice turn, and changed
// numbers are highlighted. This works for any game and never delays a player.

import { settings } from "./settings.js";

const TRAVEL = 240; // milliseconds for one step at the normal pace, always under 300
const TOGETHER = 1100; // milliseconds for many steps at the normal pace, which overlap as needed
const REST = 1400; // milliseconds for which a changed number stays marked

const still = matchMedia("(prefers-reduced-motion: reduce)");
const keyed = (root) => root ? [...root.querySelectorAll("[data-key]")].filter((element) => element.dataset.key) : [];

/** Remember the data of a picture that is needed to animate changes later. */
export function remember(root) {
  const seen = new Map();
  if (!root || still.matches || document.hidden || !settings.pace) return { seen, size: "" };
  for (const element of keyed(root)) {
    seen.set(element.dataset.key, { box: element.getBoundingClientRect(), numbers: numbersOf(element), die: dieOf(element) });
  }
  return { seen, size: sizeOf(root) };
}

/** Animate from the remembered picture to the present one. Return the duration in milliseconds. */
export function play(root, { seen, size }) {
  if (!root || !seen.size || still.matches || document.hidden || size !== sizeOf(root)) return 0;
  const steps = [[], [], [], []]; // dice, moves, new things, and numbers, in this order
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
  const apart = settings.pace * Math.min(TRAVEL, TOGETHER / ordered.length);
  ordered.forEach((start, at) => start(at * apart));
  return ordered.length ? (ordered.length - 1) * apart + settings.pace * TRAVEL : 0;
}

/** The position and size of a picture. Pictures of different sizes are not animated. */
function sizeOf(root) {
  const screen = root.getScreenCTM();
  return screen ? [root.getAttribute("viewBox"), ...[screen.a, screen.e, screen.f].map((value) => value.toFixed(2))].join(" ") : "none";
}

const dieOf = (element) => (element.classList.contains("tt-die") ? element.innerHTML : "");
const ownNumbers = (element) => [...element.querySelectorAll(".tt-number")].filter((number) => number.closest("[data-key]") === element);
const numbersOf = (element) => ownNumbers(element).map((number) => number.textContent);
const moved = (before, now) => before.width > 0 && now.width > 0 && (Math.abs(before.left - now.left) > 1 || Math.abs(before.top - now.top) > 1 || Math.abs(before.width - now.width) > 1);

function insideOf(element, others) {
  for (let above = element.parentElement; above; above = above.parentElement) if (others.has(above)) return true;
  return false;
}

/** The element's own transformation as CSS, because an animation of `transform` replaces its attribute. */
function own(element) {
  const matrix = element.transform?.baseVal.consolidate()?.matrix;
  return matrix ? `matrix(${matrix.a}, ${matrix.b}, ${matrix.c}, ${matrix.d}, ${matrix.e}, ${matrix.f})` : "";
}

function travel(element, from, to, delay) {
  // Convert both boxes to the units of the element's parent, to which its transformation applies.
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
  element.animate(frames, { duration: settings.pace * TRAVEL, delay, easing: "cubic-bezier(.3, .1, .2, 1)", fill: "backwards" });
}
