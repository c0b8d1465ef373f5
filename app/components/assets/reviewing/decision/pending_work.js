/** Who is still at work on a task, in words; without DOM. */

const FATES = { returned: "sent back", open: "at work on it", new: "not begun" };

/** Whether anybody is still to hand it in. */
export function isUnfinished({ unfinished: { people, places } }) {
  return people.length > 0 || places > 0;
}

/** What tells one set of people at work on one task from another. */
export function pendingOf({ task, unfinished: { people, places } }) {
  return JSON.stringify([task.id, people.map(({ name }) => name), places]);
}

/** Who is still at it, as a sentence; empty where nobody is. */
export function stillAtIt({ unfinished: { people, places } }) {
  const said = [];
  if (people.length)
    said.push(
      `Still to hand it in: ${listed(people.map(({ name, state }) => `${name} (${FATES[state]})`))}.`,
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

/** What deciding is called then. */
export function decideWords({ unfinished: { people } }) {
  if (!people.length) return "Decide now";
  return `Decide without ${people.length > 2 ? `${people.length} people` : listed(people.map(({ name }) => name))}`;
}

/** What is said to who pressed the key. */
export function againWords(data) {
  const words = decideWords(data);
  return `Press Ctrl+Enter again to ${words[0].toLowerCase()}${words.slice(1)}.`;
}

/** Who has it now and had not before, in sentences; what they did themselves is told elsewhere. */
export function newlyPending(before, after) {
  const known = new Set(before.unfinished.people.map(({ name }) => name));
  for (const { attempt, name } of [...before.sides, ...after.sides])
    if (attempt in before.seen.sources) known.add(name);
  return after.unfinished.people
    .filter(({ name }) => !known.has(name))
    .map(({ name }) => `${name} was given this task.`);
}

function listed(words) {
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words[0];
}
