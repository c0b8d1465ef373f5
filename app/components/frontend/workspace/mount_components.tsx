/**
 * Renders components into the elements that unconverted parts of the screen keep for them. Called
 * once, after the first attempt is in the store.
 */

import { render } from "preact";
import { BoxFields, FieldPanel } from "./fields/FieldPanel";
import { RecordsPanel } from "./fields/RecordsPanel";
import { StepBar } from "./fields/StepBar";
import { Banners } from "./panels/Banners";
import { Comments } from "./panels/Comments";
import { TopBar } from "./panels/TopBar";
import type { Workspace } from "./workspace";

export function mountComponents(screen: Workspace) {
  const { store, commands, layout, attempt, forms, texts, work } = screen;
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
    <FieldPanel
      store={store}
      texts={texts}
      actions={forms}
      pageRef={forms.pageFields}
      onNextUnfinished={(stamp) => forms.nextUnfinished(stamp)}
    />,
    screen.panel.slots.fields,
  );
  render(<BoxFields store={store} texts={texts} actions={forms} />, work.fields);
  render(
    <RecordsPanel store={store} texts={texts} actions={work.records} />,
    screen.panel.slots.records,
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
}
