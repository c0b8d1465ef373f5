import { IconButton } from "../../shared/components/Button";
import { Icon } from "../../shared/components/Icon";
import { t, tn } from "../../shared/messages";
import { timeOfDay } from "../../shared/notation";
import { isLeftOpen, isRightOpen } from "../panel_visibility";
import { waitingWords } from "../sync/waiting_tasks";
import "./TopBar.css";

export interface TopBarProps {
  store: Pt.Store;
  onToggleLeft: () => void;
  onToggleRight: () => void;
}

/** Always in view: position in the batch, when it was saved, the connection. */
export function TopBar({ store, onToggleLeft, onToggleRight }: TopBarProps) {
  const { kind } = store.connection.value;
  return (
    <header class="top line medium" data-connection={kind}>
      <IconButton
        icon="panelLeft"
        label={t("Batch panel")}
        testid="toggle-left"
        aria-pressed={isLeftOpen(store.tracked)}
        onClick={onToggleLeft}
      />
      <span class="position strong nowrap" data-testid="position">
        {positionText(store)}
      </span>
      {store.practice.value ? (
        <span class="badge pill practice nowrap" data-testid="practice">
          {t("Practice: does not count")}
        </span>
      ) : null}
      <TaskStatus store={store} />
      <span class="spacer" />
      <Saved store={store} />
      <span class="connection number inline nowrap" data-testid="connection" role="status">
        <span class="icon-slot">
          <Icon name={kind === "online" ? "cloud" : "cloudOff"} />
        </span>
        <span>{connectionText(kind, store.pending.value)}</span>
      </span>
      <IconButton
        icon="panelRight"
        label={t("Answer panel")}
        testid="toggle-right"
        aria-pressed={isRightOpen(store.tracked)}
        onClick={onToggleRight}
      />
    </header>
  );
}

function positionText(store: Pt.Store) {
  const campaign = store.campaign.value;
  if (store.review.value) return t("{name} · gold draft", { name: campaign.name });
  if (store.practice.value) return campaign.title;
  const { code_name: name, position, size } = store.batch.value;
  return size === null ? name : t("{name} · {position} of {size}", { name, position, size });
}

function TaskStatus({ store }: { store: Pt.Store }) {
  const ending = store.waiting.value.get(store.attempt.value);
  const text = ending ? waitingWords(ending) : statusText(store.state.value, store.withdrawn.value);
  if (!text || store.review.value) return null;
  const { returned } = store.state.value;
  return (
    <span class={returned ? "badge pill returned" : "badge pill"} data-testid="task-status">
      {text}
    </span>
  );
}

function statusText(state: Pt.AttemptState, withdrawn: boolean) {
  if (state.closed) return withdrawn ? t("Withdrawn") : t("Closed");
  if (state.status === "submitted") return t("Submitted");
  if (state.status === "skipped") return t("Skipped");
  if (state.returned) return t("Sent back");
  const round = state.transcript?.round ?? state.tables.round;
  return round > 1 ? t("Back from a model: round {round}", { round }) : "";
}

function Saved({ store }: { store: Pt.Store }) {
  const unsaved = store.unsaved.value;
  return (
    <span
      class={unsaved ? "saved number inline nowrap busy" : "saved number inline nowrap"}
      data-testid="saved"
    >
      {unsaved ? unsavedText(store.connection.value) : savedText(store.savedAt.value)}
    </span>
  );
}

function unsavedText({ kind }: Pt.Connection) {
  return kind === "stopped" || kind === "full" ? t("Not saved") : t("Saving…");
}

function savedText(savedAt: string | null) {
  return savedAt ? t("Saved {time}", { time: timeOfDay(savedAt) }) : t("Nothing to save yet");
}

function connectionText(kind: Pt.Connection["kind"], changes: number) {
  const text = {
    online: t("Online"),
    offline: t("Offline"),
    busy: t("Server busy"),
    "signed-out": t("Signed out"),
    stopped: t("Stopped"),
    full: t("Full"),
  }[kind];
  const waits = kind === "offline" || kind === "busy" || kind === "signed-out";
  return waits && changes
    ? `${text} – ${tn("{number} change waiting", "{number} changes waiting", changes)}`
    : text;
}
