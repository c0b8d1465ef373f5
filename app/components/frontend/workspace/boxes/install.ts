/** Puts the boxes on the workspace screen: tool, bar, keys, marks on thumbnails. */

import { pageMarks } from "../viewer/thumbnail_marks";
import type { Workspace } from "../workspace";
import { BoxTool } from "./box_commands";
import { boxKeys } from "./shortcuts";

const START = { tool: "pan", selected: null, held: null, boxesHidden: false, activeLabel: null };

/** @param screen built, with nothing on it yet */
export function installBoxes(screen: Workspace): BoxTool {
  const { store, viewer, attempt, commands, layout, root } = screen;
  store.set(START);
  const tool = new BoxTool({
    stage: viewer.stage,
    attempt,
    remember: (change) => layout.set(change),
    goTo: (place) => viewer.goTo(place, "given"),
  });
  viewer.bars.append(screen.boxBar);
  const on = (keys: Pt.WatchedKeys, show: any) =>
    store.watch(keys, (data) => data.state && show(data));
  on(["protocol", "state", "page", "given"], ({ page, ...data }: Pt.WorkspaceData) => {
    if (page) viewer.setMarks(pageMarks({ ...data, page }));
  });
  commands.registerAll(boxKeys(tool));
  root.addEventListener("copy", (event) => tool.text.copy(event));
  return tool;
}
