"""Gold as a task file."""

from __future__ import annotations

import json
from pathlib import Path

from pagetrail.annotation.protocols.protocol import preset
from pagetrail.annotation.tasks.task import read_task
from pagetrail.exports.run import export
from tests.exports.campaigns import CAMPAIGN, make_stage
from tests.exports.worked_campaigns import page
from tests.support.factory import TASKS, make_workspace


def test_gold_records_are_the_tasks(tmp_path: Path) -> None:
    """Each record reads back as the task it came from; unknown fields are kept."""
    workspace = make_workspace(tmp_path / "ws")
    manifest = export(workspace, "Otters", "gold", tmp_path / "out")
    rows = [json.loads(line) for line in (tmp_path / "out/gold.jsonl").open(encoding="ascii")]
    assert [read_task(row) for row in rows] == [read_task(task) for task in TASKS[:3]]
    assert rows[0] == TASKS[0]
    assert list(rows[0])[:4] == ["id", "question", "answer_variants", "evidence"]
    # What load_dataset(folder, split="dev") reads, which is all that MADQA's evaluator does.
    card = (tmp_path / "out/README.md").read_text(encoding="utf-8")
    assert "data_files:\n  - split: dev\n    path: gold.jsonl\n---\n" in card
    (left,) = manifest.left_out
    assert (left.what, left.reason, left.ids) == ("task", "no_gold", ["t/4"])


def test_gold_of_a_pilot(tmp_path: Path) -> None:
    """A pilot's gold beyond answers and evidence is gold; a prediction to be judged is not."""
    gold = {"fields": {"query_quality": "good"}}
    tasks = [
        {"id": "p", "question": "?", "candidates": [page(1)], "gold": gold},
        {"id": "q", "question": "?", "candidates": [page(1)], "prediction": {"system": "x"}},
    ]
    stage = make_stage(tmp_path / "ws", preset("relevance"), tasks)
    export(stage.workspace, CAMPAIGN, "gold", tmp_path / "out")
    (row,) = [json.loads(line) for line in (tmp_path / "out/gold.jsonl").open(encoding="ascii")]
    assert (row["id"], row["gold"]) == ("p", gold)
