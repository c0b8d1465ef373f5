"""The section on texts, tables and charts, against numbers worked out by hand."""

from __future__ import annotations

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.transcript_state import text_hash
from pagetrail.annotation.protocols.protocol import preset
from pagetrail.exports.reports.model import Report
from tests.exports.reports.agreement.people import DOC, People, cell_values, lines, table

TRANSCRIBE = preset("transcribe")
CHART = preset("verify_chart")
GIVEN = "0tter"
TEXTS = {
    # 1 edit of 17 characters; 1 of 3 words
    "t1": ("The otters swims.", "The otter swims."),
    "t2": ("The otter swims.", "The\notter  swims."),
    # a third person: pairs of 0, 1/2 and 1/2
    "t3": ("ab", "ab", "ax"),
}


def transcribed(texts: dict[str, tuple[str, ...]]) -> People:
    """A person per text."""
    people = People(TRANSCRIBE)
    for number, (key, versions) in enumerate(texts.items(), start=1):
        page = {"document": DOC, "page": number}
        people.task(key, pages=(number,), domain="even" if number % 2 == 0 else "odd")
        for person, text in zip("abc", versions, strict=False):
            people.did(
                key,
                person,
                ev.TranscriptGiven(**page, text=GIVEN, text_sha256=text_hash(GIVEN)),
                ev.TextEdited(
                    **page,
                    edits=(ev.TextEdit(at=0, removed=GIVEN, inserted=text),),
                    source="typing",
                ),
            )
    return people


def points(*rows: tuple[str, str, str]) -> ev.RowsSeeded:
    """Points of a chart: labels, value and tolerance."""
    return ev.RowsSeeded(
        field="data_points",
        rows=tuple(
            ev.Row(id=f"r{n}", values={"labels": labels, "value": value, "tolerance": tolerance})
            for n, (labels, value, tolerance) in enumerate(rows)
        ),
    )


def section_keys(report: Report) -> list[str]:
    return [part.key for section in report.sections for part in section.parts]


def test_texts_are_compared_pair_by_pair_then_task_by_task() -> None:
    report = transcribed(TEXTS).report()
    cells = lines(report, "transcriptions")["Pooled"]
    assert cell_values(cells, "tasks", "pairs") == [3, 5]
    characters = [1 / 17, 0, (0 + 1 / 2 + 1 / 2) / 3]
    words = [1 / 3, 0, (0 + 1 + 1) / 3]
    for name, values in (("character_error_rate", characters), ("word_error_rate", words)):
        assert cells[name].value == pytest.approx(sum(values) / 3)
    assert section_keys(report)[0] == "transcriptions"


def test_groups_have_rows_of_their_own() -> None:
    rows = lines(transcribed(TEXTS).report(), "transcriptions")
    assert [*rows] == ["even", "odd", "Pooled", "Macro"]
    assert rows["even"]["character_error_rate"].value == 0


def test_one_person_alone_has_nothing_to_compare() -> None:
    cells = lines(transcribed({"t1": ("The otter.",)}).report(), "transcriptions")["Pooled"]
    assert cell_values(cells, "tasks", "pairs") == [0, 0]
    assert cells["character_error_rate"].reason == "no_comparable_pair"


def test_points_of_charts_agree_within_their_tolerance() -> None:
    """2 of 3 points have the same labels, 1 of them a value within tolerance."""
    people = People(CHART)
    people.task("c1", pages=(1,))
    people.did("c1", "a", points(("2024; Otters", "42", "1"), ("2025", "7", ""), ("2026", "1", "")))
    people.did("c1", "b", points(("Otters;2024", "43", ""), ("2025", "8", ""), ("2027", "1", "")))
    report = people.report()
    cells = lines(report, "transcriptions")["Pooled"]
    assert [column.key for column in table(report, "transcriptions").columns][-2:] == [
        "point_f1",
        "label_f1",
    ]
    assert cells["point_f1"].value == pytest.approx(2 * 1 / 6)
    assert cells["label_f1"].value == pytest.approx(2 * 2 / 6)


def test_other_campaigns_have_no_such_section() -> None:
    people = People(preset("relevance"))
    people.task("q1", pages=(1,))
    assert "transcriptions" not in section_keys(people.report())
