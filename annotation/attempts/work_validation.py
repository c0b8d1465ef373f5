"""What boxes, fields and rows may be recorded in a state: one check per kind of event.

Each raises a ``Refusal`` that says why, on the field or part of the screen that it concerns.
"""

from __future__ import annotations

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.boxes import PageBox
from pagetrail.annotation.attempts.form_state import with_value
from pagetrail.annotation.attempts.forms import TASK, Form, Target
from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.geometry.box import Box, inside
from pagetrail.annotation.geometry.page import PageSize
from pagetrail.annotation.protocols.fields import CLOSED, FieldSpec, check_cells, check_value

MAX_ROWS = 2_000
SAME_SIZE = 0.05
"""Points by which a moved box may differ in size: its corners are rounded one by one."""


def _refusal(message: str, code: str, field: str) -> Refusal:
    return Refusal(message, code=code, field=field)


def check_box(form: Form, payload: ev.AnyPayload, size: PageSize | None) -> None:
    """Refuse a box event that protocol or state forbid.

    Args:
        size: of the page that a new or changed rectangle is on; None where there is none.
    """
    if not form.protocol.boxes.enabled:
        raise _refusal("This task takes no boxes.", "no_boxes", "boxes")
    match payload:
        case ev.BoxDrawn():
            _check_drawn(form, payload, size)
        case ev.Undone() | ev.Redone():
            _check_undo_or_redo(form, payload)
        case ev.BoxMoved() | ev.BoxResized():
            _check_reshaped(form, payload, size)
        case ev.BoxLabelled():
            present(form, payload.box)
            _check_label(form, payload.label)
        case ev.BoxContentEdited() | ev.BoxOrdered() | ev.BoxAttributesEdited():
            present(form, payload.box)
            _check_part(form, payload)
        case ev.BoxAccepted():
            if present(form, payload.box).model is None:
                raise _refusal("Only a given element can be accepted.", "not_given", "boxes")
        case ev.BoxDeleted():
            present(form, payload.box)
        case _:
            pass


def present(form: Form, box: str) -> PageBox:
    """The box of that id, which is not deleted.

    Raises:
        Refusal: there is none.
    """
    found = form.state.boxes.get(box)
    if found is None or found.deleted:
        raise _refusal("This box does not exist any more.", "unknown_box", "boxes")
    return found


def _check_drawn(form: Form, payload: ev.BoxDrawn, size: PageSize | None) -> None:
    boxes = form.protocol.boxes
    if not boxes.add:
        raise _refusal("Boxes cannot be added in this task.", "no_new_boxes", "boxes")
    if form.state.boxes.get(payload.box) is not None:
        raise _refusal("This box exists already.", "box_exists", "boxes")
    if payload.copy_of is not None:
        present(form, payload.copy_of)
    _check_label(form, payload.label)
    _check_rect(payload.rect, size, payload.document, payload.page)
    x0, y0, x1, y1 = payload.rect
    if min(x1 - x0, y1 - y0) < boxes.min_size - SAME_SIZE:
        raise _refusal(
            f"A box must be at least {boxes.min_size:g} points wide and high.",
            "too_small",
            "boxes",
        )
    _check_room(form, payload.document, payload.page)


def _check_room(form: Form, document: str, page: int) -> None:
    """One more box must be allowed on the page."""
    boxes = form.protocol.boxes
    where = f"Page {page} of {document}"
    if not form.may_have_boxes(document, page):
        raise _refusal(f"{where} takes no boxes{_because(form)}.", "page_takes_no_boxes", "boxes")
    if len(form.state.boxes.on(document, page)) >= boxes.max_per_page:
        raise _refusal(
            f"{where} has {boxes.max_per_page} boxes, which is all it may have. Delete one first.",
            "too_many_boxes",
            "boxes",
        )
    # Deleted boxes count: the attempt must stay small enough to be stored with each event.
    if len(form.state.boxes.boxes) >= boxes.max_per_task:
        raise _refusal(
            f"This task has had {boxes.max_per_task} boxes, which is all it may have.",
            "too_many_boxes",
            "boxes",
        )


