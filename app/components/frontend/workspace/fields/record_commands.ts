/** What a click in a table of records does. */

import { sentence } from "../../shared/sentences";
import { withVerdict } from "../state/contradictions";
import { formOf } from "../state/form_state";
import type { Workspace } from "../workspace";

/**
 * The actions of a ``RecordsPanel``.
 * @param say a sentence under the table of a field
 */
export function recordActions(screen: Workspace, say: (field: string, message: string) => void) {
  const { attempt } = screen;
  return {
    /** @param row its id */
    set(spec: Pt.FieldSpec, target: Pt.Target, row: any, values: Record<string, string>) {
      if (!attempt.mayEdit) return;
      const { id } = attempt;
      const stored = formOf(screen.store.data)
        .rows(spec, target)
        .find((one) => one.row === row);
      const judged = withVerdict(spec, stored, values);
      if (judged === null) {
        const verdict = spec.columns.find((column) => column.when_changed)?.when_changed ?? "";
        say(spec.name, sentence("changed_row", { verdict }));
        return;
      }
      say(spec.name, "");
      const result = attempt.record("row_set", at(spec, target, { row, values: judged }));
      result?.then(({ receipt }) => {
        if (receipt) screen.work.records.acknowledged(id, spec, target, row, judged);
      });
    },
    remove: (spec: Pt.FieldSpec, target: Pt.Target, row: string) =>
      attempt.mayEdit && attempt.record("row_deleted", at(spec, target, { row })),
    add(spec: Pt.FieldSpec, target: Pt.Target) {
      if (!attempt.mayEdit) return null;
      const row = `r-${attempt.nextId()}`;
      attempt.record("row_set", at(spec, target, { row, values: {} }));
      return row;
    },
    seq: () => attempt.outbox.seq,
    onTyping: () => screen.noteUnsaved(),
    given: () => screen.store.data.given ?? [],
    open: (page: Pt.Place) => screen.viewer.goTo(page, "given"),
    present: (spec: Pt.FieldSpec, row: string, open: boolean) =>
      screen.work.replay.present(spec.name, row, open),
  };
}

/** The payload of an event on a table's row. */
function at(spec: Pt.FieldSpec, { document, page, box }: Pt.Target, rest: any) {
  if (spec.scope === "page") return { field: spec.name, document, page, ...rest };
  return spec.scope === "box" ? { field: spec.name, box, ...rest } : { field: spec.name, ...rest };
}
