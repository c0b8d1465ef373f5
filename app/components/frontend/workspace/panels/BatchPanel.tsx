import { useComputed } from "@preact/signals";
import { Button } from "../../shared/components/Button";
import { Icon } from "../../shared/components/Icon";
import { withKey } from "../../shared/keys";
import { t, tn } from "../../shared/messages";
import { isReadOnly } from "../state/attempt_state";
import { duration } from "../sync/working_time";
import { Bookmarks, Citations, ListHead } from "./PageLists";
import { Progress } from "./Progress";
import { useScrollToTop } from "./scroll_to_top";
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
        : t("{time} left for this task", { time: duration(Math.ceil(left / 1000) * 1000) })}
    </p>
  );
}
