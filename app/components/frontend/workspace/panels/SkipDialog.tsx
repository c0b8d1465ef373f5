import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { Button } from "../../shared/components/Button";
import { Dialog, DialogButton, openDialog } from "../../shared/components/Dialog";
import { FieldError } from "../../shared/components/FieldError";
import { TextArea } from "../../shared/components/TextInput";
import { MAX_REASON } from "../../shared/limits";
import { N_, t } from "../../shared/messages";
import { sentence } from "../../shared/sentences";
import "./SkipDialog.css";

const REASONS = [
  N_("The question is unclear"),
  N_("The question has more than one reading"),
  N_("A page cannot be read"),
  N_("It takes too long"),
];

/** resolves to null, or why it failed */
type Confirm = (reason: string) => Promise<string | null>;

/** Ask why a task is skipped. */
export function openSkip(host: Element, onConfirm: Confirm) {
  return openDialog(host, (close) => <SkipDialog onConfirm={onConfirm} onClose={close} />);
}

function SkipDialog({ onConfirm, onClose }: { onConfirm: Confirm; onClose: () => void }) {
  const input = useRef<HTMLTextAreaElement>(null);
  const reason = useSignal("");
  const error = useSignal("");
  const isBusy = useSignal(false);
  const submit = async () => {
    const text = reason.value.trim();
    if (!text) {
      error.value = sentence("no_skip_reason");
      input.current?.focus();
      return;
    }
    isBusy.value = true;
    const failure = await onConfirm(text);
    isBusy.value = false;
    if (failure === null) onClose();
    else error.value = failure;
  };
  return (
    <Dialog
      title={t("Skip this task?")}
      testid="skip-dialog"
      focus={input}
      onSubmit={submit}
      onClose={() => onClose()}
      actions={
        <>
          <DialogButton onClick={() => onClose()}>{t("Cancel")}</DialogButton>
          <DialogButton main testid="confirm-skip" disabled={isBusy.value}>
            {t("Skip this task")}
          </DialogButton>
        </>
      }
    >
      <p>{t("Skipping puts the task aside for good; it is not the same as “No answer found”.")}</p>
      <div class="wrapping">
        {REASONS.map((reason) => t(reason)).map((suggestion) => (
          <Button
            key={suggestion}
            class="chip toggle"
            onClick={() => {
              reason.value = suggestion;
              input.current?.focus();
            }}
          >
            {suggestion}
          </Button>
        ))}
      </div>
      <label for="pt-skip">{t("Reason")}</label>
      <TextArea
        ref={input}
        id="pt-skip"
        rows={3}
        maxLength={MAX_REASON}
        testid="skip-reason"
        placeholder={t("Say why")}
        value={reason.value}
        onInput={(event) => {
          reason.value = event.currentTarget.value;
        }}
      />
      <FieldError testid="skip-error">{error.value}</FieldError>
    </Dialog>
  );
}
