/** Who still has to submit a task; without DOM. */

import { t } from "../../shared/messages";

/** Whether anybody still has to submit it. */
export function isUnfinished({ unfinished: { people, free_slots: places } }: Pt.ReviewData) {
  return people.length > 0 || places > 0;
}

/** What tells one set of people at work on one task from another. */
export function pendingOf({ task, unfinished: { people, free_slots: places } }: Pt.ReviewData) {
  return JSON.stringify([task.id, people.map(({ name }) => name), places]);
}

/** Who has it now and had not before, in sentences; what they did themselves is told elsewhere. */
export function newlyPending(before: Pt.ReviewData, after: Pt.ReviewData) {
  const known = new Set(before.unfinished.people.map(({ name }) => name));
  for (const { attempt, name } of [...before.participants, ...after.participants])
    if (attempt in before.reviewed_version.sources) known.add(name);
  return after.unfinished.people
    .filter(({ name }) => !known.has(name))
    .map(({ name }) => t("{name} was given this task.", { name }));
}
