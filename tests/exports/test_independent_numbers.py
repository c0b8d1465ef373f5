"""The demo's headline numbers against a program that knows only its exported events."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from pagetrail.app.demo.build import CAMPAIGN
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.agreement.report import AgreementOptions, agreement
from pagetrail.exports.reports.charts import stages
from pagetrail.exports.reports.metrics.cells import UNDECIDED_ANSWERS
from pagetrail.exports.reports.metrics.report import MetricsOptions, metrics
from pagetrail.exports.reports.model import Report
from pagetrail.exports.run import export
from pagetrail.storage.database.workspace import Workspace
from tests.exports.independent_numbers import STAGES, headline_numbers
from tests.exports.reports.metrics.answered import line, lines
from tests.support.built_once import demo_folder


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A copy of the demo: exports write into its cache."""
    root = tmp_path_factory.mktemp("demo") / "ws"
    copytree(demo_folder(tmp_path_factory) / "ws", root)
    return Workspace.open(root)


@pytest.fixture(scope="module")
def numbers(demo: Workspace, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the other program says."""
    folder = tmp_path_factory.mktemp("exports")
    for name in ("trajectories", "gold", "scores"):
        export(demo, CAMPAIGN, name, folder / name)
    return headline_numbers(folder)


@pytest.fixture(scope="module")
def report(demo: Workspace) -> Report:
    """What the metrics report says."""
    with open_source(demo, CAMPAIGN) as source:
        return metrics(source, MetricsOptions(replicates=50))


PARTICIPANTS = ("Humans", "agent-bm25", "agent-onequery")


@pytest.mark.parametrize("participant", PARTICIPANTS)
def test_results(report: Report, numbers: dict[str, Any], participant: str) -> None:
    """Tasks, attempts, accuracy, ANLS*, F1, searches, active time, Kuiper and cascade."""
    expected = numbers["participants"][participant]
    cells = line(report, "results", side=participant)
    for name in ("tasks", "attempts", "accuracy", "anls", "page_f1", "doc_f1", "searches"):
        assert cells[name].value == pytest.approx(expected[name]), name
    if cells["active_s"].value is not None:  # one system's run has no times
        assert cells["active_s"].value == pytest.approx(expected["active_s"])
    by_searches = line(report, "effort", side=participant, effort="Searches")
    if cells["accuracy"].undecided:
        assert by_searches["kuiper"].reason == UNDECIDED_ANSWERS
        (cascade,) = lines(report, "cascade", side=participant)
        assert cascade.cells["share"].reason == UNDECIDED_ANSWERS
        return
    assert by_searches["kuiper"].value == pytest.approx(expected["kuiper"])
    shares = {
        row.cells["stage"].value: row.cells["share"].value
        for row in lines(report, "cascade", side=participant)
    }
    for stage in STAGES:
        assert shares[stages.STAGES[stage].label] == pytest.approx(expected["cascade"][stage]), (
            stage
        )


@pytest.mark.parametrize("system", PARTICIPANTS[1:])
def test_kappa(report: Report, numbers: dict[str, Any], system: str) -> None:
    """People and each system, over all pairs of attempts at a task."""
    cells = line(report, "comparison", a="Humans", b=system)
    if cells["difference"].undecided:
        assert cells["kappa"].reason == UNDECIDED_ANSWERS
    else:
        assert cells["kappa"].value == pytest.approx(numbers["kappa"][system])


def test_percent_agreement(demo: Workspace, numbers: dict[str, Any]) -> None:
    """On the outcome, of tasks that two people submitted."""
    with open_source(demo, CAMPAIGN) as source:
        agreement_report = agreement(source, AgreementOptions(replicates=50))
    pooled = [row for table in agreement_report.tables if table.key == "work-task-outcome"
              for row in table.rows if row.kind == "pooled"]  # fmt: skip
    value = pooled[0].cells["percent_agreement"].value
    assert value == pytest.approx(numbers["percent_agreement"])


def test_one_human_accuracy(report: Report, demo: Workspace, tmp_path: Path) -> None:
    """The same range in results, comparison and on the data set's card."""
    accuracy = line(report, "results", side="Humans")["accuracy"]
    assert accuracy.lower is not None and accuracy.upper is not None
    # The other systems have not done all of people's tasks.
    n_tasks = line(report, "results", side="Humans")["tasks"].value
    rows = lines(report, "comparison", a="Humans")
    pairs = [row for row in rows if row.cells["tasks"].value == n_tasks]
    for row in pairs:
        shared = row.cells["accuracy_a"]
        assert (shared.lower, shared.upper) == pytest.approx((accuracy.lower, accuracy.upper))
    export(demo, CAMPAIGN, "dataset", tmp_path / "dataset")
    card = (tmp_path / "dataset" / "README.md").read_text(encoding="utf-8")
    people = next(row for row in card.splitlines() if row.startswith("| People"))
    ends = f"{100 * accuracy.lower:.1f}–{100 * accuracy.upper:.1f} %"
    assert f"| {ends} ({accuracy.undecided} undecided) |" in people
