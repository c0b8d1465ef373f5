/** The workspace's keys. */

import { isTyping } from "../shared/dom";
import { digitOf, isPressOf, keyOf, listenOnWindow } from "../shared/keys";
import { t } from "../shared/messages";

/** What decides which keys of an attempt work, besides what changes meanwhile. */
export interface AttemptKeys {
  keys: Pt.ScreenKey[];
  /** those that hold under the protocol */
  conditions: Pt.AttemptPayload["key_conditions"];
  protocol: Pt.Protocol;
  /** key by label */
  labelKeys: Record<string, string | null>;
}

/** The conditions of keys that hold now. */
function conditionsNow(
  { conditions }: AttemptKeys,
  mode: Pt.KeyMode,
): Set<Pt.ScreenKey["when"][number]> {
  const offered = new Set(conditions);
  const held = offered.has("boxes") && mode.page && mode.selected && mode.held && mode.changes;
  const now: Record<Pt.ScreenCondition, boolean> = {
    back: mode.back,
    beside: mode.beside,
    changes: mode.changes,
    drawing: mode.drawing,
    edits: mode.edits,
    free: !held,
    given: mode.given,
    held,
    own: !mode.review,
    page: mode.page,
    proposes: mode.proposes,
    pans: mode.pans,
    patches: mode.patches,
    results: mode.given || offered.has("search"),
    selected: mode.selected,
    selecting: mode.selecting,
    settled: !mode.undoable,
    undoable: mode.undoable,
    unselected: !mode.selected,
  };
  const names = Object.keys(now) as Pt.ScreenCondition[];
  return new Set([...conditions, ...names.filter((name) => now[name])]);
}

/** The letters and digits that a protocol gives to its options and labels. */
function ownKeys({ protocol: { boxes, fields }, labelKeys }: AttemptKeys) {
  const labels = boxes.enabled ? Object.values(labelKeys) : [];
  const options = fields.flatMap((spec) => spec.options.map((option) => option.key));
  return new Set([...labels, ...options].map((name) => name?.toLowerCase()));
}

/**
 * The keys that work in a mode, each once.
 * @returns with the command "optionKey" for the protocol's own
 */
export function keysIn(attempt: AttemptKeys, mode: Pt.KeyMode): Pt.ScreenKey[] {
  const { keys } = attempt;
  if (mode.paused) return keys.filter(({ command }) => command === "pause");
  const conditions = conditionsNow(attempt, mode);
  const own = ownKeys(attempt);
  for (const { key } of mode.labels) own.add(key.toLowerCase());
  const isClaimed = ({ key, ctrl, alt }: Pt.PressedKey) => !ctrl && !alt && own.has(key);
  const working = keys
    .filter(({ when }) => when.every((name) => conditions.has(name)))
    .map((key) => (isClaimed(key) ? asByDefault(key, keys) : key))
    .filter((key) => !isClaimed(key));
  /** With the heading that the key of a command has. */
  const optionKey = (key: string, label: string, command: Pt.WorkspaceCommand): Pt.ScreenKey => ({
    group: keys.find((other) => other.command === command)?.group ?? "",
    label,
    shown: [key],
    command: "optionKey",
    when: [],
    ...plain(key),
    standard: plain(key),
  });
  const options: Map<string, Pt.ScreenKey> = new Map();
  for (const { key, label } of mode.labels)
    options.set(key.toLowerCase(), optionKey(key, t("Label: {label}", { label }), "toolBox"));
  for (const { spec, option } of mode.options) {
    const { key } = option;
    if (!key || options.has(key.toLowerCase())) continue;
    const label = `${spec.label}: ${option.label}`;
    options.set(key.toLowerCase(), optionKey(key, label, "nextField"));
  }
  return [...working, ...options.values()];
}

const plain = (key: string): Pt.PressedKey => ({
  key,
  name: key,
  ctrl: false,
  alt: false,
  shift: null,
});

/** A person's key that the protocol needs is the one by default there, unless that is in use. */
function asByDefault(key: Pt.ScreenKey, keys: Pt.ScreenKey[]): Pt.ScreenKey {
  const { standard } = key;
  const isUsed = keys.some(
    (other) =>
      other !== key &&
      isPressOf(other, { ...standard, shift: standard.shift ?? false }) &&
      !isPressOf(other.standard, { ...other, shift: other.shift ?? false }),
  );
  return isUsed ? key : { ...key, ...standard, shown: [standard.name] };
}

