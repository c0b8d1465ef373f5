/** What the commands of keys do with boxes. */

import type { BoxTool } from "./box_commands";

const STEPS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const FAR = 10;

/**
 * @returns false leaves the key
 * to others
 */
export function boxKeys(
  tool: BoxTool,
): Partial<Record<Pt.WorkspaceCommand, (event: KeyboardEvent, key: string) => boolean>> {
  // A tool chosen by a key is used on the page, which then has the keys as well.
  const take = (name: string) => {
    const taken = tool.setTool(name);
    if (taken) tool.stage.pane.focus({ preventScroll: true });
    return taken;
  };
  return {
    toolBox: () => take("box"),
    toolText: () => take("text"),
    placeBox: (event) => isPage(event) && tool.place(),
    holdBox: (event) => isPage(event) && tool.hold(),
    deleteBox: () => tool.remove(),
    duplicateBox: () => tool.duplicate(),
    hideBoxes: () => tool.hide(),
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
