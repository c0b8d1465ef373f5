/** What the commands of keys do with boxes. */

import { keyName } from "../../shared/keys";
import { t } from "../../shared/messages";
import type { BoxCommands } from "./box_commands";
import type { OutlineStep } from "./text_outline";

const STEPS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const FAR = 10;

type BoxKeys = Partial<Record<Pt.WorkspaceCommand, (event: KeyboardEvent, key: string) => boolean>>;

/**
 * @param moveInResults what ↑ and ↓ do where the page has not the focus
 * @returns false leaves the key to others
 */
export function boxKeys(tool: BoxCommands, moveInResults: (by: 1 | -1) => boolean): BoxKeys {
  const outline = (step: OutlineStep) => (event: KeyboardEvent) =>
    isPage(event) && tool.outlineText(step);
  // A tool chosen by a key is used on the page, which then has the keys as well.
  const take = (name: string) => {
    const taken = tool.toggleTool(name);
    if (taken) tool.stage.pane.focus({ preventScroll: true });
    return taken;
  };
  return {
    toolBox: () => {
      const taken = take("box");
      if (taken && tool.data.tool === "box")
        tool.stage.announce(
          t("{next} outlines a block of text, {place} puts a box around it.", {
            next: keyName("nextBlock"),
            place: keyName("placeBox"),
          }),
        );
      return taken;
    },
    toolText: () => take("text"),
    drawRegion: () => {
      const taken = take("box");
      if (taken && tool.data.tool === "box")
        tool.stage.announce(
          t("{next} outlines a block of text, {insert} inserts its words.", {
            next: keyName("nextBlock"),
            insert: keyName("insertOutlined"),
          }),
        );
      return taken;
    },
    placeBox: (event) => isPage(event) && tool.place(),
    insertOutlined: (event) => isPage(event) && tool.place(),
    holdBox: (event) => isPage(event) && tool.hold(),
    resizeBox: (event) => isPage(event) && tool.switchResizing(),
    nextBlock: (event) => (isPage(event) ? tool.outlineText("nextBlock") : moveInResults(1)),
    previousBlock: (event) =>
      isPage(event) ? tool.outlineText("previousBlock") : moveInResults(-1),
    moreBlocks: outline("moreBlocks"),
    fewerBlocks: outline("fewerBlocks"),
    nextWord: outline("nextWord"),
    previousWord: outline("previousWord"),
    moreWords: outline("moreWords"),
    fewerWords: outline("fewerWords"),
    deleteBox: () => tool.remove(),
    duplicateBox: () => tool.duplicate(),
    hideBoxes: () => tool.toggleHidden(),
    nudge: (event, key) => {
      const step = event.shiftKey ? FAR : 1;
      const [dx, dy] = STEPS[key];
      return tool.nudge(dx * step, dy * step);
    },
    // Past the last box the focus goes on its way.
    tabBox: (event) => {
      if (!tool.selected || !isPage(event)) return false;
      return tool.selectNext(event.shiftKey ? -1 : 1, { wrap: false });
    },
  };
}

function isPage(event: KeyboardEvent) {
  const target = event.composedPath()[0];
  return target instanceof Element && target.matches(".pane");
}
