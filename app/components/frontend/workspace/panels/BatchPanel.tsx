import { useComputed } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Button, IconButton } from "../../shared/components/Button";
import { Icon } from "../../shared/components/Icon";
import { withKey } from "../../shared/keys";
import { N_, t, tn } from "../../shared/messages";
import { grouped } from "../../shared/notation";
import { includesPlace, samePlace } from "../../shared/places";
import { isReadOnly } from "../state/attempt_state";
import { type Ending, isDone } from "../sync/waiting_tasks";
import { duration } from "../sync/working_time";
import { allowedPages } from "../viewer/allowed_pages";
import "./BatchPanel.css";

const SOON_MS = 60000;

export interface BatchPanelProps {
  store: Pt.Store;
  onOpenTask: (attempt: string) => void;
  onFinish: () => void;
  onOpenCitation: (citation: Pt.Citation, stamp: number) => void;
  onRemoveCitation: (citation: Pt.Citation) => void;
  onOpenBookmark: (place: Pt.Place, stamp: number) => void;
  onRemoveBookmark: (place: Pt.Place) => void;
  onSearchAgain: (search: Pt.Search) => void;
  onPause: () => void;
  onReadGuidelines: () => void;
  onShowKeys: () => void;
  /** The list that had the focus is empty. */
  onFocusLost: () => void;
}

/** The left panel: progress and tasks, citations, search history, clock, guidelines, keys. */
export function BatchPanel({ store, ...actions }: BatchPanelProps) {
  const attempt = store.attempt.value;
  const panel = useScrollToTop<HTMLElement>(attempt);
  const lists = useScrollToTop<HTMLDivElement>(attempt);
  const { evidence, search, clock } = store.protocol.value;
  return (
    <aside ref={panel} class="left scrolls column" aria-label={t("Batch")}>
      <div class="batch stack">
        <a
          class="home inline medium"
          data-testid="home"
          title={t("My batches")}
          href={store.home.value || "/"}
        >
          <Icon name="home" />
          {t("My batches")}
        </a>
        <Progress store={store} onOpenTask={actions.onOpenTask} onFinish={actions.onFinish} />
      </div>
      <div ref={lists} class="left-scroll scrolls stack">
        {evidence.enabled ? <Citations store={store} {...actions} /> : null}
        <Bookmarks store={store} {...actions} />
        {search.enabled ? (
          <SearchHistory store={store} onSearchAgain={actions.onSearchAgain} />
        ) : null}
      </div>
      <div class="left-foot">
        {clock.visible || clock.pause ? <Clock store={store} onPause={actions.onPause} /> : null}
        <TimeLeft store={store} />
        <div class="tools">
          <Tool
            icon="book"
            text={t("Guidelines")}
            command="guidelines"
            testid="guidelines"
            onClick={actions.onReadGuidelines}
          />
          <Tool
            icon="help"
            text={t("Keys")}
            command="help"
            testid="help"
            onClick={actions.onShowKeys}
          />
        </div>
      </div>
    </aside>
  );
}

/** Scrolls an element back to its top when the attempt changes. */
export function useScrollToTop<Scrolled extends HTMLElement>(attempt: string) {
  const element = useRef<Scrolled>(null);
  useLayoutEffect(() => {
    if (element.current) element.current.scrollTop = 0;
  }, [attempt]);
  return element;
}

interface ToolProps {
  icon: string;
  text: string;
  command: "guidelines" | "help";
  testid: string;
  onClick: () => void;
}

function Tool({ icon, text, command, testid, onClick }: ToolProps) {
  return (
    <Button
      class="button quiet-button"
      testid={testid}
      title={withKey(text, command)}
      onClick={onClick}
    >
      <Icon name={icon} />
      {text}
    </Button>
  );
}

type ProgressProps = Pick<BatchPanelProps, "store" | "onOpenTask" | "onFinish">;

