/** What a digit or letter chooses now, so that it is printed on the one control that it works on. */

import { getBox } from "../../shared/box_state";
import { isReadOnly } from "../state/attempt_state";
import type { Form } from "../state/form_state";
import { currentTargets, fieldKey, frozenReason } from "./field_state";
import { digitsOf } from "./options";

type KeyData = Pick<
  Pt.WorkspaceData,
  | "attempt"
  | "page"
  | "selected"
  | "state"
  | "given_pages"
  | "tool"
  | "reading"
  | "timeOver"
  | "label_keys"
  | "keyedField"
  | "keys"
>;

export interface KeyedOption {
  spec: Pt.FieldSpec;
  target: Pt.Target;
  option: Pt.Option;
  key: string;
}

const SCOPES: Pt.Scope[] = ["box", "page", "task"];

/** The keys that choose in a field while it has the focus. */
const keysOf = ({ options, kind }: Pt.FieldSpec) =>
  kind === "boolean"
    ? ["1", "2"]
    : [...options.flatMap(({ key }) => key?.toLowerCase() ?? []), ...digitsOf(options)];

/** The keys of the field that has the focus, or null. */
function focusedKeys(data: KeyData, form: Form) {
  if (data.keyedField === null) return null;
  const targets = currentTargets(data);
  for (const spec of form.protocol.fields) {
    const target = targets[spec.scope];
    if (target && fieldKey(data.attempt, spec, target) === data.keyedField)
      return { field: data.keyedField, keys: keysOf(spec) };
  }
  return null;
}

/** Whether keys label boxes: the selected one, or those drawn next on a page that takes boxes. */
function areLabelsKeyed(data: KeyData, form: Form) {
  const { page, selected, state, timeOver, tool } = data;
  if (!form.protocol.boxes.enabled || isReadOnly(state) || timeOver) return false;
  const box = selected && getBox(state.boxes, selected);
  if (box && !box.deleted) return true;
  return tool === "box" && page !== null && form.mayHaveBoxes(page.document, page.page);
}

export interface KeyedLabel {
  key: string;
  label: string;
}

/**
 * The labels of boxes that keys choose now: by their own key, and those of the selected box by their
 * first letter.
 */
export function keyedLabels(data: KeyData, form: Form): KeyedLabel[] {
  if (!areLabelsKeyed(data, form)) return [];
  const focused = focusedKeys(data, form)?.keys ?? [];
  const ownKeys = Object.entries(data.label_keys).flatMap(([label, key]) =>
    key ? [{ key, label }] : [],
  );
  const taken = new Set([...ownKeys.map(({ key }) => key.toLowerCase()), ...boxLetters(data.keys)]);
  const letters = labelLetters(data, form).filter(({ key }) => !taken.has(key));
  return [...ownKeys, ...letters].filter(({ key }) => !focused.includes(key.toLowerCase()));
}

/** The letters that do something with boxes. */
function boxLetters(keys: readonly Pt.ScreenKey[]) {
  const group = keys.find(({ command }) => command === "toolBox")?.group;
  return keys.filter((entry) => entry.group === group && !entry.ctrl).map(({ key }) => key);
}

/** First letters for the selected box: of several labels, the one after the box's own comes next. */
function labelLetters(data: KeyData, form: Form): KeyedLabel[] {
  const box = data.selected ? getBox(data.state.boxes, data.selected) : null;
  if (!box) return [];
  const { labels } = form.protocol.boxes;
  const current = labels.findIndex(({ name }) => name === box.label);
  const byLetter = new Map<string, string>();
  for (const { name, title } of [...labels.slice(current + 1), ...labels.slice(0, current + 1)]) {
    const letter = firstLetter(title);
    if (/^[a-z]$/.test(letter) && !byLetter.has(letter)) byLetter.set(letter, name);
  }
  return [...byLetter].map(([key, label]) => ({ key, label }));
}

/** The letter that a label may be typed by. */
export const firstLetter = (title: string) => title.charAt(0).toLowerCase();

/**
 * The options that keys choose now. Each key has one meaning: in the field with the focus, else for
 * a label, else for the option that comes first (of the box, the page, the task).
 */
export function keyedOptions(data: KeyData, form: Form): KeyedOption[] {
  if (isReadOnly(data.state) || data.reading) return [];
  const targets = currentTargets(data);
  const focused = focusedKeys(data, form);
  const taken = new Set(keyedLabels(data, form).map(({ key }) => key.toLowerCase()));
  const offered = SCOPES.flatMap((scope) => {
    const target = targets[scope];
    if (!target) return [];
    return form
      .scoped(scope)
      .filter((spec) => form.asked(spec, target) && !frozenReason(form, spec))
      .flatMap((spec) =>
        form
          .options(spec, target)
          .flatMap((option) => (option.key ? [{ spec, target, option, key: option.key }] : [])),
      );
  });
  return offered.filter(({ spec, target, key }) => {
    const lower = key.toLowerCase();
    const isFocused = fieldKey(data.attempt, spec, target) === focused?.field;
    if ((!isFocused && focused?.keys.includes(lower)) || taken.has(lower)) return false;
    taken.add(lower);
    return true;
  });
}

/** The keys that the options of fields print now, in lower case, by `fieldKey`. */
export function printedKeys(data: KeyData, form: Form) {
  const printed = new Map<string, Set<string>>();
  for (const { spec, target, key } of keyedOptions(data, form)) {
    const field = fieldKey(data.attempt, spec, target);
    printed.set(field, (printed.get(field) ?? new Set()).add(key.toLowerCase()));
  }
  return printed;
}
