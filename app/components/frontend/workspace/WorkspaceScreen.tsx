/** The workspace screen: which component or island is where, and which command each calls. */

import { effect, useComputed } from "@preact/signals";
import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { Hosted } from "../shared/components/Hosted";
import { MaterialList, type MaterialListProps } from "../shared/components/MaterialList";
import { ToastRegion } from "../shared/components/Toast";
import { language } from "../shared/messages";
import { applyTheme } from "../shared/theme";
import { ElementList } from "./boxes/ElementList";
import { Inspector } from "./boxes/Inspector";
import { PendingNotice } from "./boxes/PendingNotice";
import { BoxFields, FieldPanel } from "./fields/FieldPanel";
import { RecordsPanel } from "./fields/RecordsPanel";
import { StepBar } from "./fields/StepBar";
import {
  hasWideText,
  isCompact,
  isLeftFolded,
  isPaused,
  isRailOpen,
  needsWidePanel,
} from "./panel_visibility";
import { AnswerPanel } from "./panels/AnswerPanel";
import { Banners } from "./panels/Banners";
import { BatchPanel } from "./panels/BatchPanel";
import { Calculator } from "./panels/Calculator";
import { Checks } from "./panels/Checks";
import { Comments } from "./panels/Comments";
import { FeedbackLine } from "./panels/FeedbackLine";
import { GoldBar } from "./panels/GoldBar";
import { PauseOverlay } from "./panels/PauseOverlay";
import { Question } from "./panels/Question";
import { TopBar } from "./panels/TopBar";
import { Results } from "./search/Results";
import { SearchBar } from "./search/SearchBar";
import { TablesPane } from "./tables/TablesPane";
import { TranscriptPane } from "./transcript/TranscriptPane";
import { ViewerPane } from "./viewer/ViewerPane";
import type { Workspace } from "./workspace";

const NONE_FOLDED = {};

/** Reads no signal itself, so that only the parts are rendered again. */
export function WorkspaceScreen({ workspace }: { workspace: Workspace }) {
  const { store, commands, layout, attempt, submission, texts, forms, work } = workspace;
  const { viewer, boxes } = workspace;
  const { replay } = work;
  const pageUrl = (sha: string, page: number, dpi: number) => attempt.api.pageUrl(sha, page, dpi);
  useFocusRescue(workspace);
  return (
    <Frame store={store} element={workspace.element}>
      <Coverable store={store}>
        <BatchPanel
          store={store}
          onOpenTask={(id) => commands.goTo(id)}
          onFinish={() => submission.finishBatch()}
          onOpenCitation={(citation, stamp) => commands.openCitation(citation, stamp)}
          onRemoveCitation={(citation) => commands.removeCitation(citation)}
          onOpenBookmark={(place, stamp) => commands.openBookmark(place, stamp)}
          onRemoveBookmark={(place) => commands.toggleBookmark(place)}
          onSearchAgain={(search) => commands.searchAgain(search)}
          onPause={() => commands.togglePause()}
          onReadGuidelines={() => commands.openGuidelines()}
          onShowKeys={() => commands.openKeys()}
          onFocusLost={() => commands.focusWork()}
        />
        <div class="centre column">
          <TopBar
            store={store}
            onToggleLeft={() => layout.toggleLeft()}
            onToggleRight={() => layout.toggleRight()}
          />
          <Banners
            store={store}
            loginUrl={() => attempt.api.loginUrl()}
            onReopen={() => submission.reopen()}
            onWithdraw={() => submission.withdraw()}
            onReadGuidelines={() => commands.openGuidelines()}
            onRecover={(use) => workspace.recover(use)}
          />
          <GoldBar
            store={store}
            unsaved={() => attempt.outbox.unsaved}
            onLeave={() => submission.leaveDraft()}
          />
          <Comments
            store={store}
            onType={(text) => workspace.comments.type(text)}
            onSend={() => workspace.comments.send()}
          />
          <Question
            store={store}
            textRef={workspace.questionText}
            onToggleContext={() => layout.toggleContext()}
            onOpenBrief={({ document, page }, stamp) =>
              commands.openResult({ document, page, via: "document" }, stamp)
            }
          />
          <Material
            store={store}
            onFold={(source, folded) => layout.remember("folded", source, folded)}
          />
          <SearchBar
            store={store}
            input={workspace.searchInput}
            onType={(query) => store.set({ query })}
            onRun={(query) => commands.search(query)}
            onMoveToResults={() => workspace.resultsHandle.current?.move(1) ?? false}
            onOpenFirst={(stamp) => workspace.resultsHandle.current?.open(1, stamp) ?? false}
          />
          <StepBar
            store={store}
            playButton={replay.playButton}
            markRef={replay.markRef}
            actions={replay}
          />
          <Results
            store={store}
            handle={workspace.resultsHandle}
            imageUrl={pageUrl}
            onOpen={(page, stamp) => commands.openResult(page, stamp)}
            onSearch={(query) => commands.searchFor(query)}
            onReveal={() => workspace.layout.showContext()}
          />
          <ViewerPane
            store={store}
            viewer={viewer}
            bar={{
              onSelectText: () => boxes.toggleTool("text"),
              onCommand: (name) => commands.run(name),
              onBookmark: () => viewer.target && commands.toggleBookmark(viewer.target),
              onCite: () => viewer.target && commands.toggleCitation(viewer.target),
              onToggleRail: () => layout.setRail(!isRailOpen(store.data)),
              onToggleReading: () => layout.read(!store.data.reading),
            }}
            boxes={boxes}
            history={workspace.undo}
            find={workspace.find.bar}
            beside={{
              sources: { pageUrl, documentInfo: (name) => attempt.documentInfo(name) },
              onSwap: (stamp) => commands.swapBeside(stamp),
              onClose: () => commands.toggleBeside(),
            }}
            pageUrl={pageUrl}
            onSpeak={() => workspace.spoken.toggle()}
          />
        </div>
        <AnswerPanel
          store={store}
          texts={texts}
          answerInput={workspace.answerInput}
          questionInput={workspace.questionInput}
          scratchpadInput={workspace.scratchpadInput}
          feedback={<FeedbackLine store={store} onOpen={() => void work.pilot.show(attempt.id)} />}
          checks={
            <Checks
              store={store}
              status={work.checkRun.status}
              onRun={() => void work.checkRun.run()}
              onStop={() => work.checkRun.stop()}
              onRunQuery={(query) => commands.searchFor(query)}
              onOpenPage={(page, stamp) => commands.openCitation(page, stamp)}
              handle={work.checksHandle}
            />
          }
          fields={
            <FieldPanel
              store={store}
              texts={texts}
              actions={forms}
              pageRef={forms.pageFields}
              pendingBoxes={
                <PendingNotice
                  store={store}
                  onAdd={(pending) => boxes.addPending(pending)}
                  onDiscard={(pending) => boxes.discardPending(pending)}
                />
              }
              onNextUnfinished={(stamp) => forms.nextUnfinished(stamp)}
              onAdvance={(advance) => layout.set({ advance })}
            />
          }
          boxes={
            <>
              <ElementList store={store} actions={work.elements} />
              <Inspector
                store={store}
                texts={texts}
                actions={work.elements}
                fields={<BoxFields store={store} texts={texts} actions={forms} />}
              />
            </>
          }
          aids={
            <Calculator
              key={store.attempt.value}
              store={store}
              calculatorInput={workspace.calculatorInput}
              onCalculation={(calculation) => store.set({ calculation })}
              onCalculate={(calculation) => workspace.calculator.record(calculation)}
              onUseResult={(calculation) => workspace.calculator.useResult(calculation)}
            />
          }
          transcript={
            <TranscriptPane
              store={store}
              work={work.transcript}
              onLayout={(change) => layout.set(change)}
              onDrawRegion={() => commands.run("drawRegion")}
              onFind={() => commands.run("findInTranscript")}
            />
          }
          tables={<TablesPane store={store} work={work.tables} />}
          records={<RecordsPanel store={store} texts={texts} actions={work.records} />}
          onCommit={(field, text) => void attempt.record(`${field}_edited`, { text })}
          onLost={(field, text) => workspace.offerText(field, text)}
          onAnswer={() => store.set({ answerError: "" })}
          onSubmit={(outcome) => void submission.submit(outcome)}
          onSkip={() => submission.skip()}
          onFlag={() => commands.flag()}
          onStep={(by) => commands.step(by)}
        />
      </Coverable>
      <Pause store={store} onResume={() => commands.togglePause()} />
      <ToastRegion toasts={workspace.toasts} />
      <Hosted element={workspace.dialogs} />
    </Frame>
  );
}