function Progress({ store, onOpenTask, onFinish }: ProgressProps) {
  const { tasks, size, position, code_name: name, closed } = store.batch.value;
  const attempt = store.attempt.value;
  const loading = store.loading.value;
  const isDraft = store.review.value !== null; // a gold draft belongs to no batch
  const waiting = store.waiting.value;
  const done = tasks.filter((task) => isDone(task, waiting)).length;
  const words = t("{done} of {size} done", { done, size });
  return (
    <>
      <div class="batch-line spread">
        <h1 class="batch-name" data-testid="batch-name">
          {isDraft ? t("Gold draft") : name}
        </h1>
        {size === null ? null : (
          <span class="batch-count quiet number" data-testid="batch-count">
            {isDraft ? store.campaign.value.name : t("{position} of {size}", { position, size })}
          </span>
        )}
      </div>
      {size === null ? null : (
        <div
          class="bar"
          role="progressbar"
          aria-label={t("Tasks done")}
          aria-valuemin={0}
          aria-valuemax={size}
          aria-valuenow={done}
          aria-valuetext={words}
          title={words}
          data-testid="progress"
        >
          <span class="bar-fill" style={{ width: `${(100 * done) / Math.max(1, size)}%` }} />
        </div>
      )}
      <nav aria-label={t("Tasks of the batch")}>
        {size === null ? null : (
          <ol class="dots">
            {tasks.map((task) => (
              <TaskDot
                key={task.attempt}
                task={task}
                waiting={waiting.get(task.attempt)}
                isCurrent={task.attempt === attempt}
                isLoading={task.attempt === loading}
                onOpen={() => onOpenTask(task.attempt)}
              />
            ))}
          </ol>
        )}
      </nav>
      {done < tasks.length || closed ? null : (
        <Button class="button block" testid="finish" onClick={onFinish}>
          {t("All tasks done: finish the batch")}
        </Button>
      )}
    </>
  );
}

const STATUS_WORDS = {
  returned: N_("sent back"),
  next_round: N_("back from a model"),
  new: N_("not started"),
  open: N_("in progress"),
  submitted: N_("submitted"),
  skipped: N_("skipped"),
  waiting: N_("sent when online"),
};

interface TaskDotProps {
  task: Pt.ShownBatchTask;
  /** how it ends once the connection is back */
  waiting: Ending | undefined;
  isCurrent: boolean;
  isLoading: boolean;
  onOpen: () => void;
}

function TaskDot({ task, waiting, isCurrent, isLoading, onOpen }: TaskDotProps) {
  const { attempt, position, question, flagged, has_question: hasComment, returned, locked } = task;
  const status = waiting ? "waiting" : task.status;
  const isBackFromModel = status === "open" && task.round > 1;
  const statusWord = returned ? "returned" : isBackFromModel ? "next_round" : status;
  const words = [
    t("Task {position}", { position }),
    t(STATUS_WORDS[statusWord]),
    flagged && t("flagged"),
    hasComment && t("with a comment"),
  ];
  const label = words.filter(Boolean).join(", ") + (question && `: ${question}`);
  const mark = returned ? "undo" : isBackFromModel ? "swap" : hasComment ? "comment" : null;
  return (
    <li>
      <button
        type="button"
        class={`dot number ${status}${returned ? " returned" : ""}${isLoading ? " loading" : ""}`}
        data-testid="task-dot"
        title={label}
        aria-label={label}
        aria-current={isCurrent ? "true" : undefined}
        data-attempt={attempt}
        data-status={status}
        disabled={locked && !isCurrent}
        onClick={onOpen}
      >
        <span>{position}</span>
        {flagged ? (
          <span class="dot-flag">
            <Icon name="flag" />
          </span>
        ) : null}
        {mark ? (
          <span class="dot-talk">
            <Icon name={mark} />
          </span>
        ) : null}
      </button>
    </li>
  );
}

const pageKey = ({ document, page }: Pt.Place) => `${page} ${document}`;

type CitationsProps = Pick<
  BatchPanelProps,
  "store" | "onOpenCitation" | "onRemoveCitation" | "onFocusLost"
>;

function Citations({ store, onOpenCitation, onRemoveCitation, onFocusLost }: CitationsProps) {
  const citations = useComputed(() => store.state.value.citations).value;
  const hint = store.protocol.value.evidence.required
    ? t("Cite each page that your answer rests on.")
    : t("Pages that you cite appear here.");
  return (
    <section class="block" aria-label={t("Citations")}>
      <ListHead title={t("Citations")} count={citations.length} />
      <PageList
        store={store}
        places={citations}
        testid="citations"
        rowTestid="citation"
        hint={hint}
        removeLabel={t("Remove this citation")}
        removeWords={(place) => t("Remove citation: {document}, {words}", place)}
        onOpen={onOpenCitation}
        onRemove={onRemoveCitation}
        onFocusLost={onFocusLost}
      />
    </section>
  );
}

