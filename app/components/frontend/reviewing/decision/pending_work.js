/** Who still has to submit a task; without DOM. */

/** Whether anybody still has to submit it. @param {Pt.ReviewData} reviewData */
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
 * Who has it now and had not before, in sentences; what they did themselves is told elsewhere.
 * @param {Pt.ReviewData} before
 * @param {Pt.ReviewData} after
 */
export function newlyPending(before, after) {
  const known = new Set(before.unfinished.people.map(({ name }) => name));
  for (const { attempt, name } of [...before.sides, ...after.sides])
    if (attempt in before.seen.sources) known.add(name);
  return after.unfinished.people
    .filter(({ name }) => !known.has(name))
    .map(({ name }) => `${name} was given this task.`);
}
