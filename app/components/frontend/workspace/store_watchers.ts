/** Keeps the parts of the workspace screen up to date with the store. */

import { button } from "../shared/buttons";
import { setText } from "../shared/dom";
import { cites, isReadOnly } from "./state/attempt_state";

export function watchStore(screen: Pt.Workspace) {
  const { store } = screen;
  const on: (keys: Pt.WatchedKeys, handler: (data: Pt.WorkspaceData) => void) => void = (
    keys,
    handler,
  ) => store.watch(keys, (data) => data.state && handler(data));
  on(["state"], () => keepFocus(screen)); // first: what had the focus before the others change it
  on(["batch", "state", "attempt", "documents", "page", "loading", "home"], (data) =>
    screen.sidebar.update(data),
  );
  on(["review", "connection", "lost", "pending"], (data) => screen.gold.update(data));
  on(["brief"], ({ brief }) => {
    screen.brief.hidden = !brief.length;
    screen.brief.replaceChildren(
      ...brief.map(({ document, page }) =>
        button(
          `Open ${document}${page === 1 ? "" : `, page ${page}`}`,
          (event) =>
            screen.commands.openResult({ document, page, via: "document" }, event.timeStamp),
          { testid: "brief-open" },
        ),
      ),
    );
  });
  on(["material"], (data) => screen.records.update(data.material));
  on(["given", "locked"], (data) => screen.setAllowed(data));
  on(["results"], ({ page, results }) => {
    if (page && results) screen.layout.showContext(); // somebody searched for another page
  });
  on(["state", "connection", "pending", "savedAt", "batch"], () => screen.noteUnsaved());
  on(["task"], ({ task }) => {
    setText(screen.questionText, task.question);
    setText(
      screen.questionMeta,
      [...new Set([task.domain, task.category])].filter(Boolean).join(" · "),
    );
    screen.questionMeta.hidden = !screen.questionMeta.textContent;
  });
  on(["state", "page", "protocol", "layout", "given", "reading", "tool", "beside"], (data) =>
    showViewer(screen, data),
  );
  on(["state"], (data) => screen.layout.showPause(data));
  on(["layout", "page", "contextOpen", "reading"], (data) => screen.layout.show(data));
  const empty: Pt.WatchedKeys = [
    "protocol",
    "corpus",
    "state",
    "results",
    "searching",
    "given",
    "locked",
  ];
  on(empty, (data) => screen.layout.showEmpty(data));
  on(["loading"], ({ loading }) => screen.element.classList.toggle("loading", Boolean(loading)));
}

/** Where a change takes away what had the focus, the work gets it: keys must go on working. */
function keepFocus({ root, commands }: { root: any; commands: Pt.Commands }) {
  const focused = root.activeElement;
  if (!focused) return;
  requestAnimationFrame(() => {
    const gone = !focused.isConnected || focused.matches(":disabled") || !focused.checkVisibility();
    const nowhere = document.activeElement === document.body || root.activeElement === focused;
    if (gone && nowhere) commands.focusWork();
  });
}

/** What the viewer's bar shows and offers. */
function showViewer(
  screen: Pt.Workspace,
  { state, page, protocol, given, review, tool, reading, beside }: Pt.WorkspaceData,
) {
  const { viewer, layout } = screen;
  if (!protocol.browse && !given && !review) viewer.setAllowed(screen.found());
  viewer.update({
    cited: Boolean(page) && cites(state, page.document, page.page),
    readOnly: isReadOnly(state),
    evidence: protocol.evidence.enabled,
    rail: layout.rail,
    reading,
    selects: protocol.text.select && !protocol.boxes.enabled,
    selecting: tool === "text",
    finds: protocol.text.find,
    beside,
  });
}
