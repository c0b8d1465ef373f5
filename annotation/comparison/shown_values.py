"""Do people keep a model's values, and do they give the same ones without seeing them?

People tend to keep what they are shown. How often they keep it says little by itself, since the
model may be right; beside those who worked without it, the difference is the effect of showing it
(docs/metrics.md, Shown values).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict

from pagetrail.annotation.attempts.boxes import PageBox
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.geometry.element import Element, elements_of
from pagetrail.annotation.geometry.overlap import iou

SAME_PLACE = 0.5
"""IoU from which a person's box is taken for the model's element."""


class ShownCounts(BaseModel):
    """The values that a model gave for one field of a task, in one attempt.

    Attributes:
        field: as shown in reports.
        n: values.
        kept: those that are exactly as shown in the end; None where they were not shown.
        same: those for which the person has the same value, however it came about; None for rows of
            tables, which nobody fills in without the model's.
    """

    model_config = ConfigDict(frozen=True)
    field: str
    n: int
    kept: int | None
    same: int | None


def shown_counts(form: Form, record: dict[str, Any], was_shown: bool) -> list[ShownCounts]:
    """Field by field: place, class and text of elements, and the columns of given rows.

    Args:
        was_shown: whether the person was given the elements.
    """
    counts = list(_elements(form, elements_of(record), was_shown))
    for spec in form.protocol.scoped("task"):
        rows = [r for r in form.state.rows if r.field == spec.name and r.model is not None]
        for column in spec.columns if rows else ():
            cells = [
                not row.deleted and row.values.get(column.name, "") == row.model[column.name]
                for row in rows
                if row.model is not None and column.name in row.model
            ]
            if cells:
                label = f"{spec.label}: {column.label}"
                counts.append(ShownCounts(field=label, n=len(cells), kept=sum(cells), same=None))
    return counts


def _elements(form: Form, elements: Sequence[Element], was_shown: bool) -> Iterator[ShownCounts]:
    if not elements:
        return
    boxes = form.state.boxes.boxes
    boxes_by_element = {box.model.id: box for box in boxes if box.model is not None}
    pairs = [
        (element, boxes_by_element.get(element.id), _nearest(boxes, element))
        for element in elements
    ]

    def counts(field: str, values: Sequence[tuple[bool, bool]]) -> ShownCounts:
        kept = sum(n_kept for n_kept, _ in values) if was_shown else None
        return ShownCounts(
            field=field, n=len(values), kept=kept, same=sum(is_same for _, is_same in values)
        )

    def untouched(box: PageBox | None, part: str) -> bool:
        return box is not None and not box.deleted and part not in box.differences

    yield counts("Place", [(untouched(b, "rect"), n is not None) for _, b, n in pairs])
    yield counts(
        "Class",
        [(untouched(b, "label"), n is not None and n.label == e.label) for e, b, n in pairs],
    )
    if form.protocol.boxes.content:
        texts = [
            (untouched(b, "content"), n is not None and _text(n.content) == _text(e.content))
            for e, b, n in pairs
            if e.content
        ]
        if texts:
            yield counts("Text", texts)


def _nearest(boxes: Sequence[PageBox], element: Element) -> PageBox | None:
    overlapping = [
        (iou(box.rect, element.rect), box)
        for box in boxes
        if (box.document, box.page) == (element.document, element.page) and not box.deleted
    ]
    shared, box = max(overlapping, key=lambda pair: pair[0], default=(0.0, None))
    return box if shared >= SAME_PLACE else None


def _text(content: str | None) -> str:
    return " ".join((content or "").split())
