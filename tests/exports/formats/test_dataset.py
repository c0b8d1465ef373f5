"""The data set folder: numbers of its card, its metadata, and the programs that load it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from statistics import fmean
from typing import Any

import pyarrow.parquet as pq
import pytest

from pagetrail.exports.run import export
from tests.storage.importers.runs.run_data import atif, run, write_json
from tests.support.factory import make_workspace, record_attempts
from tests.support.foreign_programs import foreign


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two people's work and a system's, in a campaign whose name is markup in YAML and Markdown."""
    root = tmp_path_factory.mktemp("dataset")
    workspace = make_workspace(root / "ws", campaign='Otters: "1" | *2* <b>')
    record_attempts(workspace)
    names = {"campaign": 'Otters: "1" | *2* <b>', "system": "agent"}
    run(workspace, write_json(root / "r.json", [atif()]), **names)
    export(workspace, str(names["campaign"]), "dataset", root / "out")
    return root / "out"


def rows(out: Path, name: str) -> list[dict[str, Any]]:
    """The rows of a table."""
    return pq.read_table(out / "data" / f"{name}.parquet").to_pylist()


def test_the_card_says_what_is_in_the_tables(out: Path) -> None:
    """Counts and results, worked out here from the tables; names are text, not markup."""
    card = (out / "README.md").read_text(encoding="utf-8")
    assert card.startswith('---\npretty_name: "Otters: \\"1\\" | *2* <b>"\n')
    assert "\n# Otters\\: \"1\" \\| \\*2\\* \\<b\\>\n" in card  # fmt: skip
    assert "4 tasks over 2 documents (15 pages); 3 submitted attempts by 2 people, 1 by sys" in card
    for name in ("tasks", "attempts", "events", "scores", "documents"):
        assert f"| `{name}` | {len(rows(out, name)):,} |" in card
    scores = [row for row in rows(out, "scores") if row["person"] and not row["unanswerable"]]
    by_task: dict[str, list[bool]] = {}
    for row in scores:
        by_task.setdefault(row["task"], []).append(row["correct"])
    share = 100 * fmean(map(fmean, by_task.values()))
    assert f"| People \\(2\\) | 3 | 3 | {share:.1f} % |" in card
    assert "| agent | 1 | 1 | 100.0 % | 100.0 % | 0.0 % | 1 |" in card
    assert "| Wildlife | 1 |" in card and "* 3 attempts: never opened" in card
    assert not (out / "data" / "labels.parquet").exists()
    assert "Ada" not in card


def test_the_metadata_name_every_column_and_file(out: Path) -> None:
    """Croissant's rules: files with their sums, fields whose columns exist, ids that are unique."""
    metadata = json.loads((out / "croissant.json").read_text(encoding="utf-8"))
    files = {entry["@id"]: entry for entry in metadata["distribution"]}
    ids = [*files]
    for entry in files.values():
        data = (out / entry["contentUrl"]).read_bytes()
        assert entry["sha256"] == hashlib.sha256(data).hexdigest()
    for records in metadata["recordSet"]:
        schema = pq.read_schema(out / "data" / f"{records['name']}.parquet")
        assert [field["name"] for field in records["field"]] == schema.names
        leaves = [part for f in records["field"] for part in f.get("subField", [f])]
        for leaf in leaves:
            assert leaf["source"]["fileObject"]["@id"] in files
            assert leaf["source"]["extract"]["column"] in schema.names
        ids += [records["@id"], *(field["@id"] for field in records["field"])]
    assert len(set(ids)) == len(ids)


def test_load_dataset_reads_each_configuration(
    out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With lists and structs as they are."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = foreign("datasets")
    for name in ("tasks", "attempts", "events", "scores", "documents"):
        loaded = datasets.load_dataset(str(out), name, cache_dir=str(tmp_path))["test"]
        assert loaded.num_rows == len(rows(out, name))
        assert list(loaded) == rows(out, name)


def test_mlcroissant_validates_and_reads_it(out: Path) -> None:
    """No error, and the records of each table."""
    mlcroissant = foreign("mlcroissant")
    dataset = mlcroissant.Dataset(str(out / "croissant.json"))
    assert not dataset.metadata.ctx.issues.errors
    for name in ("tasks", "attempts", "events", "scores", "documents"):
        assert len(list(dataset.records(name))) == len(rows(out, name))
    first = next(iter(dataset.records("tasks")))
    assert first["tasks/answer_variants"] == [[b"42"], [b"forty-two"]]
    assert first["tasks/evidence"] == [
        {"tasks/evidence/document": b"annual report.pdf", "tasks/evidence/page": 3}
    ]
