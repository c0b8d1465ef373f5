import { useRef } from "preact/hooks";
import { Dialog, DialogButton, openDialog } from "../../shared/components/Dialog";
import { TextArea } from "../../shared/components/TextInput";
import { MAX_REASON } from "../../shared/limits";
import { t } from "../../shared/messages";

export interface FlagDialogProps {
  /** of the flag as it is; null without one */
  comment: string | null;
  onFlag: (comment: string) => void;
  onUnflag: () => void;
  onClose: () => void;
}

/** Flag a task, change the comment, or remove the flag. */
export function openFlag(host: Element, props: Omit<FlagDialogProps, "onClose">) {
  return openDialog(host, (close) => <FlagDialog {...props} onClose={close} />);
}

function FlagDialog({ comment, onFlag, onUnflag, onClose }: FlagDialogProps) {
  const input = useRef<HTMLTextAreaElement>(null);
  return (
    <Dialog
      title={t("Flag for the supervisor")}
      testid="flag-dialog"
      focus={input}
      onSubmit={() => {
        onFlag(input.current?.value.trim() ?? "");
        onClose();
      }}
      onClose={() => onClose()}
      actions={
        <>
          {comment === null ? null : (
            <DialogButton
              testid="flag-remove"
              onClick={() => {
                onUnflag();
                onClose();
              }}
            >
              {t("Remove the flag")}
            </DialogButton>
          )}
          <DialogButton onClick={() => onClose()}>{t("Cancel")}</DialogButton>
          <DialogButton main testid="confirm-flag">
            {comment === null ? t("Flag") : t("Save")}
          </DialogButton>
        </>
      }
    >
      <label for="pt-flag">{t("What should the supervisor know?")}</label>
      <TextArea
        ref={input}
        id="pt-flag"
        rows={3}
        maxLength={MAX_REASON}
        testid="flag-input"
        defaultValue={comment ?? ""}
      />
    </Dialog>
  );
}
