/**
 * The boxes of an attempt and their undo history as a fold of events: the client's copy of
 * annotation/attempts/boxes.py. A box is never taken out of the list; deleting marks it.
 */

const MAX_UNDO = 50;

/** @type {Record<string, any>} */
const PATCHES = {
  box_moved: (/** @type {{ rect: Pt.Rect }} */ { rect }) => ({ rect }),
  box_resized: (/** @type {{ rect: Pt.Rect }} */ { rect }) => ({ rect }),
  box_labelled: (/** @type {{ label: string | null }} */ { label }) => ({ label }),
  box_content_edited: (/** @type {{ content: string }} */ { content }) => ({ content }),
  box_ordered: (/** @type {{ order: any }} */ { order }) => ({ order: order ?? null }),
  box_attributes_edited: (
    /** @type {{ attributes: Record<string, string> }} */ { attributes },
  ) => ({ attributes }),
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
 * @param {any} state
 * @param {string} type
 * @param {Record<string, any>} payload
 * @param {any} seq
 * @param {string} id the event's id, which names the change
 * @returns {any}
 */
export function applyBox(state, type, payload, seq, id) {
  if (type === "elements_seeded") return seeded(state, payload, seq);
  if (type === "box_drawn") return drawn(state, payload, seq, id);
  if (type === "undone") return turned(state, payload, "undo");
  if (type === "redone") return turned(state, payload, "redo");
  const box = getBox(state, payload.box);
  return box ? changed(state, box, PATCHES[type](payload), id) : state;
}

/** The box of that id, deleted or not. @param {any} state @param {string} id @returns {any|null} */
export function getBox(state, id) {
  return state.boxes.find((/** @type {Pt.PageBox} */ box) => box.id === id) ?? null;
}

/**
 * The boxes of a page that are not deleted.
 * @param {any} state
 * @param {string} document
 * @param {number} page
 */
export function boxesOn(state, document, page) {
  return state.boxes.filter(
    (/** @type {Pt.PageBox} */ box) =>
      box.document === document && box.page === page && !box.deleted,
  );
}

/**
 * The change of a page that would be undone, or redone, next.
 * @param {any} state
 * @param {any} stack
 * @param {string} document
 * @param {number} page
 * @returns {any|null}
 */
export function lastChange(state, stack, document, page) {
  return (
    state[stack].findLast((/** @type {any} */ c) => c.document === document && c.page === page) ??
    null
  );
}

/**
 * What differs from the model's element: rect, label, content, order, attributes.
 * @param {any} box
 * @returns {string[]}
 */
export function differences({ model, ...box }) {
  if (!model) return [];
  const found = [];
  if (box.rect.some((/** @type {any} */ value, /** @type {number} */ i) => value !== model.rect[i]))
    found.push("rect");
  if (box.label !== model.label) found.push("label");
  if ((box.content ?? "") !== (model.content ?? "")) found.push("content");
  if (box.order !== model.order) found.push("order");
  if (!sameEntries(box.attributes, model.attributes)) found.push("attributes");
  return found;
}

/**
 * What became of a box; "open" is a model's element that nobody has judged.
 * @param {Pt.PageBox} box
 * @returns {"deleted"|"added"|"corrected"|"accepted"|"open"}
 */
export function verdict(box) {
  if (box.deleted) return "deleted";
  if (!box.model) return "added";
  if (differences(box).length) return "corrected";
  return box.accepted ? "accepted" : "open";
}

/** @param {any} mine @param {any} theirs */
function sameEntries(mine, theirs) {
  const names = Object.keys(mine);
  return (
    names.length === Object.keys(theirs).length &&
    names.every((name) => mine[name] === theirs[name])
  );
}

/** @param {any} state @param {Record<string, any>} given @param {any} seq */
function seeded(state, { document, page, elements }, seq) {
  const given = state.boxes.filter((/** @type {Pt.PageBox} */ box) => box.model).length;
  const made = elements.map((/** @type {any} */ element, /** @type {number} */ i) => ({
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

/** @param {any} state @param {Record<string, any>} payload @param {any} seq @param {string} id */
function drawn(state, payload, seq, id) {
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

/** @param {any} state @param {any} box @param {any} after @param {string} id */
function changed(state, box, after, id) {
  const { document, page } = box;
  const before = Object.fromEntries(Object.keys(after).map((key) => [key, box[key]]));
  const here = (/** @type {any} */ other) => other.document === document && other.page === page;
  const undo = [...state.undo];
  if (undo.filter(here).length >= MAX_UNDO) undo.splice(undo.findIndex(here), 1);
  return {
    boxes: patched(state.boxes, box.id, after),
    undo: [...undo, { id, document, page, box: box.id, before, after }],
    redo: state.redo.filter((/** @type {any} */ other) => !here(other)),
  };
}

/**
 * Take the last change back, or make it again; another change than the last is left alone.
 * @param {any} state
 * @param {Record<string, any>} payload
 * @param {any} stack
 */
function turned(state, payload, stack) {
  const change = lastChange(state, stack, payload.document, payload.page);
  if (!change || change.id !== payload.change) return state;
  const other = stack === "undo" ? "redo" : "undo";
  return {
    boxes: patched(state.boxes, change.box, stack === "undo" ? change.before : change.after),
    [stack]: state[stack].filter((/** @type {any} */ entry) => entry !== change),
    [other]: [...state[other], change],
  };
}

/** @param {any[]} boxes @param {string} id @param {any} patch */
function patched(boxes, id, patch) {
  return boxes.map((box) => (box.id === id ? { ...box, ...patch } : box));
}
