"""The section on cost, worked out by hand."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from pagetrail.annotation.costs.pay_rate import PayRate
from pagetrail.annotation.costs.price_table import PriceTable
from pagetrail.annotation.events.model_usage import ModelUsage
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.metrics.input_rows import measure_attempts
from pagetrail.exports.reports.metrics.scores import score_values
from pagetrail.exports.reports.model import Report
from pagetrail.storage.campaigns.pay_rates import set_rate
from pagetrail.storage.campaigns.price_tables import set_price_table, stored_price_table
from tests.exports.campaigns import CAMPAIGN
from tests.exports.reports.metrics.answered import (
    P1,
    Scene,
    Try,
    line,
    make_scene,
    section,
    table,
    task,
    value,
)

PRICES = """
name = "Prices"
date = 2026-11-01
[models.m]
input = 1
output = 10
[models.other]
input = 1
output = 1
[rates]
EUR = 2
"""


def used(tokens_in: int, out: int = 0, **more: float) -> ModelUsage:
    """Thousands of tokens."""
    return ModelUsage.model_validate(
        {"input_tokens": tokens_in * 1_000, "output_tokens": out * 1_000, **more}
    )


def build(root: Path) -> Scene:
    """Four tasks. Ada does three of them, Grace two; a system with prices, one with dollars.

    Ada is paid per hour, Grace per task. A try takes 5 s per event and has 3 events after the
    first, so 20 s; with a step of 50 s it takes 200 s.
    """
    scene = make_scene(root, [task(f"q{n}", P1) for n in range(1, 5)])
    scene.person("Ada", {"q1": Try(), "q2": Try("17", step_s=50), "q3": Try()})
    scene.person("Grace", {"q1": Try("17"), "q2": Try()})
    scene.system(
        "tokens",
        {"q1": Try(), "q2": Try("17"), "q3": Try(), "q4": Try()},
        model="m",
        usage={"q1": used(100, 10), "q2": used(300, 10), "q3": used(100, 20)},
    )
    scene.system(
        "stated",
        {"q1": Try("17"), "q2": Try("17")},
        model="unknown",
        usage={"q1": used(1, cost_usd=0.5, latency_ms=1_500), "q2": used(1, cost_usd=1.5)},
    )
    workspace = scene.stage.workspace
    set_rate(workspace, None, CAMPAIGN, None, PayRate.parse("36", "hour", "EUR"))
    set_rate(workspace, None, CAMPAIGN, "Grace", PayRate.parse("3", "task", "EUR"))
    set_price_table(workspace, None, PriceTable.parse(PRICES, "prices.toml"))
    return scene


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """The scene of this module."""
    return build(tmp_path_factory.mktemp("cost"))


@pytest.fixture(scope="module")
def report(scene: Scene) -> Report:
    """Its report."""
    return scene.report()


ADA_S = {"q1": 15.0, "q2": 150.0, "q3": 15.0}
"""Active seconds: three events follow the first, and no gap reaches the idle cap of 60 s."""
ADA = {key: seconds * 36 / 3_600 * 2 for key, seconds in ADA_S.items()}
PEOPLE = {"q1": (ADA["q1"] + 6) / 2, "q2": (ADA["q2"] + 6) / 2, "q3": ADA["q3"]}


def test_people_are_averaged_within_tasks(report: Report) -> None:
    """Each in their own unit, in dollars by the table's rate."""
    cells = line(report, "cost", side="Humans")
    assert cells["currency"].value == "USD"
    assert cells["cost_per_task"].value == pytest.approx(sum(PEOPLE.values()) / 3)
    assert cells["total"].value == pytest.approx(sum(ADA.values()) + 12)
    # One of two is right at q1 and at q2, and Ada at q3.
    assert cells["cost_per_correct"].value == pytest.approx(sum(PEOPLE.values()) / 2)
    assert cells["basis"].value == "rate of pay"
    assert (cells["attempts"].value, cells["priced"].value) == (5, 5)


def test_tokens_are_priced_where_dollars_are_missing(report: Report) -> None:
    """0.2, 0.4 and 0.3 dollars; q4 states nothing, and its cost is not taken for 0."""
    cells = line(report, "cost", side="tokens")
    assert cells["cost_per_task"].value == pytest.approx(0.3)
    assert cells["cost_per_task"].excluded == {"no_usage": 1}
    # q1 and q3 are right; q4 is too, but its cost is unknown.
    assert cells["cost_per_correct"].value == pytest.approx(0.45)
    assert cells["cost_per_correct"].excluded == {"no_usage": 1}
    assert (cells["basis"].value, cells["priced"].value) == ("price table", 3)
    assert cells["tokens"].value == pytest.approx((110_000 + 310_000 + 120_000) / 3)


