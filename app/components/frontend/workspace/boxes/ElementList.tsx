import { useComputed } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { boxesOn, lastChange } from "../../shared/box_state";
import { Button } from "../../shared/components/Button";
import { t, tn } from "../../shared/messages";
import { finalOrder } from "../../shared/reading_order";
import { isReadOnly } from "../state/attempt_state";
import { formOf } from "../state/form_state";
import { ElementRow, type RowActions } from "./ElementRow";
import { checked, listed } from "./element_order";
import { RowDragging } from "./row_dragging";
import "./ElementList.css";

export interface ElementListActions extends RowActions {
  acceptRemaining(): void;
  /** Put a box into the reading order after another; null puts it first. */
  dropAfter(id: string, after: string | null): void;
}

export interface ElementListProps {
  store: Pt.Store;
  actions: ElementListActions;
}

/** The boxes on the open page: a model's elements with what became of them, or one's own. */
export function ElementList({ store, actions }: ElementListProps) {
  const protocol = store.protocol.value;
  const part = protocol.boxes;
  // An attempt's state changes with whatever is done; its boxes do less often.
  const boxState = useComputed(() => store.state.value.boxes);
  const mayChange = useComputed(() => !isReadOnly(store.state.value) && !store.timeOver.value);
  if (!part.enabled) return null;
  const page = store.page.value;
  const readOnly = !mayChange.value;
  const all = boxState.value;
  const boxes = page ? listed(all, part, page) : [];
  const change = page && lastChange(all, "undo", page.document, page.page);
  return (
    <section
      class={part.seed ? "elements stack" : "elements stack few"}
      data-testid="elements"
      aria-label={part.seed ? t("Elements") : t("Boxes")}
    >
      <Progress
        {...{ all, part, page, boxes, readOnly }}
        onAccept={() => actions.acceptRemaining()}
      />
      {boxes.length ? (
        <Rows
          {...{ store, part, boxes, change, readOnly, actions }}
          places={part.order ? finalOrder(boxes) : null}
        />
      ) : (
        <p class="empty-line caption">{whyEmpty(store, page)}</p>
      )}
    </section>
  );
}

interface ListedProps {
  part: Pt.BoxesPart;
  /** of the page, in order */
  boxes: Pt.PageBox[];
  readOnly: boolean;
}

interface ProgressProps extends ListedProps {
  page: Pt.OpenPage | null;
  all: Pt.Boxes;
  onAccept: () => void;
}

function Progress({ all, part, page, boxes, readOnly, onAccept }: ProgressProps) {
  const here = checked(boxes);
  const everywhere = checked(all.boxes);
  const left = here.total - here.done;
  const isGiven = part.seed && here.total > 0;
  const alive = page ? boxesOn(all, page.document, page.page).length : 0;
  const count = isGiven
    ? t("{done} of {total} checked", { done: here.done, total: here.total })
    : tn("{number} box", "{number} boxes", alive);
  return (
    <>
      <div class="elements-head line">
        <h2>{part.seed ? t("Elements") : t("Boxes")}</h2>
        <span class="count quiet number" data-testid="elements-count" role="status">
          {page ? count : ""}
        </span>
      </div>
      {isGiven ? (
        <div class="bar" aria-hidden="true">
          <span class="bar-fill" style={{ width: `${(100 * here.done) / here.total}%` }} />
        </div>
      ) : null}
      <div class="elements-foot line spread">
        <p class="caption" data-testid="elements-task">
          {everywhere.total > here.total
            ? t("All pages: {done} of {total}", { done: everywhere.done, total: everywhere.total })
            : ""}
        </p>
        {isGiven && !readOnly ? (
          <Button testid="accept-remaining" disabled={!left} onClick={onAccept}>
            {left ? t("Accept the remaining {left}…", { left }) : t("All checked")}
          </Button>
        ) : null}
      </div>
    </>
  );
}

/** Why there is no list, and how to get one. */
function whyEmpty(store: Pt.Store, page: Pt.OpenPage | null) {
  if (!page) return t("Open a page to see its boxes.");
  const [protocol, state, given] = [
    store.protocol.value,
    store.state.value,
    store.given_pages.value,
  ];
  if (!formOf({ protocol, state, given_pages: given }).mayHaveBoxes(page.document, page.page))
    return whereAsked(protocol);
  return protocol.boxes.add
    ? t("None on this page. Draw with box mode (b).")
    : t("None on this page.");
}

/** On which pages boxes are asked for. */
function whereAsked({ boxes: { when }, fields }: Pt.Protocol) {
  const spec = fields.find(({ name }) => name === when?.field);
  if (!when || !spec) return t("Not asked for.");
  const labels = when.values.map((value) =>
    t("“{label}”", {
      label: spec.options.find((option) => option.value === value)?.label ?? value,
    }),
  );
  return t("Asked for where “{label}” is {values}.", {
    label: spec.label,
    values: labels.join(t(" or ")),
  });
}

interface RowsProps extends ListedProps {
  store: Pt.Store;
  /** by box its number in the reading order; null where boxes have none */
  places: Map<string, number> | null;
  /** the last one of the page */
  change: Pt.Change | null;
  actions: ElementListActions;
}

function Rows({ store, part, boxes, places, change, readOnly, actions }: RowsProps) {
  const list = useRef<HTMLOListElement>(null);
  const selected = store.selected.value;
  const isSelectedListed = boxes.some(({ id }) => id === selected);
  const stop = isSelectedListed ? selected : boxes[0].id;
  const isSortable = part.order && !readOnly;

  const latest = useRef({ isSortable, actions });
  latest.current = { isSortable, actions };
  useLayoutEffect(() => {
    if (!list.current) return;
    const dragging = new RowDragging(list.current, {
      enabled: () => latest.current.isSortable,
      drop: (id, after) => latest.current.actions.dropAfter(id, after),
    });
    return () => dragging.end();
  }, []);
  useLayoutEffect(() => {
    if (!isSelectedListed) return;
    // Measured with the next frame: measuring now would need its layout twice.
    const frame = requestAnimationFrame(() => list.current && revealCurrent(list.current));
    return () => cancelAnimationFrame(frame);
  }, [selected, isSelectedListed]);

  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>(".element") ?? [])];
    const here = buttons.indexOf(event.target as HTMLElement);
    const targets: Record<string, number> = {
      ArrowDown: here + 1,
      ArrowUp: here - 1,
      Home: 0,
      End: buttons.length - 1,
    };
    const to = targets[event.key];
    if (here < 0 || to === undefined) return;
    event.preventDefault();
    const button = buttons[Math.min(buttons.length - 1, Math.max(0, to))];
    button.focus({ preventScroll: true });
    actions.select(button.dataset.id ?? "");
  };
  return (
    <ol
      ref={list}
      class={isSortable ? "element-list sortable" : "element-list"}
      data-keys="ArrowUp ArrowDown Home End"
      onKeyDown={press}
    >
      {boxes.map((box, i) => (
        <ElementRow
          key={box.id}
          box={box}
          number={places ? (places.get(box.id) ?? "–") : i + 1}
          part={part}
          isSelected={box.id === selected}
          isStop={box.id === stop}
          isRestorable={box.deleted && change?.box === box.id && change.after.deleted === true}
          readOnly={readOnly}
          actions={actions}
        />
      ))}
    </ol>
  );
}

/** Scroll the list, and nothing around it, so that the chosen row is in view. */
function revealCurrent(list: HTMLElement) {
  const row = list.querySelector("[aria-current]")?.closest("li");
  if (!row) return;
  const [outer, inner] = [list.getBoundingClientRect(), row.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
}
