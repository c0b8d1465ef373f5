import { Banner } from "../shared/components/Banner";
import { Button, IconButton } from "../shared/components/Button";
import { LiveRegion } from "../shared/components/LiveRegion";
import { t } from "../shared/messages";
import type { ReviewStore } from "./store";

export interface MessagesProps {
  store: ReviewStore;
  /** address of the queue's screen */
  queueAddress: () => string;
  onClose: () => void;
}

/** The connection, what failed, that the task is excluded, and what others have done meanwhile. */
export function Messages({ store, queueAddress, onClose }: MessagesProps) {
  const problem = store.problem.value;
  const notices = [...new Set(store.notices.value)];
  const disconnected = store.disconnected.value;
  const excluded = store.loaded.value?.excluded;
  return (
    <>
      <LiveRegion role="alert" class="banners stack" testid="banners">
        {problem ? <ProblemBanner problem={problem} onClose={onClose} /> : null}
      </LiveRegion>
      <LiveRegion class="banners stack" testid="banners">
        {disconnected ? (
          <Banner kind="error" icon="cloudOff" testid="offline">
            <span>
              {t("{problem} Your last step is sent again until it arrives; it is done once.", {
                problem: disconnected,
              })}
            </span>
          </Banner>
        ) : null}
        {excluded ? (
          <Banner kind="warning" testid="excluded">
            <span>
              {t(
                "{exclusion} · Decisions on it are stored, but count only if it is included again.",
                { exclusion: excluded },
              )}
            </span>
          </Banner>
        ) : null}
        {notices.length ? (
          <Banner kind="info" icon="history" testid="notice">
            <span>{notices.join(" ")}</span>
            {store.finished.value ? (
              <a href={queueAddress()} data-testid="notice-queue">
                {t("Back to the queue")}
              </a>
            ) : null}
            <CloseButton onClose={onClose} />
          </Banner>
        ) : null}
      </LiveRegion>
    </>
  );
}

interface ProblemBannerProps {
  problem: Pt.Problem;
  onClose: () => void;
}

function ProblemBanner({ problem, onClose }: ProblemBannerProps) {
  const { text, action, run, link } = problem;
  return (
    <Banner kind="error" testid="problem">
      <span>{text}</span>
      {link ? <a href={link}>{action}</a> : null}
      {run ? (
        <Button testid="problem-act" onClick={run}>
          {action}
        </Button>
      ) : null}
      {link || run ? null : <CloseButton onClose={onClose} />}
    </Banner>
  );
}

function CloseButton({ onClose }: { onClose: () => void }) {
  return (
    <IconButton
      class="icon-button small"
      icon="close"
      label={t("Close this message")}
      onClick={onClose}
    />
  );
}
