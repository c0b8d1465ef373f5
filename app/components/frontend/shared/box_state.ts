/**
 * The boxes of an attempt and their undo history as a fold of events: the client's copy of
 * annotation/attempts/boxes.py. A box is never taken out of the list; deleting marks it.
 */

const MAX_UNDO = 50;

type Stack = "undo" | "redo";

const BOX_EVENTS = [
  "elements_seeded",
  "box_drawn",
  "box_moved",
  "box_resized",
  "box_labelled",
  "box_content_edited",
  "box_ordered",
  "box_attributes_edited",
  "box_accepted",
  "box_deleted",
  "undone",
  "redone",
] as const;

/** An event that changes boxes. */
export type BoxEvent = Extract<Pt.FoldedEvent, { type: (typeof BOX_EVENTS)[number] }>;
type BoxChange = Exclude<BoxEvent, { type: "elements_seeded" | "box_drawn" | "undone" | "redone" }>;

/** Whether `applyBox` knows an event. */
export function isBoxEvent(event: Pt.FoldedEvent): event is BoxEvent {
  return (BOX_EVENTS as readonly string[]).includes(event.type);
}

/**
 * The boxes after one more event; an event on an unknown box changes nothing. The event's id names
 * the change.
 */
export function applyBox(state: Pt.Boxes, event: BoxEvent): Pt.Boxes {
  switch (event.type) {
    case "elements_seeded":
      return seeded(state, event.payload, event.seq);
    case "box_drawn":
      return drawn(state, event.payload, event.seq, event.id);
    case "undone":
      return turned(state, event.payload, "undo");
    case "redone":
      return turned(state, event.payload, "redo");
    default: {
      const box = getBox(state, event.payload.box);
      return box ? changed(state, box, newValues(event), event.id) : state;
    }
  }
}

function newValues(event: BoxChange): Pt.BoxPatch {
  switch (event.type) {
    case "box_moved":
    case "box_resized":
      return { rect: event.payload.rect };
    case "box_labelled":
      return { label: event.payload.label };
    case "box_content_edited":
      return { content: event.payload.content };
    case "box_ordered":
      return { order: event.payload.order ?? null };
    case "box_attributes_edited":
      return { attributes: event.payload.attributes };
    case "box_accepted":
      return { accepted: event.payload.accepted ?? true };
    case "box_deleted":
      return { deleted: true };
  }
}

/** The box of that id, deleted or not. */
export function getBox(state: Pt.Boxes, id: string): Pt.PageBox | null {
  return state.boxes.find((box) => box.id === id) ?? null;
}

/** The boxes of a page that are not deleted. */
export function boxesOn(state: Pt.Boxes, document: string, page: number) {
  return state.boxes.filter(
    (box) => box.document === document && box.page === page && !box.deleted,
  );
}

/** The change of a page that would be undone, or redone, next. */
export function lastChange(state: Pt.Boxes, stack: Stack, document: string, page: number) {
  return state[stack].findLast((c) => c.document === document && c.page === page) ?? null;
}

type ChangedPart = "rect" | "label" | "content" | "order" | "attributes";

/** What differs from the model's element. */
export function differences({ model, ...box }: Pt.PageBox): ChangedPart[] {
  if (!model) return [];
  const changes: ChangedPart[] = [];
  if (box.rect.some((value, i) => value !== model.rect[i])) changes.push("rect");
  if (box.label !== model.label) changes.push("label");
  if ((box.content ?? "") !== (model.content ?? "")) changes.push("content");
  if (box.order !== model.order) changes.push("order");
  if (!sameEntries(box.attributes, model.attributes)) changes.push("attributes");
  return changes;
}

/** What became of a box; "open" is a model's element that nobody has judged. */
export function verdict(box: Pt.PageBox): "deleted" | "added" | "corrected" | "accepted" | "open" {
  if (box.deleted) return "deleted";
  if (!box.model) return "added";
  if (differences(box).length) return "corrected";
  return box.accepted ? "accepted" : "open";
}

function sameEntries(mine: Record<string, string>, theirs: Record<string, string>) {
  const names = Object.keys(mine);
  return (
    names.length === Object.keys(theirs).length &&
    names.every((name) => mine[name] === theirs[name])
  );
}

function seeded(state: Pt.Boxes, payload: Pt.ElementsSeeded, seq: number): Pt.Boxes {
  const { document, page, elements } = payload;
  const given = state.boxes.filter((box) => box.model).length;
  const boxes = elements.map((element, i) => ({
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
  return { ...state, boxes: [...state.boxes, ...boxes] };
}

function drawn(state: Pt.Boxes, payload: Pt.BoxDrawn, seq: number, id: string): Pt.Boxes {
  if (getBox(state, payload.box)) return state;
  const source = payload.copy_of ? getBox(state, payload.copy_of) : null;
  const box: Pt.PageBox = {
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

function changed(state: Pt.Boxes, box: Pt.PageBox, after: Pt.BoxPatch, id: string): Pt.Boxes {
  const { document, page } = box;
  const keys = Object.keys(after) as (keyof Pt.BoxPatch)[];
  const before: Pt.BoxPatch = Object.fromEntries(keys.map((key) => [key, box[key]]));
  const here = (other: Pt.Place) => other.document === document && other.page === page;
  const undo = [...state.undo];
  if (undo.filter(here).length >= MAX_UNDO) undo.splice(undo.findIndex(here), 1);
  return {
    boxes: patched(state.boxes, box.id, after),
    undo: [...undo, { id, document, page, box: box.id, before, after }],
    redo: state.redo.filter((other) => !here(other)),
  };
}

/** Take the last change back, or make it again; another change than the last is left alone. */
function turned(state: Pt.Boxes, payload: Pt.Undone | Pt.Redone, stack: Stack): Pt.Boxes {
  const change = lastChange(state, stack, payload.document, payload.page);
  if (!change || change.id !== payload.change) return state;
  const boxes = patched(state.boxes, change.box, stack === "undo" ? change.before : change.after);
  const others = state[stack].filter((entry) => entry !== change);
  return stack === "undo"
    ? { boxes, undo: others, redo: [...state.redo, change] }
    : { boxes, redo: others, undo: [...state.undo, change] };
}

function patched(boxes: Pt.PageBox[], id: string, patch: Pt.BoxPatch) {
  return boxes.map((box) => (box.id === id ? { ...box, ...patch } : box));
}
