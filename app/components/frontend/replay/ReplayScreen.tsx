import { Hosted } from "../shared/components/Hosted";
import { AttemptColumn } from "./AttemptColumn";
import { PlaybackBar } from "./PlaybackBar";
import type { Replay } from "./replay";
import { GAP } from "./timeline_canvas";

/** The question, the bar, the time line, and a column per attempt. */
export function ReplayScreen({ replay }: { replay: Replay }) {
  const { player, views, data } = replay;
  return (
    <>
      {data.question ? (
        <p class="ellipsis strong" title={data.question}>
          {data.question}
        </p>
      ) : null}
      <PlaybackBar
        store={replay.store}
        duration={player.duration}
        words={(index) => eventWords(replay, index)}
        onToggle={() => replay.act(() => player.toggle())}
        onStep={(by) => replay.act(() => player.step(by))}
        onSpeed={(speed) => replay.act(() => player.setSpeed(speed))}
        onSkip={(skip) => replay.setSkip(skip)}
      />
      <div class="lanes">
        <div class="lane-names caption">
          {data.attempts.map(({ id, name, lanes }, attempt) => (
            <div key={id} class="lane-block" style={{ marginTop: attempt ? `${GAP}px` : 0 }}>
              {data.attempts.length > 1 ? (
                <span class="lane-owner ellipsis strong" title={name}>
                  {name}
                </span>
              ) : null}
              <div>
                {lanes.map(([lane, laneName]) => (
                  <div key={lane} class="lane-name">
                    {laneName}
                  </div>
                ))}
              </div>
            </div>
          ))}
        </div>
        <Hosted element={replay.timeline.element} />
      </div>
      <div class="columns">
        {views.map((view, attempt) => (
          <AttemptColumn
            key={view.track.data.id}
            view={view}
            isWide={views.length === 1}
            imageUrl={replay.imageUrl}
            onJump={(seq) => replay.act(() => player.jump(attempt, seq))}
          />
        ))}
      </div>
    </>
  );
}

function eventWords({ player, data }: Replay, index: number) {
  const event = player.events[index];
  if (!event) return "";
  const { name, moments } = data.attempts[event.attempt];
  const words = moments[event.seq - 1][2];
  return data.attempts.length > 1 ? `${name}: ${words}` : words;
}