type BookmarksProps = Pick<
  BatchPanelProps,
  "store" | "onOpenBookmark" | "onRemoveBookmark" | "onFocusLost"
>;

/** Pages bookmarked in this or another task of the batch, where the campaign allows it. */
function Bookmarks({ store, onOpenBookmark, onRemoveBookmark, onFocusLost }: BookmarksProps) {
  const bookmarks = useComputed(() => store.state.value.bookmarks).value;
  const allowed = useComputed(() => allowedPages(store.tracked)).value;
  if (!store.protocol.value.aids.bookmarks || store.review.value) return null;
  return (
    <section class="block" aria-label={t("Bookmarks")}>
      <ListHead title={t("Bookmarks")} count={bookmarks.length} />
      <PageList
        store={store}
        places={bookmarks}
        testid="bookmarks"
        rowTestid="bookmark-row"
        hint={t("Pages that you bookmark are here in all tasks of this batch.")}
        removeLabel={t("Remove this bookmark")}
        removeWords={(place) => t("Remove bookmark: {document}, {words}", place)}
        isClosed={(place) => allowed !== null && !includesPlace(allowed, place)}
        onOpen={onOpenBookmark}
        onRemove={onRemoveBookmark}
        onFocusLost={onFocusLost}
      />
    </section>
  );
}

interface PageListProps<Listed extends Pt.Place> {
  store: Pt.Store;
  places: readonly Listed[];
  testid: string;
  rowTestid: string;
  /** instead of an empty list */
  hint: string;
  removeLabel: string;
  /** the label with the page's name */
  removeWords: (place: { document: string; words: string }) => string;
  /** Whether the page cannot be opened in this task. */
  isClosed?: (place: Listed) => boolean;
  onOpen: (place: Listed, stamp: number) => void;
  onRemove: (place: Listed) => void;
  onFocusLost: () => void;
}

/** Pages that open by a click and can be removed; the focus then goes to a neighbour. */
function PageList<Listed extends Pt.Place>({ store, places, ...props }: PageListProps<Listed>) {
  const readOnly = useComputed(() => isReadOnly(store.state.value)).value;
  const documents = store.documents.value;
  const open = store.page.value;
  const removeButtons = useRef(new Map<string, HTMLButtonElement>());
  const remove = (place: Listed) => {
    const index = places.indexOf(place);
    const neighbour = places[index + 1] ?? places[index - 1];
    props.onRemove(place);
    const button = neighbour && removeButtons.current.get(pageKey(neighbour));
    if (button) button.focus();
    else props.onFocusLost();
  };
  return (
    <ul data-testid={props.testid}>
      {places.length ? null : <li class="empty-line caption">{props.hint}</li>}
      {places.map((place) => (
        <PageRow
          key={pageKey(place)}
          place={place}
          testid={props.rowTestid}
          pageCount={documents[place.document]?.n_pages}
          isCurrent={samePlace(open, place)}
          isClosed={props.isClosed?.(place) ?? false}
          removeLabel={props.removeLabel}
          removeWords={props.removeWords}
          removeRef={(button) => {
            if (button) removeButtons.current.set(pageKey(place), button);
            else removeButtons.current.delete(pageKey(place));
          }}
          onOpen={(stamp) => props.onOpen(place, stamp)}
          onRemove={readOnly ? null : () => remove(place)}
        />
      ))}
    </ul>
  );
}

function ListHead({ title, count }: { title: string; count: number }) {
  return (
    <h2>
      {title}
      <span class="count quiet number">{count || ""}</span>
    </h2>
  );
}

interface PageRowProps extends Pick<PageListProps<Pt.Place>, "removeLabel" | "removeWords"> {
  place: Pt.Place;
  testid: string;
  /** of the document, once known */
  pageCount: number | undefined;
  isCurrent: boolean;
  isClosed: boolean;
  removeRef: (button: HTMLButtonElement | null) => void;
  onOpen: (stamp: number) => void;
  onRemove: (() => void) | null;
}

