"""The report and the export of a campaign whose pages a model scored, worked out by hand."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.metrics.report import MetricsOptions, metrics
from pagetrail.exports.reports.model import Report
from pagetrail.exports.run import export
from tests.exports.campaigns import CAMPAIGN, Stage, make_stage
from tests.exports.reports.metrics.answered import line, lines, section
from tests.exports.worked_campaigns import PREFILTERED, REPORT, page, prefiltered


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    """Two queries graded by Ada, one of them by Grace as well; a third that nobody has graded."""
    return prefiltered(tmp_path / "ws")


def report_of(stage: Stage) -> Report:
    """The metrics report."""
    with open_source(stage.workspace, CAMPAIGN) as source:
        return metrics(source, MetricsOptions(replicates=20))


def test_recall_and_relevance_by_score(stage: Stage) -> None:
    """Open pages count with the upper median: q1's page 2 and annex are relevant."""
    report = report_of(stage)
    recall = line(report, "prefilter-recall")
    assert [recall[name].value for name in ("tasks", "above", "relevant_above")] == [2, 4, 4]
    assert [recall[name].value for name in ("below", "sampled", "relevant_sampled")] == [4, 2, 1]
    assert recall["precision"].value == 1.0
    assert recall["missed"].value == pytest.approx(2.0)
    assert recall["recall"].value == pytest.approx(4 / 6)
    assert recall["recall"].n == 2
    low, high = recall["recall"].low, recall["recall"].high
    assert low is not None and high is not None and low < 4 / 6 < high
    bins = lines(report, "relevance-by-score")
    assert [row.cells["scores"].value for row in bins] == ["0.9", "0.6", "0.05–0.1"]
    assert [row.cells["scored"].value for row in bins] == [3, 3, 6]
    assert [row.cells["graded"].value for row in bins] == [2, 2, 2]
    assert [row.cells["relevant"].value for row in bins] == [1.0, 1.0, 0.5]
    assert [chart.key for chart in report.charts].count("chart-relevance-by-score") == 1
    notes = next(entry.notes for entry in report.sections if entry.title == "Pre-filter")
    assert notes[0] == "Pages were scored by filter-1."


def test_scores_are_exported_with_grades(stage: Stage, tmp_path: Path) -> None:
    """Also those of pages and tasks without grades; the order of work does not matter."""
    export(stage.workspace, CAMPAIGN, "page-scores", tmp_path / "out")
    with (tmp_path / "out" / "page_scores.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 12
    assert rows[0] == {
        "task": "q1",
        "document": REPORT,
        "page": "1",
        "score": "0.9",
        "selection": "above",
        "inclusion_probability": "1.0",
        "annotators": "2",
        "grade": "2",
    }
    drawn = [row for row in rows if row["selection"] == "sampled"]
    assert [(row["inclusion_probability"], row["grade"]) for row in drawn] == [
        ("0.5", "1"),
        ("0.5", "0"),
        ("0.5", ""),
    ]


def test_campaigns_without_scores_have_no_such_section(tmp_path: Path) -> None:
    """Nor anything to export."""
    plain = make_stage(
        tmp_path / "ws", PREFILTERED, [{"id": "q", "question": "?", "candidates": [page(1)]}]
    )
    assert not section(report_of(plain), "Pre-filter")
