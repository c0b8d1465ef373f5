import { useComputed } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { Button, IconButton } from "../../shared/components/Button";
import { Hosted } from "../../shared/components/Hosted";
import { LiveRegion } from "../../shared/components/LiveRegion";
import { withKey } from "../../shared/keys";
import { t, tn } from "../../shared/messages";
import { grouped } from "../../shared/notation";
import { isReadOnly } from "../state/attempt_state";
import { PatchBar } from "./PatchBar";
import { marksOf, openPatches, type TranscriptWork } from "./transcript_work";
import "./TranscriptPane.css";

export interface TranscriptPaneProps {
  store: Pt.Store;
  work: TranscriptWork;
  onLayout: (change: Pt.StoredLayout) => void;
  onDrawRegion: () => void;
  onFind: () => void;
}

/** The text of the task's page beside it: as source or rendered, with a model's patches. */
export function TranscriptPane({ store, ...props }: TranscriptPaneProps) {
  const transcript = useComputed(() => store.state.value.transcript).value;
  const { enabled } = store.protocol.value.transcript;
  if (!enabled) return null;
  if (!transcript) return <p class="notice">{t("This task has no text.")}</p>;
  return <Pane key={store.attempt.value} store={store} transcript={transcript} {...props} />;
}

interface PaneProps extends TranscriptPaneProps {
  transcript: Pt.Transcript;
}

function Pane({ store, work, transcript, ...props }: PaneProps) {
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    if (element.current) return work.open(element.current.getRootNode() as Document | ShadowRoot);
  }, []);
  const editor = work.editor.value;
  const isRendered = store.layout.value.rendered === true;
  const readOnly = useComputed(() => isReadOnly(store.state.value) || store.timeOver.value).value;
  const { patches: showsPatches } = store.protocol.value.transcript;
  return (
    <section
      ref={element}
      class="transcript column"
      aria-label={t("Text of the page")}
      data-testid="transcript"
    >
      <div class="transcript-bar line" role="toolbar" aria-label={t("Text of the page")}>
        <div class="line" role="group" aria-label={t("View")}>
          <Button
            class="toggle"
            testid="view-source"
            aria-pressed={!isRendered}
            title={withKey(t("Edit the Markdown"), "toggleMarkup")}
            onClick={() => props.onLayout({ rendered: false })}
          >
            {t("Source")}
          </Button>
          <Button
            class="toggle"
            testid="view-rendered"
            aria-pressed={isRendered}
            title={withKey(t("See headings, lists and tables"), "toggleMarkup")}
            onClick={() => props.onLayout({ rendered: true })}
          >
            {t("Rendered")}
          </Button>
        </div>
        <IconButton
          icon="search"
          label={withKey(t("Find and replace"), "findInTranscript")}
          testid="transcript-search"
          onClick={props.onFind}
        />
        <IconButton
          icon="box"
          label={withKey(t("Insert words from the page: draw a box around them"), "drawRegion")}
          testid="tool-box"
          aria-pressed={store.tool.value === "box"}
          disabled={readOnly || !store.page.value}
          onClick={props.onDrawRegion}
        />
        <IconButton
          icon="swap"
          label={t("Scroll page and text together")}
          testid="scroll-together"
          aria-pressed={store.layout.value.apart !== true}
          onClick={() => props.onLayout({ apart: store.layout.value.apart !== true })}
        />
        <TextFacts transcript={transcript} />
      </div>
      <LostText work={work} readOnly={readOnly} />
      {showsPatches ? (
        <PatchBar
          open={openPatches(transcript, true)}
          closed={transcript.patches.filter(({ state }) => state !== "open")}
          current={store.currentPatch.value}
          decided={work.decided.value}
          readOnly={readOnly}
          readiness={work.readiness}
          onStep={(by) => work.step(by)}
          onDecide={(decision) => work.decide(decision)}
          onAcceptAll={() => work.acceptAll()}
          onReopen={(patch) => work.reopen(patch)}
        />
      ) : null}
      {editor ? (
        <div class="transcript-body column" hidden={isRendered}>
          <Hosted element={editor.element} />
        </div>
      ) : (
        <Loading work={work} />
      )}
      {editor && isRendered ? (
        <Rendered
          work={work}
          transcript={transcript}
          current={store.currentPatch.value}
          showsPatches={showsPatches}
        />
      ) : null}
    </section>
  );
}

function TextFacts({ transcript: { text, round, model } }: { transcript: Pt.Transcript }) {
  const number = grouped(text.length);
  const length = tn("{count} character", "{count} characters", text.length, { count: number });
  const parts = [
    ...(round > 1 ? [t("Round {round}", { round })] : []),
    length,
    ...(model ? [t("text by {model}", { model })] : []),
  ];
  return <span class="caption ellipsis push">{parts.join(" · ")}</span>;
}

function LostText({ work, readOnly }: { work: TranscriptWork; readOnly: boolean }) {
  const text = work.lost.value;
  return (
    <LiveRegion role="alert" class="lost-text stack" testid="transcript-lost">
      {text ? (
        <>
          <p class="notice warning">
            {t("The text was changed elsewhere, and what you typed last has no place in it:")}
          </p>
          <p class="framed pre wrap" dir="auto">
            {text}
          </p>
          <div class="line">
            {readOnly ? null : (
              <Button testid="transcript-insert-lost" onClick={() => work.insertLost()}>
                {t("Insert it at the cursor")}
              </Button>
            )}
            <Button testid="transcript-discard-lost" onClick={() => work.discardLost()}>
              {t("Discard it")}
            </Button>
          </div>
        </>
      ) : null}
    </LiveRegion>
  );
}

function Loading({ work }: { work: TranscriptWork }) {
  const problem = work.problem.value;
  return (
    <div class="transcript-body column" role="status">
      {problem ? (
        <p class="notice warning">
          {problem} <Button onClick={() => work.retry()}>{t("Try again")}</Button>
        </p>
      ) : (
        <p class="quiet medium">{t("Loading the editor…")}</p>
      )}
    </div>
  );
}

interface RenderedProps {
  work: TranscriptWork;
  transcript: Pt.Transcript;
  current: string | null;
  showsPatches: boolean;
}

function Rendered({ work, transcript, current, showsPatches }: RenderedProps) {
  const element = useRef<HTMLDivElement>(null);
  const module = work.loaded.value;
  useLayoutEffect(() => {
    if (element.current) work.showRendered(element.current);
    return () => work.showSource();
  }, []);
  useLayoutEffect(() => {
    element.current?.querySelector(".patch.current")?.scrollIntoView({ block: "nearest" });
  }, [current]);
  const marks = useMemo(
    () => marksOf(transcript, current, showsPatches),
    [transcript, current, showsPatches],
  );
  const choose = (event: Event) => {
    const { target } = event;
    const mark = target instanceof Element ? target.closest<HTMLElement>("[data-patch]") : null;
    if (mark?.dataset.patch) work.choose(mark.dataset.patch);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys choose patches, too
    <div
      ref={element}
      class="rendered-text scrolls"
      role="region"
      aria-label={t("Rendered text")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by the keyboard
      tabIndex={0}
      data-testid="rendered-text"
      onClick={choose}
    >
      {module && transcript.text ? (
        <module.RenderedText text={transcript.text} marks={marks} />
      ) : (
        <p class="quiet">{t("The page has no text yet.")}</p>
      )}
    </div>
  );
}
