import { Button, IconButton } from "../shared/components/Button";
import { Icon } from "../shared/components/Icon";
import { keyName, withKey } from "../shared/keys";
import { t } from "../shared/messages";
import { sentence } from "../shared/sentences";
import { share } from "./formatting";
import { placeWords } from "./queue";
import type { ReviewStore } from "./store";
import "./TopBar.css";

export interface TopBarProps {
  store: ReviewStore;
  /** address of the queue's screen */
  queueAddress: () => string;
  /** `over`: from somebody else */
  onTake: (over: boolean) => void;
  onRelease: () => void;
  onStep: (by: 1 | -1) => void;
  onGuidelines: () => void;
  onKeys: () => void;
}

/** Above everything: which task, its status, who has it, and the way to the others. */
export function TopBar(props: TopBarProps) {
  const { store } = props;
  return (
    <header class="review-top line">
      {store.loaded.value ? <TaskBar {...props} /> : <span class="spacer" />}
      <IconButton
        icon="book"
        label={withKey(t("Guidelines"), "guidelines")}
        onClick={props.onGuidelines}
      />
      <IconButton icon="help" label={withKey(t("Keys"), "help")} onClick={props.onKeys} />
    </header>
  );
}

function TaskBar({ store, queueAddress, onTake, onRelease, onStep }: TopBarProps) {
  const { task, queue, status, flagged, parts, score } = store.review.value;
  return (
    <>
      <a
        class="button small quiet-button"
        data-testid="to-queue"
        href={queueAddress()}
        title={queueTitle(queue)}
      >
        <Icon name="home" />
        {t("Queue")}
      </a>
      <span class="task-where inline nowrap" data-testid="where">
        <span class="ellipsis" title={task.title} data-testid="campaign">
          {task.campaign}
        </span>
        <span class="quiet">{task.code_name}</span>
        <strong>{task.key}</strong>
      </span>
      <span class="status-chip pill" data-testid="status" data-status={status}>
        {sentence(`review.${status}`)}
      </span>
      {flagged ? (
        <span class="flagged inline" data-testid="flagged">
          <Icon name="flag" />
          {t("Flagged")}
        </span>
      ) : null}
      <span
        class="number nowrap"
        data-testid="score"
        title={t("Mean difference over the parts: 0 is the same, 1 is completely different")}
      >
        {parts.length ? t("Difference {score}", { score: share(score) }) : ""}
      </span>
      <span class="spacer" />
      <Holder store={store} onTake={onTake} onRelease={onRelease} />
      <QueuePlace queue={queue} onStep={onStep} />
    </>
  );
}

function queueTitle({ filtered, campaigns }: Pt.QueuePosition) {
  if (filtered) return t("Back to the queue as you filtered it");
  return campaigns > 1 ? t("Back to the queue of all campaigns") : t("Back to the queue");
}

function Holder({ store, onTake, onRelease }: Pick<TopBarProps, "store" | "onTake" | "onRelease">) {
  const { holder, reviewer: me } = store.review.value;
  const isOther = store.readOnly.value;
  const isDecided = store.decided.value;
  const holderText = holder === me ? t("Taken by you") : t("Taken by {name}", { name: holder });
  return (
    <>
      <span
        class={isOther ? "holder quiet number nowrap other" : "holder quiet number nowrap"}
        data-testid="holder"
        role="status"
      >
        {holder && !isDecided ? holderText : ""}
      </span>
      {isDecided ? null : (
        <Button
          testid="take-task"
          title={takeTitle(holder, isOther)}
          onClick={() => (holder === me ? onRelease() : onTake(isOther))}
        >
          {isOther ? t("Take over") : holder ? t("Put back") : t("Take")}
        </Button>
      )}
    </>
  );
}

function takeTitle(holder: string | null, isOther: boolean) {
  if (isOther) return t("{name} may be working on it; take it over all the same", { name: holder });
  return holder
    ? withKey(t("Put it back, for others to take"), "take")
    : t("Show the others that you are working on it ({key}); your first choice does it too", {
        key: keyName("take"),
      });
}

function QueuePlace({ queue, onStep }: { queue: Pt.QueuePosition } & Pick<TopBarProps, "onStep">) {
  const { text, title } = placeWords(queue);
  return (
    <span class="inline nowrap">
      <IconButton
        icon="previous"
        label={withKey(t("Previous task in the queue"), "previousTask")}
        disabled={!queue.previous}
        onClick={() => onStep(-1)}
      />
      <span class="number" data-testid="queue-place" title={title}>
        {text}
      </span>
      <IconButton
        icon="next"
        label={withKey(t("Next task in the queue"), "nextTask")}
        disabled={!queue.next}
        onClick={() => onStep(1)}
      />
    </span>
  );
}
