import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Dialog, DialogButton, openDialog } from "../../shared/components/Dialog";
import { FieldError } from "../../shared/components/FieldError";
import { Icon } from "../../shared/components/Icon";
import { t, tn } from "../../shared/messages";
import "./BatchEnd.css";

interface BatchEndProps {
  batch: Pt.ShownBatch;
  study: Pt.Protocol["study"];
  home: string;
  /** resolves to null, or why the batch was not closed */
  onCloseBatch: () => Promise<string | null>;
  onClose: () => void;
}

export function openBatchEnd(host: Element, props: Omit<BatchEndProps, "onClose">) {
  openDialog(host, (close) => <BatchEnd {...props} onClose={() => close()} />);
}

/** Says that all tasks are done, and offers to close the batch. */
function BatchEnd({ batch, study, home, onCloseBatch, onClose }: BatchEndProps) {
  const progress = useSignal<"open" | "closing" | "closed">("open");
  const error = useSignal("");
  const homeLink = useRef<HTMLAnchorElement>(null);
  const isClosed = progress.value === "closed";
  useLayoutEffect(() => {
    if (isClosed) homeLink.current?.focus();
  }, [isClosed]);
  const closeBatch = async () => {
    progress.value = "closing";
    const failure = await onCloseBatch();
    error.value = failure ?? "";
    progress.value = failure === null ? "closed" : "open";
  };
  return (
    <Dialog
      title={t("Batch complete")}
      testid="complete-dialog"
      final
      onSubmit={closeBatch}
      onClose={onClose}
      actions={
        <>
          {study.go_back ? (
            <DialogButton onClick={onClose}>{t("Look at them again")}</DialogButton>
          ) : null}
          <a ref={homeLink} class="button" href={home || "/"} data-testid="complete-home">
            {t("My batches")}
          </a>
          {/* It stays once the batch is closed: a second click would meet the link in its place. */}
          <DialogButton main testid="close-batch" disabled={progress.value !== "open"}>
            {t("Close the batch")}
          </DialogButton>
        </>
      }
    >
      <p class="lead">
        <Icon name="check" />
        {`${batch.code_name}: ${study.progress ? doneWords(batch.tasks) : t("all tasks are done.")}`}
      </p>
      <p>{isClosed ? t("The batch is closed. Thank you.") : closingWords(study.go_back)}</p>
      <FieldError testid="close-error">{error.value}</FieldError>
    </Dialog>
  );
}

function doneWords(tasks: Pt.ShownBatchTask[]) {
  const count = (status: Pt.ShownBatchTask["status"]) =>
    tasks.filter((task) => task.status === status).length;
  const skipped = count("skipped");
  return skipped
    ? tn(
        "{number} task submitted, {skipped} skipped.",
        "{number} tasks submitted, {skipped} skipped.",
        count("submitted"),
        { skipped },
      )
    : tn("{number} task submitted.", "{number} tasks submitted.", count("submitted"));
}

function closingWords(mayGoBack: boolean) {
  return mayGoBack
    ? t(
        "Close the batch when you are done with it. Its tasks can then be read but not reopened or changed.",
      )
    : t("Close the batch. This campaign does not go back to finished tasks.");
}
