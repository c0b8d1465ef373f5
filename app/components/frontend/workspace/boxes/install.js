/** Puts the boxes on the workspace screen: tool, bar, keys, marks on thumbnails. */

import { pageMarks } from "../viewer/thumbnail_marks.js";
import { BoxTool } from "./box_commands.js";
import { boxKeys } from "./shortcuts.js";
import { createBoxBar } from "./toolbar.js";

const START = { tool: "pan", selected: null, held: null, boxesHidden: false, activeLabel: null };

/**
 * @param {import("../workspace.js").Workspace} screen built, with nothing on it yet
 * @returns {BoxTool}
 */
export function installBoxes(screen) {
  const { store, viewer, attempt, commands, layout, root } = screen;
  store.set(START);
  const tool = new BoxTool({
    stage: viewer.stage,
    store,
    attempt,
    remember: (change) => layout.set(change),
    goTo: (place) => viewer.goTo(place, "given"),
  });
  const bar = createBoxBar(tool);
  viewer.bars.append(bar.element);
  const on = (/** @type {string[]} */ keys, /** @type {any} */ show) =>
    store.watch(keys, (data) => data.state && show(data));
  on(
    [
      "protocol",
      "state",
      "page",
      "keys",
      "tool",
      "selected",
      "boxesHidden",
      "activeLabel",
      "layout",
      "timeOver",
    ],
    (/** @type {Pt.WorkspaceData} */ data) => bar.update(data),
  );
  on(
    ["protocol", "state", "page", "given"],
    (/** @type {Pt.WorkspaceData} */ data) =>
      data.page && viewer.thumbnails.setMarks(pageMarks(data)),
  );
  for (const [name, run] of Object.entries(boxKeys(tool))) commands.register(name, run);
  root.addEventListener("copy", (event) => tool.text.copy(event));
  return tool;
}
