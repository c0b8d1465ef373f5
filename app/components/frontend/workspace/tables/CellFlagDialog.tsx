import { useId, useRef } from "preact/hooks";
import { Dialog, DialogButton, openDialog } from "../../shared/components/Dialog";
import { TextArea } from "../../shared/components/TextInput";
import { MAX_REASON } from "../../shared/limits";
import { N_, t } from "../../shared/messages";

export type FlagKind = NonNullable<Pt.CellFlagged["kind"]>;

const FLAG_KINDS: Record<FlagKind, string> = {
  text: N_("Text or number is wrong"),
  header: N_("Header is wrong"),
  structure: N_("Rows, columns or merging are wrong"),
  missing: N_("Something is missing"),
  other: N_("Something else"),
};

/** A flag in words. */
export function flagText({ kind, note }: Pt.CellFlag) {
  const label = t(FLAG_KINDS[kind]);
  return note ? t("{kind}: {note}", { kind: label, note }) : label;
}

export interface CellFlagDialogProps {
  /** text of the cell; null for the whole table */
  text: string | null;
  flag: Pt.CellFlag | null;
  /** with null, the flag is removed */
  onFlag: (kind: FlagKind | null, note: string) => void;
  onClose: () => void;
}

/** Say what is wrong with a cell or a table, in a kind and in words. */
export function openCellFlag(host: Element, props: Omit<CellFlagDialogProps, "onClose">) {
  return openDialog(host, (close) => <CellFlagDialog {...props} onClose={close} />);
}

function CellFlagDialog({ text, flag, onFlag, onClose }: CellFlagDialogProps) {
  const input = useRef<HTMLTextAreaElement>(null);
  const kinds = useRef<HTMLFieldSetElement>(null);
  const id = useId();
  const isTable = text === null;
  const chosenKind = () => {
    const checked = kinds.current?.querySelector<HTMLInputElement>("input:checked");
    return (checked?.value ?? "text") as FlagKind;
  };
  return (
    <Dialog
      title={isTable ? t("What is wrong with the table?") : t("What is wrong with the cell?")}
      testid="cell-flag-dialog"
      focus={input}
      onSubmit={() => {
        onFlag(chosenKind(), input.current?.value.trim() ?? "");
        onClose();
      }}
      onClose={() => onClose()}
      actions={
        <>
          {flag ? (
            <DialogButton
              testid="cell-flag-remove"
              onClick={() => {
                onFlag(null, "");
                onClose();
              }}
            >
              {t("Remove the flag")}
            </DialogButton>
          ) : null}
          <DialogButton onClick={() => onClose()}>{t("Cancel")}</DialogButton>
          <DialogButton main testid="cell-flag-save">
            {flag ? t("Save") : t("Flag")}
          </DialogButton>
        </>
      }
    >
      {isTable ? null : (
        <p class="quiet" dir="auto">
          {text || t("(empty)")}
        </p>
      )}
      <fieldset ref={kinds} class="flag-kinds stack">
        <legend>{t("Kind")}</legend>
        {(Object.keys(FLAG_KINDS) as FlagKind[]).map((kind) => (
          <label key={kind} class="line">
            <input
              type="radio"
              name={`${id}-kind`}
              value={kind}
              defaultChecked={kind === (flag?.kind ?? (isTable ? "structure" : "text"))}
            />
            {t(FLAG_KINDS[kind])}
          </label>
        ))}
      </fieldset>
      <label for={`${id}-note`}>
        {t("What should it be? Write it for somebody who fixes it.")}
      </label>
      <TextArea
        ref={input}
        id={`${id}-note`}
        rows={3}
        maxLength={MAX_REASON}
        testid="cell-flag-note"
        defaultValue={flag?.note ?? ""}
      />
    </Dialog>
  );
}
