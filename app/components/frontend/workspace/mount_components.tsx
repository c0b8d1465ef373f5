/**
 * Renders components into the elements that unconverted parts of the screen keep for them. Called
 * once, after the first attempt is in the store.
 */

import { render } from "preact";
import { Hosted } from "../shared/components/Hosted";
import { BoxBar } from "./boxes/BoxBar";
import { ElementList } from "./boxes/ElementList";
import { Inspector } from "./boxes/Inspector";
import { BoxFields, FieldPanel } from "./fields/FieldPanel";
import { RecordsPanel } from "./fields/RecordsPanel";
import { StepBar } from "./fields/StepBar";
import { AnswerPanel } from "./panels/AnswerPanel";
import { Banners } from "./panels/Banners";
import { Checks } from "./panels/Checks";
import { Comments } from "./panels/Comments";
import { FeedbackLine } from "./panels/FeedbackLine";
import { TopBar } from "./panels/TopBar";
import { Results } from "./search/Results";
import { SearchBar } from "./search/SearchBar";
import type { Workspace } from "./workspace";

const THUMBNAIL_DPI = 75;

export function mountComponents(screen: Workspace) {
  const { store, commands, layout, attempt, forms, texts, work } = screen;
  render(<BoxBar store={store} actions={screen.boxes} />, screen.boxBar);
  render(
    <TopBar
      store={store}
      onToggleLeft={() => layout.toggleLeft()}
      onToggleRight={() => layout.toggleRight()}
    />,
    screen.topBar,
  );
  render(
    <Banners
      store={store}
      loginUrl={() => attempt.api.loginUrl()}
      onReopen={() => commands.reopen()}
      onReadGuidelines={() => commands.guidelines()}
      onRecover={(use) => screen.recover(use)}
    />,
    screen.banners,
  );
  render(
    <Comments
      store={store}
      onType={(text) => screen.talk.type(text)}
      onSend={() => screen.talk.send()}
    />,
    screen.comments,
  );
  render(
    <StepBar
      store={store}
      playButton={work.replay.playButton}
      markRef={work.replay.markRef}
      actions={work.replay}
    />,
    work.stepBar,
  );
  render(
    <SearchBar
      store={store}
      input={screen.searchInput}
      onType={(query) => store.set({ query })}
      onRun={(query) => commands.search(query)}
      onMoveToResults={() => screen.resultsHandle.current?.move(1) ?? false}
    />,
    screen.search,
  );
  render(
    <Results
      store={store}
      handle={screen.resultsHandle}
      thumbnailUrl={(sha, page) => attempt.api.pageUrl(sha, page, THUMBNAIL_DPI)}
      onOpen={(page, stamp) => commands.openResult(page, stamp)}
      onSearch={(query) => commands.searchFor(query)}
      onReveal={() => screen.layout.showContext()}
    />,
    screen.results,
  );
  render(
    <AnswerPanel
      store={store}
      texts={texts}
      answerInput={screen.answerInput}
      feedback={<FeedbackLine store={store} onOpen={() => void work.pilot.show(attempt.id)} />}
      question={
        <>
          <Hosted element={work.question.element} />
          <Checks
            store={store}
            status={work.checkRun.status}
            onRun={() => void work.checkRun.run()}
            onStop={() => work.checkRun.stop()}
            onRunQuery={(query) => commands.searchFor(query)}
            onOpenPage={(page, stamp) => commands.openCitation(page, stamp)}
            handle={work.checksHandle}
          />
        </>
      }
      fields={
        <FieldPanel
          store={store}
          texts={texts}
          actions={forms}
          pageRef={forms.pageFields}
          onNextUnfinished={(stamp) => forms.nextUnfinished(stamp)}
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
      records={<RecordsPanel store={store} texts={texts} actions={work.records} />}
      onCommit={(field, text) => void attempt.record(`${field}_edited`, { text })}
      onLost={(field, text) => screen.offerText(field, text)}
      onAnswer={() => store.set({ answerError: "" })}
      onSubmit={(outcome) => void commands.submit(outcome)}
      onSkip={() => commands.skip()}
      onFlag={() => commands.flag()}
      onStep={(by) => commands.step(by)}
    />,
    screen.panel,
  );
}
