/** Puts the boxes on the workspace screen: tool, bar, keys, marks on thumbnails. */

import type { Workspace } from "../workspace";
import { BoxCommands } from "./box_commands";
import { boxKeys } from "./shortcuts";

const START = {
  tool: "pan",
  selected: null,
  held: null,
  boxesHidden: false,
  activeLabel: null,
  pendingBoxes: [],
};

/** @param screen its forms are made after this */
export function installBoxes(
  screen: Pick<
    Workspace,
    "attempt" | "commands" | "forms" | "layout" | "readiness" | "resultsHandle" | "store" | "viewer"
  >,
): BoxCommands {
  const { attempt, commands, layout, resultsHandle, store, viewer } = screen;
  store.set(START);
  const tool = new BoxCommands({
    stage: viewer.stage,
    attempt,
    readiness: screen.readiness,
    remember: (change) => layout.set(change),
    change: (work) => screen.forms.changeBoxes(work),
    goTo: (place) => viewer.goTo(place, "given"),
  });
  commands.registerAll(boxKeys(tool, (by) => resultsHandle.current?.move(by) ?? false));
  return tool;
}
