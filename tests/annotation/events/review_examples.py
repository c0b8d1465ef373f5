"""One example or more of every event of review, in words."""

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


REVIEW_EXAMPLES: list[tuple[ev.AnyPayload, str]] = [
    (ev.ReviewTaken(), "Took the task"),
    (ev.ReviewTaken(over="Sofia"), "Took the review over from Sofia"),
    (ev.ReviewReleased(), "Released the task"),
    (merged(), "Merged the work of 2 people"),
    (merged(sources=SOURCES[:1]), "Merged the work of one person"),
    (
        ev.Adjudicated(version=1, sources=SOURCES, automatic=True),
        "Accepted automatically, version 1 of the gold",
    ),
    (
        ev.Adjudicated(version=2, sources=SOURCES, reason="page 3\nsays so"),
        "Decided, version 2 of the gold: “page 3 / says so”",
    ),
    (ev.DecisionUndone(decision=4), "Undid the decision: it is no gold"),
    (
        ev.DecisionUndone(
            decision=4,
            before=ev.Decision(seq=2, version=1, by="Sofia", at="2026-03-02", sources=SOURCES),
        ),
        "Undid the decision: version 1 is current again",
    ),
    (ev.ProblemHandled(attempt="a1", seq=4), "Marked a flag or skip as handled"),
    (
        ev.ProblemHandled(attempt="a1", seq=4, handled=False),
        "Marked a flag or skip as not handled",
    ),
    (ev.GoldReopened(reason="a typing slip"), "Reopened the gold: “a typing slip”"),
    (
        ev.Returned(
            comment="Look at page 3.",
            differences=(ev.Difference(part="answer", label="Answer", yours="41", other="42"),),
        ),
        "Sent the task back: “Look at page 3.”",
    ),
    (ev.Commented(text="Which year?"), "Commented: “Which year?”"),
]
