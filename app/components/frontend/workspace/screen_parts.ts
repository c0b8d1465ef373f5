/** Makes the parts of the workspace screen and lays them out; what connects them is elsewhere. */

import { h } from "../shared/dom";
import { icon } from "../shared/icons";
import { ShownRecords } from "../shared/shown_record";
import { applyTheme } from "../shared/theme";
import { Sidebar } from "./panels/batch_panel";
import { GoldMode } from "./panels/gold_draft";
import { Viewer } from "./viewer/viewer";
import type { Workspace } from "./workspace";

/** Give the screen its parts as properties and put them on its root. */
export function buildScreen(screen: Workspace) {
  const { commands } = screen;
  screen.viewer = new Viewer({
    pageUrl: (sha: string, page: number, dpi: number) => screen.attempt.api.pageUrl(sha, page, dpi),
    documentInfo: (name: string) => screen.attempt.documentInfo(name),
    onOpen: (target: Pt.OpenPage) => screen.opened(target),
    onPainted: (target: Pt.PaintedPage) => commands.painted(target),
    onView: (view: any) => commands.viewChanged(view),
    onCite: (target: Pt.OpenPage) => commands.toggleCitation(target),
    onRail: (open: boolean) => screen.layout.setRail(open),
    onRun: (command: Pt.WorkspaceCommand) => commands.run(command),
    onSelectText: () => screen.boxes.setTool("text"),
    onRead: () => screen.layout.read(!screen.store.data.reading),
    highlights: (target: Pt.OpenPage) => commands.highlights(target),
  });
  screen.search = h("div", { class: "mounted" });
  screen.results = h("div", { class: "mounted" });
  screen.sidebar = new Sidebar(commands);
  screen.panel = h("div", { class: "mounted" });
  screen.records = new ShownRecords({
    collapsed: (source, folded) => screen.layout.recall("folded", source, folded),
  });
  screen.topBar = h("div", { class: "mounted" });
  screen.banners = h("div", { class: "banners stack" });
  screen.comments = h("div", { class: "mounted" });
  screen.gold = new GoldMode(screen);
  screen.questionText = h("p", { class: "question-text", testid: "question", tabindex: "-1" });
  screen.questionMeta = h("p", { class: "caption" });
  screen.brief = h("p", { class: "line wrap", testid: "brief", hidden: true });
  screen.contextToggle = h("button", {
    class: "icon-button small context-toggle",
    testid: "context-toggle",
    hidden: true,
    on: { click: () => screen.layout.showContext(screen.layout.compact) },
  });
  screen.question = h(
    "section",
    { class: "question", "aria-label": "Question" },
    screen.contextToggle,
    screen.questionMeta,
    screen.questionText,
    screen.brief,
  );
  screen.centre = h(
    "div",
    { class: "centre column" },
    screen.topBar,
    screen.banners,
    screen.gold.element,
    screen.comments,
    screen.question,
    screen.records.element,
    screen.search,
    screen.results,
    screen.viewer.element,
  );
  screen.resume = h("button", {
    class: "button primary",
    testid: "resume",
    text: "Resume",
    on: { click: () => commands.pause() },
  });
  screen.pauseOverlay = h(
    "div",
    {
      class: "pause-overlay",
      testid: "pause-overlay",
      role: "dialog",
      "aria-label": "Paused",
      hidden: true,
    },
    h(
      "div",
      { class: "pause-box" },
      icon("pause"),
      h("p", { text: "Paused. The clock is stopped." }),
      screen.resume,
    ),
  );
  screen.toasts = h("div", { class: "toasts stack", role: "status", testid: "toasts" });
  screen.dialogs = h("div", { class: "dialogs" });
  screen.element = h(
    "div",
    { class: "pt", testid: "workspace", lang: "en" },
    screen.sidebar.element,
    screen.centre,
    screen.panel,
    screen.pauseOverlay,
    screen.toasts,
    screen.dialogs,
  );
  screen.root.append(screen.element);
  applyTheme(screen.element);
}