def _because(form: Form) -> str:
    if form.ended:
        return ": the task has ended with what was said of the question"
    when = form.protocol.boxes.when
    spec = form.protocol.field(when.field) if when else None
    if when is None or spec is None:
        return ""
    values = [option.label if (option := spec.option(v)) else v for v in when.values]
    return f" unless “{spec.label}” is {' or '.join(values)}"


def _check_label(form: Form, label: str) -> None:
    labels = [known.name for known in form.protocol.boxes.labels]
    if label not in labels:
        raise _refusal(
            f"There is no label {label!r}. Labels: {', '.join(labels)}.", "unknown_label", "boxes"
        )


def _check_rect(rect: Box, size: PageSize | None, document: str, page: int) -> None:
    if size is not None and not inside(rect, size):
        shown = ", ".join(f"{value:g}" for value in rect)
        raise _refusal(
            f"The box ({shown}) is outside page {page} of {document}, which is "
            f"{size.width:g} × {size.height:g} points.",
            "outside_page",
            "boxes",
        )


def _check_reshaped(
    form: Form, payload: ev.BoxMoved | ev.BoxResized, size: PageSize | None
) -> None:
    box = present(form, payload.box)
    _check_rect(payload.rect, size, box.document, box.page)
    sizes = [(r[2] - r[0], r[3] - r[1]) for r in (payload.rect, box.rect)]
    if isinstance(payload, ev.BoxMoved):
        if any(abs(new - old) > SAME_SIZE for new, old in zip(*sizes, strict=True)):
            raise _refusal("A moved box keeps its size.", "not_a_move", "boxes")
    elif box.model is not None and payload.rect == box.model.rect:
        return  # a model's own rectangle can always be restored, however small
    elif min(sizes[0]) < min(form.protocol.boxes.min_size, *sizes[1]) - SAME_SIZE:
        raise _refusal(
            f"A box must be at least {form.protocol.boxes.min_size:g} points wide and high.",
            "too_small",
            "boxes",
        )


def _check_part(
    form: Form, payload: ev.BoxContentEdited | ev.BoxOrdered | ev.BoxAttributesEdited
) -> None:
    boxes = form.protocol.boxes
    allowed, what = {
        "box_content_edited": (boxes.content, "text"),
        "box_ordered": (boxes.order, "reading order"),
        "box_attributes_edited": (boxes.attributes, "attributes"),
    }[payload.type]
    if not allowed:
        raise _refusal(f"Boxes of this task have no {what}.", "no_such_part", "boxes")


def _check_undo_or_redo(form: Form, payload: ev.Undone | ev.Redone) -> None:
    undoing = isinstance(payload, ev.Undone)
    state = form.state.boxes
    change = state.last("undo" if undoing else "redo", payload.document, payload.page)
    word = "undone" if undoing else "redone"
    if change is None:
        raise _refusal(f"There is nothing to be {word} on this page.", "nothing_to_undo", "boxes")
    if change.id != payload.change:
        raise _refusal(
            f"The boxes were changed elsewhere meanwhile; nothing was {word}.", "not_last", "boxes"
        )
    patch = change.before if undoing else change.after
    box = state.get(change.box)
    if box is not None and box.deleted and patch.get("deleted") is False:
        _check_restored(form, box)


def _check_restored(form: Form, box: PageBox) -> None:
    others = [b for b in form.state.boxes.boxes if b.id != box.id]
    rest = form.state.model_copy(
        update={"boxes": form.state.boxes.model_copy(update={"boxes": tuple(others)})}
    )
    _check_room(Form(form.protocol, rest, form.given), box.document, box.page)


