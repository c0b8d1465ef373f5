"""Accuracy and attribution by the gold decided in review, beside those by the tasks' own.

The campaign and its gold are drawn up in ``tests.exports.adjudication.answered``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from pagetrail.annotation.errors import PagetrailError
from pagetrail.exports.gold.gold_checks import Gold
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.metrics.report import MetricsOptions, metrics
from pagetrail.exports.reports.model import Report, Table
from pagetrail.exports.reports.render.csv_text import csv_text
from pagetrail.exports.reports.render.formatting import basis_words, rows_shown
from pagetrail.exports.reports.render.json_text import json_text
from pagetrail.exports.reports.render.terminal import renderables
from pagetrail.exports.writing.left_out import left_out_words
from tests.exports.adjudication import Bench, answered, graded
from tests.exports.campaigns import CAMPAIGN
from tests.exports.reports.metrics.answered import (
    P1,
    Try,
    left_out,
    line,
    make_scene,
    section,
    table,
    task,
    value,
)

DECIDED = "Tasks with gold decided in review"


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """Three of four questions decided; only read."""
    return answered(tmp_path_factory.mktemp("answered") / "ws")


def report(bench: Bench, **options: Any) -> Report:
    """The report, with few replicates."""
    with open_source(bench.stage.workspace, CAMPAIGN) as source:
        return metrics(source, MetricsOptions(**{"replicates": 20, **options}))


def test_each_figure_by_decided_gold_has_its_own_n(bench: Bench) -> None:
    """Of six attempts at three answerable tasks; what needs gold rests on four at two of them."""
    results = table(report(bench, gold="adjudicated"), "results")
    (whole_row,) = results.rows
    row = whole_row.cells
    assert (row["attempts"].value, row["tasks"].value) == (6, 3)
    assert row["rests_on"].value == "2 of 3: decided in review"
    assert value(report(bench), "results", "rests_on") == "4 of 4: gold of the dataset"
    for column in ("accuracy", "anls"):
        assert (row[column].n, row[column].tasks) == (4, 2)
        assert row[column].excluded == {"no_gold_answer": 2}
        assert basis_words(results, whole_row, row[column]) == "n = 4 attempts at 2 tasks"
    assert row["kuiper"].n is None
    assert not basis_words(results, whole_row, row["searches"])
    text = json_text(report(bench, gold="adjudicated"))
    assert '"n": 4' in text
    csv_lines = csv_text(table(report(bench, gold="adjudicated"), "results")).splitlines()
    first = dict(zip(csv_lines[0].split(","), csv_lines[1].split(","), strict=True))
    assert (first["accuracy_n"], first["accuracy_tasks"]) == ("4", "2")
    assert first["accuracy_excluded"] == "no_gold_answer: 2"
    notes = footnotes(table(report(bench, gold="adjudicated"), "results"))
    assert any(
        "n = 4 attempts at 2 tasks, 2 left out: the tasks have no gold answer" in note
        for note in notes
    )
    task_table = table(report(bench), "results")
    assert not basis_words(task_table, task_table.rows[0], task_table.rows[0].cells["accuracy"])


def footnotes(results_table: Table) -> list[str]:
    """The footnotes of a table."""
    return [note for _, note in rows_shown(results_table)[1]]


def test_the_figures_by_either_gold(bench: Bench) -> None:
    """Worked out by hand from the table of the campaign, person by person."""
    task_report, decided = report(bench), report(bench, gold="adjudicated")

    def cell(gold_report: Report, column: str) -> Any:
        return value(gold_report, "results", column, side="Humans")

    # q1 both wrong, q2 Ada right, q3 both right, q4 Grace right.
    assert cell(task_report, "accuracy") == pytest.approx((0 + 1 / 2 + 1 + 1 / 2) / 4)
    # q1 both right, q2 Grace right; q3 has no gold, q4 is without an answer.
    assert cell(decided, "accuracy") == pytest.approx((1 + 1 / 2) / 2)
    # Page 3 and 1; 1 and 1, 2; 1 and 1, 2; 1 and none, 1.
    assert cell(task_report, "page_f1") == pytest.approx((0 + 1 / 2 + 1 / 2 + 1 / 2) / 4)
    # q2 has two pages, of which each cited one: F1 is 2·1/(1+2).
    assert cell(decided, "page_f1") == pytest.approx((1 + 2 / 3) / 2)
    assert cell(task_report, "doc_f1") == pytest.approx((1 + 1 + 1 + 1 / 2) / 4)
    assert cell(decided, "doc_f1") == 1
    # By its decided gold q2 rests on two pages of a document.
    assert cell(task_report, "accuracy_cross_page") is None
    assert cell(decided, "accuracy_cross_page") == pytest.approx(1 / 2)

    assert "unanswerable" not in [entry.key for entry in task_report.tables]
    unanswerable = line(decided, "unanswerable", side="Humans")
    assert (unanswerable["tasks"].value, unanswerable["accuracy"].value) == (1, 0.5)


def test_undecided_tasks_are_accounted_for(bench: Bench) -> None:
    """They are left out of what needs gold, with reason and count, and of nothing else."""
    decided_report = report(bench, gold="adjudicated")
    assert left_out(decided_report) == {("task", "no_adjudicated_gold"): 1}
    (entry,) = decided_report.left_out
    assert entry.ids == ["q3"]
    assert left_out_words(entry) == "1 task: without gold decided in review"
    assert (decided_report.facts["Tasks measured"], decided_report.facts[DECIDED]) == (4, 3)
    assert line(decided_report, "results", side="Humans")["attempts"].value == 6, (
        "q4 is a table of its own"
    )
    decided = line(decided_report, "decided", side="Humans")
    assert decided["no_gold_answer"].value == 2
    by_domain = line(decided_report, "by-domain", side="Humans", group="Wildlife")
    assert by_domain["accuracy"].value == pytest.approx(3 / 4)


def test_the_report_says_which_gold(bench: Bench) -> None:
    """Among its choices and above the results; by the tasks' own gold nothing new is said."""
    decided_report, task_report = report(bench, gold="adjudicated"), report(bench)
    assert str(decided_report.choices["Gold"]).startswith("adjudicated")
    sentence = "Gold decided in review, which 3 of 4 tasks have. Tasks without it are left out"
    assert any(note.startswith(sentence) for note in decided_report.sections[0].notes)
    assert "Gold: adjudicated" in "\n".join(map(str, renderables(decided_report, 120)))
    assert "Gold" not in task_report.choices
    assert DECIDED not in task_report.facts
    assert json_text(report(bench, gold="task")) == json_text(task_report)


