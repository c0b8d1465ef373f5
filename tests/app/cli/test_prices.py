"""``pagetrail prices``, and reports by another table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import pagetrail
from pagetrail.annotation.errors import InputFileError
from pagetrail.app.cli.main import app
from tests.exports.campaigns import CAMPAIGN
from tests.exports.reports.metrics.test_cost import PRICES, build


def run(*arguments: object) -> Result:
    """The command on a wide terminal."""
    return CliRunner(env={"COLUMNS": "200"}).invoke(app, [str(argument) for argument in arguments])


def test_a_table_is_stored_shown_and_removed(tmp_path: Path) -> None:
    """As a table, as JSON, and with the rates of currencies."""
    root = build(tmp_path).stage.workspace.root
    shown = run("prices", root)
    assert shown.exit_code == 0, shown.output
    assert "Prices, 2026-11-01" in shown.output and "1 EUR = 2 USD" in shown.output
    file = tmp_path / "new.toml"
    file.write_text(PRICES.replace('"Prices"', '"New"'), encoding="utf-8")
    stored = json.loads(run("prices", root, file, "--json").stdout)
    assert (stored["name"], stored["models"]["m"]["output"]) == ("New", 10.0)
    assert "no price table" in run("prices", root, "--remove").output
    file.write_text(PRICES.replace("output = 10", "output = -10"), encoding="utf-8")
    refused = run("prices", root, file)
    assert isinstance(refused.exception, InputFileError)
    assert "new.toml is not a price table: models.m.output" in refused.exception.message
    assert json.loads(run("prices", root, "--json").stdout) is None


def test_a_report_uses_another_table(tmp_path: Path) -> None:
    """By the command and in a notebook; the stored one stays."""
    root = build(tmp_path).stage.workspace.root
    file = tmp_path / "double.toml"
    file.write_text(
        PRICES.replace("input = 1\noutput = 10", "input = 2\noutput = 20"), encoding="utf-8"
    )
    options = ("--campaign", CAMPAIGN, "--replicates", 50, "--prices", file, "--json")
    report = json.loads(run("metrics", root, *options).stdout)
    assert "SHA-256" in report["choices"]["Price table"]
    with pagetrail.open(root) as workspace:
        for prices, per_task in ((None, 0.3), (file, 0.6)):
            costs = workspace.metrics(CAMPAIGN, prices=prices, replicates=50)["cost"]
            row = costs.set_index("side").loc["tokens"]
            assert round(row["cost_per_task"], 9) == per_task
        scores = workspace.scores(CAMPAIGN)
        assert scores[scores.annotator == "tokens"]["cost"].sum() == pytest.approx(0.9)
