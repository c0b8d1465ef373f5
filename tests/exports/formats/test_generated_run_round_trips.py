"""Export → import → export is the identity for formats of runs, over generated attempts."""

from __future__ import annotations

import json
import random
import zipfile
from pathlib import Path
from typing import Any

import pytest

from pagetrail.exports.run import export
from pagetrail.storage.importers.runs.importer import import_run
from tests.exports.generated_runs import FAILURE, SYSTEMS, generated
from tests.storage.importers.runs.run_data import CAMPAIGN
from tests.support.factory import make_workspace

NAMES = ("annotator-1", "annotator-2", *SYSTEMS)
NOT_OF_RUNS = {
    "model", "agent", "session_id", "trajectory_id", "attempt", "working_time",
    "llm_call_count", "timestamp", "iterations", "started_at", "finished_at",
}  # fmt: skip
"""What tells copies apart, follows from other events, or only an imported run has."""


def files_of(out: Path, form: str, name: str) -> Path:
    """What ``import-run`` takes of an export for one person or system."""
    path_of_format = {
        "madqa": f"by-annotator/{name}.jsonl",
        "inspect": f"{name}.eval",
        "atif": "%2E%2E" if name == ".." else name,
    }
    return out / path_of_format[form]


def content(path: Path, form: str) -> list[Any]:
    """What is in such files, but for names, ids of attempts and what follows from other events."""
    if form == "madqa":
        records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    elif form == "atif":
        records = [json.loads(f.read_text(encoding="utf-8")) for f in sorted(path.iterdir())]
    else:
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if name.startswith("samples/")]
            records = [json.loads(archive.read(name)) for name in names]
    return [_nameless(value) for value in records]


def _nameless(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _nameless(v) for k, v in value.items() if k not in NOT_OF_RUNS}
    return [_nameless(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("form", ["madqa", "inspect", "atif"])
def test_runs_come_back_as_they_went_out(tmp_path: Path, form: str) -> None:
    """Of people and of runs that came from each format: answers, citations, outcomes, queries,
    results, errors, totals, pages opened, texts, other tools and their arguments; of a copy of the
    copy times as well, byte for byte.
    """
    workspace = generated(tmp_path, random.Random(14))
    outs = []
    for number in range(3):
        outs.append(tmp_path / f"out{number}")
        export(workspace, CAMPAIGN, form, outs[-1])
        workspace = make_workspace(tmp_path / f"again{number}")
        for name in NAMES:
            path = files_of(outs[-1], form, f"copy {name}" if number else name)
            report = import_run(workspace, path, campaign=CAMPAIGN, system=f"copy {name}")
            assert report.left_out == []
    for name in NAMES:
        first, second, third = (
            files_of(out, form, f"copy {name}" if number else name)
            for number, out in enumerate(outs)
        )
        assert content(second, form) == content(first, form)
        assert len(content(first, form)) > 0
        assert (FAILURE in json.dumps(content(first, form))) == (name in SYSTEMS)
        for file in sorted(second.iterdir()) if second.is_dir() else [second]:
            copy = third / file.name if second.is_dir() else third
            assert _unnumbered(copy, form) == _unnumbered(file, form)


def _unnumbered(path: Path, form: str) -> Any:
    """A file with its times, without what tells the copies apart."""
    if form == "inspect":
        with zipfile.ZipFile(path) as archive:
            content = [json.loads(archive.read(name)) for name in archive.namelist()]
        for value in content:
            if isinstance(value, dict) and "metadata" in value:
                value["metadata"].pop("attempt")
            if isinstance(value, dict) and "eval" in value:
                # The log's own times: those of its samples, or of the import where these have none.
                del value["eval"]["created"]
                value.pop("stats", None)
        return [v for v in content if not isinstance(v, list)]
    if form == "atif":
        content = json.loads(path.read_text(encoding="utf-8"))
        return {
            k: v for k, v in content.items() if k not in ("session_id", "trajectory_id", "agent")
        }
    return path.read_bytes()
