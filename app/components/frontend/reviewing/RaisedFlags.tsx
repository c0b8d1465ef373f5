import { Button } from "../shared/components/Button";
import { Icon } from "../shared/components/Icon";
import { t } from "../shared/messages";
import type { ReviewStore } from "./store";
import "./RaisedFlags.css";

export interface RaisedFlagsProps {
  store: ReviewStore;
  onHandle: (attempt: string, handled: boolean) => void;
}

/** What annotators flagged, and why they skipped the task, with a way to mark it as handled. */
export function RaisedFlags({ store, onHandle }: RaisedFlagsProps) {
  const { raised_flags: raised } = store.review.value;
  if (!raised.length) return null;
  const isFixed = store.readOnly.value || store.acting.value > 0;
  return (
    <section class="raised-flags" data-testid="raised-flags" aria-label={t("Flagged or skipped")}>
      {raised.map((flag) => (
        <div key={flag.attempt} class={flag.handled ? "raised line quiet" : "raised line"}>
          <Icon name="flag" />
          <p>
            <strong>{flag.name}</strong>
            {` ${flagText(flag)}`}
          </p>
          <Button
            disabled={isFixed}
            title={
              flag.handled
                ? t("It asks for a supervisor again")
                : t(
                    "It no longer keeps the task from being accepted, and leaves the list of open flags",
                  )
            }
            onClick={() => onHandle(flag.attempt, !flag.handled)}
          >
            {flag.handled ? t("Not handled") : t("Mark as handled")}
          </Button>
        </div>
      ))}
    </section>
  );
}

function flagText({ flag, skipped, skip_reason: reason, handled }: Pt.RaisedFlag) {
  const remarks = [
    flag === null
      ? ""
      : flag
        ? t("flagged it: “{text}”", { text: flag })
        : t("flagged it, without a comment"),
    skipped
      ? reason
        ? t("skipped it: “{text}”", { text: reason })
        : t("skipped it, without a comment")
      : "",
  ];
  const text = remarks.filter(Boolean).join("; ");
  return handled ? t("{remarks} · handled", { remarks: text }) : text;
}
