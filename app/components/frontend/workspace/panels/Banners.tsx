import { Banner } from "../../shared/components/Banner";
import { Button } from "../../shared/components/Button";
import { LiveRegion } from "../../shared/components/LiveRegion";
import { t } from "../../shared/messages";
import { timeOfDay } from "../../shared/notation";
import { sentence } from "../../shared/sentences";
import { waitingWords } from "../sync/waiting_tasks";

const QUOTED_CHARACTERS = 120;

export interface BannersProps {
  store: Pt.Store;
  /** where one signs in and comes back */
  loginUrl: () => string;
  onReopen: () => void;
  onWithdraw: () => void;
  onReadGuidelines: () => void;
  /** use or discard a text that was not saved */
  onRecover: (use: boolean) => void;
}

/** What concerns the whole task: connection, outcome, campaign, guidelines, texts found again. */
export function Banners({ store, ...actions }: BannersProps) {
  const isWithdrawn = store.withdrawn.value && !store.review.value;
  return (
    <>
      <LiveRegion role="alert" class="banners stack">
        <ConnectionAlert connection={store.connection.value} loginUrl={actions.loginUrl} />
        {isWithdrawn ? (
          <Banner kind="warning" testid="banner-withdrawn">
            {sentence("withdrawn")} <a href={store.home.value || "/"}>{t("My batches")}</a>
          </Banner>
        ) : null}
      </LiveRegion>
      <LiveRegion class="banners stack">
        <ConnectionNotice connection={store.connection.value} keepsWork={store.keepsWork.value} />
        {store.keepsWork.value ? null : (
          <Banner kind="warning" testid="banner-storage">
            {t(
              "This browser’s storage is full or blocked. What is not saved yet is in this tab only: leave it open until everything is saved.",
            )}
          </Banner>
        )}
        <WaitingBanner store={store} onWithdraw={actions.onWithdraw} />
        {store.review.value ? null : <TaskBanners store={store} {...actions} />}
        <RecoveredText recovered={store.recovered.value} onRecover={actions.onRecover} />
      </LiveRegion>
    </>
  );
}

interface ConnectionAlertProps {
  connection: Pt.Connection;
  loginUrl: () => string;
}

function ConnectionAlert({ connection: { kind, message }, loginUrl }: ConnectionAlertProps) {
  switch (kind) {
    case "signed-out":
      return (
        <Banner kind="warning" testid="banner-signed-out">
          {t("Signed out. Your work of the last moments waits in this tab.")}{" "}
          <a href={loginUrl()} target="_blank" rel="noopener">
            {t("Sign in again")}
          </a>
        </Banner>
      );
    case "full":
      return (
        <Banner kind="error" testid="banner-full">
          {message}
        </Banner>
      );
    case "stopped":
      return (
        <Banner kind="error" testid="banner-stopped">
          {message || t("The server refuses this task.")}
        </Banner>
      );
    default:
      return null;
  }
}

interface ConnectionNoticeProps {
  connection: Pt.Connection;
  keepsWork: boolean;
}

/** What passes by itself. */
function ConnectionNotice({ connection: { kind, message }, keepsWork }: ConnectionNoticeProps) {
  switch (kind) {
    case "offline":
      return (
        <Banner kind="warning" testid="banner-offline">
          {keepsWork
            ? t(
                "No connection. Go on working: changes are kept in this browser and sent when it is back.",
              )
            : t("No connection. Go on working: changes are sent when it is back.")}
        </Banner>
      );
    case "busy":
      return (
        <Banner kind="warning" testid="banner-busy">
          {message || t("The server does not answer properly.")}{" "}
          {keepsWork
            ? t("Changes are kept in this browser and sent again.")
            : t("Changes are sent again.")}
        </Banner>
      );
    default:
      return null;
  }
}

function WaitingBanner({ store, onWithdraw }: Pick<BannersProps, "store" | "onWithdraw">) {
  const ending = store.waiting.value.get(store.attempt.value);
  if (!ending) return null;
  return (
    <Banner kind="warning" testid="banner-waiting">
      <span>{`${waitingWords(ending)}.`}</span>
      <Button testid="withdraw-ending" onClick={onWithdraw}>
        {t("Keep working")}
      </Button>
    </Banner>
  );
}

type TaskBannersProps = Pick<BannersProps, "store" | "onReopen" | "onReadGuidelines">;

