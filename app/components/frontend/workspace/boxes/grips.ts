/** What of the boxes of a page is under the pointer: a handle, a box's name, or its body. */

import { contains, HANDLES, handlePoint, isOnBorder } from "../../shared/page/rectangles";

/** how near in CSS pixels counts as on it */
export const REACH: Record<string, number> = { touch: 12, pen: 7, mouse: 5 };
const GRIP = 9;

/**
 * What of the boxes can be dragged there. Only the chosen box can be gripped by its body: a new box
 * often begins inside another one, or on its edge. With Ctrl a press draws whatever is under it.
 */
export function gripAt(
  stage: Pt.Stage,
  {
    boxes,
    selected,
    editable,
    hidden,
  }: { boxes: Pt.PageBox[]; selected: string | null; editable: boolean; hidden: boolean },
  event: PointerEvent,
): { kind: string; box: Pt.PageBox; handle?: string; tag?: boolean } | null {
  const drawing = stage.tool === "box";
  if (hidden || stage.tool === "text" || (drawing && (event.ctrlKey || event.metaKey))) return null;
  const target = event.target instanceof Element ? event.target : null;
  const under = (selector: string) => (target?.closest(selector) as HTMLElement | null)?.dataset;
  const chosen = boxes.find((box) => box.id === selected);
  const handle = under(".box-handle")?.edge;
  if (handle && chosen && editable && holds(stage, event, chosen.rect, handle))
    return { kind: "resize", handle, box: chosen };
  const tagged = under(".box-tag")?.id;
  const box = boxes.find(({ id }) => id === tagged);
  if (box) {
    const movable = editable && (drawing || box === chosen);
    return { kind: movable ? "move" : "click", box, tag: true };
  }
  if (!editable || !chosen) return null;
  const point = stage.toPagePoint(event.clientX, event.clientY);
  const reach = REACH[event.pointerType] / stage.scale;
  const held = isOnBorder(chosen.rect, point, reach) || (drawing && contains(chosen.rect, point));
  return held ? { kind: "move", box: chosen } : null;
}

/**
 * A finger takes a handle anywhere around it. A mouse or pen takes it by what is seen: a new box
 * may begin close by, and the inside of a small one is for moving it.
 */
function holds(stage: Pt.Stage, event: PointerEvent, rect: Pt.Rect, handle: string) {
  if (event.pointerType === "touch") return true;
  const [across, down] = HANDLES[handle];
  const [x, y] = handlePoint(rect, handle);
  const point = stage.toPagePoint(event.clientX, event.clientY);
  const near: (way: number, off: number, side: number) => boolean = (way, off, side) => {
    const inwards = way ? -way * off : Math.abs(off);
    const reach = way && inwards > 0 ? Math.min(GRIP, (side * stage.scale) / 5) : GRIP;
    return Math.abs(off) * stage.scale <= reach;
  };
  return near(across, point.x - x, rect[2] - rect[0]) && near(down, point.y - y, rect[3] - rect[1]);
}
