/** Submissions that wait for the connection, and what the tasks of the batch are called meanwhile. */

import { t } from "../../shared/messages";

export type Ending = "submitted" | "skipped";

type EndingEvent = Extract<Pt.Event, { type: Ending }>;

const LOST = new Set<Pt.Connection["kind"]>(["offline", "busy", "signed-out"]);

/** The submission or skip in a queue that nothing after it withdraws. */
export function endingOf(queue: readonly Pt.Event[]): EndingEvent | null {
  for (const event of [...queue].reverse()) {
    if (event.type === "submitted" || event.type === "skipped") return event;
    if (event.type === "reopened") return null;
  }
  return null;
}

/**
 * Bring the store's `waiting` up to date. An ending waits once the connection is lost, until it is
 * stored or withdrawn: being online again alone stores nothing.
 */
export function noteWaiting({ store, outboxes }: Pt.Attempt) {
  const { attempt, connection, waiting } = store.data;
  const endings = [...outboxes].flatMap(([id, { queue, stopped }]): [string, Ending][] => {
    const ending = stopped ? null : endingOf(queue);
    const waits = waiting.has(id) || id !== attempt || LOST.has(connection.kind);
    return ending && waits ? [[id, ending.type]] : [];
  });
  const same =
    endings.length === waiting.size && endings.every(([id, type]) => waiting.get(id) === type);
  if (!same) store.set({ waiting: new Map(endings) });
}

/** The server has not answered for long: the ending of a task waits, although nothing has failed. */
export function noteUnanswered({ store, outboxes }: Pt.Attempt, id: string) {
  const ending = endingOf(outboxes.get(id)?.queue ?? []);
  if (ending) store.set({ waiting: new Map(store.data.waiting).set(id, ending.type) });
}

/** In words. */
export function waitingWords(ending: Ending) {
  return ending === "submitted"
    ? t("Will be submitted when online")
    : t("Will be skipped when online");
}

/** A batch with what this browser knows of a task; the same object where that is nothing new. */
export function withTask(
  batch: Pt.ShownBatch,
  attempt: string,
  change: Partial<Pt.ShownBatchTask>,
): Pt.ShownBatch {
  const keys = Object.keys(change) as (keyof Pt.ShownBatchTask)[];
  const differs = (task: Pt.ShownBatchTask) =>
    task.attempt === attempt && keys.some((key) => task[key] !== change[key]);
  if (!batch.tasks.some(differs)) return batch;
  const tasks = batch.tasks.map((task) => (differs(task) ? { ...task, ...change } : task));
  return { ...batch, tasks };
}

/** Whether a task of the batch is submitted or skipped for good. */
export function isDone(
  { attempt, status }: Pt.ShownBatchTask,
  waiting: Pt.WorkspaceData["waiting"],
) {
  return (status === "submitted" || status === "skipped") && !waiting.has(attempt);
}
