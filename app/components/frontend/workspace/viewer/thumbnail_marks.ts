/** What the thumbnails of a document say of its pages: cited, how many boxes, the grade. */

import { Form, pageTarget } from "../state/form_state";

/** The field whose value stands for a page: the first ordinal one, else the first with options. */
export function gradeField({ fields }: Pt.Protocol) {
  const closed = fields.filter(
    ({ scope, kind, options }) => scope === "page" && kind !== "multi" && options.length,
  );
  return closed.find((spec) => spec.kind === "ordinal") ?? closed[0] ?? null;
}

export interface PageMark {
  cited: boolean;
  boxes: number;
  /** code or first letters of the grade */
  grade: string | null;
  /** label of the grade */
  graded: string | null;
}

/** The marks of the open document's pages, by page. */
export function pageMarks({
  state,
  protocol,
  given,
  page: { document },
}: {
  state: Pt.AttemptState;
  protocol: Pt.Protocol;
  given: Pt.Place[] | null;
  page: { document: string };
}): Map<number, PageMark> {
  const marks = new Map<number, PageMark>();
  const at = (page: number) => {
    const mark = marks.get(page) ?? { cited: false, boxes: 0, grade: null, graded: null };
    marks.set(page, mark);
    return mark;
  };
  for (const citation of state.citations) {
    if (citation.document === document) at(citation.page).cited = true;
  }
  for (const box of state.boxes.boxes) {
    if (box.document === document && !box.deleted) at(box.page).boxes += 1;
  }
  const spec = gradeField(protocol);
  if (!spec) return marks;
  const form = new Form(protocol, state, given);
  for (const page of new Set(
    form
      .pages()
      .filter((p) => p.document === document)
      .map((p) => p.page),
  )) {
    const value = form.value(spec, pageTarget(document, page));
    if (value === null) continue;
    const option = spec.options.find((other) => other.value === value);
    if (!option) continue;
    const mark = at(page);
    mark.graded = option.label;
    mark.grade = option.code === null ? option.label.slice(0, 3) : String(option.code);
  }
  return marks;
}
