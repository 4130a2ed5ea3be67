// A state that follows another one says of its long texts only what has changed since.

const CUTS = { svg: "<g", text: "\n" }; // where texts are cut into pieces, as `changed` does in messages.py

/** A state with its texts whole again; `before` is the last one that came over the same line, whole. */
export function whole(state, before) {
  const texts = Object.entries(CUTS).filter(([name]) => typeof state[name] !== "string").map(([name, cut]) => {
    const old = before[name].split(cut);
    return [name, state[name].flatMap((piece) => (typeof piece === "string" ? [piece] : old.slice(...piece))).join(cut)];
  });
  return { ...state, ...Object.fromEntries(texts) };
}
