import { useRef, useState } from "preact/hooks";
import { Dialog, DialogButton } from "../../shared/components/Dialog";
import { TextInput } from "../../shared/components/TextInput";
import { MAX_REASON } from "../../shared/limits";
import { t } from "../../shared/messages";

export interface RejectDraftDialogProps {
  draft: Pt.ModelDraft;
  onReject: (reason: string) => void;
  onClose: () => void;
}

/** Asks why a model's draft is rejected as a whole; the reason may be left out. */
export function RejectDraftDialog({ draft, onReject, onClose }: RejectDraftDialogProps) {
  const [reason, setReason] = useState("");
  const field = useRef<HTMLInputElement>(null);
  return (
    <Dialog
      title={t("Reject the draft of {model}?", { model: draft.name })}
      testid="reject-draft-dialog"
      focus={field}
      onSubmit={() => onReject(reason.trim())}
      onClose={onClose}
      actions={
        <>
          <DialogButton onClick={onClose}>{t("Cancel")}</DialogButton>
          <DialogButton main testid="reject-draft-send">
            {t("Reject the draft")}
          </DialogButton>
        </>
      }
    >
      <p>
        {t(
          "Nothing is taken from it, and everything that it proposes counts as rejected. You can withdraw this until you decide.",
        )}
      </p>
      <label class="stacked stack">
        <span>{t("Reason (optional)")}</span>
        <TextInput
          ref={field}
          maxLength={MAX_REASON}
          testid="reject-draft-reason"
          aria-label={t("Reason (optional)")}
          value={reason}
          onInput={(event) => setReason(event.currentTarget.value)}
        />
      </label>
    </Dialog>
  );
}
