import { useSignal } from "@preact/signals";
import { t, tn } from "../shared/messages";
import type { AttemptView } from "./attempt_view";
import { CurrentState } from "./CurrentState";
import { EventList } from "./EventList";
import { clockTime } from "./formatting";
import { PagePane } from "./PagePane";
import type { Track } from "./script_state";
import "./AttemptColumn.css";

export interface AttemptColumnProps {
  view: AttemptView;
  /** whether it has the screen for itself */
  isWide: boolean;
  imageUrl: (sha: string, page: number, dpi: number) => string;
  onJump: (seq: number) => void;
}

/** Texts that need more room than a field. */
const WIDE_TEXTS = ["transcript", "tables"];

/** One attempt: whose it is, its page, what it has so far, and its events. */
export function AttemptColumn({ view, isWide, imageUrl, onJump }: AttemptColumnProps) {
  const { track } = view;
  const pane = <PagePane view={view} imageUrl={imageUrl} />;
  const current = <CurrentState view={view} />;
  const events = <EventList track={track} seq={view.seq} onJump={onJump} />;
  const width = isWide ? "wide" : "narrow";
  const hasText = track.data.textNames.some(([name]) => WIDE_TEXTS.includes(name));
  return (
    <section
      class={`replay-column column ${width}${hasText ? " with-text" : ""}`}
      aria-label={track.data.name}
      data-testid="replay-column"
    >
      <ColumnHead track={track} />
      <div class="column-body framed">
        {isWide ? events : null}
        {pane}
        {isWide ? current : <Tabs panels={{ "So far": current, Events: events }} />}
      </div>
    </section>
  );
}

function ColumnHead({ track }: { track: Track }) {
  const { name, system, state, result, pace, duration } = track.data;
  return (
    <header class="column-head line">
      <h2>{name}</h2>
      {system ? <span class="pill">{t("System")}</span> : null}
      <span>{state}</span>
      {result ? (
        <span class="pill" data-tone={result.tone} title={result.parts}>
          {result.words}
        </span>
      ) : null}
      <span class="quiet">
        {tn("{number} event", "{number} events", track.length)} · {pace || clockTime(duration)}
      </span>
    </header>
  );
}

/** In half the width there is room for one of the two. */
function Tabs({ panels }: { panels: Record<string, preact.JSX.Element> }) {
  const chosen = useSignal(Object.keys(panels)[0]);
  return (
    <div class="tabbed column">
      <div class="tabs">
        {Object.keys(panels).map((name) => (
          <button
            key={name}
            type="button"
            class="tab bare inset-focus medium"
            aria-pressed={name === chosen.value}
            onClick={() => {
              chosen.value = name;
            }}
          >
            {name}
          </button>
        ))}
      </div>
      {panels[chosen.value]}
    </div>
  );
}
