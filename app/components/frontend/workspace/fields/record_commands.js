/** What a click in a table of records does. */

import { sentence } from "../../shared/sentences.js";
import { withVerdict } from "../state/contradictions.js";
import { formOf } from "../state/form_state.js";

/**
 * The actions of a ``RecordsPanel``.
 * @param {import("../workspace.js").Workspace} screen
 * @param {(field: string, message: string) => void} say a sentence under the table of a field
 */
export function recordActions(screen, say) {
  const { attempt } = screen;
  return {
    /**
     * @param {Pt.FieldSpec} spec
     * @param {Pt.Target} target
     * @param {any} row its id
     * @param {Record<string, string>} values
     */
    set(spec, target, row, values) {
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
    /** @param {Pt.FieldSpec} spec @param {Pt.Target} target @param {string} row */
    remove: (spec, target, row) =>
      attempt.mayEdit && attempt.record("row_deleted", at(spec, target, { row })),
    /** @param {Pt.FieldSpec} spec @param {Pt.Target} target */
    add(spec, target) {
      if (!attempt.mayEdit) return null;
      const row = `r-${attempt.nextId()}`;
      attempt.record("row_set", at(spec, target, { row, values: {} }));
      return row;
    },
    seq: () => attempt.outbox.seq,
    onTyping: () => screen.showTop(),
    given: () => screen.store.data.given ?? [],
    /** @param {Pt.Place} page */
    open: (page) => screen.viewer.goTo(page, "given"),
    /** @param {Pt.FieldSpec} spec @param {string} row @param {boolean} open */
    present: (spec, row, open) => screen.work.replay.present(spec.name, row, open),
  };
}

/**
 * The payload of an event on a table's row.
 * @param {Pt.FieldSpec} spec
 * @param {Pt.Target} target
 * @param {any} rest
 */
function at(spec, { document, page, box }, rest) {
  if (spec.scope === "page") return { field: spec.name, document, page, ...rest };
  return spec.scope === "box" ? { field: spec.name, box, ...rest } : { field: spec.name, ...rest };
}
