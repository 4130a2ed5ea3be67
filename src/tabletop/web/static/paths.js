// The way of clicking: choices have paths of parts, and what was clicked so far is the beginning of a path.
// Nothing here touches the page, so that it can be read, and tried, by itself.

const begins = (path, prefix) => prefix.every((part, at) => path[at] === part);

/** The choices that are still possible after these parts. */
export const within = (choices, prefix) => choices.filter(({ path }) => path.length && path.length >= prefix.length && begins(path, prefix));

/** The choices whose path is just these parts. */
const endingAt = (choices, prefix) => within(choices, prefix).filter(({ path }) => path.length === prefix.length);

/** The choices that go on behind these parts. */
export const goingOn = (choices, prefix) => within(choices, prefix).filter(({ path }) => path.length > prefix.length);

/** The parts that come next: those that are lit. */
export const nextParts = (choices, prefix) => new Set(goingOn(choices, prefix).map(({ path }) => path[prefix.length]));

/** The one choice that is made whole by these parts, or null. */
export function whole(choices, prefix) {
  const possible = within(choices, prefix);
  return possible.length === 1 && possible[0].path.length === prefix.length ? possible[0] : null;
}

/**
 * The choices, and once more those with a verb among their parts: it is clicked before the others, or after them.
 *
 * Not where others would be a whole choice before it comes: that is what a click on them means.
 */
export function eitherWay(choices, verbs) {
  const wholes = new Set(choices.map(({ path }) => path.join("\n")));
  const turned = choices.map((choice) => {
    const [own, others] = [true, false].map((isVerb) => choice.path.filter((part) => verbs.has(part) === isVerb));
    return { ...choice, path: verbs.has(choice.path[0]) ? [...others, ...own] : [...own, ...others] };
  });
  const isNew = ({ path }) => path.every((_, at) => !wholes.has(path.slice(0, at + 1).join("\n")));
  return [...choices, ...turned.filter(({ path }) => path.length).filter(isNew)];
}

/**
 * Where a click on a part leads after these parts.
 *
 * Returns {prefix, send?, ask?}: the parts chosen from now on; the choice to send, where just one is meant;
 * or the choices to ask about, where several end here, or one ends here and others go on.
 * Null where the part is not lit.
 */
export function step(choices, prefix, part) {
  if (!nextParts(choices, prefix).has(part)) return null;
  const longer = [...prefix, part];
  const only = whole(choices, longer);
  if (only) return { prefix: [], send: only };
  const ends = endingAt(choices, longer);
  return ends.length ? { prefix: longer, ask: ends } : { prefix: longer };
}

/**
 * Choices in groups: [["attack", [...]], ...], in the order they came.
 *
 * A group is named by the first of its words, or by the first word of its labels where a number is typed.
 * One group without a name, where names would say little.
 */
export function grouped(choices) {
  const groups = new Map();
  for (const choice of choices) {
    const name = first(/^[\d\s]/.test(choice.words) ? choice.label : choice.words).toLowerCase();
    groups.set(name, [...(groups.get(name) ?? []), choice]);
  }
  return groups.size > choices.length / 2 ? [["", choices]] : [...groups];
}

const first = (words) => words.trim().split(/\s+/, 1)[0];