interface FrameProps {
  store: Pt.Store;
  element: RefObject<HTMLDivElement | null>;
  children: ComponentChildren;
}

function Frame({ store, element, children }: FrameProps) {
  const className = useComputed(() => frameClass(store.tracked)).value;
  useLayoutEffect(() => {
    if (element.current) applyTheme(element.current);
  }, []);
  return (
    <div ref={element} class={className} data-testid="workspace" lang={language()}>
      {children}
    </div>
  );
}

/** The classes by which style sheets lay out the screen. */
function frameClass(values: Pt.WorkspaceData) {
  const { protocol, layout, page } = values;
  const parts = {
    "wide-right": needsWidePanel(protocol),
    "wide-text": hasWideText(protocol),
    "no-left": isLeftFolded(values),
    "no-right": layout.right === false,
    "show-left": values.leftDrawer,
    "show-right": values.rightDrawer,
    "no-page": page === null,
    reading: values.reading && page !== null,
    compact: isCompact(values),
    paused: isPaused(values) && !values.touring,
    touring: values.touring,
    loading: values.loading !== null,
    reviewing: values.review !== null,
  };
  const names = Object.entries(parts).filter(([, holds]) => holds);
  return ["pt", ...names.map(([name]) => name)].join(" ");
}

/** Its children take neither focus nor clicks while the clock is paused. */
function Coverable({ store, children }: { store: Pt.Store; children: ComponentChildren }) {
  const paused = useComputed(() => isPaused(store.tracked)).value;
  return (
    <div class="mounted" inert={paused}>
      {children}
    </div>
  );
}

function Material({ store, onFold }: Pick<MaterialListProps, "onFold"> & { store: Pt.Store }) {
  const folded = useComputed(() => store.layout.value.folded ?? NONE_FOLDED).value;
  return <MaterialList material={store.material.value} folded={folded} onFold={onFold} />;
}

function Pause({ store, onResume }: { store: Pt.Store; onResume: () => void }) {
  const paused = useComputed(() => isPaused(store.tracked)).value;
  return paused && !store.touring.value ? <PauseOverlay onResume={onResume} /> : null;
}

/** Moves the focus to the work if a change removes the focused element, so that keys keep working. */
function useFocusRescue(workspace: Workspace) {
  const { store, commands } = workspace;
  useLayoutEffect(() => {
    return effect(() => {
      const { state } = store.tracked;
      const { focused } = workspace; // components are rendered after this effect
      if (!state || !focused) return;
      requestAnimationFrame(() => {
        const isGone =
          !focused.isConnected || focused.matches(":disabled") || !focused.checkVisibility();
        const isNowhere = document.activeElement === document.body || workspace.focused === focused;
        if (isGone && isNowhere) commands.focusWork();
      });
    });
  }, []);
}
