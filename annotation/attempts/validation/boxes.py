"""Which box events may be recorded in a state: one check per kind of event.

Each raises a ``Refusal`` that says why.
"""

from __future__ import annotations

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.boxes import PageBox
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.geometry.box import Box, PageSize, inside
from pagetrail.annotation.messages import N_, gettext
from pagetrail.annotation.sentences import sentence

SAME_SIZE = 0.05
"""Points by which a moved box may differ in size: its corners are rounded one by one."""


def refusal(message: str, code: str, field: str) -> Refusal:
    """A refusal on a field or part of the screen."""
    return Refusal(message, code=code, field=field)


def check_box(form: Form, payload: ev.Payload, size: PageSize | None) -> None:
    """Refuse a box event that protocol or state forbid.

    Args:
        size: of the page that a new or changed rectangle is on; None where there is none.
    """
    if not form.protocol.boxes.enabled:
        raise refusal(sentence("no_boxes"), "no_boxes", "boxes")
    match payload:
        case ev.BoxDrawn():
            _check_drawn(form, payload, size)
        case ev.Undone() | ev.Redone():
            _check_undo_or_redo(form, payload)
        case ev.BoxMoved() | ev.BoxResized():
            _check_reshaped(form, payload, size)
        case ev.BoxLabelled():
            present_box(form, payload.box)
            _check_label(form, payload.label)
        case ev.BoxContentEdited() | ev.BoxOrdered() | ev.BoxAttributesEdited():
            present_box(form, payload.box)
            _check_part(form, payload)
        case ev.BoxAccepted():
            if present_box(form, payload.box).model is None:
                raise refusal(
                    gettext("Only a given element can be accepted."), "not_given", "boxes"
                )
        case ev.BoxDeleted():
            present_box(form, payload.box)
        case _:
            pass


def present_box(form: Form, box: str) -> PageBox:
    """The box of that id, which is not deleted.

    Raises:
        Refusal: there is none.
    """
    present = form.state.boxes.get(box)
    if present is None or present.deleted:
        raise refusal(gettext("This box does not exist any more."), "unknown_box", "boxes")
    return present


def _check_drawn(form: Form, payload: ev.BoxDrawn, size: PageSize | None) -> None:
    boxes = form.protocol.boxes
    if not boxes.add:
        raise refusal(sentence("no_new_boxes"), "no_new_boxes", "boxes")
    if form.state.boxes.get(payload.box) is not None:
        raise refusal(gettext("This box exists already."), "box_exists", "boxes")
    if payload.copy_of is not None:
        present_box(form, payload.copy_of)
    if payload.order is not None and not boxes.order:
        raise refusal(gettext("Boxes of this task have no reading order."), "no_such_part", "boxes")
    _check_label(form, payload.label)
    _check_rect(payload.rect, size, payload.document, payload.page)
    x0, y0, x1, y1 = payload.rect
    if min(x1 - x0, y1 - y0) < boxes.min_size - SAME_SIZE:
        raise refusal(
            sentence("too_small", least=f"{boxes.min_size:g}"),
            "too_small",
            "boxes",
        )
    _check_room(form, payload.document, payload.page)


def _check_room(form: Form, document: str, page: int) -> None:
    """One more box must be allowed on the page."""
    boxes = form.protocol.boxes
    if not form.may_have_boxes(document, page):
        raise refusal(
            sentence("page_takes_no_boxes", page=page, document=document, because=_because(form)),
            "page_takes_no_boxes",
            "boxes",
        )
    if len(form.state.boxes.on(document, page)) >= boxes.max_per_page:
        raise refusal(
            sentence("page_full", page=page, document=document, most=boxes.max_per_page),
            "too_many_boxes",
            "boxes",
        )
    # Deleted boxes count: the attempt's state must stay small enough to be stored often.
    if len(form.state.boxes.boxes) >= boxes.max_per_task:
        raise refusal(
            sentence("task_full", most=boxes.max_per_task),
            "too_many_boxes",
            "boxes",
        )