def test_no_correct_answer_has_no_cost(report: Report) -> None:
    """It is undefined, not infinite and not 0."""
    cells = line(report, "cost", side="stated")
    assert cells["cost_per_task"].value == 1.0
    assert (cells["cost_per_correct"].value, cells["cost_per_correct"].reason) == (
        None,
        "none_correct",
    )
    assert cells["execution_s"].value == 1.5  # as stated, by one of two
    assert cells["execution_s"].excluded == {"no_times": 1}


def test_people_and_systems_are_compared_on_the_same_tasks(report: Report) -> None:
    """On the three tasks whose cost is known for both, people cost 7.2 times as much."""
    cells = line(report, "cost-shared", system="tokens")
    assert (cells["tasks"].value, cells["currency"].value) == (3, "USD")
    assert cells["ratio"].value == pytest.approx(sum(PEOPLE.values()) / 0.9)
    assert cells["system_accuracy"].value == pytest.approx(2 / 3)
    assert line(report, "cost-shared", system="stated")["ratio"].value == pytest.approx(
        (PEOPLE["q1"] + PEOPLE["q2"]) / 2
    )


def test_intervals_resample_tasks(report: Report) -> None:
    """As an independent bootstrap of both sums does, with the same draws."""
    cell = line(report, "cost", side="Humans")["cost_per_task"]
    costs = np.array([PEOPLE[key] for key in ("q1", "q2", "q3")])
    drawn = np.random.default_rng(20_261_121).integers(0, 3, (200, 3))
    low, high = np.quantile(costs[drawn].mean(axis=1), (0.025, 0.975))
    assert (cell.low, cell.high) == (pytest.approx(low), pytest.approx(high))
    ratios = costs[drawn].sum(axis=1) / np.array([0.5, 0.5, 1.0])[drawn].sum(axis=1)
    low, high = np.quantile(ratios, (0.025, 0.975))
    cell = line(report, "cost", side="Humans")["cost_per_correct"]
    assert (cell.low, cell.high) == (pytest.approx(low), pytest.approx(high))


def test_an_unbounded_interval_is_none(report: Report) -> None:
    """Many samples of the system's three tasks have no correct answer."""
    cell = line(report, "cost", side="tokens")["cost_per_correct"]
    assert (cell.low, cell.high, cell.flag) == (None, None, "unbounded")


def test_tokens_are_listed_by_kind(report: Report) -> None:
    """Per model, as the run names it."""
    cells = line(report, "tokens", side="tokens")
    assert (cells["model"].value, cells["attempts"].value) == ("m", 3)
    assert (cells["input_tokens"].value, cells["output_tokens"].value) == (500_000, 40_000)
    assert cells["cached_tokens"].reason == "no_tokens"


def test_the_report_names_prices_and_rates(report: Report, scene: Scene) -> None:
    """In its choices and below the table."""
    prices = stored_price_table(scene.stage.workspace)
    assert report.choices["Price table"] == str(prices)
    notes = " ".join(table(report, "cost").notes)
    assert f"priced by {prices}" in notes
    assert f"Converted at 1 EUR = 2 USD ({prices})." in notes
    assert "idle cap of 60 s" in notes
    assert any(chart.key == "accuracy-by-cost" for chart in report.charts)


def test_a_model_without_a_price_is_named(tmp_path: Path) -> None:
    """With the system, the number of its attempts, and the way out; the rest is reported."""
    scene = build(tmp_path)
    text = PRICES.replace("[models.m]", "[models.n]")
    set_price_table(scene.stage.workspace, None, PriceTable.parse(text, "prices.toml"))
    report = scene.report()
    cells = line(report, "cost", side="tokens")
    assert (cells["cost_per_task"].value, cells["cost_per_task"].reason) == (
        None,
        "undefined_for_every_row",
    )
    assert any(
        "has no model 'm': 3 attempts of tokens have no cost. Add the model or an alias." in note
        for note in table(report, "cost").notes
    )
    assert value(report, "cost", "cost_per_task", side="stated") == 1.0


