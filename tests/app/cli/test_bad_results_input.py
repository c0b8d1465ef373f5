"""Bad input of judges, runs, prices and vectors by command: named with its row, the rest counts."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner, Result

import pagetrail
from pagetrail.app.cli.main import app
from pagetrail.storage.importers.verdicts.importer import import_verdicts
from tests.exports.campaigns import CAMPAIGN
from tests.exports.reports.metrics.answered import P1, Scene, Try, make_scene, task
from tests.storage.importers.runs.run_data import bare
from tests.storage.task_data import write_jsonl

PRICES = """name = "List"
date = 2026-11-01
[models.priced]
input = 1
output = 10
"""


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    """Ada and a system at one of two tasks."""
    made = make_scene(tmp_path, [task("q1", P1), task("q2", P1)], ("Ada",))
    made.person("Ada", {"q1": Try("about 42")})
    made.system("gpt", {"q1": Try("about 42")})
    return made


def run(scene: Scene, command: str, *arguments: object) -> Result:
    """A command for the campaign."""
    words = [command, scene.stage.workspace.root, *arguments, "--campaign", CAMPAIGN]
    runner = CliRunner(env={"COLUMNS": "250"})
    result = runner.invoke(app, [str(word) for word in words])
    assert result.exit_code == 0, result.output
    return result


def words_of(text: str) -> str:
    return re.sub(r"[\s│]+", " ", text)


def test_verdicts_on_unknown_attempts_and_second_verdicts(scene: Scene, tmp_path: Path) -> None:
    rows = [
        {"task": "q2", "system": "gpt", "verdict": 1},
        {"task": "q1", "system": "gpt", "verdict": 1},
        {"task": "q1", "system": "gpt", "verdict": 0},
        {"task": "q1", "system": "Ada", "verdict": 0},
    ]
    file = write_jsonl(tmp_path / "verdicts.jsonl", rows)
    result = run(scene, "import-verdicts", file, "--name", "judge", "--json")
    stderr = words_of(result.stderr)
    assert "1 gpt has no attempt at q2 in this campaign" in stderr
    assert "3 judge already has another verdict on gpt’s answer to q1, which stays" in stderr
    assert "2 verdicts imported as judge" in stderr
    report = json.loads(result.stdout)
    assert [row["line"] for row in report["left_out"]] == [1, 3]
    again = import_verdicts(scene.stage.workspace, file, campaign=CAMPAIGN, name="judge")
    assert [row.line for row in again.left_out] == [1, 3]
    assert again.already_there == 2


def test_negative_tokens_and_a_confidence_of_85(scene: Scene, tmp_path: Path) -> None:
    usage = {"usage": {"prompt_tokens": -5, "completion_tokens": 2}}
    rows = [bare("q1", answer="42"), bare("q2", answer="42", confidence=85, **usage)]
    file = write_jsonl(tmp_path / "run.jsonl", rows)
    result = run(scene, "import-run", file, "--system", "agent")
    stderr = words_of(result.stderr)
    assert "2 q2 run.jsonl its confidence is not a number from 0 to 1 and is ignored" in stderr
    negative = "usage.prompt_tokens is -5, not a number of 0 or more, and is left out"
    assert f"2 q2 run.jsonl {negative}" in stderr
    with pagetrail.open(scene.stage.workspace.root) as workspace:
        scores = workspace.scores(CAMPAIGN).set_index(["annotator", "task"])
    assert scores.loc[("agent", "q2"), "output_tokens"] == 2
    assert ("agent", "q1") in scores.index


def test_a_price_table_without_a_model(scene: Scene, tmp_path: Path) -> None:
    """The report names it; runs of the other model have their price."""
    usage = {"usage": {"input_tokens": 1_000_000, "output_tokens": 0}}
    for model in ("priced", "unheard-of"):
        rows = [bare("q1", answer="42", model=model, **usage)]
        file = write_jsonl(tmp_path / f"{model}.jsonl", rows)
        run(scene, "import-run", file, "--system", model)
    prices = tmp_path / "prices.toml"
    prices.write_text(PRICES, encoding="utf-8")
    options = ("--prices", prices, "--replicates", 50, "--out", tmp_path / "out")
    printed = words_of(run(scene, "metrics", *options).stdout)
    assert "has no model 'unheard-of': 1 attempt of unheard-of has no cost." in printed
    assert "Add the model or an alias." in printed
    with pagetrail.open(scene.stage.workspace.root) as workspace:
        costs = workspace.metrics(CAMPAIGN, prices=prices, replicates=50)["cost"]
    costs = costs.set_index("side")
    assert costs.loc["priced", "cost_per_task"] == 1
    assert costs.loc["unheard-of", "cost_per_task_reason"] == "no_price"


def test_vectors_of_different_lengths(scene: Scene, tmp_path: Path) -> None:
    """By command and in a notebook."""
    rows = [
        {"text": "What of q1?", "vector": [1.0, 0.0], "model": "m"},
        {"text": "What of q2?", "vector": [1.0, 0.0, 2.0], "model": "m"},
        {"text": "otters", "vector": [0.0, 1.0], "model": "m"},
    ]
    file = tmp_path / "vectors.parquet"
    pq.write_table(pa.Table.from_pylist(rows), file)
    options = ("--vectors", file, "--replicates", 50, "--json", "--out", tmp_path / "out")
    result = run(scene, "metrics", *options)
    assert "2 has a vector of 3 numbers; the others have 2" in words_of(result.stderr)
    left_out = {entry["reason"]: entry for entry in json.loads(result.stdout)["left_out"]}
    assert (left_out["other_length"]["count"], left_out["other_length"]["ids"]) == (1, ["2"])
    with (
        pagetrail.open(scene.stage.workspace.root) as workspace,
        pytest.warns(UserWarning, match="has a vector of 3 numbers"),
    ):
        workspace.metrics(CAMPAIGN, vectors=file, replicates=50)
