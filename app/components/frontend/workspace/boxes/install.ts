/** Puts the boxes on the workspace screen: tool, bar, keys, marks on thumbnails. */

import type { Workspace } from "../workspace";
import { BoxTool } from "./box_commands";
import { boxKeys } from "./shortcuts";

const START = { tool: "pan", selected: null, held: null, boxesHidden: false, activeLabel: null };

export function installBoxes({
  attempt,
  commands,
  layout,
  resultsHandle,
  root,
  store,
  viewer,
}: Pick<
  Workspace,
  "attempt" | "commands" | "layout" | "resultsHandle" | "root" | "store" | "viewer"
>): BoxTool {
  store.set(START);
  const tool = new BoxTool({
    stage: viewer.stage,
    attempt,
    remember: (change) => layout.set(change),
    goTo: (place) => viewer.goTo(place, "given"),
  });
  commands.registerAll(boxKeys(tool, (by) => resultsHandle.current?.move(by) ?? false));
  root.addEventListener("copy", (event) => tool.text.copy(event as ClipboardEvent));
  return tool;
}
