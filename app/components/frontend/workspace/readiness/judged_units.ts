/** What verdicts are about, what of it has to be on screen, and what is said where it was not. */

import { t } from "../../shared/messages";
import type { JudgedUnit } from "../../shared/readiness";

/** The names of what is on screen. */
export const pageLook = ({ document, page }: Pt.Place) => JSON.stringify(["page", document, page]);
export const boxLook = (box: string) => JSON.stringify(["box", box]);
/** @param field as of `fieldKey` */
export const fieldLook = (field: string) => JSON.stringify(["field", field]);
export const rowLook = (field: string, row: string) => JSON.stringify(["row", field, row]);
export const patchLook = (patch: string) => JSON.stringify(["patch", patch]);
export const cellsLook = (table: string, cells: unknown) => JSON.stringify(["cells", table, cells]);
/** Whichever page is open is painted, or none is open. */
export const OPEN_PAGE = "open-page";

const pageHint = ({ page }: Pt.Place) => t("Too fast: look at page {page} first.", { page });

/** All that is left of a page. */
export function pageUnit(place: Pt.Place, part: string): JudgedUnit {
  const look = pageLook(place);
  return { id: JSON.stringify([part, look]), looks: [look], hint: pageHint(place) };
}

/**
 * A field of the task, of the open page or of the selected box.
 * @param field as of `fieldKey`
 */
export function fieldUnit(
  field: string,
  { label, scope }: Pt.FieldSpec,
  { document, page, box }: Pt.Target,
): JudgedUnit {
  const id = fieldLook(field);
  if (scope === "page" && document !== null && page !== null) {
    const place = { document, page };
    return { id, looks: [pageLook(place), id], hint: pageHint(place) };
  }
  if (scope === "box" && box !== null)
    return {
      id,
      looks: [OPEN_PAGE, boxLook(box), id],
      hint: t("Too fast: look at the box first."),
    };
  return { id, looks: [id], hint: t("Too fast: read “{label}” first.", { label }) };
}

/** A model's element. */
export function elementUnit({ id, document, page }: Pt.PageBox): JudgedUnit {
  const looks = [pageLook({ document, page }), boxLook(id)];
  return { id: boxLook(id), looks, hint: t("Too fast: look at the element first.") };
}

/** @param look of a row, a patch or cells next to the open page */
const besidePage = (look: string, hint: string) => ({ id: look, looks: [OPEN_PAGE, look], hint });

/** @param field as of `fieldKey` */
export const rowUnit = (field: string, row: string): JudgedUnit =>
  besidePage(rowLook(field, row), t("Too fast: look at the row first."));

export const patchUnit = (patch: string): JudgedUnit =>
  besidePage(patchLook(patch), t("Too fast: look at the patch first."));

/** Cells of a table that a model has changed. */
export const cellsUnit = (table: string, cells: unknown): JudgedUnit =>
  besidePage(cellsLook(table, cells), t("Too fast: look at the change first."));
