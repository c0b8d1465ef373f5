"""Agreement by condition of a study: only people under the same condition are compared."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.protocols.protocol import Protocol, preset, with_overrides
from pagetrail.exports.reports.model import Report, Row
from tests.exports.reports.agreement.people import People, cell_values, drew, graded, lines, table

CONDITIONS = {"study.conditions": {"plain": {"search.snippets": False}, "aided": {}}}
PEOPLE = {"ada": "plain", "bob": "plain", "cyd": "aided", "dot": "aided", "eve": "aided"}


def relevance(people: People, key: str, person: str, draw: random.Random) -> list[ev.Payload]:
    if key not in people.records:
        people.task(key, (1, 2))
    marks = [graded(page, draw.choice("012")) for page in (1, 2)]
    left = draw.randint(0, 200)
    return [*marks, drew(1, left, 100, left + 300, 500)]


def search(people: People, key: str, person: str, draw: random.Random) -> list[ev.Payload]:
    cited = ev.CitationAdded(document="report.pdf", page=draw.randint(1, 3))
    return [ev.AnswerEdited(text=draw.choice(("42", "43"))), cited]


def study(
    name: str, make_payloads: Callable[..., list[ev.Payload]], only_condition: str | None = None
) -> tuple[People, Protocol]:
    """Everybody's work under their condition; ``only_condition`` keeps that of one of them."""
    protocol = with_overrides(preset(name), CONDITIONS)
    people, draw = People(protocol), random.Random(14)
    for key in ("q1", "q2", "q3", "q4"):
        for person, condition in PEOPLE.items():
            payloads = make_payloads(people, key, person, draw)
            if only_condition in (None, condition):
                outcome: ev.Outcome = "answered" if name == "search" else "completed"
                setting = f"{name}+{condition}"
                people.did(key, person, *payloads, outcome=outcome, setting=setting)
    return people, protocol


def pooled(report: Report, key: str) -> Row:
    (row,) = [row for row in table(report, key).rows if row.kind == "pooled"]
    return row


@pytest.mark.parametrize(
    ("name", "make_payloads", "keys"),
    [
        ("relevance", relevance, ("ratings-relevance", "boxes")),
        ("search", search, ("answers",)),
    ],
)
def test_each_condition_is_as_if_the_others_had_not_worked(
    name: str, make_payloads: Callable[..., list[ev.Payload]], keys: tuple[str, ...]
) -> None:
    """Its line is the pooled line of a campaign in which nobody else took part."""
    report = study(name, make_payloads)[0].report(by="condition")
    for key in keys:
        rows = lines(report, key)
        assert list(rows) == ["aided", "plain", "Pooled", "Macro"], key
        for condition in ("plain", "aided"):
            single_condition = study(name, make_payloads, condition)[0].report()
            cells = dict(rows[condition])
            expected = dict(pooled(single_condition, key).cells)
            del cells["group"], expected["group"]
            assert cells == expected, (key, condition)


def test_pooled_pairs_are_within_conditions_and_tasks_count_once() -> None:
    """Two people make one pair a task, three make three; across conditions there is none."""
    people, _ = study("search", search)
    by_condition, pooled_report = people.report(by="condition"), people.report()
    assert cell_values(lines(by_condition, "answers")["Pooled"], "tasks", "pairs") == [4, 16]
    assert cell_values(lines(pooled_report, "answers")["Pooled"], "tasks", "pairs") == [4, 40]
    assert by_condition.facts["tasks with several annotators"] == 4
    assert by_condition.facts["attempts"] == pooled_report.facts["attempts"] == 20
    assert any("under the same condition" in note for note in by_condition.sections[0].notes)
    assert not any(
        "\n" in str(cell.value)
        for t in by_condition.tables
        for row in t.rows
        for cell in row.cells.values()
    )


def test_without_a_study_there_is_one_group() -> None:
    """Everybody is compared with everybody, under no condition."""
    people = People(preset("search"))
    for person in ("ada", "bob"):
        people.did("q1", person, ev.AnswerEdited(text="42"), outcome="answered")
    assert list(lines(people.report(by="condition"), "answers")) == ["(none)", "Pooled", "Macro"]