def test_the_cascade_goes_by_it(bench: Bench) -> None:
    """Two right on q1; on q2 both have a right page, one of them the wrong answer."""
    decided_report = report(bench, gold="adjudicated", rule="exact_match")
    assert section(decided_report, "Errors")
    stages = {
        row.cells["stage"].value: row.cells["attempts"].value
        for row in table(decided_report, "cascade").rows
    }
    assert stages["Correct"] == 3
    assert stages["Comprehension: gold page, incorrect answer"] == 1
    assert sum(cast(int, n) for n in stages.values()) == 4


def test_gold_without_an_answer_is_accounted_for(tmp_path: Path) -> None:
    """A poor query that is decided as such has gold, and no answer that could be right."""
    decided_report = report(graded(tmp_path / "ws"), gold="adjudicated")
    assert left_out(decided_report)["task", "adjudicated_without_answer"] == 1
    assert decided_report.facts[DECIDED] == 2


def test_gold_taken_up_again_still_counts(tmp_path: Path) -> None:
    """The last version counts until there is another."""
    bench = answered(tmp_path / "ws")
    before = json_text(report(bench, gold="adjudicated"))
    bench.take_up(1)
    assert json_text(report(bench, gold="adjudicated")) == before


def test_nothing_is_decided(tmp_path: Path) -> None:
    """A sentence with the way out, not a report of dashes."""
    scene = make_scene(tmp_path, [task("q1", P1)])
    scene.person("Ada", {"q1": Try()})
    with pytest.raises(PagetrailError, match="has been decided in review") as refused:
        scene.report(gold="adjudicated")
    assert refused.value.code == "no_adjudicated_gold"


def test_no_such_gold(bench: Bench) -> None:
    """Another word is refused with those that are known."""
    with pytest.raises(PagetrailError, match="Choose from task, adjudicated") as refused:
        report(bench, gold=cast(Gold, "best"))
    assert refused.value.code == "invalid_gold"
