// A state that follows another one comes as changes of it; see "changes" in the reference of the protocol.

const CUTS = { svg: "<", text: " " }; // where texts are cut into pieces

/** The state that changes make of the last one that came over the same line. */
export function stateAfter(last, { fields, pieces }) {
  const whole = Object.entries(pieces).map(([name, parts]) => {
    const cut = CUTS[name];
    const old = cut ? last[name].split(cut) : last[name];
    const made = parts.flatMap((part) => (Array.isArray(part) ? old.slice(...part) : [part]));
    return [name, cut ? made.join(cut) : made];
  });
  return { ...last, ...fields, ...Object.fromEntries(whole) };
}
