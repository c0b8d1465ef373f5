"""The section on time horizons, and what people and systems achieve together."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagetrail.exports.reports.model import Cell, Report
from pagetrail.exports.reports.render.formatting import rows_shown
from tests.exports.reports.metrics.answered import (
    P1,
    Scene,
    Try,
    line,
    lines,
    make_scene,
    section,
    table,
    task,
)

KEYS = [f"q{n:02}" for n in range(12)]
SOLVED_BY_GPT = {0, 1, 2, 3, 4, 6, 7, 9}


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """Ada solves tasks of 6 to 72 seconds, but not the last; the system solves the shorter ones."""
    made = make_scene(tmp_path_factory.mktemp("timed"), [task(key, P1) for key in KEYS])
    made.person(
        "Ada",
        {key: Try("42" if n < 11 else "7", step_s=2 * (n + 1)) for n, key in enumerate(KEYS)},
    )
    made.system(
        "gpt",
        {
            key: Try("42" if n in SOLVED_BY_GPT else "7", searches=[[P1]] * (1 + n // 3))
            for n, key in enumerate(KEYS)
        },
    )
    return made


@pytest.fixture(scope="module")
def report(scene: Scene) -> Report:
    """Its report."""
    return scene.report(replicates=2000)


def test_both_fits(report: Report) -> None:
    """The unsolved task is only in the second, beyond the 72 seconds that Ada tried."""
    first, second = (row.cells for row in lines(report, "time-horizon", side="gpt"))
    assert [first[key].value for key in ("tasks", "unsolved")] == [11, 1]
    assert [second[key].value for key in ("tasks", "unsolved")] == [12, 1]
    assert first["shortest"].value == pytest.approx(6 / 60)
    assert first["longest"].value == pytest.approx(66 / 60)
    longest = second["longest"].value
    assert isinstance(longest, float) and longest > 72 / 60
    half, most = first["horizon_50"].value, first["horizon_80"].value
    assert isinstance(half, float) and isinstance(most, float) and most < half < 66 / 60


def test_the_horizon_in_words(report: Report) -> None:
    horizons = table(report, "time-horizon")
    half = horizons.rows[0].cells["horizon_50"].value
    assert isinstance(half, float)
    assert horizons.notes[0].startswith(
        f"gpt succeeds in half of the tasks that take people {60 * half:.0f} seconds, and in 80 %"
    )


def test_few_tasks_give_no_interval_and_say_so(report: Report) -> None:
    """Samples of eleven tasks often separate."""
    first = lines(report, "time-horizon")[0].cells
    assert first["horizon_50"].flag == "often_undefined"
    assert isinstance(first["undefined"].value, int) and first["undefined"].value > 100
    _, notes = rows_shown(table(report, "time-horizon"))
    assert any("undefined in more than 5 % of the bootstrap samples" in note for _, note in notes)


def test_rates_in_bins(report: Report) -> None:
    rates = {
        (row.cells["low"].value, row.cells["high"].value): (
            row.cells["tasks"].value,
            row.cells["rate"].value,
        )
        for row in lines(report, "time-horizon-bins")
    }
    assert rates == {
        (1 / 16, 1 / 8): (1, 1.0),
        (1 / 8, 1 / 4): (1, 1.0),
        (1 / 4, 1 / 2): (2, 1.0),
        (1 / 2, 1): (5, 3 / 5),
        (1, 2): (2, 1 / 2),
    }
    assert "time-horizon" in {chart.key for chart in report.charts}


def test_together(report: Report) -> None:
    """Searches are the only cost known; the costliest quarter are the three last tasks."""
    by_policy = {
        (row.cells["policy"].value, row.cells["checked"].value): row.cells["accuracy"].value
        for row in lines(report, "people-with-system")
    }
    assert by_policy["people", 1.0] == pytest.approx(11 / 12)
    assert by_policy["system", 0.0] == pytest.approx(8 / 12)
    assert by_policy["either correct", 1.0] == pytest.approx(11 / 12)
    assert by_policy["system, people check", 0.25] == pytest.approx(9 / 12)
    checked = line(report, "people-with-system", policy="system, people check", checked=0.25)
    assert checked["order"].value == "most steps"
    assert "confidence" not in checked
    assert checked["cost_per_task"] == Cell(reason="no_pay_rate")
    assert checked["seconds"].value == pytest.approx((60 + 66 + 72) / 12)


def test_a_system_that_solves_all_has_no_horizon(tmp_path: Path) -> None:
    scene = make_scene(tmp_path, [task(key, P1) for key in KEYS[:4]])
    scene.person("Ada", {key: Try(step_s=5 * n) for n, key in enumerate(KEYS[:4], start=1)})
    scene.system("gpt", {key: Try() for key in KEYS[:4]})
    cells = lines(scene.report(), "time-horizon")[0].cells
    assert cells["horizon_50"] == Cell(reason="system_solved_all")
    notes = table(scene.report(), "time-horizon").notes
    assert notes[0] == "gpt has no time horizon on these tasks."


def test_it_needs_people_and_a_system(tmp_path: Path) -> None:
    scene = make_scene(tmp_path, [task(key, P1) for key in KEYS])
    scene.system("gpt", {"q00": Try()})
    report = scene.report()
    assert not section(report, "Time horizon")
    assert any(note.startswith("Time horizon is left out") for note in report.sections[0].notes)
    scene.person("Ada", {"q01": Try()})
    report = scene.report()
    assert not section(report, "Time horizon")
    assert any("no system shares a task" in note for note in report.sections[0].notes)
