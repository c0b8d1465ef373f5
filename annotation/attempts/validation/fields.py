"""Which values and rows may be recorded in a state: one check per kind of event.

Each raises a ``Refusal`` on the field that it concerns.
"""

from __future__ import annotations

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.form_state import RecordRow, with_value
from pagetrail.annotation.attempts.forms import TASK, Form, Target
from pagetrail.annotation.attempts.validation.boxes import present_box, refusal
from pagetrail.annotation.messages import N_, gettext, ngettext
from pagetrail.annotation.protocols.fields import FieldSpec, check_cells, check_value
from pagetrail.annotation.sentences import sentence

MAX_ROWS = ev.MAX_RECORDS

_SCOPE_NAMES = {"task": N_("task"), "page": N_("page"), "box": N_("box")}


def check_field(form: Form, payload: ev.FieldSet) -> None:
    """Refuse a value that the field does not take here and now."""
    spec, target = _target(form, payload)
    if spec.name in form.protocol.pages_after and form.state.n_page_views:
        raise refusal(
            sentence("pages_opened", label=spec.label),
            "pages_were_opened",
            spec.name,
        )
    if payload.value is not None:
        _check_asked(form, spec, target)
        check_value(spec, payload.value)
        _check_offered(form, spec, target, payload)
    if spec.scope != "box":
        _check_keeps_boxes(form, payload)


def check_answer(form: Form, payload: ev.AnswerEdited) -> None:
    """Refuse more answers than are compared; prose is one."""
    lines = sum(1 for line in payload.text.splitlines() if line.strip())
    if form.protocol.answer.kind != "text" and lines > ev.MAX_ANSWERS:
        raise refusal(
            gettext(
                "A task takes at most {max_answers} answers, one per line. Shorten the list.",
                max_answers=ev.MAX_ANSWERS,
            ),
            "too_many_answers",
            "answer",
        )


def check_rows(form: Form, payload: ev.RowsSet) -> None:
    """Refuse a change of several rows if the table does not take one of them."""
    spec, rows = _asked_table(form, payload)
    rows_by_name = {row.row: row for row in rows if not row.deleted}
    for name, cells in payload.rows.items():
        row = rows_by_name.get(name)
        if row is None:
            raise refusal(gettext("This row does not exist any more."), "unknown_row", spec.name)
        check_cells(spec, cells, new=row.model is None)


def check_row(form: Form, payload: ev.RowSet | ev.RowDeleted | ev.RowMoved) -> None:
    """Refuse a change of a row that its table does not take here and now."""
    spec, rows = _asked_table(form, payload)
    row = next((row for row in rows if row.row == payload.row), None)
    if isinstance(payload, ev.RowMoved):
        names = {row.row for row in rows}
        if payload.row not in names or payload.before not in {None, *names} - {payload.row}:
            raise refusal(gettext("This row does not exist any more."), "unknown_row", spec.name)
        if not spec.add_rows:
            raise refusal(gettext("Rows of this table cannot be moved."), "fixed_rows", spec.name)
        return
    if isinstance(payload, ev.RowDeleted):
        if row is None or row.deleted:
            raise refusal(gettext("This row does not exist any more."), "unknown_row", spec.name)
        if not spec.add_rows:
            raise refusal(gettext("Rows of this table cannot be deleted."), "fixed_rows", spec.name)
        return
    if row is None:
        if not spec.add_rows:
            raise refusal(gettext("Rows cannot be added to this table."), "fixed_rows", spec.name)
        if len(rows) >= MAX_ROWS:
            raise refusal(
                gettext("A table takes at most {max_rows:,} rows.", max_rows=MAX_ROWS),
                "too_many_rows",
                spec.name,
            )
    check_cells(spec, payload.values, new=row is None or row.model is None)


def _asked_table(form: Form, payload: ev.Targeted) -> tuple[FieldSpec, list[RecordRow]]:
    """The table that an event is about, and its rows, deleted ones too."""
    spec, target = _target(form, payload)
    if spec.kind != "records":
        raise refusal(
            gettext("“{label}” is not a table.", label=spec.label), "not_a_table", spec.name
        )
    _check_asked(form, spec, target)
    return spec, form.rows(spec, target)


