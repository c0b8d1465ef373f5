import { Button } from "../../shared/components/Button";
import { Icon } from "../../shared/components/Icon";
import { N_, t } from "../../shared/messages";
import { type Ending, isDone } from "../sync/waiting_tasks";
import type { BatchPanelProps } from "./BatchPanel";

type ProgressProps = Pick<BatchPanelProps, "store" | "onOpenTask" | "onFinish">;

/** How far the batch is, and its tasks. */
export function Progress({ store, onOpenTask, onFinish }: ProgressProps) {
  const { tasks, size, position, code_name: name, closed } = store.batch.value;
  const attempt = store.attempt.value;
  const loading = store.loading.value;
  const isDraft = store.review.value !== null; // a gold draft belongs to no batch
  const waiting = store.waiting.value;
  const done = tasks.filter((task) => isDone(task, waiting)).length;
  const words = t("{done} of {size} done", { done, size });
  return (
    <>
      <div class="batch-line spread">
        <h1 class="batch-name" data-testid="batch-name">
          {isDraft ? t("Gold draft") : name}
        </h1>
        {size === null ? null : (
          <span class="batch-count quiet number" data-testid="batch-count">
            {isDraft ? store.campaign.value.name : t("{position} of {size}", { position, size })}
          </span>
        )}
      </div>
      {size === null ? null : (
        <div
          class="bar"
          role="progressbar"
          aria-label={t("Tasks done")}
          aria-valuemin={0}
          aria-valuemax={size}
          aria-valuenow={done}
          aria-valuetext={words}
          title={words}
          data-testid="progress"
        >
          <span class="bar-fill" style={{ width: `${(100 * done) / Math.max(1, size)}%` }} />
        </div>
      )}
      <nav aria-label={t("Tasks of the batch")}>
        {size === null ? null : (
          <ol class="dots">
            {tasks.map((task) => (
              <TaskDot
                key={task.attempt}
                task={task}
                waiting={waiting.get(task.attempt)}
                isCurrent={task.attempt === attempt}
                isLoading={task.attempt === loading}
                onOpen={() => onOpenTask(task.attempt)}
              />
            ))}
          </ol>
        )}
      </nav>
      {done < tasks.length || closed ? null : (
        <Button class="button block" testid="finish" onClick={onFinish}>
          {t("All tasks done: finish the batch")}
        </Button>
      )}
    </>
  );
}

const STATUS_WORDS = {
  returned: N_("sent back"),
  next_round: N_("back from a model"),
  new: N_("not started"),
  open: N_("in progress"),
  submitted: N_("submitted"),
  skipped: N_("skipped"),
  waiting: N_("sent when online"),
};

interface TaskDotProps {
  task: Pt.ShownBatchTask;
  /** how it ends once the connection is back */
  waiting: Ending | undefined;
  isCurrent: boolean;
  isLoading: boolean;
  onOpen: () => void;
}

function TaskDot({ task, waiting, isCurrent, isLoading, onOpen }: TaskDotProps) {
  const { attempt, position, question, flagged, has_question: hasComment, returned, locked } = task;
  const status = waiting ? "waiting" : task.status;
  const isBackFromModel = status === "open" && task.round > 1;
  const statusWord = returned ? "returned" : isBackFromModel ? "next_round" : status;
  const words = [
    t("Task {position}", { position }),
    t(STATUS_WORDS[statusWord]),
    flagged && t("flagged"),
    hasComment && t("with a comment"),
  ];
  const label = words.filter(Boolean).join(", ") + (question && `: ${question}`);
  const mark = returned ? "undo" : isBackFromModel ? "swap" : hasComment ? "comment" : null;
  return (
    <li>
      <button
        type="button"
        class={`dot number ${status}${returned ? " returned" : ""}${isLoading ? " loading" : ""}`}
        data-testid="task-dot"
        title={label}
        aria-label={label}
        aria-current={isCurrent ? "true" : undefined}
        data-attempt={attempt}
        data-status={status}
        disabled={locked && !isCurrent}
        onClick={onOpen}
      >
        <span>{position}</span>
        {flagged ? (
          <span class="dot-flag">
            <Icon name="flag" />
          </span>
        ) : null}
        {mark ? (
          <span class="dot-talk">
            <Icon name={mark} />
          </span>
        ) : null}
      </button>
    </li>
  );
}