def check_field(form: Form, payload: ev.FieldSet) -> None:
    """Refuse a value that the field does not take here and now."""
    spec, target = _target(form, payload)
    if spec.name in form.protocol.pages_after and form.state.n_page_views:
        raise _refusal(
            f"“{spec.label}” is judged before the pages are opened, and they have been opened.",
            "pages_were_opened",
            spec.name,
        )
    if payload.value is not None:
        _check_asked(form, spec, target)
        check_value(spec, payload.value)
        _check_offered(form, spec, target, payload)
    if spec.scope != "box":
        _check_keeps_boxes(form, payload)


def check_row(form: Form, payload: ev.RowSet | ev.RowDeleted) -> None:
    """Refuse a change of a row that its table does not take here and now."""
    spec, target = _target(form, payload)
    if spec.kind != "records":
        raise _refusal(f"“{spec.label}” is not a table.", "not_a_table", spec.name)
    _check_asked(form, spec, target)
    rows = form.rows(spec, target)
    row = next((row for row in rows if row.row == payload.row), None)
    if isinstance(payload, ev.RowDeleted):
        if row is None or row.deleted:
            raise _refusal("This row does not exist any more.", "unknown_row", spec.name)
        if not spec.add_rows:
            raise _refusal("Rows of this table cannot be deleted.", "fixed_rows", spec.name)
        return
    if row is None:
        if not spec.add_rows:
            raise _refusal("Rows cannot be added to this table.", "fixed_rows", spec.name)
        if len(rows) >= MAX_ROWS:
            raise _refusal(f"A table takes at most {MAX_ROWS:,} rows.", "too_many_rows", spec.name)
    check_cells(spec, payload.values, new=row is None or row.model is None)


def _target(form: Form, payload: ev.Targeted) -> tuple[FieldSpec, Target]:
    spec = form.protocol.field(payload.field)
    if spec is None:
        known = ", ".join(field.name for field in form.protocol.fields) or "none"
        raise _refusal(
            f"There is no field {payload.field!r}. Fields: {known}.", "unknown_field", payload.field
        )
    given = "box" if payload.box else "page" if payload.page else "task"
    if given != spec.scope:
        raise _refusal(f"“{spec.label}” is asked of each {spec.scope}.", "wrong_scope", spec.name)
    match spec.scope:
        case "task":
            return spec, TASK
        case "page":
            page = (str(payload.document), payload.page or 0)
            if form.given is not None and page not in form.given:
                raise _refusal(
                    f"Page {page[1]} of {page[0]} is not among this task's pages.",
                    "page_not_given",
                    spec.name,
                )
            return spec, Target(*page)
        case "box":
            box = present(form, str(payload.box))
            return spec, Target(box.document, box.page, box.id)


def _check_asked(form: Form, spec: FieldSpec, target: Target) -> None:
    if form.asked(spec, target):
        return
    ends = form.protocol.ends
    blocker = form.protocol.field(ends.field if form.ended and ends else _condition_field(spec))
    reason = f" with this value of “{blocker.label}”" if blocker else ""
    raise _refusal(f"“{spec.label}” is not asked{reason}.", "not_asked", spec.name)


def _condition_field(spec: FieldSpec) -> str:
    return spec.when.field if spec.when else ""


def _check_offered(form: Form, spec: FieldSpec, target: Target, payload: ev.FieldSet) -> None:
    if spec.kind not in CLOSED:
        return
    offered = [option.value for option in form.options(spec, target)]
    wanted = payload.value if isinstance(payload.value, tuple) else (payload.value,)
    for value in wanted:
        option = spec.option(value)
        if option is None or value in offered:
            continue
        blocker = form.protocol.field(option.when.field) if option.when else None
        reason = f" with this value of “{blocker.label}”" if blocker else ""
        raise _refusal(
            f"“{option.label}” cannot be chosen{reason}.",
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
            several = len(form.state.boxes.on(document, page)) > 1
            count = f"{len(form.state.boxes.on(document, page))} boxes" if several else "a box"
            raise _refusal(
                f"Page {page} of {document} has {count}. Delete {'them' if several else 'it'} "
                "before giving this value.",
                "has_boxes",
                payload.field,
            )
