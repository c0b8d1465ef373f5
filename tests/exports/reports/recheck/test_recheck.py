"""What a recheck finds in events and campaigns, and what it leaves alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.recheck import findings as findings_module
from pagetrail.exports.reports.recheck.findings import recheck
from pagetrail.exports.reports.recheck.hasty_verdicts import hasty_verdicts
from pagetrail.exports.reports.recheck.undone_drawings import undone_drawings
from tests.support.factory import events_at
from tests.support.review_campaign import campaign

Step = tuple[float, ev.Payload]


def viewed(page: int) -> ev.PageViewed:
    """A page came into the viewer."""
    return ev.PageViewed(document="b.pdf", page=page, via="next")


def graded(page: int, value: str = "0", field: str = "relevance") -> ev.FieldSet:
    """A page got a grade."""
    return ev.FieldSet(field=field, document="b.pdf", page=page, value=value)


def accepted(box: str) -> ev.BoxAccepted:
    """An element was accepted."""
    return ev.BoxAccepted(box=box)


@pytest.mark.parametrize(
    ("steps", "hasty"),
    [
        ([(0, viewed(1)), (3, graded(1)), (3.1, viewed(2)), (3.104, graded(2))], [(4, 4)]),
        ([(0, viewed(1)), (0.4, graded(1)), (0.5, viewed(2)), (0.9, graded(2))], []),
        ([(0, viewed(1)), (3, graded(1, "0")), (3.1, graded(1, "2"))], []),
        ([(0, viewed(1)), (3, graded(1)), (3.1, graded(1, "text", "modalities"))], []),
        ([(0, viewed(1)), (3, accepted("e1")), (3.2, accepted("e2"))], [(3, 200)]),
        ([(0, viewed(1)), (3, accepted("e1")), (5, accepted("e2")), (5.001, accepted("e3"))], []),
        ([(0, graded(1)), (0.1, graded(2))], []),
    ],
    ids=["next page", "slow", "own change", "same page", "element", "bulk", "never opened"],
)
def test_hasty_verdicts(steps: list[Step], hasty: list[tuple[int, int]]) -> None:
    """Sooner than 0.4 s after the page was opened or the verdict on another unit."""
    verdicts = hasty_verdicts(events_at(*steps))
    assert [(verdict.seq, verdict.seen_ms) for verdict in verdicts] == hasty


def test_undone_drawings() -> None:
    """Only boxes whose drawing is undone in the end; deleted ones are somebody's decision."""
    page = {"document": "b.pdf", "page": 1}
    steps: list[ev.Payload] = [ev.Opened(session="tab")]

    def draw(box: str) -> str:
        steps.append(ev.BoxDrawn(box=box, rect=(1, 1, 9, 9), label="Text", **page))
        return f"c{len(steps)}"

    steps.append(ev.Undone(change=draw("undone"), **page))
    change = draw("redone")
    steps += [ev.Undone(change=change, **page), ev.Redone(change=change, **page)]
    draw("deleted")
    steps.append(ev.BoxDeleted(box="deleted"))
    events = events_at(*((float(at), step) for at, step in enumerate(steps)))
    assert undone_drawings(events, fold(events)) == ["undone"]


def test_own_answers(tmp_path: Path) -> None:
    """A judge who is the one who answered, under the pseudonym or the name."""
    records = [
        {"id": f"t{number}", "question": "How many?", "answer_variants": [["42"]],
         "prediction": {"system": system, "answer": "42 otters"}}
        for number, system in enumerate(("p1", "Ada", "p2", "agent"), start=1)
    ]  # fmt: skip
    reviewed = campaign(tmp_path / "ws", preset("judge"), records, people=1)
    for number in range(1, 5):
        reviewed.do(
            f"{number}-Ada",
            ev.Opened(session="tab"),
            ev.FieldSet(field="verdict", value="correct"),
            ev.Submitted(outcome="completed"),
        )
    with open_source(reviewed.workspace, "Random") as source:
        findings = recheck(source).findings
    assert [(f.kind, f.task, f.participant, f.detail) for f in findings] == [
        ("own_answer", "t1", "p1", "42 otters"),
        ("own_answer", "t2", "p1", "42 otters"),
    ]


def test_changed_verdicts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both verdicts and the answer, where the rule of before decided otherwise."""
    records = [
        {"id": f"t{number}", "question": "How many otters?", "answer_variants": [["42"]]}
        for number in (1, 2)
    ]
    settings = {"evidence.required": False}
    protocol = with_overrides(preset("search"), settings)
    reviewed = campaign(tmp_path / "ws", protocol, records, people=1)
    reviewed.answer("1-Ada", "42")
    reviewed.answer("2-Ada", "43")
    rule_of_before = findings_module.previous_rule.decide_answer

    def decide_wrong(*arguments: Any) -> Any:
        return rule_of_before(*arguments)._replace(verdict="incorrect")

    monkeypatch.setattr(findings_module.previous_rule, "decide_answer", decide_wrong)
    with open_source(reviewed.workspace, "Random") as source:
        findings = recheck(source).findings
    assert [(f.kind, f.task, f.detail) for f in findings] == [
        ("changed_verdict", "t1", "Wrong → Right: 42")
    ]
