"""Cost in papers: MADQA's figure 7 and tables 11 and 12, UniDoc-Bench's table 10."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from pagetrail.exports.papers.folder import write_paper
from pagetrail.exports.papers.model import Paper
from pagetrail.exports.papers.options import PaperOptions
from pagetrail.exports.papers.papers import paper_of
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.model import Cell
from tests.exports.campaigns import CAMPAIGN
from tests.exports.reports.metrics.answered import P1, Scene, Try, make_scene, task
from tests.exports.reports.metrics.test_cost import PEOPLE, build


def paper(scene: Scene, name: str) -> Paper:
    """A paper of the scene's campaign, with few replicates."""
    with open_source(scene.stage.workspace, CAMPAIGN) as source:
        return paper_of(name, [source], PaperOptions(replicates=100))


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """People who are paid, a system with tokens, and one with dollars."""
    return build(tmp_path_factory.mktemp("papers"))


def row(report: Paper, key: str, side: str) -> Mapping[str, Cell]:
    """A participant's row of a table."""
    (table,) = (table for table in report.tables if table.key == key)
    (cells,) = (row.cells for row in table.rows if row.cells["side"].value == side)
    return cells


def test_figure_7_has_people_and_systems(scene: Scene, tmp_path: Path) -> None:
    """Accuracy and cost of the three, in dollars; it is drawn and written."""
    madqa = paper(scene, "madqa")
    people = row(madqa, "figure-7", "Humans")
    assert people["cost_per_task"].value == pytest.approx(sum(PEOPLE.values()) / 3)
    assert people["accuracy"].value == pytest.approx(2 / 3)
    assert row(madqa, "figure-7", "tokens")["cost_per_task"].value == pytest.approx(0.3)
    assert row(madqa, "figure-7", "stated")["cost_per_correct"].reason == "none_correct"
    (figure,) = (figure for figure in madqa.figures if figure.data.key == "figure-7")
    assert "Accuracy against cost per task, USD" in figure.chart.caption
    names = {path.name for path in write_paper(madqa, tmp_path / "out")}
    assert {"figure-7.pdf", "figure-7.svg", "figure-7.csv"} <= names
    assert "Figure 7" not in {gap.what for gap in madqa.not_given}


def test_tables_11_and_12_have_four_measures(scene: Scene) -> None:
    """Steps, tokens in all and generated, and time: of people their active time."""
    madqa = paper(scene, "madqa")
    people, system = (row(madqa, "table-12", side) for side in ("Humans", "tokens"))
    assert people["execution_s"].value == people["active_s"].value is not None
    assert people["total_tokens"].reason == "no_tokens"
    # Right at 110,000 and 120,000 tokens, wrong at 310,000; q4 states none.
    assert system["total_tokens"].value == pytest.approx(2 / 3)
    assert system["execution_s"].reason == "no_times"
    correlations = row(madqa, "table-11", "tokens")
    assert correlations["accuracy"].value == 0.75
    # 110, 310 and 120 thousand against 10, 10 and 20.
    assert correlations["total_tokens-output_tokens"].value == pytest.approx(0.0)
    assert "steps-execution_s" in row(madqa, "table-11", "Humans")


def test_table_10_has_cost_and_latency(scene: Scene) -> None:
    """Of systems alone; what is unknown says so."""
    unidoc = paper(scene, "unidoc")
    stated = row(unidoc, "table-10", "stated")
    assert (stated["cost_per_task"].value, stated["execution_s"].value) == (1.0, 1.5)
    tokens = row(unidoc, "table-10", "tokens")
    assert tokens["cost_per_task"].value == pytest.approx(0.3)
    assert tokens["execution_s"].reason == "no_times"


def test_without_costs_they_are_not_given(tmp_path: Path) -> None:
    """With the reason."""
    scene = make_scene(tmp_path, [task("q1", P1)])
    scene.person("Ada", {"q1": Try()})
    scene.system("a", {"q1": Try()})
    reasons = {gap.what: gap.reason for gap in paper(scene, "madqa").not_given}
    assert reasons["Figure 7"].startswith("no decided attempt has a cost")
    reasons = {gap.what: gap.reason for gap in paper(scene, "unidoc").not_given}
    assert reasons["Table 10"] == "no system of these campaigns has a cost or a latency"
