/** The workspace's keys. */

import { isTyping } from "../shared/dom";
import * as keys from "../shared/keys";
import { stepColumn } from "./fields/steps";
import { MAP } from "./key_map";

const { key } = keys;

/** What holds on the screen, by the names in the map. */
function conditions(protocol: Pt.Protocol, mode: Pt.KeyMode): Record<string, boolean> {
  const { search, boxes, evidence, answer, clock, fields, text } = protocol;
  const { page, given, selected } = mode;
  return {
    page,
    words: page && (boxes.enabled || text.select),
    finds: page && text.find,
    beside: mode.beside,
    selecting: page && mode.selecting,
    copies: page && mode.selecting && mode.changes && text.select && answer.kind !== "off",
    pans: mode.pans,
    back: mode.back,
    edits: mode.edits,
    changes: mode.changes,
    own: !mode.review,
    search: search.enabled && mode.edits,
    results: search.enabled || given,
    boxes: boxes.enabled && page,
    elements: boxes.enabled && boxes.seed,
    drawing: boxes.enabled && page && mode.drawing && mode.changes,
    selected: boxes.enabled && page && selected,
    ordered: boxes.enabled && boxes.order && page && selected && mode.changes,
    unselected: !selected,
    held: boxes.enabled && page && selected && mode.held && mode.changes,
    free: !(boxes.enabled && page && selected && mode.held && mode.changes),
    evidence: evidence.enabled,
    answer: answer.kind !== "off",
    pause: clock.pause,
    asks: fields.some((spec) => spec.kind !== "records"),
    undoable: mode.undoable,
    unboxed: !boxes.enabled,
    gaps: given && fields.some((spec) => spec.scope === "page"),
    steps: !boxes.enabled && fields.some(stepColumn),
    rows: !boxes.enabled && fields.some((spec) => spec.kind === "records"),
  };
}

/**
 * The letters and digits that a protocol gives to its options and labels.
 * @param labelKeys key by label
 */
function ownKeys({ boxes, fields }: Pt.Protocol, labelKeys: Record<string, string | null>) {
  const labels = boxes.enabled ? Object.values(labelKeys) : [];
  const options = fields.flatMap((spec) => spec.options.map((option) => option.key));
  return new Set([...labels, ...options].map((name) => name?.toLowerCase()));
}

/**
 * The keys that work in a mode, each once.
 * @param labelKeys key by label
 * @returns with `run` "optionKey" for the protocol's own
 */
export function keysIn(
  protocol: Pt.Protocol,
  labelKeys: Record<string, string | null>,
  mode: Pt.KeyMode,
): Pt.Key[] {
  if (mode.paused) return MAP.filter(({ run }) => run === "pause");
  const holds = conditions(protocol, mode);
  const own = ownKeys(protocol, labelKeys);
  const found = MAP.filter(
    (entry) => (entry.ctrl || !own.has(entry.key)) && (entry.when ?? []).every((c) => holds[c]),
  );
  const labelling = holds.drawing || (holds.selected && mode.changes);
  const mine: Map<string, Pt.Key> = new Map();
  for (const [label, name] of Object.entries(labelling ? labelKeys : {}))
    if (name) mine.set(name.toLowerCase(), key("Boxes", name, "optionKey", `Label: ${label}`));
  for (const { spec, option } of mode.options) {
    const name = option.key?.toLowerCase();
    if (!name || mine.has(name)) continue;
    mine.set(
      name,
      key("Fields", option.key ?? "", "optionKey", `${spec.label}: ${option.label}`, {}),
    );
  }
  return [...found, ...mine.values()];
}

/**
 * The keys of a mode by group, for the help.
 * @param labelKeys key by label
 */
export const keyGroups = (
  protocol: Pt.Protocol,
  labelKeys: Record<string, string | null>,
  mode: Pt.KeyMode,
) => keys.keyGroups(keysIn(protocol, labelKeys, mode));

