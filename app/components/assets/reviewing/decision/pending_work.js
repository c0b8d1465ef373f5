/** Who is still at work on a task, in words; without DOM. */

/** @type {Record<string, string>} */
const FATES = { returned: "returned", open: "still working on it", new: "not started" };

/**
 * Whether anybody is still to hand it in.
 * @param {Pt.ReviewData} reviewData
 */
export function isUnfinished({ unfinished: { people, places } }) {
  return people.length > 0 || places > 0;
}

/**
 * What tells one set of people at work on one task from another.
 * @param {Pt.ReviewData} reviewData
 */
export function pendingOf({ task, unfinished: { people, places } }) {
  return JSON.stringify([task.id, people.map(({ name }) => name), places]);
}

/**
 * Who is still at it, as a sentence; empty where nobody is.
 * @param {Pt.ReviewData} reviewData
 */
export function stillAtIt({ unfinished: { people, places } }) {
  const said = [];
  if (people.length)
    said.push(
      `Still to submit it: ${listed(people.map(({ name, state }) => `${name} (${FATES[state]})`))}.`,
    );
  if (places) {
    const more = people.length ? " more" : "";
    said.push(
      places === 1
        ? `One${more} person is meant for it and not chosen yet.`
        : `${places}${more} people are meant for it and not chosen yet.`,
    );
  }
  return said.join(" ");
}

/**
 * What deciding is called then.
 * @param {Pt.ReviewData} reviewData
 */
export function decideWords({ unfinished: { people } }) {
  if (!people.length) return "Decide now";
  return `Decide without ${people.length > 2 ? `${people.length} people` : listed(people.map(({ name }) => name))}`;
}

/**
 * What is said to who pressed the key.
 * @param {Pt.ReviewData} data
 */
export function againWords(data) {
  const words = decideWords(data);
  return `Press Ctrl+Enter again to ${words[0].toLowerCase()}${words.slice(1)}.`;
}

/**
 * Who has it now and had not before, in sentences; what they did themselves is told elsewhere.
 * @param {any} before
 * @param {any} after
 */
export function newlyPending(before, after) {
  const known = new Set(
    before.unfinished.people.map((/** @type {{ name: string }} */ { name }) => name),
  );
  for (const { attempt, name } of [...before.sides, ...after.sides])
    if (attempt in before.seen.sources) known.add(name);
  return after.unfinished.people
    .filter((/** @type {{ name: string }} */ { name }) => !known.has(name))
    .map((/** @type {{ name: string }} */ { name }) => `${name} was given this task.`);
}

/** @param {any} words */
function listed(words) {
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words[0];
}