def _because(form: Form) -> str:
    if form.ended:
        return sentence("because_ended")
    condition = form.protocol.boxes.when
    spec = form.protocol.field(condition.field) if condition else None
    if condition is None or spec is None:
        return ""
    values = [option.label if (option := spec.option(v)) else v for v in condition.values]
    return sentence("because_value", label=spec.label, values=" or ".join(values))


def _check_label(form: Form, label: str) -> None:
    labels = [box_label.name for box_label in form.protocol.boxes.labels]
    if label not in labels:
        raise refusal(
            gettext(
                "There is no label {label!r}. Labels: {labels}.",
                label=label,
                labels=", ".join(labels),
            ),
            "unknown_label",
            "boxes",
        )


def _check_rect(rect: Box, size: PageSize | None, document: str, page: int) -> None:
    if size is not None and not inside(rect, size):
        corners = ", ".join(f"{value:g}" for value in rect)
        raise refusal(
            gettext(
                "The box ({corners}) is outside page {page} of {document}, which is {width:g} × "
                "{height:g} points.",
                corners=corners,
                page=page,
                document=document,
                width=size.width,
                height=size.height,
            ),
            "outside_page",
            "boxes",
        )


def _check_reshaped(
    form: Form, payload: ev.BoxMoved | ev.BoxResized, size: PageSize | None
) -> None:
    box = present_box(form, payload.box)
    _check_rect(payload.rect, size, box.document, box.page)
    sizes = [(r[2] - r[0], r[3] - r[1]) for r in (payload.rect, box.rect)]
    if isinstance(payload, ev.BoxMoved):
        if any(abs(new - old) > SAME_SIZE for new, old in zip(*sizes, strict=True)):
            raise refusal(gettext("A moved box keeps its size."), "not_a_move", "boxes")
    elif box.model is not None and payload.rect == box.model.rect:
        return  # a model's own rectangle can always be restored, however small
    elif min(sizes[0]) < min(form.protocol.boxes.min_size, *sizes[1]) - SAME_SIZE:
        raise refusal(
            sentence("too_small", least=f"{form.protocol.boxes.min_size:g}"),
            "too_small",
            "boxes",
        )


def _check_part(
    form: Form, payload: ev.BoxContentEdited | ev.BoxOrdered | ev.BoxAttributesEdited
) -> None:
    boxes = form.protocol.boxes
    allowed, message = {
        "box_content_edited": (boxes.content, N_("Boxes of this task have no text.")),
        "box_ordered": (boxes.order, N_("Boxes of this task have no reading order.")),
        "box_attributes_edited": (boxes.attributes, N_("Boxes of this task have no attributes.")),
    }[payload.type]
    if not allowed:
        raise refusal(gettext(message), "no_such_part", "boxes")


def _check_undo_or_redo(form: Form, payload: ev.Undone | ev.Redone) -> None:
    undoing = isinstance(payload, ev.Undone)
    state = form.state.boxes
    change = state.last("undo" if undoing else "redo", payload.document, payload.page)
    if change is None:
        message = (
            gettext("There is nothing to undo on this page.")
            if undoing
            else gettext("There is nothing to redo on this page.")
        )
        raise refusal(message, "nothing_to_undo", "boxes")
    if change.id != payload.change:
        raise refusal(
            gettext("The boxes were changed elsewhere meanwhile; nothing was undone.")
            if undoing
            else gettext("The boxes were changed elsewhere meanwhile; nothing was redone."),
            "not_last",
            "boxes",
        )
    patch = change.before if undoing else change.after
    box = state.get(change.box)
    if box is not None and box.deleted and patch.get("deleted") is False:
        _check_restored(form, box)


def _check_restored(form: Form, box: PageBox) -> None:
    other_boxes = [b for b in form.state.boxes.boxes if b.id != box.id]
    rest = form.state.model_copy(
        update={"boxes": form.state.boxes.model_copy(update={"boxes": tuple(other_boxes)})}
    )
    _check_room(Form(form.protocol, rest, form.given), box.document, box.page)
