import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { Button, FoldButton, IconButton } from "../../shared/components/Button";
import { KeyHint } from "../../shared/components/KeyHint";
import { LiveRegion } from "../../shared/components/LiveRegion";
import { PatchText, patchStateWords } from "../../shared/components/PatchText";
import { keyName } from "../../shared/keys";
import { t, tn } from "../../shared/messages";
import { patchUnit } from "../readiness/judged_units";
import { type ScreenReadiness, useReady, useWatched } from "../readiness/look_reports";

export interface PatchBarProps {
  /** open ones in the order of the text, and those that are decided or no longer apply */
  open: Pt.TranscriptPatch[];
  closed: Pt.TranscriptPatch[];
  current: string | null;
  /** what was decided last, in words */
  decided: string;
  readOnly: boolean;
  readiness: ScreenReadiness;
  onStep: (by: 1 | -1) => void;
  onDecide: (decision: "accepted" | "rejected") => void;
  onAcceptAll: () => void;
  onReopen: (patch: string) => void;
}

/** What a model proposes: the current patch with its reason, and the keys that decide it. */
export function PatchBar(props: PatchBarProps) {
  const { open, closed, current, decided, readOnly, readiness, ...actions } = props;
  const element = useRef<HTMLElement>(null);
  const unit = current === null ? null : patchUnit(current);
  useWatched(readiness, element, unit?.id ?? null);
  const isReady = useReady(readiness, unit?.looks ?? []);
  const index = open.findIndex(({ id }) => id === current);
  const patch = open[index] ?? null;
  const place = patch
    ? t("Patch {position} of {number}", { position: index + 1, number: open.length })
    : openText(open.length);
  if (!open.length && !closed.length) return null;
  return (
    <section
      ref={element}
      class="patch-bar stack"
      aria-label={t("Proposed changes")}
      data-testid="patch-bar"
      data-verdict-ready={patch ? isReady : undefined}
    >
      <div class="line">
        <span class="strong medium" data-testid="patch-count">
          {place}
        </span>
        {open.length ? (
          <>
            <IconButton
              icon="up"
              label={t("Previous patch")}
              testid="patch-previous"
              onClick={() => actions.onStep(-1)}
            />
            <IconButton
              icon="down"
              label={t("Next patch")}
              testid="patch-next"
              onClick={() => actions.onStep(1)}
            />
            <KeyHint keyName={keyName("nextPatch")} />
            {patch && !readOnly ? (
              <>
                <Button
                  class="button small patch-accept"
                  testid="patch-accept"
                  onClick={() => actions.onDecide("accepted")}
                >
                  {t("Accept")}
                  <KeyHint keyName={keyName("acceptPatch")} />
                </Button>
                <Button
                  class="button small"
                  testid="patch-reject"
                  onClick={() => actions.onDecide("rejected")}
                >
                  {t("Reject")}
                  <KeyHint keyName={keyName("rejectPatch")} />
                </Button>
              </>
            ) : null}
            {readOnly ? null : (
              <Button
                class="button small push"
                testid="patch-accept-all"
                onClick={actions.onAcceptAll}
              >
                {t("Accept all")}
                <KeyHint keyName={keyName("acceptAllPatches")} />
              </Button>
            )}
          </>
        ) : null}
      </div>
      <LiveRegion class="patch-now stack" testid="patch-now">
        {decided || patch ? (
          <p key={`${current} ${decided}`} class="unseen" data-testid="patch-announced">
            {decided} {place}.
          </p>
        ) : null}
        {patch ? <CurrentPatch key={patch.id} patch={patch} /> : null}
      </LiveRegion>
      <ClosedPatches patches={closed} readOnly={readOnly} onReopen={actions.onReopen} />
    </section>
  );
}

const openText = (number: number) =>
  number
    ? tn("{number} patch to decide", "{number} patches to decide", number)
    : t("No patch is open");

function CurrentPatch({ patch }: { patch: Pt.TranscriptPatch }) {
  return (
    <>
      <PatchText patch={patch} />
      {patch.reason ? (
        <p class="medium wrap" dir="auto" data-testid="patch-reason">
          <span class="quiet">{t("Reason:")}</span> {patch.reason}
        </p>
      ) : null}
    </>
  );
}

interface ClosedPatchesProps {
  patches: Pt.TranscriptPatch[];
  readOnly: boolean;
  onReopen: (patch: string) => void;
}

function ClosedPatches({ patches, readOnly, onReopen }: ClosedPatchesProps) {
  const isOpen = useSignal(false);
  if (!patches.length) return null;
  const stale = patches.filter(({ state }) => state === "stale").length;
  return (
    <div>
      <FoldButton
        open={isOpen.value}
        text={t("Decided: {number}", { number: patches.length - stale })}
        note={
          stale ? tn("{number} no longer applies", "{number} no longer apply", stale) : undefined
        }
        testid="patches-closed"
        onToggle={() => {
          isOpen.value = !isOpen.value;
        }}
      />
      {isOpen.value ? (
        <ul class="patch-list scrolls">
          {patches.map((patch) => (
            <li key={patch.id} data-testid="closed-patch" data-state={patch.state}>
              <span class="medium strong">{patchStateWords(patch.state)}</span>
              <PatchText patch={patch} />
              {patch.reason ? (
                <p class="quiet medium wrap" dir="auto">
                  {patch.reason}
                </p>
              ) : null}
              {patch.state !== "stale" && patch.at !== null && !readOnly ? (
                <Button class="link" onClick={() => onReopen(patch.id)}>
                  {t("Open again")}
                </Button>
              ) : null}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
