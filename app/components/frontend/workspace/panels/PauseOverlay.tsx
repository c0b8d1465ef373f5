import { useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "../../shared/components/Button";
import { Icon } from "../../shared/components/Icon";
import { t } from "../../shared/messages";
import "./PauseOverlay.css";

/** Covers the screen while the clock is paused. */
export function PauseOverlay({ onResume }: { onResume: () => void }) {
  const resume = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => resume.current?.focus(), []);
  return (
    <div class="pause-overlay" data-testid="pause-overlay" role="dialog" aria-label={t("Paused")}>
      <div class="pause-box">
        <Icon name="pause" />
        <p>{t("Paused. The clock is stopped.")}</p>
        <Button ref={resume} class="button primary" testid="resume" onClick={onResume}>
          {t("Resume")}
        </Button>
      </div>
    </div>
  );
}
