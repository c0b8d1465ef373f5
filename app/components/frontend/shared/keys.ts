/** A screen's keys: where it listens to them, what was pressed, and how they are printed. */

let screenKeys: Pt.ScreenKey[] = [];

/** Let titles and sentences print these keys: a person's, of the screen that is mounted. */
export function printKeys(keys: Pt.ScreenKey[]) {
  screenKeys = keys;
}

/** The first key of a command as it is printed, such as "Ctrl+Z"; empty if it has none. */
export const keyName = (command: Pt.WorkspaceCommand | Pt.ReviewCommand) =>
  screenKeys.find((key) => key.command === command)?.name ?? "";

/** The keys that a part of the screen handles itself while it has the focus, as `data-keys` lists them. */
export function keysWithin(part: Pt.AttemptPayload["key_conditions"][number]) {
  const own = screenKeys.filter(({ command, when }) => command === null && when.includes(part));
  return own.map(({ key }) => key).join(" ");
}

/** The name of a button with the key that does the same. */
export function withKey(text: string, command: Pt.WorkspaceCommand | Pt.ReviewCommand) {
  const name = keyName(command);
  return name ? `${text} (${name})` : text;
}

type Pressed = Pick<KeyboardEvent, "key" | "code" | "shiftKey">;

/** The digit on a pressed key, which some layouts type only with Shift; null for other keys. */
export function digitOf({ key, code, shiftKey }: Pressed): string | null {
  if (/^[0-9]$/.test(key)) return key;
  return (!shiftKey && /^Digit([0-9])$/.exec(code)?.[1]) || null;
}

/**
 * The key as bindings name it: what the layout types, letters in lower case.
 * @returns where the layout has no Latin letters, the letter at that position
 */
export function keyOf({ key, code }: Pick<KeyboardEvent, "key" | "code">): string {
  if (key.length > 1) return key;
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  const isForeign = letter && /\p{L}/u.test(key) && !/\p{Script=Latin}/u.test(key);
  return (isForeign ? letter : key).toLowerCase();
}

/** Whether a press with these modifiers is that of a binding. */
export const isPressOf = (
  binding: Pt.PressedKey,
  pressed: { key: string; ctrl: boolean; alt: boolean; shift: boolean },
) =>
  binding.key === pressed.key &&
  binding.ctrl === pressed.ctrl &&
  binding.alt === pressed.alt &&
  (binding.shift === null || binding.shift === pressed.shift);

/**
 * Listen on the window in the capture phase, as Streamlit keeps C and R for itself; what is typed
 * does not reach the shortcuts of the page around the screen.
 * @returns stop listening
 */
export function listenOnWindow(
  root: Element | ShadowRoot,
  handle: (event: KeyboardEvent) => void,
): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  window.addEventListener("keydown", handle, { capture: true, signal });
  for (const type of ["keydown", "keyup", "keypress"])
    root.addEventListener(type, (event) => event.stopPropagation(), { signal });
  return () => abort.abort();
}
