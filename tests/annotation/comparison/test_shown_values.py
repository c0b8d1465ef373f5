"""What becomes of a model's values, with people who saw them and people who did not."""

from __future__ import annotations

from pagetrail.annotation.attempts.boxes import Boxes, PageBox
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.comparison.shown_values import shown_counts
from pagetrail.annotation.geometry.element import Element
from pagetrail.annotation.protocols.conditions import under_condition
from pagetrail.annotation.protocols.protocol import preset, with_overrides

FIRST, SECOND = (10.0, 10.0, 110.0, 60.0), (10.0, 100.0, 110.0, 150.0)
PROTOCOL = with_overrides(
    preset("verify"),
    {"study.conditions": {"seen": {"boxes.seed": True}, "unseen": {"boxes.seed": False}}},
)


def given_elements(name: str, rect: tuple[float, float, float, float]) -> Element:
    """An element with a class and a text."""
    return Element(id=name, document="a.pdf", page=1, rect=rect, label="Text", content="Net sales")


ELEMENTS = [given_elements("e1", FIRST), given_elements("e2", SECOND)]
RECORD = {"elements": [element.model_dump(mode="json") for element in ELEMENTS]}


def counts(
    boxes: list[PageBox], values_shown: bool
) -> dict[str, tuple[int, int | None, int | None]]:
    """Field → (values, kept, same)."""
    form = Form(PROTOCOL, AttemptState(boxes=Boxes(boxes=tuple(boxes))))
    return {
        count.field: (count.n, count.kept, count.same)
        for count in shown_counts(form, RECORD, values_shown)
    }


def box(name: str, **values: object) -> PageBox:
    """A box on the page, of one of the elements where it is named so."""
    model = next((element for element in ELEMENTS if element.id == name), None)
    defaults = {"rect": FIRST, "label": "Text", "content": "Net sales"}
    defaults |= {} if model is None else model.model_dump(include={"rect", "label", "content"})
    return PageBox.model_validate(
        {"id": name, "document": "a.pdf", "page": 1, "model": model, "seq": 1, **defaults, **values}
    )


def test_kept_is_exact_and_same_is_how_it_ends() -> None:
    """A box moved a little is not kept, and still in the same place; a deleted one is neither."""
    moved = (*FIRST[:3], 61.0)
    counts_by_name = counts([box("e1", rect=moved), box("e2", deleted=True)], values_shown=True)
    assert counts_by_name == {"Place": (2, 0, 1), "Class": (2, 1, 1), "Text": (2, 1, 1)}


def test_people_without_the_values_are_compared_by_place() -> None:
    """Who drew a box of another class in nearly the place has the place and the text alone."""
    drawn_box = box("own", rect=(12.0, 12.0, 110.0, 60.0), label="Title", content="Net  sales")
    assert counts([drawn_box], values_shown=False) == {
        "Place": (2, None, 1),
        "Class": (2, None, 0),
        "Text": (2, None, 1),
    }


def test_a_condition_decides_who_is_given_them() -> None:
    """Everything else of the boxes stays."""
    unseen = under_condition(PROTOCOL, "verify+unseen")
    assert not unseen.boxes.seed and unseen.boxes.labels == PROTOCOL.boxes.labels
    assert under_condition(PROTOCOL, "verify+seen").boxes.seed
