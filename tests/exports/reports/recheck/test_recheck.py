"""What a recheck finds in events and campaigns, and what it leaves alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.geometry.element import Element, Row
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.metrics.judging.judge_verdicts import Words
from pagetrail.exports.reports.recheck import findings as findings_module
from pagetrail.exports.reports.recheck.findings import recheck
from pagetrail.exports.reports.recheck.former_names import FormerName, match_names
from pagetrail.exports.reports.recheck.hasty_verdicts import hasty_verdicts
from pagetrail.exports.reports.recheck.undone_drawings import undone_drawings
from tests.support.factory import events_at
from tests.support.review_campaign import Reviewed, campaign

Step = tuple[float, ev.Payload]


def viewed(page: int) -> ev.PageViewed:
    """A page came into the viewer."""
    return ev.PageViewed(document="b.pdf", page=page, via="next")


def graded(page: int, value: str = "0", field: str = "relevance") -> ev.FieldSet:
    """A page got a grade."""
    return ev.FieldSet(field=field, document="b.pdf", page=page, value=value)


def accepted(box: str, seen_ms: int | None = None) -> ev.BoxAccepted:
    """An element was accepted."""
    return ev.BoxAccepted(box=box, seen_ms=seen_ms)


def set_point(row: str, **values: str) -> ev.RowSet:
    """Cells of a data point were set."""
    return ev.RowSet(field="data_points", row=row, values=values)


_ELEMENT = Element(id="e2", document="b.pdf", page=1, rect=(1, 1, 9, 9), label="Text")
ELEMENTS = ev.ElementsSeeded(document="b.pdf", page=1, elements=(_ELEMENT,))
POINTS = ev.RowsSeeded(field="data_points", rows=tuple(Row(id=id_, values={}) for id_ in "abc"))


def confirmed(*cells: tuple[int, int], removed: bool = False) -> ev.CellConfirmed:
    """Changes of a table were confirmed."""
    place = {"document": "b.pdf", "page": 1, "table": "t1", "structure": 0}
    return ev.CellConfirmed(cells=cells, removed=removed, **place)


@pytest.mark.parametrize(
    ("steps", "hasty"),
    [
        ([(0, viewed(1)), (3, graded(1)), (3.1, viewed(2)), (3.104, graded(2))], [(4, 4)]),
        ([(0, viewed(1)), (0.4, graded(1)), (0.5, viewed(2)), (0.9, graded(2))], []),
        ([(0, viewed(1)), (3, graded(1, "0")), (3.1, graded(1, "2"))], []),
        ([(0, viewed(1)), (3, graded(1)), (3.1, graded(1, "text", "modalities"))], []),
        ([(0, viewed(1)), (3, accepted("e1")), (3.2, accepted("e2"))], [(3, 200)]),
        ([(0, viewed(1)), (0.1, accepted("e1"))], [(2, 100)]),
        ([(0, viewed(1)), (3, accepted("e1")), (5, accepted("e2")), (5.001, accepted("e3"))], []),
        ([(0, graded(1)), (0.1, graded(2))], []),
        ([(0, viewed(1)), (3, accepted("e1", 900)), (3.2, accepted("e2", 700))], []),
        ([(0, viewed(1)), (3, accepted("e1", 30))], [(2, 30)]),
        ([(0, viewed(1)), (0, POINTS), (3, set_point("a", verdict="right")),
          (3.1, set_point("a", verdict="corrected")), (3.3, set_point("b", verdict="right"))],
         [(5, 200)]),
        ([(0, viewed(1)), (0, POINTS), (3, set_point("a", verdict="right")),
          (3.1, ev.RowDeleted(field="data_points", row="b"))], [(4, 100)]),
        ([(0, viewed(1)), (0, POINTS), (3, set_point("a", verdict="right")),
          (3.1, set_point("b", value="4", verdict="corrected")),
          (3.2, set_point("own", verdict="right")), (3.4, set_point("c", verdict="right"))], []),
        ([(0, viewed(1)), (0, ELEMENTS), (3, accepted("e1")), (3.1, ev.BoxDeleted(box="e2")),
          (3.2, ev.BoxDeleted(box="own"))], [(4, 100)]),
        ([(0, viewed(1)), (3, confirmed((0, 1))), (3.1, confirmed((2, 0)))], [(3, 100)]),
        ([(0, viewed(1)), (3, confirmed((0, 1))), (3.1, confirmed((1, 0), (2, 0)))], []),
        ([(0, viewed(1)), (0.3, confirmed(removed=True))], [(2, 300)]),
        ([(0, viewed(2)), (3, viewed(1)), (3.1, ev.PatchesDecided(
            document="b.pdf", page=1, patches=("1", "2"), decision="accepted"))], [(3, 100)]),
    ],
    ids=["next page", "slow", "own change", "same page", "element", "first element", "bulk",
         "never opened", "measured", "measured as hasty", "row", "deleted row",
         "typed, own and slow rows", "deleted element", "cell", "all cells", "removed cells",
         "all patches"],
)  # fmt: skip
def test_hasty_verdicts(steps: list[Step], hasty: list[tuple[int, int]]) -> None:
    """Sooner than 0.4 s after the page was opened or the verdict on another unit."""
    verdicts = hasty_verdicts(events_at(*steps), preset("verify_chart"))
    assert [(verdict.seq, verdict.seen_ms) for verdict in verdicts] == hasty


def test_hasty_verdicts_name_what_they_judge() -> None:
    """A row, a cell counted from 1, and all that is left of a page."""
    steps: list[Step] = [
        (0, POINTS),
        (0, viewed(1)),
        (0.1, confirmed((0, 1), (0, 2))),
        (0.2, set_point("a", verdict="right")),
        (0.3, confirmed((0, 1))),
    ]
    verdicts = hasty_verdicts(events_at(*steps), preset("verify_chart"))
    assert [verdict.unit for verdict in verdicts] == ["b.pdf#1#t1", "data_points#a", "t1#1#2"]


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


FIVE = {f"q{number}": ("otters", str(number)) for number in range(5)}


@pytest.mark.parametrize(
    ("judged_answers", "given", "matches"),
    [
        (FIVE, {"Ada": FIVE, "Bo": {"q0": ("no",)}}, {"bruno": FormerName("Ada", 5)}),
        (FIVE, {"Ada": FIVE | {"q1": ("no",)}}, {}),
        (FIVE, {"Ada": {"q0": FIVE["q0"]}}, {}),
        (FIVE, {"Ada": FIVE, "Bo": FIVE}, {}),
        ({"q0": FIVE["q0"]}, {"Ada": FIVE}, {}),
    ],
    ids=["all", "another answer", "not answered", "two people", "too few"],
)
def test_former_names_are_matched_by_answers(
    judged_answers: dict[str, Words],
    given: dict[str, dict[str, Words]],
    matches: dict[str, FormerName],
) -> None:
    """All answers under a name equal one person's, and no other's; few may do so by chance."""
    given_sets = {
        user: {task: {answer} for task, answer in answers.items()}
        for user, answers in given.items()
    }
    assert match_names({"bruno": judged_answers}, given_sets) == matches


def judge(reviewed: Reviewed, attempt: str, answer: str) -> None:
    """Submit an answer with a verdict."""
    text, verdict = ev.AnswerEdited(text=answer), ev.FieldSet(field="verdict", value="correct")
    reviewed.do(attempt, ev.Opened(session="tab"), text, verdict, ev.Submitted(outcome="answered"))


def test_own_answers_from_before_a_renaming(tmp_path: Path) -> None:
    """Ada answered as “bruno”, and Bo judges as well; one campaign has the questions, too."""
    questions = [{"id": f"q{n}", "question": "How many?", "answer_variants": []} for n in range(5)]
    records = [
        question | {"id": f"{question['id']}#1",
                    "prediction": {"system": "bruno", "answer": ["otters", question["id"]]}}
        for question in questions
    ]  # fmt: skip
    protocol = with_overrides(preset("judge"), {"answer.kind": "list"})
    reviewed = campaign(tmp_path / "ws", protocol, [*questions, *records])
    for number in range(1, 6):
        judge(reviewed, f"{number}-Ada", f"otters\nq{number - 1}")
    for name in ("Ada", "Bo"):
        judge(reviewed, f"6-{name}", "mine")
    with open_source(reviewed.workspace, "Random") as source:
        findings = recheck(source).findings
    assert [(f.kind, f.task, f.participant, f.detail) for f in findings] == [
        ("own_answer", "q0#1", "p1", "otters; q0 (under a name that nobody has now; all 5 answers "
                                     "under it are this judge’s)"),
    ]  # fmt: skip


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
