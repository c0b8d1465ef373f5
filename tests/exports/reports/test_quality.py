"""The report of quality in production, over people's real work."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command, Recorder
from pagetrail.annotation.clock import ManualClock
from pagetrail.annotation.comparison.shown_values import ShownCounts
from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.protocols.review_parts import PART_LABELS
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.model import Report, Row
from pagetrail.exports.reports.quality.reading import QualityInput, ShownValues
from pagetrail.exports.reports.quality.report import QualityOptions, quality
from pagetrail.exports.reports.quality.shown_values import shown_values_table
from pagetrail.storage.attempts import queries
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.batches.my_batches import assignments
from pagetrail.storage.batches.open_close import ensure_attempts
from pagetrail.storage.database.workspace import Workspace
from tests.storage.batches.test_checks import MAIN, make
from tests.storage.task_data import FILES
from tests.support.factory import FakePages, start_clock


def rows(report: Report, key: str) -> list[Row]:
    """The rows of a table."""
    return list(next(table for table in report.tables if table.key == key).rows)


def answer(
    workspace: Workspace, clock: ManualClock, attempt: str, text: str, *marks: ev.Payload
) -> None:
    """Answer a task with its gold page, half a minute after it was opened."""
    recorder = Recorder(SqlEventLog(workspace.engine), FakePages(FILES), clock)
    row = queries.attempt(workspace.engine, attempt)
    page = row.record["evidence"][0]
    payloads = [
        ev.CitationAdded(document=page["document"], page=page["page"]),
        ev.AnswerEdited(text=text),
        *marks,
    ]
    for number, payload in enumerate(payloads):
        assert not recorder.record(row.context(), [Command(f"e{number}", payload)]).refusals
        clock.advance(seconds=0 if payload in marks else 15)
    commands = [Command("done", ev.Submitted(outcome="answered"))]
    assert not recorder.record(row.context(), commands).refusals


@pytest.mark.parametrize("workspace", ["sqlite", "postgresql"], indirect=True)
def test_gold_and_repeats_are_compared(workspace: Workspace, tmp_path: Path) -> None:
    """Right on every gold task but one that the rule leaves undecided, and that blames nobody.

    Of two repeats one is answered otherwise the second time. During a task the clock was set.
    """
    make(workspace, tmp_path)
    clock, seen_questions, changed, undecided = start_clock(), set[str](), 0, ""
    for batch in assignments(workspace.engine, 1):
        ensure_attempts(workspace.engine, batch.assignment_id, clock)
        for task in queries.batch_tasks(workspace.engine, batch.assignment_id):
            text = task.key.removeprefix("q")
            if task.question in seen_questions and not changed:
                text, changed = "other", 1
            seen_questions.add(task.question)
            if task.question.startswith("Known") and not undecided:
                text, undecided = f"{text} or 99", task.key
            is_marked = task.key == "q3"
            marks = [ev.TimeCorrected(clock_ms=-9_000, counted_ms=0)] if is_marked else []
            answer(workspace, clock, task.attempt_id, text, *marks)
            clock.advance(seconds=5)
    with open_source(workspace, MAIN) as source:
        report = quality(source)
    assert report.facts == {
        "Annotators": 1,
        "Tasks finished": 21,
        "Hidden gold tasks finished": 4,
        "Repeated tasks compared": 2,
        "Alerts": 0,
    }
    (ada,) = rows(report, "quality-people")
    assert ada.cells["annotator"].value == "pseudonym of Ada"
    assert (ada.cells["gold"].value, ada.cells["gold"].n) == (1.0, 3)
    assert (ada.cells["gold_n"].value, ada.cells["gold_undecided"].value) == (3, 1)
    assert (ada.cells["alike"].value, ada.cells["alike"].n) == (0.5, 2)
    assert ada.cells["seconds"].value == pytest.approx(30.0)
    assert ada.cells["time_corrected"].value == 1
    parts = {row.cells["part"].value: row for row in rows(report, "quality-parts")}
    assert parts[PART_LABELS["evidence"]].cells["alike"].value == 1.0
    assert parts[PART_LABELS["answer"]].cells["alike"].value == 0.5
    assert parts[PART_LABELS["answer"]].cells["gold"].n == 3
    assert sum(int(str(row.cells["tasks"].value)) for row in rows(report, "quality-drift")) == 21
    gold_tasks = [row.cells for row in rows(report, "quality-gold-tasks")]
    assert [row["gold_undecided"].value for row in gold_tasks] == [0, 0, 0, 1]
    assert (gold_tasks[-1]["task"].value, gold_tasks[-1]["people"].value) == (undecided, 0)
    gold, consistency = report.charts
    assert (gold.key, consistency.key) == ("chart-quality-gold", "chart-quality-consistency")
    drift = {row.cells["period"].value: row.cells for row in rows(report, "quality-drift")}
    for chart, measure in ((gold, "gold"), (consistency, "alike")):
        sets = chart.spec["datasets"].values()
        points = next(data_set for data_set in sets if "n" in data_set[0])
        defined_periods = {at for at, cells in drift.items() if cells[measure].value is not None}
        assert {value["period"] for value in points} == defined_periods and defined_periods
        for value in points:
            cell = drift[value["period"]][measure]
            assert (value["share"], value["n"]) == (cell.value, cell.n)
            assert value["low"] == pytest.approx(cell.low) and value["high"] <= 1
    with open_source(workspace, MAIN) as source:
        assert quality(source) == report  # from the cache
        with pytest.raises(PagetrailError, match="There is no period"):
            QualityOptions(by="day")


def test_shown_values_beside_those_that_were_not_shown() -> None:
    """Kept 9 of 10, the same 9 of 10, and 5 of 10 by people who did not see them."""
    shown_values = [
        ShownValues(person, f"q{n}", ShownCounts(field="Class", n=2, kept=n_kept, same=n_same))
        for person, counts in (("a", [(2, 2)] * 4 + [(1, 1)]), ("b", [(None, 1)] * 5))
        for n, (n_kept, n_same) in enumerate(counts)
    ]
    (row,) = shown_values_table(QualityInput({}, [], [], shown_values)).rows
    assert [row.cells[key].value for key in ("kept", "same", "without")] == [0.9, 0.9, 0.5]
    assert row.cells["without"].n == 10
    assert row.cells["difference"].value is None  # five tasks alike have no interval
    values_of_one = [entry for entry in shown_values if entry.person == "a"]
    (row,) = shown_values_table(QualityInput({}, [], [], values_of_one)).rows
    assert row.cells["without"].reason == "everybody_saw_it"
