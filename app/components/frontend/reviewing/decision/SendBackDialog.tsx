import { useRef, useState } from "preact/hooks";
import { Dialog, DialogButton } from "../../shared/components/Dialog";
import { FieldError } from "../../shared/components/FieldError";
import { TextArea } from "../../shared/components/TextInput";
import { MAX_TEXT } from "../../shared/limits";
import { t } from "../../shared/messages";
import type { Row } from "../comparison/comparison_rows";
import type { RequestBody } from "../requests";
import {
  cut,
  mayReturn,
  namedDifferences,
  type PartDifference,
  partDifferences,
} from "./sending_back";
import "./SendBackDialog.css";

const SHOWN_LETTERS = 160;

export interface SendBackDialogProps {
  data: Pt.ReviewData;
  rows: Row[];
  /** what the gold would be */
  draft: Pt.ReviewedContent;
  onSend: (message: RequestBody<"return">) => void;
  onClose: () => void;
}

/**
 * Asks what is sent back, to whom, and with which words. Only opened where somebody's work may be
 * sent back.
 */
export function SendBackDialog({ data, rows, draft, onSend, onClose }: SendBackDialogProps) {
  const people = data.participants.filter(mayReturn);
  const [person, setPerson] = useState(people[0]);
  const [differences, setDifferences] = useState(() => partDifferences(data, rows, person, draft));
  const [comment, setComment] = useState("");
  const [error, setError] = useState("");
  const commentField = useRef<HTMLTextAreaElement>(null);

  const send = () => {
    if (comment.trim()) {
      onSend({ attempt: person.attempt, comment, differences: namedDifferences(differences) });
      return;
    }
    setError(t("Say what is to be looked at again."));
    commentField.current?.focus();
  };
  return (
    <Dialog
      title={t("Send back to an annotator")}
      testid="return-dialog"
      wide
      focus={commentField}
      onSubmit={send}
      onClose={onClose}
      actions={
        <>
          <DialogButton onClick={onClose}>{t("Cancel")}</DialogButton>
          <DialogButton main testid="return-send">
            {t("Send back")}
          </DialogButton>
        </>
      }
    >
      <label class="stacked stack">
        <span>{t("To")}</span>
        <select
          class="ways wide"
          aria-label={t("To whom")}
          data-testid="return-person"
          value={person.attempt}
          onChange={(event) => {
            const chosen = people[event.currentTarget.selectedIndex];
            setPerson(chosen);
            // Other parts differ, and what is ticked for one person may give another the answer.
            setDifferences(partDifferences(data, rows, chosen, draft));
          }}
        >
          {people.map(({ attempt, name }) => (
            <option key={attempt} value={attempt}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="stacked stack">
        <span>{t("What should be looked at again")}</span>
        <TextArea
          ref={commentField}
          rows={4}
          maxLength={MAX_TEXT}
          testid="return-comment"
          aria-label={t("Comment")}
          value={comment}
          onInput={(event) => setComment(event.currentTarget.value)}
        />
      </label>
      <FieldError>{error}</FieldError>
      <h3>{t("Differences shown to them")}</h3>
      <p class="quiet">
        {t(
          "By default only the parts are named. The other value is shown where you tick it; it may give the answer away.",
        )}
      </p>
      <div>
        {differences.length ? null : <p class="quiet">{t("There is nothing to compare with.")}</p>}
        {differences.map((difference, i) => (
          <ReturnedPart
            key={difference.part}
            difference={difference}
            onChange={(changed) => setDifferences(differences.with(i, changed))}
          />
        ))}
      </div>
    </Dialog>
  );
}

interface ReturnedPartProps {
  difference: PartDifference;
  onChange: (difference: PartDifference) => void;
}

function ReturnedPart({ difference, onChange }: ReturnedPartProps) {
  const { label, yours, other, named, shown } = difference;
  return (
    <div class="difference stack">
      <label class="keep inline">
        <input
          type="checkbox"
          checked={named}
          aria-label={t("Name “{label}”", { label })}
          onChange={() => onChange({ ...difference, named: !named, shown: shown && !named })}
        />
        <strong>{label}</strong>
      </label>
      <span class="quiet">{t("Submitted: {value}", { value: cut(yours, SHOWN_LETTERS) })}</span>
      <label class="keep inline">
        <input
          type="checkbox"
          checked={shown}
          disabled={!named || !other}
          aria-label={t("Show the other value of “{label}”", { label })}
          onChange={() => onChange({ ...difference, shown: !shown })}
        />
        <span>
          {other
            ? t("Show the other value: {value}", { value: cut(other, SHOWN_LETTERS) })
            : t("No other value")}
        </span>
      </label>
    </div>
  );
}
