/** Proposed changes in the editor: what goes is struck through, what comes is underlined after it. */

import { type EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";
import type { TextMark } from "../../shared/components/marked_text";

const setMarks = StateEffect.define<TextMark[]>();

class InsertedText extends WidgetType {
  constructor(
    private readonly id: string,
    private readonly text: string,
    private readonly isCurrent: boolean,
  ) {
    super();
  }

  eq(other: InsertedText) {
    return this.id === other.id && this.text === other.text && this.isCurrent === other.isCurrent;
  }

  toDOM() {
    const element = document.createElement("ins");
    element.className = this.isCurrent ? "patch current" : "patch";
    element.dataset.patch = this.id;
    element.textContent = this.text;
    return element;
  }

  ignoreEvent() {
    return false;
  }
}

function decorations(marks: TextMark[]): DecorationSet {
  return Decoration.set(
    marks.flatMap(({ id, from, to, inserted, isCurrent }) => {
      const name = isCurrent ? "patch current" : "patch";
      const removed = Decoration.mark({
        tagName: "del",
        class: name,
        attributes: { "data-patch": id },
      });
      const widget = new InsertedText(id, inserted, isCurrent);
      return [
        ...(to > from ? [removed.range(from, to)] : []),
        ...(inserted ? [Decoration.widget({ widget, side: 1 }).range(to)] : []),
      ];
    }),
    true,
  );
}

const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    for (const effect of transaction.effects)
      if (effect.is(setMarks)) return decorations(effect.value);
    return shown.map(transaction.changes);
  },
  provide: (source) => EditorView.decorations.from(source),
});

/** Shows changes, and tells which one is clicked. */
export function trackedChanges(onChoose: (id: string) => void): Extension {
  const choose = EditorView.domEventHandlers({
    mousedown(event) {
      const { target } = event;
      const mark = target instanceof Element ? target.closest<HTMLElement>("[data-patch]") : null;
      if (mark?.dataset.patch) onChoose(mark.dataset.patch);
      return false;
    },
  });
  return [field, choose];
}

/** The effect that shows these changes instead. */
export function showMarks(marks: TextMark[], state: EditorState) {
  const { length } = state.doc;
  return setMarks.of(marks.filter(({ to }) => to <= length));
}
