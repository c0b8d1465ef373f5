import { Button } from "../shared/components/Button";
import { Icon } from "../shared/components/Icon";
import type { ReviewStore } from "./store";
import "./RaisedFlags.css";

export interface RaisedFlagsProps {
  store: ReviewStore;
  onHandle: (attempt: string, handled: boolean) => void;
}

/** What annotators flagged, and why they skipped the task, with a way to mark it as handled. */
export function RaisedFlags({ store, onHandle }: RaisedFlagsProps) {
  const { raised } = store.review.value;
  if (!raised.length) return null;
  const isFixed = store.readOnly.value || store.acting.value > 0;
  return (
    <section class="raised-flags" data-testid="raised-flags" aria-label="Flagged or skipped">
      {raised.map((flag) => (
        <div key={flag.attempt} class={flag.handled ? "raised line quiet" : "raised line"}>
          <Icon name="flag" />
          <p>
            <strong>{flag.name}</strong>
            {flagText(flag)}
          </p>
          <Button
            disabled={isFixed}
            title={
              flag.handled
                ? "It asks for a supervisor again"
                : "It no longer keeps the task from being accepted, and leaves the list of open flags"
            }
            onClick={() => onHandle(flag.attempt, !flag.handled)}
          >
            {flag.handled ? "Not handled" : "Mark as handled"}
          </Button>
        </div>
      ))}
    </section>
  );
}

function flagText({ flag, skipped, skip_reason: reason, handled }: Pt.RaisedFlag) {
  const remarks = [
    flag === null ? "" : remark("flagged it", flag),
    skipped ? remark("skipped it", reason) : "",
  ];
  return `${remarks.filter(Boolean).join(";")}${handled ? " · handled" : ""}`;
}

const remark = (what: string, text: string | null) =>
  text ? ` ${what}: “${text}”` : ` ${what}, without a comment`;
