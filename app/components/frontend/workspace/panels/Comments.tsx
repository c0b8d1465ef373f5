import { useComputed, useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "../../shared/components/Button";
import { FieldError } from "../../shared/components/FieldError";
import { Icon } from "../../shared/components/Icon";
import { TextArea } from "../../shared/components/TextInput";
import { MAX_TEXT } from "../../shared/limits";
import { t, tn } from "../../shared/messages";
import { dayWords, sameDay, timeOfDay } from "../../shared/notation";
import { isAsked } from "../state/attempt_state";
import { DifferenceTable } from "./DifferenceTable";
import "./Comments.css";

export interface CommentsProps {
  store: Pt.Store;
  onType: (text: string) => void;
  /** returns whether the reply was taken */
  onSend: () => boolean;
}

/** The comments on a task: what it was sent back with, and a reply. */
export function Comments({ store, onType, onSend }: CommentsProps) {
  const comments = useComputed(() => store.state.value.comments).value;
  const isOpenReturn = useComputed(() => isReturned(store.state.value)).value;
  return (
    <section
      class={isOpenReturn ? "talk stack framed returned" : "talk stack framed"}
      data-testid="talk"
      aria-label={t("Comments")}
      hidden={!comments.length}
    >
      <Thread
        key={store.attempt.value}
        store={store}
        comments={comments}
        isReturned={isOpenReturn}
        onType={onType}
        onSend={onSend}
      />
      <p class="unseen" role="status" data-testid="talk-said">
        {announcement(comments, store.user.value)}
      </p>
    </section>
  );
}

/** Whether the task was sent back and not submitted since. */
function isReturned({ returned, status }: Pt.AttemptState) {
  return returned && status !== "submitted" && status !== "skipped";
}

function announcement(comments: Pt.Comment[], user: Pt.SignedInPerson) {
  const last = comments.at(-1);
  if (!last || isOwn(last, user)) return "";
  const values = { name: last.by, text: last.text };
  return last.returns
    ? t("{name} sent this task back: {text}", values)
    : t("{name} commented: {text}", values);
}

interface ThreadProps extends CommentsProps {
  comments: Pt.Comment[];
  isReturned: boolean;
}

function Thread({ store, comments, isReturned, onType, onSend }: ThreadProps) {
  const user = store.user.value;
  const returned = useComputed(() => store.state.value.returned).value;
  const isOpen = useSignal(returned || isAsked(store.data.state, user));
  const body = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    if (returned) isOpen.value = true;
  }, [returned]);
  useLayoutEffect(() => {
    // The last comment from its beginning: in a low window the reply below it may have no room.
    const last = list.current?.lastElementChild;
    if (body.current && last instanceof HTMLElement)
      body.current.scrollTop = last.offsetTop - body.current.offsetTop;
  }, [comments, isOpen.value]);
  const sentBack = isReturned ? comments.findLast((comment) => comment.returns) : undefined;
  return (
    <>
      <h2>
        <button
          type="button"
          class="talk-head line bare"
          data-testid="talk-toggle"
          aria-controls="pt-talk"
          aria-expanded={isOpen.value}
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          <span class="icon-slot">
            <Icon name={isReturned ? "undo" : "comment"} />
          </span>
          <span class="talk-title wrap" data-testid="talk-title">
            {sentBack
              ? t("Sent back by {name}, {time}", {
                  name: author(sentBack, user),
                  time: whenWords(sentBack.at),
                })
              : t("Comments")}
          </span>
          <span class="talk-count quiet medium fill" data-testid="talk-count">
            {countWords(comments, user, isReturned, isOpen.value)}
          </span>
          <span class="icon-slot">
            <Icon name={isOpen.value ? "up" : "down"} />
          </span>
        </button>
      </h2>
      <div
        ref={body}
        class="talk-body stack inset-focus"
        id="pt-talk"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keyboard
        tabIndex={0}
        role="group"
        aria-label={t("Comments on this task")}
        hidden={!isOpen.value}
      >
        <ol
          ref={list}
          class={comments.length === 1 ? "talk-list stack alone" : "talk-list stack"}
          data-testid="talk-list"
        >
          {comments.map((comment) => (
            <Entry key={comment.seq} comment={comment} user={user} />
          ))}
        </ol>
        {store.archived.value ? null : (
          <ReplyForm reply={store.reply.value} onType={onType} onSend={onSend} />
        )}
        <FieldError id="pt-reply-error" testid="reply-error">
          {store.reply.value.error}
        </FieldError>
      </div>
    </>
  );
}

/** "2 comments, last by sven"; empty where the heading says it all. */
function countWords(
  comments: Pt.Comment[],
  user: Pt.SignedInPerson,
  isReturned: boolean,
  isOpen: boolean,
) {
  const last = comments.at(-1);
  const isSaid = isReturned && last === comments.findLast((comment) => comment.returns);
  if (isReturned && comments.length === 1) return "";
  const number = isReturned
    ? tn("{number} comment", "{number} comments", comments.length)
    : String(comments.length);
  return last && !isSaid && !isOpen
    ? t("{comments}, last by {name}", { comments: number, name: author(last, user) })
    : number;
}

function Entry({ comment, user }: { comment: Pt.Comment; user: Pt.SignedInPerson }) {
  const { at, differences, returns, text } = comment;
  return (
    <li class="talk-entry stack" data-testid="comment" data-own={isOwn(comment, user)}>
      <p class="talk-meta caption">
        <strong>{author(comment, user)}</strong>
        {` ${returns ? `${t("sent the task back")} · ` : ""}${whenWords(at)}`}
      </p>
      <p class="talk-text pre">{text}</p>
      {differences.length ? <DifferenceTable differences={differences} /> : null}
    </li>
  );
}

interface ReplyFormProps extends Omit<CommentsProps, "store"> {
  reply: Pt.WorkspaceData["reply"];
}

function ReplyForm({ reply, onType, onSend }: ReplyFormProps) {
  const input = useRef<HTMLTextAreaElement>(null);
  const send = (event: Event) => {
    event.preventDefault();
    if (!onSend()) input.current?.focus();
  };
  // Ctrl+Enter is the reply's while one is typed, not the task's.
  return (
    <form class="talk-form" data-keys="Enter Control+Enter" onSubmit={send}>
      <label class="unseen" for="pt-reply">
        {t("Reply")}
      </label>
      <TextArea
        ref={input}
        id="pt-reply"
        testid="reply"
        rows={1}
        maxLength={MAX_TEXT}
        placeholder={t("Reply")}
        aria-describedby="pt-reply-error"
        value={reply.text}
        onInput={(event) => onType(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send(event);
        }}
      />
      <Button type="submit" testid="reply-send" title={t("Send the reply (Ctrl+Enter)")}>
        {t("Send reply")}
      </Button>
    </form>
  );
}

/** A comment that was just sent has no author yet. */
function isOwn({ by }: Pt.Comment, user: Pt.SignedInPerson) {
  return by === null || by === user.name;
}

function author(comment: Pt.Comment, user: Pt.SignedInPerson) {
  return isOwn(comment, user) ? t("You") : comment.by;
}

/** "14:02" today, else "3 Mar, 14:02"; null is this moment. */
function whenWords(at: string | null) {
  if (at === null) return t("just now");
  const now = new Date();
  const time = timeOfDay(at, false);
  return sameDay(at, now) ? time : `${dayWords(at, now)}, ${time}`;
}
