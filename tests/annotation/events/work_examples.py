"""One example or more of every event on boxes, fields, rows, questions and pilots, in words."""

from __future__ import annotations

from pagetrail.annotation import events as ev
from pagetrail.annotation.geometry.element import Element, Row
from pagetrail.annotation.protocols.check_results import Finding

PAGE = {"document": "b.pdf", "page": 2}
RECT = (10.0, 20.5, 110.25, 60.0)


def drawn(box: str = "b-1", **changes: object) -> ev.BoxDrawn:
    """A box on page 2 of b.pdf."""
    values = {"box": box, **PAGE, "rect": RECT, "label": "Table", **changes}
    return ev.BoxDrawn.model_validate(values)


def element(number: int = 1, **changes: object) -> Element:
    """A model's element on page 2 of b.pdf."""
    values = {
        "id": f"m{number}",
        **PAGE,
        "rect": RECT,
        "label": "Text",
        "content": f"paragraph {number}",
        "order": number,
        "attributes": {"bold": "yes"},
        "score": 0.75,
    }
    return Element.model_validate(values | changes)


WORK_EXAMPLES: list[tuple[ev.AnyPayload, str]] = [
    (
        ev.PageTextRead(document="b.pdf", page=2),
        "Had the text of b.pdf page 2 for a screen reader",
    ),
    (
        ev.DocumentSearched(document="b.pdf", text="net income", hits=3, pages=2),
        "Looked for “net income” in b.pdf: 3 hits",
    ),
    (ev.PageBeside(document="b.pdf", page=2), "Put b.pdf page 2 beside"),
    (ev.PageBeside(document=None, page=None), "Put the page beside away"),
    (
        ev.TextCopied(document="b.pdf", page=2, text="net income\nof 12 m", to="answer"),
        "Copied “net income / of 12 m” from b.pdf page 2 to the answer",
    ),
    (drawn(), "Drew a box “Table” on b.pdf page 2"),
    (drawn(how="duplicated", copy_of="b-0"), "Duplicated a box “Table” on b.pdf page 2"),
    (drawn(how="selection"), "Drew a box “Table” around selected words on b.pdf page 2"),
    (ev.BoxMoved(box="b-1", rect=RECT), "Moved box b-1"),
    (ev.BoxMoved(box="b-1", rect=RECT, how="nudge"), "Moved box b-1 by keys"),
    (ev.BoxResized(box="b-1", rect=RECT), "Resized box b-1"),
    (ev.BoxLabelled(box="b-1", label="Chart"), "Labelled box b-1 “Chart”"),
    (
        ev.BoxContentEdited(box="e1", content="a\nb", filled=True),
        "Box e1 got the words under it, “a / b”",
    ),
    (ev.BoxContentEdited(box="e1", content="a\nb"), "Wrote the text of box e1 “a / b”"),
    (ev.BoxContentEdited(box="e1", content=""), "Emptied the text of box e1"),
    (ev.BoxOrdered(box="e1", order=4), "Put box e1 at position 4 of the reading order"),
    (ev.BoxOrdered(box="e1", order=None), "Took box e1 out of the reading order"),
    (
        ev.BoxAttributesEdited(box="e1", attributes={"bold": "no"}),
        "Changed the attributes of box e1",
    ),
    (ev.GoldDisputed(reason="it is 13"), "Disputed the gold: “it is 13”"),
    (ev.BoxAccepted(box="e1"), "Accepted box e1"),
    (
        ev.ContradictionConfirmed(
            field="modalities", document="a.pdf", page=3, chosen=("text",), drawn=("chart",)
        ),
        "Confirmed modalities of a.pdf page 3: “text”, with boxes of “chart”",
    ),
    (ev.BoxAccepted(box="e1", accepted=False), "No longer accepts box e1"),
    (ev.BoxDeleted(box="e1"), "Deleted box e1"),
    (ev.Undone(**PAGE, change="c-1"), "Undid a change of boxes on b.pdf page 2"),
    (ev.Redone(**PAGE, change="c-1"), "Redid a change of boxes on b.pdf page 2"),
    (
        ev.ElementsSeeded(**PAGE, elements=(element(1), element(2))),
        "Was given 2 elements of a model on b.pdf page 2",
    ),
    (
        ev.ElementsSeeded(**PAGE, elements=(element(1),)),
        "Was given 1 element of a model on b.pdf page 2",
    ),
    (ev.FieldSet(field="quality", value="good"), "Set quality to “good”"),
    (ev.FieldSet(field="relevance", **PAGE, value="2"), "Set relevance of b.pdf page 2 to “2”"),
    (
        ev.FieldSet(field="modalities", **PAGE, value=("text", "table")),
        "Set modalities of b.pdf page 2 to “text”, “table”",
    ),
    (ev.FieldSet(field="legible", box="b-1", value=False), "Set legible of box b-1 to no"),
    (ev.FieldSet(field="count", value=3), "Set count to 3"),
    (ev.FieldSet(field="count", value=None), "Cleared count"),
    (
        ev.RowSet(field="points", row="r1", values={"value": "4.5", "labels": "2019"}),
        "Set row r1 of points: value = “4.5”, labels = “2019”",
    ),
    (ev.RowSet(field="points", row="r-1", values={}), "Started row r-1 of points"),
    (ev.RowDeleted(field="points", row="r1"), "Deleted row r1 of points"),
    (
        ev.RowsSeeded(field="points", rows=(Row(id="1", values={"value": "4"}),)),
        "Was given 1 row of a model in points",
    ),
    (ev.QuestionEdited(text="How many?"), "Wrote the question “How many?”"),
    (
        ev.Checked(
            at_seq=7,
            findings=(
                Finding(check="giveaway", status="warning", message="It names the page."),
                Finding(check="overlap", status="ok", message="Little overlap."),
            ),
        ),
        "Ran the checks: giveaway",
    ),
    (ev.Checked(at_seq=7, findings=()), "Ran the checks: nothing to warn of"),
    (
        ev.FeedbackGiven(
            right=False, score=0.5, parts=(ev.PartScore(part="answer", right=False, score=0.5),)
        ),
        "Was shown the gold: 50 % right",
    ),
]
