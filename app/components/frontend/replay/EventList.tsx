import { type ReadonlySignal, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../shared/messages";
import { clockTime } from "./formatting";
import type { Track } from "./script_state";
import "./EventList.css";

const ROW = 28; // as in EventList.css
const SPARE = 6;

export interface EventListProps {
  track: Track;
  /** the last event that has happened, 0 for none */
  seq: ReadonlySignal<number>;
  onJump: (seq: number) => void;
}

/** The events of one attempt in words: of thousands, only those in sight have nodes. */
export function EventList({ track, seq, onJump }: EventListProps) {
  const list = useRef<HTMLDivElement>(null);
  // Known here, so that no event has to ask for them and wait for the page's layout.
  const top = useSignal(0);
  const height = useSignal(0);
  useEffect(() => {
    const observer = new ResizeObserver(([{ contentRect }]) => {
      height.value = contentRect.height;
    });
    if (list.current) observer.observe(list.current);
    return () => observer.disconnect();
  }, [height]);
  // The last event that has happened stays in sight.
  useSignalEffect(() => {
    const y = (seq.value - 1) * ROW;
    const view = height.value;
    const shown = top.peek();
    if (!view || (y >= shown + ROW && y <= shown + view - 2 * ROW)) return;
    const most = Math.max(0, track.length * ROW - view);
    top.value = Math.min(most, Math.max(0, Math.round(y - view / 2)));
    if (list.current) list.current.scrollTop = top.value;
  });
  return (
    <div
      ref={list}
      class="events"
      data-testid="replay-events"
      onScroll={(event) => {
        const { scrollTop } = event.currentTarget;
        if (Math.abs(scrollTop - top.value) >= 1) top.value = scrollTop;
      }}
    >
      <ul
        class="event-spacer"
        aria-label={t("Events of {name}", { name: track.data.name })}
        style={{ height: `${track.length * ROW}px` }}
      >
        {seqsInSight(top.value, height.value, track.length).map((shown) => (
          <EventRow key={shown} track={track} seq={shown} current={seq.value} onJump={onJump} />
        ))}
      </ul>
    </div>
  );
}

function seqsInSight(top: number, height: number, count: number) {
  if (!height) return [];
  const first = Math.max(0, Math.floor(top / ROW) - SPARE);
  const last = Math.min(count, Math.ceil((top + height) / ROW) + SPARE);
  return Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index + 1);
}

interface EventRowProps {
  track: Track;
  seq: number;
  current: number;
  onJump: (seq: number) => void;
}

function EventRow({ track, seq, current, onJump }: EventRowProps) {
  const [t, lane, text] = track.data.moments[seq - 1];
  return (
    <li
      class="event-row"
      aria-setsize={track.length}
      aria-posinset={seq}
      style={{ transform: `translateY(${(seq - 1) * ROW}px)` }}
    >
      <button
        type="button"
        class={`event bare list-row inset-focus medium ${seq > current ? "to-come" : ""}`}
        data-testid="replay-event"
        data-seq={seq}
        data-lane={lane}
        title={text}
        aria-current={seq === current ? "true" : undefined}
        onClick={() => onJump(seq)}
      >
        <span class="event-time number">{track.data.timed ? clockTime(t) : seq}</span>
        <span class="ellipsis">{text}</span>
      </button>
    </li>
  );
}
