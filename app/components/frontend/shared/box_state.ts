/**
 * The boxes of an attempt and their undo history as a fold of events: the client's copy of
 * annotation/attempts/boxes.py. A box is never taken out of the list; deleting marks it.
 */

const MAX_UNDO = 50;

const PATCHES: Record<string, any> = {
  box_moved: ({ rect }: { rect: Pt.Rect }) => ({ rect }),
  box_resized: ({ rect }: { rect: Pt.Rect }) => ({ rect }),
  box_labelled: ({ label }: { label: string | null }) => ({ label }),
  box_content_edited: ({ content }: { content: string }) => ({ content }),
  box_ordered: ({ order }: { order: any }) => ({ order: order ?? null }),
  box_attributes_edited: ({ attributes }: { attributes: Record<string, string> }) => ({
    attributes,
  }),
  box_accepted: ({ accepted = true }) => ({ accepted }),
  box_deleted: () => ({ deleted: true }),
};

/** The types of events that `applyBox` knows. */
export const BOX_EVENTS = new Set([
  ...Object.keys(PATCHES),
  "box_drawn",
  "undone",
  "redone",
  "elements_seeded",
]);

/**
 * The boxes after one more event; an event on an unknown box changes nothing.
 * @param id the event's id, which names the change
 */
export function applyBox(
  state: any,
  type: string,
  payload: Record<string, any>,
  seq: any,
  id: string,
): any {
  if (type === "elements_seeded") return seeded(state, payload, seq);
  if (type === "box_drawn") return drawn(state, payload, seq, id);
  if (type === "undone") return turned(state, payload, "undo");
  if (type === "redone") return turned(state, payload, "redo");
  const box = getBox(state, payload.box);
  return box ? changed(state, box, PATCHES[type](payload), id) : state;
}

/** The box of that id, deleted or not. */
export function getBox(state: any, id: string): any | null {
  return state.boxes.find((box: Pt.PageBox) => box.id === id) ?? null;
}

/** The boxes of a page that are not deleted. */
export function boxesOn(state: any, document: string, page: number) {
  return state.boxes.filter(
    (box: Pt.PageBox) => box.document === document && box.page === page && !box.deleted,
  );
}

/** The change of a page that would be undone, or redone, next. */
export function lastChange(state: any, stack: any, document: string, page: number): any | null {
  return state[stack].findLast((c: any) => c.document === document && c.page === page) ?? null;
}

/** What differs from the model's element: rect, label, content, order, attributes. */
export function differences({ model, ...box }: any): string[] {
  if (!model) return [];
  const found = [];
  if (box.rect.some((value: any, i: number) => value !== model.rect[i])) found.push("rect");
  if (box.label !== model.label) found.push("label");
  if ((box.content ?? "") !== (model.content ?? "")) found.push("content");
  if (box.order !== model.order) found.push("order");
  if (!sameEntries(box.attributes, model.attributes)) found.push("attributes");
  return found;
}

/** What became of a box; "open" is a model's element that nobody has judged. */
export function verdict(box: Pt.PageBox): "deleted" | "added" | "corrected" | "accepted" | "open" {
  if (box.deleted) return "deleted";
  if (!box.model) return "added";
  if (differences(box).length) return "corrected";
  return box.accepted ? "accepted" : "open";
}

function sameEntries(mine: any, theirs: any) {
  const names = Object.keys(mine);
  return (
    names.length === Object.keys(theirs).length &&
    names.every((name) => mine[name] === theirs[name])
  );
}

function seeded(state: any, { document, page, elements }: Record<string, any>, seq: any) {
  const given = state.boxes.filter((box: Pt.PageBox) => box.model).length;
  const made = elements.map((element: any, i: number) => ({
    id: `e${given + i + 1}`,
    document,
    page,
    rect: element.rect,
    label: element.label,
    content: element.content,
    order: element.order,
    attributes: element.attributes,
    accepted: false,
    deleted: false,
    model: element,
    seq,
  }));
  return { ...state, boxes: [...state.boxes, ...made] };
}

function drawn(state: any, payload: Record<string, any>, seq: any, id: string) {
  if (getBox(state, payload.box)) return state;
  const source = payload.copy_of ? getBox(state, payload.copy_of) : null;
  const box = {
    id: payload.box,
    document: payload.document,
    page: payload.page,
    rect: payload.rect,
    label: payload.label,
    content: source?.content ?? null,
    order: payload.order ?? null,
    attributes: source?.attributes ?? {},
    accepted: false,
    deleted: true,
    model: null,
    seq,
  };
  return changed({ ...state, boxes: [...state.boxes, box] }, box, { deleted: false }, id);
}

function changed(state: any, box: any, after: any, id: string) {
  const { document, page } = box;
  const before = Object.fromEntries(Object.keys(after).map((key) => [key, box[key]]));
  const here = (other: any) => other.document === document && other.page === page;
  const undo = [...state.undo];
  if (undo.filter(here).length >= MAX_UNDO) undo.splice(undo.findIndex(here), 1);
  return {
    boxes: patched(state.boxes, box.id, after),
    undo: [...undo, { id, document, page, box: box.id, before, after }],
    redo: state.redo.filter((other: any) => !here(other)),
  };
}

/** Take the last change back, or make it again; another change than the last is left alone. */
function turned(state: any, payload: Record<string, any>, stack: any) {
  const change = lastChange(state, stack, payload.document, payload.page);
  if (!change || change.id !== payload.change) return state;
  const other = stack === "undo" ? "redo" : "undo";
  return {
    boxes: patched(state.boxes, change.box, stack === "undo" ? change.before : change.after),
    [stack]: state[stack].filter((entry: any) => entry !== change),
    [other]: [...state[other], change],
  };
}

function patched(boxes: any[], id: string, patch: any) {
  return boxes.map((box) => (box.id === id ? { ...box, ...patch } : box));
}
