"""Gold merged from the work of two people."""

from __future__ import annotations

from pagetrail.annotation import events as ev

SOURCES = (
    ev.Source(attempt="a1", annotator="Ada", seq=7),
    ev.Source(attempt="a2", annotator="Grace", seq=9),
)


def merged(**changes: object) -> ev.GoldMerged:
    """Gold put together from two people, with something in every part."""
    values: dict[str, object] = {
        "sources": SOURCES,
        "choices": (
            ev.Choice(part="outcome", how="majority"),
            ev.Choice(part="answer", how="side", side="a1"),
        ),
        "outcome": "answered",
        "answer_text": "42\nforty-two",
        "variants": ("42 and forty-two",),
        "evidence": (
            ev.KeptPage(document="b.pdf", page=2, annotators=2),
            ev.KeptPage(document="b.pdf", page=3, annotators=1, reviewer=True),
        ),
        "fields": (
            ev.GoldValue(field="difficulty", value="hard"),
            ev.GoldValue(field="grade", document="b.pdf", page=2, value="2"),
        ),
        "boxes": (
            ev.GoldElement(
                id="g0-b1",
                document="b.pdf",
                page=2,
                rect=(10.0, 20.0, 30.0, 40.0),
                label="Table",
                source="a1",
            ),
        ),
        "rows": (ev.GoldRow(field="rows", row="r1", values={"cell": "1"}),),
    }
    return ev.GoldMerged.model_validate(values | changes)