/** Whether a key event belongs to the focused control instead of the map. */
function belongsToControl(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  if (!(target instanceof Element)) return false;
  const own = (target.closest("[data-keys]") as HTMLElement | null)?.dataset.keys?.split(" ") ?? [];
  // Ctrl+Enter submits the task, also where Enter alone is the control's.
  const isSubmission = (event.ctrlKey || event.metaKey) && event.key === "Enter";
  const keys = isSubmission ? ["Control+Enter"] : [event.key, keyOf(event), digitOf(event)];
  if (keys.some((key) => key && own.includes(key))) return true;
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

/** What ↑ and ↓ may do on the page instead of reading on. */
const ON_PAGE = new Set(["nudge", "nextBlock", "previousBlock", "moreBlocks", "fewerBlocks"]);

/** Commands that work in a text, too. */
const WHILE_TYPING = new Set(["submit", "escape", "splitLabel", "mergeLabels", "printedNumbers"]);

/**
 * The key that an event means. One with a digit on it means the digit where an option has that
 * digit, and where what the layout types there means nothing.
 */
function pressedKey(
  event: KeyboardEvent,
  entries: Pt.ScreenKey[],
  isBound: (key: string) => boolean,
): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const digit = event.ctrlKey || event.metaKey || event.altKey ? null : digitOf(event);
  const isOption = entries.some((entry) => entry.command === "optionKey" && entry.key === digit);
  if (digit && (isOption || !isBound(key))) return digit;
  return isBound(key) ? key : keyOf(event);
}

const isChord = (event: KeyboardEvent) => event.ctrlKey || event.metaKey;

/** Whether a command works in a text box: undoing only where nothing is typed that the browser undoes. */
function worksInText(
  command: Pt.ScreenKey["command"],
  event: KeyboardEvent,
  hasTyping: (element: Element) => boolean,
) {
  const target = event.composedPath()[0];
  if (command === "undo" || command === "redo")
    return isChord(event) && target instanceof Element && !hasTyping(target);
  return WHILE_TYPING.has(command ?? "");
}

/** Keys of the screen in an empty search box, where a task begins; no query begins with a sign. */
function isBeforeQuery(event: KeyboardEvent) {
  const target = event.composedPath()[0];
  const isSign = event.key.length === 1 && /[^\p{L}\p{N}\s"'*(]/u.test(event.key);
  return (
    target instanceof HTMLInputElement &&
    target.matches(".search-input") &&
    !target.value &&
    (isSign || event.ctrlKey || event.metaKey)
  );
}

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
  takeNextKey,
  blocked,
  foreign,
  hasTyping,
  root,
}: {
  /** of a command; one that returns false leaves the key alone */
  action: (name: string) => ((event: KeyboardEvent, key: string) => unknown) | null;
  /** the keys that work now, as of `keysIn` */
  working: () => Pt.ScreenKey[];
  /** what the key completes that an earlier key began */
  takeNextKey: () => ((event: KeyboardEvent, key: string) => unknown) | null;
  /** true while a dialog is open */
  blocked: () => boolean;
  /** whether the event comes from a field outside */
  foreign: (event: Event) => boolean;
  /** whether a text box holds typing that the browser can undo */
  hasTyping: (element: Element) => boolean;
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
  return listenOnWindow(root, (event) => {
    if (event.isComposing || foreign(event) || blocked()) return;
    const ctrl = event.ctrlKey || event.metaKey;
    const alt = event.altKey;
    if (alt && (ctrl || event.shiftKey)) return; // AltGr types characters
    const entries = working();
    const { shiftKey: shift } = event;
    const bindingOf = (key: string) =>
      entries.find(
        (entry) =>
          entry.command &&
          entry.command !== "optionKey" &&
          isPressOf(entry, { key, ctrl, alt, shift }),
      );
    const pressed = pressedKey(event, entries, (key) => Boolean(bindingOf(key)));
    // In a text Ctrl with letters and arrows is the text's own.
    const isText = isTyping(event) && !isBeforeQuery(event);
    if (isText && !worksInText(bindingOf(pressed)?.command ?? null, event, hasTyping)) return;
    if (event.key.length === 1 || event.key === "Escape") {
      const complete = ctrl || alt ? null : takeNextKey();
      if (complete?.(event, pressed)) {
        event.preventDefault();
        event.stopPropagation();
        return;
      }
    }
    if (!alt && belongsToControl(event)) return;
    // On the page ↑ and ↓ read on, unless they move a box or outline text.
    const reads = !ctrl && !alt && isUpOrDown(event) && isPage(event);
    const bound = bindingOf(pressed);
    const found = reads && !ON_PAGE.has(bound?.command ?? "") ? undefined : bound;
    const character = !ctrl && !alt && /^[0-9a-z]$/.test(pressed);
    const isRepeatable = /^(Arrow|[+=-])/.test(found?.standard.key ?? pressed);
    if (event.repeat && !isRepeatable && (found || character)) {
      event.stopPropagation();
      return;
    }
    // The protocol knows best what its keys mean now, typed ahead of the page as well.
    const readsOn = reads && entries.some((entry) => entry.command === "readOn");
    const command = found?.command ?? (readsOn ? "readOn" : null);
    const taken = command
      ? takes(command, event, found?.standard.key ?? pressed)
      : character && takes("optionKey", event, pressed);
    if (taken) event.preventDefault();
    // Streamlit has shortcuts on letters, which nobody means here.
    if (taken || character) event.stopPropagation();
  });
}
