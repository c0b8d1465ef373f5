import { useComputed } from "@preact/signals";
import { IconButton } from "../shared/components/Button";
import { t } from "../shared/messages";
import type { Store } from "../shared/store";
import { clockTime } from "./formatting";
import { SPEEDS } from "./player";
import type { ReplayValues } from "./replay";

export interface PlaybackBarProps {
  store: Store<ReplayValues>;
  /** milliseconds */
  duration: number;
  /** an event in words, by its index */
  words: (index: number) => string;
  onToggle: () => void;
  onStep: (by: 1 | -1) => void;
  onSpeed: (speed: number) => void;
  onSkip: (skip: boolean) => void;
}

/** The bar above the time line: play, steps, time, speed, gaps. */
export function PlaybackBar({ store, duration, words, ...actions }: PlaybackBarProps) {
  // Rendered when the text changes, not with every frame.
  const time = useComputed(() => `${clockTime(store.t.value)} / ${clockTime(duration)}`);
  const isPlaying = store.playing.value;
  return (
    <div class="transport line" role="toolbar" aria-label={t("Replay")}>
      <IconButton
        icon="previous"
        label={t("Previous event (←)")}
        testid="replay-previous"
        onClick={() => actions.onStep(-1)}
      />
      <IconButton
        class="icon-button play"
        icon={isPlaying ? "pause" : "play"}
        label={isPlaying ? t("Pause (space)") : t("Play (space)")}
        testid="replay-play"
        data-playing={String(isPlaying)}
        onClick={actions.onToggle}
      />
      <IconButton
        icon="next"
        label={t("Next event (→)")}
        testid="replay-next"
        onClick={() => actions.onStep(1)}
      />
      <span class="replay-time number" data-testid="replay-time">
        {time}
      </span>
      <label class="replay-speed inline nowrap">
        <span>{t("Speed")}</span>
        <select
          aria-label={t("Speed")}
          title={t("Speed (+ and −)")}
          data-testid="replay-speed"
          value={String(store.speed.value)}
          onChange={(event) => actions.onSpeed(Number(event.currentTarget.value))}
        >
          {SPEEDS.map((speed) => (
            <option key={speed} value={String(speed)}>
              {speed}×
            </option>
          ))}
        </select>
      </label>
      <label
        class="replay-skip inline nowrap"
        title={t("Gaps of more than 5 s are played, and drawn, as 5 s")}
      >
        <input
          type="checkbox"
          data-testid="replay-skip"
          checked={store.skip.value}
          onChange={(event) => actions.onSkip(event.currentTarget.checked)}
        />
        {t("Shorten idle gaps")}
      </label>
      <LastEvent words={words(store.index.value)} />
    </div>
  );
}

function LastEvent({ words }: { words: string }) {
  return (
    <span class="replay-happened quiet ellipsis fill" data-testid="replay-happened" title={words}>
      {words}
    </span>
  );
}