def _target(form: Form, payload: ev.Targeted) -> tuple[FieldSpec, Target]:
    spec = form.protocol.field(payload.field)
    if spec is None:
        field_names = ", ".join(field.name for field in form.protocol.fields) or "none"
        raise refusal(
            gettext(
                "There is no field {field!r}. Fields: {field_names}.",
                field=payload.field,
                field_names=field_names,
            ),
            "unknown_field",
            payload.field,
        )
    sent_scope = "box" if payload.box else "page" if payload.page else "task"
    if sent_scope != spec.scope:
        scope = gettext(_SCOPE_NAMES[spec.scope])
        raise refusal(
            gettext("“{label}” is asked of each {scope}.", label=spec.label, scope=scope),
            "wrong_scope",
            spec.name,
        )
    match spec.scope:
        case "task":
            return spec, TASK
        case "page":
            page = (str(payload.document), payload.page or 0)
            if form.given is not None and page not in form.given:
                raise refusal(
                    sentence("not_given", page=page[1], document=page[0]),
                    "page_not_given",
                    spec.name,
                )
            return spec, Target(*page)
        case "box":
            box = present_box(form, str(payload.box))
            return spec, Target(box.document, box.page, box.id)


def _check_asked(form: Form, spec: FieldSpec, target: Target) -> None:
    if form.is_asked(spec, target):
        return
    ends = form.protocol.ends
    blocker = form.protocol.field(ends.field if form.ended and ends else _condition_field(spec))
    message = (
        gettext(
            "“{label}” is not asked with this value of “{field}”.",
            label=spec.label,
            field=blocker.label,
        )
        if blocker
        else gettext("“{label}” is not asked.", label=spec.label)
    )
    raise refusal(message, "not_asked", spec.name)


def _condition_field(spec: FieldSpec) -> str:
    return spec.when.field if spec.when else ""


def _check_offered(form: Form, spec: FieldSpec, target: Target, payload: ev.FieldSet) -> None:
    if not spec.rules.takes_options:
        return
    offered_options = [option.value for option in form.options(spec, target)]
    values = payload.value if isinstance(payload.value, tuple) else (payload.value,)
    for value in values:
        option = spec.option(value)
        if option is None or value in offered_options:
            continue
        blocker = form.protocol.field(option.when.field) if option.when else None
        raise refusal(
            gettext(
                "“{option}” cannot be chosen with this value of “{field}”.",
                option=option.label,
                field=blocker.label,
            )
            if blocker
            else gettext("“{option}” cannot be chosen.", option=option.label),
            "not_offered",
            spec.name,
        )


def _check_keeps_boxes(form: Form, payload: ev.FieldSet) -> None:
    """A page that has boxes cannot get a value with which it may have none.

    A value that ends the task is taken: what is on the pages no longer counts.
    """
    if not form.protocol.boxes.enabled or form.protocol.boxes.when is None:
        return
    boxed = {(box.document, box.page) for box in form.state.boxes.boxes if not box.deleted}
    if payload.document is not None and payload.page is not None:
        boxed &= {(payload.document, payload.page)}
    if not boxed:
        return
    after = Form(
        form.protocol,
        form.state.model_copy(
            update={"fields": with_value(form.state.fields, payload, form.state.last_seq + 1)}
        ),
        form.given,
    )
    if after.ended:
        return
    # A model's elements may be on a page before any field of it is set.
    decides = payload.value is not None and payload.field == form.protocol.boxes.when.field
    for document, page in sorted(boxed):
        if after.may_have_boxes(document, page):
            continue
        if decides or form.may_have_boxes(document, page):
            has_several = len(form.state.boxes.on(document, page)) > 1
            count = ngettext("a box", "{number} boxes", len(form.state.boxes.on(document, page)))
            raise refusal(
                sentence(
                    "has_boxes",
                    page=page,
                    document=document,
                    boxes=count,
                    them="them" if has_several else "it",
                ),
                "has_boxes",
                payload.field,
            )
