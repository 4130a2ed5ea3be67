// Steps through the pictures of a match. The page contains them as JSON: the fragments of all pictures,
// and for each step the numbers of its fragments and the lines of its log.
const replay = JSON.parse(document.getElementById("replay").textContent);
const stage = document.getElementById("stage");
const slider = document.getElementById("slider");
const place = document.getElementById("place");
const said = document.getElementById("said");
const playButton = document.getElementById("play");
const playShape = playButton.querySelector("path");
const PLAY = playShape.getAttribute("d");
const narrow = matchMedia("(max-width: 500px)");
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const last = replay.steps.length - 1;
let at = 0;
let timer = null;

const rows = replay.steps.map((step, number) => {
  const row = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = step.lines.join("\n") || (number ? "…" : "The beginning");
  button.addEventListener("click", () => { stop(); show(number); });
  row.append(button);
  if (step.answer) {
    const answer = document.createElement("p");
    answer.textContent = step.answer;
    row.append(answer);
  }
  return row;
});
document.getElementById("lines").append(...rows);

function picture(number) {
  const step = replay.steps[number];
  const numbers = narrow.matches && step.narrow.length ? step.narrow : step.wide;
  return numbers.map((piece) => replay.pieces[piece]).join("");
}

function keyed() {
  const places = new Map();
  for (const part of stage.querySelectorAll("[data-key]")) {
    places.set(part.dataset.key, part.getBoundingClientRect());
  }
  return places;
}

// Animate parts that have moved since the last picture.
function travel(before) {
  if (calm.matches || !before.size) return;
  const scale = stage.firstElementChild.getBoundingClientRect().width
    / stage.firstElementChild.viewBox.baseVal.width;
  for (const part of stage.querySelectorAll("[data-key]")) {
    const old = before.get(part.dataset.key);
    const now = part.getBoundingClientRect();
    const [x, y] = old ? [(old.x - now.x) / scale, (old.y - now.y) / scale] : [0, 0];
    if (old && Math.hypot(x, y) < 2) continue;
    const from = old ? { translate: `${x}px ${y}px` } : { opacity: 0 };
    part.animate([from, {}], { duration: 260, easing: "ease-out" });
  }
}

function show(number) {
  const steps = Math.abs(number - at);
  const before = steps === 1 ? keyed() : new Map();
  at = Math.max(0, Math.min(last, number));
  stage.innerHTML = picture(at);
  travel(before);
  slider.value = at;
  slider.setAttribute("aria-valuetext", `step ${at} of ${last}`);
  place.textContent = `${at} of ${last}`;
  said.textContent = replay.steps[at].lines.join(" ");
  rows.forEach((row, index) => {
    if (index === at) row.setAttribute("aria-current", "step");
    else row.removeAttribute("aria-current");
  });
  const list = document.querySelector("aside");
  const row = rows[at];
  list.scrollTop = row.offsetTop - list.offsetTop - list.clientHeight / 2;
  if (at === last) stop();
}

function stop() {
  clearInterval(timer);
  timer = null;
  playShape.setAttribute("d", PLAY);
  playButton.setAttribute("aria-label", "play");
}

function play() {
  if (timer) { stop(); return; }
  if (at === last) show(0);
  timer = setInterval(() => show(at + 1), 900);
  playShape.setAttribute("d", "M5 4h5v16H5zM14 4h5v16h-5z");
  playButton.setAttribute("aria-label", "pause");
}

const moves = {
  first: () => show(0), back: () => show(at - 1), play, next: () => show(at + 1),
  last: () => show(last),
};
for (const [name, move] of Object.entries(moves)) {
  document.getElementById(name).addEventListener("click", () => {
    if (name !== "play") stop();
    move();
  });
}
const keys = {
  ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", " ": "play", b: "back", n: "next",
};
document.addEventListener("keydown", (event) => {
  const name = keys[event.key];
  const onButton = event.target.closest("button") && event.key === " ";
  if (!name || onButton || event.target === slider || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  if (name !== "play") stop();
  moves[name]();
});
slider.max = last;
slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
narrow.addEventListener("change", () => show(at));
show(Math.min(last, Number(new URLSearchParams(location.hash.slice(1)).get("at")) || 0));