/** Whether a key event belongs to the focused control instead of the map. */
function belongsToControl(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  if (!(target instanceof Element)) return false;
  const own = (target.closest("[data-keys]") as HTMLElement | null)?.dataset.keys?.split(" ") ?? [];
  if (own.includes(event.key) || own.includes(event.key.toLowerCase())) return true;
  if (READING.has(event.key) && !isUpOrDown(event) && readsElsewhere(target)) return true;
  if (target.matches("input[type=radio], input[type=checkbox], input[type=range]")) {
    return event.key.startsWith("Arrow");
  }
  return isUpOrDown(event) && Boolean(target.closest("[role=radiogroup]"));
}

const isUpOrDown = ({ key }: { key: string }) => key === "ArrowUp" || key === "ArrowDown";

const READING = new Set([" ", "PageDown", "PageUp", "ArrowDown", "ArrowUp"]);
const CONTROLS = "a, button, input, select, summary, [tabindex]:not(.pane, .question-text)";

/** Whether a key that reads on is another's: of a focused control, or of a panel that scrolls. */
const readsElsewhere = (target: Element) => Boolean(target.closest(`${CONTROLS}, .scrolls`));

/** Whether the page has the focus. */
function isPage(event: KeyboardEvent) {
  const target = event.composedPath()[0];
  return target instanceof Element && target.matches(".pane");
}

/**
 * Listen for keys.
 * @returns stop listening
 */
export function listenKeys({
  action,
  working,
  blocked,
  foreign,
  root,
}: {
  /** by the names in the map and "optionKey"; an action that returns false leaves the key alone */
  action: (name: string) => (...args: any[]) => any | null;
  /** the keys that work now, as of `keysIn` */
  working: () => Pt.Key[];
  /** true while a dialog is open */
  blocked: () => boolean;
  /** whether the event comes from a field outside */
  foreign: (event: Event) => boolean;
  root: Element | ShadowRoot;
}): () => void {
  const takes: (name: string, event: KeyboardEvent, pressed: string) => boolean = (
    name,
    event,
    pressed,
  ) => {
    const run = action(name);
    return run !== null && run(event, pressed) !== false;
  };
  return keys.listenOnWindow(root, (event) => {
    if (event.isComposing || foreign(event) || blocked()) return;
    const ctrl = event.ctrlKey || event.metaKey;
    const alt = event.altKey;
    if (alt && (ctrl || event.shiftKey)) return; // AltGr types characters
    const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    // In a text Ctrl with letters and arrows is the text's own.
    if (isTyping(event) && !(ctrl && pressed === "Enter") && pressed !== "Escape") return;
    if (!alt && belongsToControl(event)) return;
    const entries = working();
    // On the page ↑ and ↓ read on, unless they move a box.
    const reads = !ctrl && !alt && isUpOrDown(event) && isPage(event);
    const found = entries.find(
      (entry) =>
        entry.run &&
        entry.run !== "optionKey" &&
        entry.key === pressed &&
        Boolean(entry.ctrl) === ctrl &&
        Boolean(entry.alt) === alt &&
        (entry.shift === undefined || entry.shift === event.shiftKey) &&
        (!reads || entry.run === "nudge"),
    );
    const character = !ctrl && !alt && /^[0-9a-z]$/.test(pressed);
    if (event.repeat && !/^(Arrow|[+=-])/.test(pressed) && (found || character)) {
      event.stopPropagation();
      return;
    }
    // The protocol knows best what its keys mean now, typed ahead of the page as well.
    const run = found?.run ?? (reads && entries.some((e) => e.run === "readOn") ? "readOn" : null);
    const taken = run
      ? takes(run, event, pressed)
      : character && takes("optionKey", event, pressed);
    if (taken) event.preventDefault();
    // Streamlit has shortcuts on letters, which nobody means here.
    if (taken || character) event.stopPropagation();
  });
}