function PageRow({ place, testid, pageCount, isCurrent, removeRef, ...props }: PageRowProps) {
  const { document, page } = place;
  const words = pageCount
    ? t("page {page} of {number}", { page, number: grouped(pageCount) })
    : t("page {page}", { page });
  return (
    <li class="row" data-testid={testid} data-document={document} data-page={page}>
      <button
        type="button"
        class="row-main bare column"
        data-testid={`${testid}-open`}
        title={
          props.isClosed
            ? t("{document}, {words}: not a page of this task", { document, words })
            : `${document}, ${words}`
        }
        disabled={props.isClosed}
        aria-current={isCurrent ? "true" : undefined}
        onClick={(event) => props.onOpen(event.timeStamp)}
      >
        <span class="row-title wrap medium">{document}</span>
        <span class="row-note caption number">{words}</span>
      </button>
      {props.onRemove ? (
        <IconButton
          ref={removeRef}
          icon="close"
          class="icon-button small"
          label={props.removeLabel}
          aria-label={props.removeWords({ document, words })}
          testid={`${testid}-remove`}
          onClick={props.onRemove}
        />
      ) : null}
    </li>
  );
}

/** Each search once: a look back at one is no entry. */
function SearchHistory({ store, onSearchAgain }: Pick<BatchPanelProps, "store" | "onSearchAgain">) {
  const all = useComputed(() => store.state.value.searches).value;
  const readOnly = useComputed(() => isReadOnly(store.state.value)).value;
  const searches = all.filter((search) => !search.looks_back_at).reverse();
  return (
    <section class="block" aria-label={t("Searches")}>
      <ListHead title={t("Searches")} count={searches.length} />
      <ul data-testid="history">
        {searches.length ? null : (
          <li class="empty-line caption">
            {t("Your searches appear here; click one to run it again.")}
          </li>
        )}
        {searches.map((search) => (
          <SearchRow
            key={search.search_id}
            search={search}
            readOnly={readOnly}
            onSearchAgain={() => onSearchAgain(search)}
          />
        ))}
      </ul>
    </section>
  );
}

interface SearchRowProps {
  search: Pt.Search;
  readOnly: boolean;
  onSearchAgain: () => void;
}

function SearchRow({ search, readOnly, onSearchAgain }: SearchRowProps) {
  const { query, refusal, total_hits: hits, results } = search;
  return (
    <li class="row">
      <button
        type="button"
        class="row-main history-item bare line spread fill"
        data-testid="history-item"
        disabled={readOnly}
        title={refusal ?? t("Run again: {query}", { query })}
        onClick={onSearchAgain}
      >
        <span class="row-title ellipsis medium">{query}</span>
        <span class="row-note caption number">
          {refusal ? t("not run") : tn("{number} page", "{number} pages", hits ?? results.length)}
        </span>
      </button>
    </li>
  );
}

function Clock({ store, onPause }: Pick<BatchPanelProps, "store" | "onPause">) {
  const { visible, pause } = store.protocol.value.clock;
  const { worked, isIdle, isStopped } = store.workingTime.value;
  return (
    <div class={isIdle || isStopped ? "clock line idle" : "clock line"}>
      <Icon name="clock" />
      {visible ? (
        <span
          class="time number"
          data-testid="clock"
          title={
            isIdle
              ? t("Working time; it stops while nothing happens")
              : t("Working time on this task")
          }
        >
          {duration(worked)}
        </span>
      ) : null}
      {pause ? (
        <Button
          testid="pause"
          title={withKey(t("Pause the clock"), "pause")}
          disabled={isReadOnly(store.state.value)}
          onClick={onPause}
        >
          <Icon name="pause" />
          <span>{t("Pause")}</span>
        </Button>
      ) : null}
    </div>
  );
}

function TimeLeft({ store }: { store: Pt.Store }) {
  const { left } = store.workingTime.value;
  if (left === null || isReadOnly(store.state.value)) return null;
  return (
    <p class={`limit quiet number medium${left < SOON_MS ? " soon" : ""}`} data-testid="time-left">
      {left === 0
        ? t("The time is over.")
        : t("{time} left for this task", { time: duration(left + 999) })}
    </p>
  );
}
