"""Gold as a task file."""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path
from typing import Any

from pagetrail.annotation.metrics.madqa_convention import Evaluator, GoldTask, gold_task
from pagetrail.annotation.protocols.protocol import preset
from pagetrail.annotation.tasks.task import read_task
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.run import export
from pagetrail.storage.importers.tasks.importer import import_tasks
from tests.exports.campaigns import CAMPAIGN, make_stage
from tests.exports.worked_campaigns import page
from tests.storage.task_data import write_jsonl
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
    digest = hashlib.sha256((tmp_path / "out/gold.jsonl").read_bytes()).hexdigest()
    files = "data_files:\n  - split: dev\n    path: gold.jsonl\n"
    assert f"{files}  description: SHA-256 {digest}\n---\n" in card
    (left,) = manifest.left_out
    assert (left.what, left.reason, left.ids) == ("task", "no_gold", ["t/4"])


def _generated(number: int, draw: random.Random) -> dict[str, Any]:
    """A task with whatever fields it happens to have, in texts that are hard to carry."""
    words = ["42", "Saône\u2028", " a ", "=1+1", '"', "🦦", "\\n", "a\tb", "ß"]
    pages = [page(draw.randint(1, 12)), page(draw.randint(1, 3), "b.pdf")]
    fields: dict[str, Any] = {
        "answer_variants": [draw.choices(words, k=draw.randint(1, 3)) for _ in "12"],
        "evidence": draw.sample(pages, draw.randint(1, 2)),
        "candidates": pages,
        "unanswerable": draw.random() < 0.5,
        "domain": draw.choice(words),
        "query_type": draw.choice([draw.choice(words), draw.sample(words, 2)]),
        "language": "fr",
        "modality": {"kinds": draw.sample(words, 2), "share": draw.random()},
    }
    record = {name: fields[name] for name in sorted(draw.sample(list(fields), draw.randint(1, 8)))}
    if record.get("unanswerable"):
        # An import refuses answers and evidence of what has none.
        record = {k: v for k, v in record.items() if k not in ("answer_variants", "evidence")}
    return {"id": f"{draw.choice(words).strip()} {number}", "question": " ".join(words), **record}


def test_export_import_export_is_the_identity(tmp_path: Path) -> None:
    """Of generated tasks, those without gold apart: what comes back is the same, task by task."""
    workspace = make_workspace(tmp_path / "ws")
    draw = random.Random(14)
    tasks = [_generated(number, draw) for number in range(60)]
    import_tasks(workspace, write_jsonl(tmp_path / "t.jsonl", tasks), campaign="One")
    export(workspace, "One", "gold", tmp_path / "one")
    import_tasks(workspace, tmp_path / "one/gold.jsonl", campaign="Two")
    export(workspace, "Two", "gold", tmp_path / "two")
    first, second = (
        sorted((tmp_path / name / "gold.jsonl").read_bytes().splitlines())
        for name in ("one", "two")
    )
    assert 30 < len(first) < 60
    assert second == first


def test_page_0_goes_out_as_the_dataset_had_it(tmp_path: Path) -> None:
    """MADQA's evaluator reads the same evidence in the export as ``--convention madqa`` uses."""
    workspace = make_workspace(tmp_path / "ws")
    task = TASKS[0] | {"evidence": [{"document": "b.pdf", "page": 0}, page(3), {"page": 0}]}
    import_tasks(workspace, write_jsonl(tmp_path / "t.jsonl", [task]), campaign="Zero")
    export(workspace, "Zero", "gold", tmp_path / "out")
    (row,) = [json.loads(line) for line in (tmp_path / "out/gold.jsonl").open(encoding="ascii")]
    assert row["evidence"] == [page(3), {"document": "b.pdf", "page": 0}]
    assert row["evidence_left_out"] == [{"page": 0}], "it names no document"
    as_evaluate_py_reads_it = GoldTask(
        id=row["id"],
        question=row["question"],
        variants=row["answer_variants"],
        evidence=[(ref["document"], ref["page"]) for ref in row["evidence"]],
    )
    with open_source(workspace, "Zero") as source:
        (stored,) = [task.record for task in source.tasks()]
    assert gold_task(stored) == as_evaluate_py_reads_it
    scored = Evaluator([gold_task(stored)]).row({"id": row["id"], "citations": [page(3)]})
    assert scored is not None and scored.page_f1 == 2 / 3
    import_tasks(workspace, tmp_path / "out/gold.jsonl", campaign="Again")
    export(workspace, "Again", "gold", tmp_path / "again")
    first, second = ((tmp_path / f"{name}/gold.jsonl").read_bytes() for name in ("out", "again"))
    assert first == second


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