function TaskBanners({ store, onReopen, onReadGuidelines }: TaskBannersProps) {
  const isCampaignClosed = store.campaign.value.status === "closed";
  return (
    <>
      <OutcomeBanner store={store} onReopen={onReopen} />
      {store.excluded.value ? (
        <Banner kind="warning" testid="banner-excluded">
          {sentence("excluded")}
        </Banner>
      ) : null}
      {isCampaignClosed && !store.withdrawn.value ? (
        <Banner kind="info" testid="banner-campaign-closed">
          {sentence("campaign_closed")}
        </Banner>
      ) : null}
      {store.newGuidelines.value ? (
        <Banner kind="warning" testid="banner-guidelines">
          <span>{sentence("guidelines_changed")}</span>
          <Button testid="read-guidelines" onClick={onReadGuidelines}>
            {t("Read them")}
          </Button>
        </Banner>
      ) : null}
    </>
  );
}

function OutcomeBanner({ store, onReopen }: Pick<BannersProps, "store" | "onReopen">) {
  const state = store.state.value;
  const protocol = store.protocol.value;
  if (store.withdrawn.value) return null;
  if (store.archived.value)
    return (
      <Banner kind="info" testid="banner-archived">
        {sentence("archived")}
      </Banner>
    );
  if (state.closed)
    return (
      <Banner kind="info" testid="banner-closed">
        {sentence("batch_closed")}
      </Banner>
    );
  if (state.status !== "submitted" && state.status !== "skipped") return null;
  if (store.waiting.value.has(store.attempt.value)) return null;
  // Once the gold of a pilot task has been shown it stays as it was submitted.
  const canReopen = state.feedback === null && protocol.study.go_back;
  return (
    <Banner kind="info" testid="banner-handed-in">
      <span>{outcomeText(state, protocol)}</span>
      {canReopen ? (
        <Button testid="reopen" onClick={onReopen}>
          {t("Reopen")}
        </Button>
      ) : null}
    </Banner>
  );
}

const submittedWords = (outcome: Pt.Outcome | null, time: string | null) => {
  switch (outcome) {
    case "not_found":
      return time
        ? t("Submitted {time} as “No answer found”.", { time })
        : t("Submitted as “No answer found”.");
    case "unanswerable":
      return time
        ? t("Submitted {time} as unanswerable.", { time })
        : t("Submitted as unanswerable.");
    default:
      return time ? t("Submitted {time}.", { time }) : t("Submitted.");
  }
};

function skippedWords(reason: string | null, time: string | null) {
  if (reason)
    return time
      ? t("Skipped {time}: {reason}.", { time, reason })
      : t("Skipped: {reason}.", { reason });
  return time ? t("Skipped {time}.", { time }) : t("Skipped.");
}

function outcomeText(state: Pt.AttemptState, protocol: Pt.Protocol) {
  const at = submittedAt(state);
  const time = at ? timeOfDay(at, false) : null;
  if (state.status === "skipped") return skippedWords(state.skip_reason, time);
  const labels = state.missing.map(
    (part) => protocol.fields.find(({ name }) => name === part)?.label ?? part,
  );
  const submitted = submittedWords(state.outcome, time);
  if (!labels.length) return submitted;
  const late = t("The time was up: submitted without {labels}.", { labels: labels.join(", ") });
  return `${submitted} ${late}`;
}

/** When the task was submitted; not known once somebody has commented on it since. */
function submittedAt({ comments, updated_at: at }: Pt.AttemptState) {
  const last = comments.at(-1);
  return last && at !== null && (last.at === null || last.at >= at) ? null : at;
}

function recoveredWords(field: string, text: string) {
  switch (field) {
    case "note":
      return t("A note typed in this browser was not saved, and a newer one exists: “{text}”", {
        text,
      });
    case "scratchpad":
      return t(
        "A scratchpad typed in this browser was not saved, and a newer one exists: “{text}”",
        { text },
      );
    case "question":
      return t("A question typed in this browser was not saved, and a newer one exists: “{text}”", {
        text,
      });
    default:
      return t("An answer typed in this browser was not saved, and a newer one exists: “{text}”", {
        text,
      });
  }
}

interface RecoveredTextProps {
  recovered: Pt.WorkspaceData["recovered"];
  onRecover: (use: boolean) => void;
}

function RecoveredText({ recovered, onRecover }: RecoveredTextProps) {
  if (!recovered) return null;
  return (
    <Banner kind="warning" testid="banner-recovered">
      <span>{recoveredWords(recovered.field, recovered.text.slice(0, QUOTED_CHARACTERS))}</span>
      <Button testid="recover-use" onClick={() => onRecover(true)}>
        {t("Use it")}
      </Button>
      <Button testid="recover-discard" onClick={() => onRecover(false)}>
        {t("Discard")}
      </Button>
    </Banner>
  );
}
