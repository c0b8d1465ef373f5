/**
 * Rows of a list that are dragged to another place by mouse or pen, or by a finger on their number.
 * Nothing moves until the row is let go; Esc and a pointer that is taken away leave all as it was.
 */

const SLOP = 4;
const EDGE = 24;
const SCROLL = 8;

export class RowDragging {
  list: HTMLElement;
  host: { enabled: () => boolean; drop: (id: string, after: string | null) => void };
  drag: {
    id: string;
    row: Element;
    pointer: number;
    from: number;
    y: number;
    started: boolean;
  } | null;

  /** @param list its children are the rows, each with a [data-id] */
  constructor(
    list: HTMLElement,
    host: {
      enabled: () => boolean;
      /** after which row, null for the first */
      drop: (id: string, after: string | null) => void;
    },
  ) {
    this.list = list;
    this.host = host;
    this.drag = null;
    list.addEventListener("pointerdown", (event) => this.down(event));
    list.addEventListener("pointermove", (event) => this.move(event));
    list.addEventListener("pointerup", (event) => this.up(event));
    for (const type of ["pointercancel", "lostpointercapture"])
      list.addEventListener(type, () => this.end());
    list.addEventListener("keydown", (event) => event.key === "Escape" && this.end());
  }

  down(event: PointerEvent) {
    this.end();
    const target = event.target as Element;
    const button = target.closest("[data-id]") as HTMLElement | null;
    if (!button || event.button !== 0 || !event.isPrimary || !this.host.enabled()) return;
    if (event.pointerType === "touch" && !target.closest(".element-number")) return;
    const row = button.closest("li") as Element;
    const id = button.dataset.id ?? "";
    const y = event.clientY;
    this.drag = { id, row, pointer: event.pointerId, from: y, y, started: false };
  }

  move(event: PointerEvent) {
    const { drag } = this;
    if (drag?.pointer !== event.pointerId) return;
    drag.y = event.clientY;
    if (drag.started || Math.abs(drag.y - drag.from) < SLOP) return;
    drag.started = true;
    this.list.setPointerCapture(event.pointerId);
    this.list.dataset.keys += " Escape";
    this.list.classList.add("dragging");
    drag.row.classList.add("dragged");
    requestAnimationFrame(() => this.frame());
  }

  /** Show where the row would go, and scroll at the list's ends. */
  frame() {
    const { drag, list } = this;
    if (!drag?.started) return;
    const { top, bottom } = list.getBoundingClientRect();
    if (drag.y < top + EDGE) list.scrollTop -= SCROLL;
    if (drag.y > bottom - EDGE) list.scrollTop += SCROLL;
    this.mark(this.gap());
    requestAnimationFrame(() => this.frame());
  }

  /** The row before which the dragged one would go; null at the end. */
  gap() {
    const { drag, list } = this;
    return (
      [...list.children].find((row) => {
        const { top, height } = row.getBoundingClientRect();
        return drag && drag.y < top + height / 2;
      }) ?? null
    );
  }

  mark(next: Element | null) {
    for (const row of this.list.children) {
      row.classList.toggle("drop-before", row === next);
      row.classList.toggle("drop-after", next === null && row === this.list.lastElementChild);
    }
  }

  up(event: PointerEvent) {
    const { drag } = this;
    if (drag?.pointer !== event.pointerId) return;
    if (!drag.started) {
      this.end();
      return;
    }
    const next = this.gap();
    let before = next ? next.previousElementSibling : this.list.lastElementChild;
    if (before === drag.row) before = before.previousElementSibling;
    this.end();
    if (next === drag.row) return;
    const button = (before?.querySelector("[data-id]") ?? null) as HTMLElement | null;
    this.host.drop(drag.id, button?.dataset.id ?? null);
  }

  end() {
    const { drag } = this;
    this.drag = null;
    if (!drag?.started) return;
    this.list.dataset.keys = this.list.dataset.keys?.replace(" Escape", "");
    this.list.classList.remove("dragging");
    drag.row.classList.remove("dragged");
    for (const row of this.list.children) row.classList.remove("drop-before", "drop-after");
    if (this.list.hasPointerCapture(drag.pointer)) this.list.releasePointerCapture(drag.pointer);
  }
}
