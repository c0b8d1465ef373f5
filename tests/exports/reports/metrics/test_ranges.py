"""Undecided answers: accuracies are ranges, and what follows from right and wrong is undefined."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagetrail.exports.reports.metrics.cells import UNDECIDED_ANSWERS
from pagetrail.exports.reports.model import Cell, Report
from tests.exports.reports.metrics.answered import P1, Try, line, lines, make_scene, table, task

RIGHT, WRONG = Try(searches=[[P1]]), Try("43", searches=[[P1]])
OPEN = Try("a fair number of them", searches=[[P1]])


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Of six tasks Ada has three right and one open; gpt two right and one open; old none open."""
    root: Path = tmp_path_factory.mktemp("ranges")
    keys = [f"q{n}" for n in range(1, 7)]
    scene = make_scene(root, [task(key, P1, domain="law") for key in keys], ["Ada"])

    def tries(*attempts: Try) -> dict[str, Try]:
        return dict(zip(keys, attempts, strict=True))

    scene.person("Ada", tries(RIGHT, WRONG, OPEN, RIGHT, WRONG, RIGHT))
    scene.system("gpt", tries(RIGHT, OPEN, WRONG, RIGHT, WRONG, WRONG))
    scene.system("old", tries(RIGHT, WRONG, WRONG, RIGHT, WRONG, WRONG))
    return scene.report(by="domain")


def ends(cell: Cell) -> tuple[object, object, object, object]:
    """Old value, both ends, number undecided."""
    return cell.value, cell.lower, cell.upper, cell.undecided


def test_an_accuracy_is_a_range(report: Report) -> None:
    """From the lower limit of the lower end to the upper limit of the upper end."""
    humans = line(report, "results", side="Humans")["accuracy"]
    assert ends(humans) == (3 / 6, 3 / 6, pytest.approx(4 / 6), 1)
    assert humans.lower_low == humans.low is not None
    assert humans.upper_high is not None and humans.high is not None
    assert humans.upper_high > humans.high
    assert ends(line(report, "results", side="old")["accuracy"]) == (2 / 6, None, None, None)
    for kind in ("row", "pooled", "macro"):
        (row,) = [row for row in lines(report, "by-domain", side="Humans") if row.kind == kind]
        assert ends(row.cells["accuracy"]) == ends(humans), kind


def test_a_paired_difference_has_bounds(report: Report) -> None:
    """Each end takes the open answers of one as wrong and those of the other as right."""
    cell = line(report, "comparison", a="Humans", b="gpt")["difference"]
    assert ends(cell) == tuple(map(pytest.approx, (1 / 6, 3 / 6 - 3 / 6, 4 / 6 - 2 / 6, 2)))
    assert cell.lower_low is not None and cell.upper_high is not None and cell.low is not None
    assert cell.lower_low < cell.low
    one_open = line(report, "comparison", a="gpt", b="old")["difference"]
    assert ends(one_open) == (0, 0, pytest.approx(1 / 6), 1)


def test_what_follows_from_right_and_wrong_is_undefined(report: Report) -> None:
    """Curves, cascades, horizons, complementarity and kappa, with the reason; not those of old."""
    for side, is_open in (("Humans", True), ("gpt", True), ("old", False)):
        cells = [
            line(report, "results", side=side)["wasted_effort"],
            line(report, "results", side=side)["kuiper"],
            *(row.cells["kuiper"] for row in lines(report, "effort", side=side)),
            *(row.cells["share"] for row in lines(report, "cascade", side=side)),
            *(row.cells["accuracy"] for row in lines(report, "accuracy-by-searches", side=side)),
        ]
        assert {cell.reason == UNDECIDED_ANSWERS for cell in cells} == {is_open}, side
    kappa = line(report, "comparison", a="Humans", b="gpt")
    assert {kappa[name].reason for name in ("kappa", "both", "only_a")} == {UNDECIDED_ANSWERS}
    for row in lines(report, "time-horizon"):
        assert row.cells["horizon_50"].reason == UNDECIDED_ANSWERS
    for row in lines(report, "people-with-system"):
        assert row.cells["accuracy"].reason == UNDECIDED_ANSWERS
    assert all("gpt" not in str(chart.spec) for chart in report.charts if "cascade" in chart.key)
    assert any("1 answer" in note or "2 answers" in note for note in table(report, "results").notes)
