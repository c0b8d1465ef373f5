import { useRef, useState } from "preact/hooks";
import { Dialog, DialogButton } from "../../shared/components/Dialog";
import { FieldError } from "../../shared/components/FieldError";
import { TextArea } from "../../shared/components/TextInput";
import { MAX_TEXT } from "../../shared/limits";
import { t } from "../../shared/messages";
import { sentence } from "../../shared/sentences";
import { dateTime } from "../formatting";
import "./CommentDialog.css";

export interface CommentDialogProps {
  participant: Pt.Participant;
  onSend: (text: string) => void;
  onClose: () => void;
}

/** The comments exchanged with one person, and a reply. */
export function CommentDialog({ participant, onSend, onClose }: CommentDialogProps) {
  const { name, comments } = participant;
  const [text, setText] = useState("");
  const [error, setError] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  const send = () => {
    if (text.trim()) {
      onSend(text);
      return;
    }
    setError(sentence("blank"));
    field.current?.focus();
  };
  return (
    <Dialog
      title={t("Comments: {name}", { name })}
      testid="comment-dialog"
      wide
      focus={field}
      onSubmit={send}
      onClose={onClose}
      actions={
        <>
          <DialogButton onClick={onClose}>{t("Close")}</DialogButton>
          <DialogButton main testid="comment-send">
            {t("Send comment")}
          </DialogButton>
        </>
      }
    >
      {comments.length ? (
        <ol class="stack" data-testid="thread">
          {comments.map((comment, i) => (
            <Comment key={i} comment={comment} />
          ))}
        </ol>
      ) : (
        <p class="quiet">{t("No comments yet. {name} sees what you write here.", { name })}</p>
      )}
      <label class="stacked stack">
        <span>{t("Your comment")}</span>
        <TextArea
          ref={field}
          rows={3}
          maxLength={MAX_TEXT}
          testid="comment-text"
          aria-label={t("Your comment")}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <FieldError>{error}</FieldError>
    </Dialog>
  );
}

function Comment({ comment }: { comment: Pt.Participant["comments"][number] }) {
  const { by, at, text, returns, differences } = comment;
  return (
    <li class="comment framed">
      <p class="caption">
        {by} · {dateTime(at)}
        {returns ? ` · ${t("sent back")}` : ""}
      </p>
      <p class="pre">{text}</p>
      {differences?.length ? (
        <p class="caption">
          {t("Named: {labels}", { labels: differences.map(({ label }) => label).join(", ") })}
        </p>
      ) : null}
    </li>
  );
}