def test_currencies_are_not_mixed(tmp_path: Path) -> None:
    """Without a rate people's cost stays in euros; two currencies have no mean."""
    scene = build(tmp_path)
    workspace = scene.stage.workspace
    set_price_table(workspace, None, None)
    report = scene.report()
    cells = line(report, "cost", side="Humans")
    assert cells["currency"].value == "EUR"
    assert cells["cost_per_task"].value == pytest.approx(sum(PEOPLE.values()) / 6)
    assert line(report, "cost-shared", system="stated")["ratio"].reason == "several_currencies"
    assert line(report, "cost", side="tokens")["cost_per_task"].value is None
    notes = table(report, "cost").notes
    assert any("EUR is not converted" in note for note in notes)
    assert any("Give a price table" in note for note in notes)
    (cost_section,) = (part for part in report.sections if part.title == "Cost")
    assert "Humans (EUR)" in cost_section.notes[0]
    set_rate(workspace, None, CAMPAIGN, "Grace", PayRate.parse("3", "task", "CHF"))
    cells = line(scene.report(), "cost", side="Humans")
    assert (cells["currency"].value, cells["cost_per_task"].reason) == (
        "CHF, EUR",
        "several_currencies",
    )


def test_the_idle_cap_shortens_paid_time(tmp_path: Path) -> None:
    """Three gaps of 90 s, of which 60 s count each unless the cap is higher."""
    scene = make_scene(tmp_path, [task("q1", P1)])
    scene.person("Ada", {"q1": Try(step_s=90)})
    set_rate(scene.stage.workspace, None, CAMPAIGN, None, PayRate.parse("36", "hour", "EUR"))
    for idle_cap_s, seconds in ((60, 180), (100, 270)):
        report = scene.report(idle_cap_s=idle_cap_s)
        cost = value(report, "cost", "cost_per_task", side="Humans")
        assert cost == pytest.approx(seconds / 100)


def test_a_campaign_without_costs_has_no_section(tmp_path: Path) -> None:
    """The results say why."""
    scene = make_scene(tmp_path, [task("q1", P1)])
    scene.person("Ada", {"q1": Try()})
    report = scene.report()
    assert not section(report, "Cost")
    (results, *_) = report.sections
    assert any(note.startswith("Cost is left out: no run states dollars") for note in results.notes)


def test_scores_have_cost_and_tokens(scene: Scene) -> None:
    """With their basis, and the reason where there is none."""
    with open_source(scene.stage.workspace, CAMPAIGN) as source:
        rows = measure_attempts(source).rows
        prices = source.prices
    scores = {(row.system, row.task): score_values(row, prices) for row in rows}
    tokens = scores["tokens", "q1"]
    assert (tokens["cost"], tokens["currency"], tokens["cost_basis"]) == (
        pytest.approx(0.2),
        "USD",
        "prices",
    )
    assert (tokens["input_tokens"], tokens["output_tokens"]) == (100_000, 10_000)
    assert scores["tokens", "q4"]["cost_unknown_because"] == "no_usage"
    assert scores["stated", "q1"]["latency_s"] == 1.5
    people = [score["cost"] for score in scores.values() if score["person"]]
    assert math.fsum(map(float, people)) == pytest.approx(sum(ADA.values()) + 12)


def test_intervals_over_annotators_too(tmp_path: Path) -> None:
    """Both costs of five people have one; the price of a correct answer stays within its limits."""
    names = ("Ada", "Grace", "Mary", "Joan", "Hedy")
    scene = make_scene(tmp_path, [task(f"q{n}", P1) for n in range(6)], people=names)
    for number, name in enumerate(names):
        tries = {f"q{n}": Try("42" if n % 4 else "17", step_s=5 + n + number) for n in range(6)}
        scene.person(name, tries)
    scene.system("s", {f"q{n}": Try() for n in range(6)}, usage={"q1": used(1, cost_usd=0.5)})
    set_rate(scene.stage.workspace, None, CAMPAIGN, None, PayRate.parse("36", "hour", "USD"))
    report = scene.report(intervals="tasks_and_annotators")
    cells = line(report, "cost", side="Humans")
    for key in ("cost_per_task", "cost_per_correct"):
        low, value_, high = cells[key].low, cells[key].value, cells[key].high
        assert low is not None and high is not None
        assert low < float(str(value_)) < high
    # A single task has no spread.
    ratio = line(report, "cost-shared", side="Humans")["ratio"]
    assert (ratio.low, ratio.flag) == (None, "one_cluster")
