import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import { Button, IconButton } from "../../shared/components/Button";
import { withKey } from "../../shared/keys";
import { t } from "../../shared/messages";
import type { JudgedUnit } from "../../shared/readiness";
import type { ScreenReadiness } from "../readiness/look_reports";
import { useReady, useWatched } from "../readiness/look_reports";
import { isReadOnly } from "../state/attempt_state";
import { formOf } from "../state/form_state";
import { ChoiceCell } from "./RecordCells";
import { decisionOf } from "./record_state";
import type { ShownSteps } from "./step_replay";
import "./StepBar.css";

export interface StepBarActions {
  readonly readiness: ScreenReadiness;
  /** What a verdict on the present step is about; null where it has no row. */
  readonly unit: JudgedUnit | null;
  move(by: number): void;
  play(): void;
  showAll(showsAll: boolean): void;
  decide(option: string): void;
}

export interface StepBarProps {
  store: Pt.Store;
  playButton: RefObject<HTMLButtonElement | null>;
  /** the button of the present step's mark that takes the focus */
  markRef: (button: HTMLElement | null) => void;
  actions: StepBarActions;
}

/** Where one is in the replay of the steps that are judged. */
export function StepBar({ store, playButton, markRef, actions }: StepBarProps) {
  const steps = store.steps.value;
  if (!steps) return null;
  const { frames, at, rows, showsAll, isPlaying } = steps;
  const { step, found } = frames[at];
  const words = wordsOf(steps);
  return (
    <div
      class="step-bar line"
      role="toolbar"
      aria-label={t("Replay of the steps")}
      data-testid="step-bar"
    >
      <IconButton
        icon="previous"
        label={withKey(t("Previous step"), "previousStep")}
        testid="step-previous"
        onClick={() => actions.move(-1)}
      />
      <IconButton
        icon={isPlaying ? "pause" : "play"}
        label={isPlaying ? withKey(t("Stop"), "playSteps") : withKey(t("Play"), "playSteps")}
        testid="step-play"
        ref={playButton}
        onClick={() => actions.play()}
      />
      <IconButton
        icon="next"
        label={withKey(t("Next step"), "nextStep")}
        testid="step-next"
        onClick={() => actions.move(1)}
      />
      <strong class="nowrap number" data-testid="step-number">
        {t("Step {step} of {number}", { step: step + 1, number: rows.length })}
      </strong>
      <span class="ellipsis fill" role="status" data-testid="step-said" title={words}>
        {words}
      </span>
      {found ? (
        <Button
          testid="step-all-pages"
          title={t("Show all pages of this task instead of what the search found")}
          aria-pressed={showsAll}
          onClick={() => actions.showAll(!showsAll)}
        >
          {t("All pages")}
        </Button>
      ) : null}
      <div class="step-marks" data-testid="step-marks">
        <StepMark store={store} steps={steps} markRef={markRef} actions={actions} />
      </div>
    </div>
  );
}

/** What was done in the present step. */
function wordsOf({ frames, at, showsAll }: ShownSteps) {
  const { step, said, page, seen, found } = frames[at];
  // The results' heading says what was searched for.
  const done = found?.step === step && !showsAll ? "" : said;
  const unseen = page
    ? t("No page was open yet: this is the first result.")
    : t("No page was open yet: the one below is not of this step.");
  return [done, seen ? "" : unseen].filter(Boolean).join(" · ");
}

interface StepMarkProps extends Pick<StepBarProps, "store" | "markRef" | "actions"> {
  steps: ShownSteps;
}

function StepMark({ store, steps, markRef, actions }: StepMarkProps) {
  const [protocol, state, given] = [
    store.protocol.value,
    store.state.value,
    store.given_pages.value,
  ];
  const element = useRef<HTMLDivElement>(null);
  const { readiness, unit } = actions;
  const isReady = useReady(readiness, unit?.looks ?? []);
  useWatched(readiness, element, unit?.id ?? null);
  const form = formOf({ protocol, state, given_pages: given });
  const spec = form.field(steps.field);
  const decision = spec && decisionOf(spec);
  if (!spec || !decision || !form.asked(spec)) return null;
  const present = steps.rows[steps.frames[steps.at].step];
  const stored = form.rows(spec).find(({ row }) => row === present);
  return (
    <div ref={element} data-verdict-ready={isReady}>
      <ChoiceCell
        column={decision}
        value={stored?.values[decision.name] ?? ""}
        readOnly={isReadOnly(state) || store.timeOver.value}
        focusRef={markRef}
        onChoose={(option) => actions.decide(option)}
        onMove={(by) => actions.move(by)}
      />
    </div>
  );
}
