"""What an annotator said in two places that does not fit together.

Two rules, both switched on by the protocol: a page's kinds of content are those of its boxes
(``FieldSpec.matches_boxes``), and a model's row that was changed is not judged right
(``Column.when_changed``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.form_state import Confirmation, RecordRow
from pagetrail.annotation.attempts.forms import Form, Target
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.protocols.fields import Column, FieldSpec
from pagetrail.annotation.sentences import sentence


@dataclass(frozen=True)
class Contradiction:
    """Options of a page's field, in the protocol's order.

    Attributes:
        chosen: those that are chosen.
        drawn: those that the page's boxes are labelled with.
    """

    chosen: tuple[str, ...]
    drawn: tuple[str, ...]


def contradiction(form: Form, spec: FieldSpec, target: Target) -> Contradiction | None:
    """Where a page's field and its boxes differ, whether confirmed or not; else None.

    Options and labels that have no namesake are left out. A page without a value or without such
    boxes contradicts nothing: what is missing there is said elsewhere.
    """
    if not spec.matches_boxes or target.document is None or target.page is None:
        return None
    value = form.value(spec, target)
    if not isinstance(value, tuple) or not form.may_have_boxes(target.document, target.page):
        return None
    labels = {label.name.lower() for label in form.protocol.boxes.labels}
    boxes = form.state.boxes.on(target.document, target.page)
    used = {box.label.lower() for box in boxes if box.label is not None}
    label_options = [option for option in spec.options if option.label.lower() in labels]
    chosen_values = tuple(option.value for option in label_options if option.value in value)
    drawn_values = tuple(option.value for option in label_options if option.label.lower() in used)
    return (
        None
        if not drawn_values or chosen_values == drawn_values
        else Contradiction(chosen_values, drawn_values)
    )


def unconfirmed_contradictions(form: Form, spec: FieldSpec) -> list[Target]:
    """The pages on which a field and the boxes differ, and nobody has said that both are right."""
    if not spec.matches_boxes:
        return []
    confirmed = {(c.field, c.document, c.page): (c.chosen, c.drawn) for c in form.state.confirmed}
    contradictions = []
    for target in form.targets(spec):
        differs = contradiction(form, spec, target)
        at = (spec.name, target.document or "", target.page or 0)
        if differs is not None and confirmed.get(at) != (differs.chosen, differs.drawn):
            contradictions.append(target)
    return contradictions


def shared_confirmations(form: Form, states: Iterable[AttemptState]) -> list[Confirmation]:
    """The confirmations in others' work that hold here too, such as in gold that is made of it."""
    confirmed = {
        (c.field, c.document, c.page, c.chosen, c.drawn): c for o in states for c in o.confirmed
    }
    confirmations = []
    for spec in form.protocol.fields:
        for target in form.targets(spec) if spec.matches_boxes else ():
            differs = contradiction(form, spec, target)
            if differs is not None:
                at = (spec.name, target.document or "", target.page or 0)
                confirmation = confirmed.get((*at, differs.chosen, differs.drawn))
                confirmations += [] if confirmation is None else [confirmation]
    return confirmations


def check_confirmation(form: Form, payload: ev.ContradictionConfirmed) -> None:
    """Refuse to confirm what does not differ, or differs otherwise by now."""
    spec = form.protocol.field(payload.field)
    target = Target(payload.document, payload.page)
    differs = None
    if spec is not None and target in form.targets(spec):
        differs = contradiction(form, spec, target)
    if differs != Contradiction(payload.chosen, payload.drawn):
        raise Refusal(sentence("no_contradiction"), code="no_contradiction", field=payload.field)


def row_with_verdict(form: Form, payload: ev.RowSet) -> ev.RowSet:
    """The change of a row, with what it makes of the verdict on a model's row.

    Raises:
        Refusal: the row differs from the model's, and the verdict says that it does not.
    """
    cells = _with_verdicts(form, payload, {payload.row: payload.values})[payload.row]
    return payload if cells == payload.values else payload.model_copy(update={"values": cells})


def rows_with_verdicts(form: Form, payload: ev.RowsSet) -> ev.RowsSet:
    """The same of several rows; those without a verdict get none, since nobody has checked them.

    Raises:
        Refusal: as for one row.
    """
    rows = _with_verdicts(form, payload, payload.rows, only_judged=True)
    return payload if rows == payload.rows else payload.model_copy(update={"rows": rows})


def _with_verdicts(
    form: Form,
    payload: ev.Targeted,
    changes: Mapping[str, dict[str, str]],
    *,
    only_judged: bool = False,
) -> dict[str, dict[str, str]]:
    """Changed cells by row, with the verdicts that follow from them."""
    spec = form.protocol.field(payload.field)
    column = next((c for c in spec.columns if c.when_changed), None) if spec else None
    if spec is None or column is None:
        return dict(changes)
    target = form.target(payload.box) if payload.box else Target(payload.document, payload.page)
    rows = {row.row: row for row in form.rows(spec, target)}
    changed_rows = {}
    for name, cells in changes.items():
        row = rows.get(name)
        is_judged = row is not None and {**row.values, **cells}.get(column.name)
        takes_verdict = is_judged or not only_judged
        changed_rows[name] = _with_verdict(spec, column, row, cells) if takes_verdict else cells
    return changed_rows


def _with_verdict(
    spec: FieldSpec, column: Column, row: RecordRow | None, cells: dict[str, str]
) -> dict[str, str]:
    if row is None or row.model is None:
        return cells
    verdict = _verdict(column, row, row.values | cells)
    sent_verdict = cells.get(column.name)
    if verdict is None or (sent_verdict and not verdict):
        return cells
    if sent_verdict and sent_verdict != verdict:
        raise Refusal(
            sentence("changed_row", verdict=column.when_changed),
            code="changed_row",
            field=spec.name,
        )
    if (row.values | cells).get(column.name, "") == verdict:
        return cells
    return cells | {column.name: verdict}


def _verdict(column: Column, row: RecordRow, values: dict[str, str]) -> str | None:
    """What the verdict must be after a change; "" where it has to be given again, None if free."""
    model = row.model or {}
    other_columns = (values.keys() | model.keys()) - {column.name}
    if any(values.get(name, "") != model.get(name, "") for name in other_columns):
        return column.when_changed
    before = row.values
    differed = any(before.get(name, "") != model.get(name, "") for name in other_columns)
    return "" if differed and before.get(column.name) == column.when_changed else None
