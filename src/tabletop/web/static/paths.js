// Clicking a choice together: a choice has a path of parts, and the parts clicked so far are the start of a path. This
// module does not use the page, so that it can be tested separately.

const begins = (path, prefix) => prefix.every((part, at) => path[at] === part);

/** The choices that are still possible after these parts. */
export const within = (choices, prefix) => choices.filter(({ path }) => path.length && path.length >= prefix.length && begins(path, prefix));

/** The choices whose path consists of exactly these parts. */
const endingAt = (choices, prefix) => within(choices, prefix).filter(({ path }) => path.length === prefix.length);

/** The choices that continue after these parts. */
export const goingOn = (choices, prefix) => within(choices, prefix).filter(({ path }) => path.length > prefix.length);

/** The possible next parts, which are lit. */
export const nextParts = (choices, prefix) => new Set(goingOn(choices, prefix).map(({ path }) => path[prefix.length]));

/** The single choice that these parts complete, or null. */
export function whole(choices, prefix) {
  const possible = within(choices, prefix);
  return possible.length === 1 && possible[0].path.length === prefix.length ? possible[0] : null;
}

/**
 * Return the choices, and copies with their verbs moved: clicked before the other parts, or after them.
 *
 * A copy is left out if the parts before its verb would be a complete choice, because a click on them means that one.
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
 * Return the choices with an entry for each item in place of each choice of several items.
 *
 * An entry has the fields of a choice, and `set`, the choice of several items. Its `id` is the same in the next state.
 */
export const withItems = (choices) => choices.flatMap((set) => (set.several?.items ?? [null]).map((item, at) => (item === null ? set : {
  ...set, set, item, id: `${set.seat} ${set.words} ${at}`, words: `${set.words} ${item.words}`, label: item.label,
  path: item.path.length ? [...set.path, ...item.path] : [],
})));

/** Return the choice with which a player plays the chosen entries of a set. */
export const ofItems = (set, entries) => ({ ...set, words: [set.words, ...entries.map(({ item }) => item.words)].join(" ") });

/** Return the sets whose items can be chosen after these parts. */
export const setsAt = (choices, prefix) => [...new Set(choices.map(({ set }) => set).filter((set) => set && begins(prefix, set.path)))];

/** Return the chosen entries of a set, in the order of the clicks. */
export const chosenOf = (chosen, set) => chosen.filter((entry) => entry.set.words === set.words && entry.set.seat === set.seat);

/** Return the chosen entries after a click on an entry, or null if the maximum of its set is already chosen. */
export function toggled(chosen, entry) {
  const own = chosenOf(chosen, entry.set);
  const others = own.filter(({ id }) => id !== entry.id);
  if (others.length < own.length) return others;
  return own.length < entry.set.several.high ? [...own, entry] : null;
}

/** Return the choices without the entries of sets that cannot be chosen in addition. */
export const withoutChosen = (choices, chosen) => choices.filter((entry) => !entry.set
  || (!chosen.some(({ id }) => id === entry.id) && chosenOf(chosen, entry.set).length < entry.set.several.high));

/** Return the label of the button that plays the chosen entries, such as "Done (2 of 4)". */
export const doneLabel = ({ several: { high } }, number, label = "Done") => `${label} (${number} of ${high})`;

/** Return the choices, and copies in which a part is replaced by an equal part. `equals` contains pairs [equal part, part]. */
export function withEquals(choices, equals) {
  const copies = equals.flatMap(([equal, part]) => choices
    .filter(({ path, set }) => !set && path.includes(part) && !path.includes(equal))
    .map((choice) => ({ ...choice, path: choice.path.map((own) => (own === part ? equal : own)) })));
  return [...choices, ...copies];
}

/**
 * Return the effect of a click on a part after these parts, or null if the part is not lit.
 *
 * The result is {prefix, send?, ask?}: the chosen parts, the choice to send if exactly one is meant, or the choices to
 * ask about if several end here, or if one ends here and others continue.
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
 * Return choices in groups, in their order: [["attack", [...]], ...].
 *
 * The name of a group is the first of its words, or the first word of its labels if the words start with a number. If
 * groups would be too small, there is one group without a name.
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
