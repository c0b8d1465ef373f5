"""Exports of fixed workspaces, byte for byte against the files in this folder.

A change here is a change of format: look at the difference, and if it is intended, rewrite the
files with ``python -m tests.golden.test_golden_exports`` and say so in the changelog. Parquet
is compared by content, since its bytes change with the library that writes it, and page
images by their size, since their bytes change with the renderer. Manifests hold the versions of
both and are left out.
"""

from __future__ import annotations

import io
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from PIL import Image

from pagetrail.exports.run import FORMATS, export
from pagetrail.exports.writing.file_formats import json_text
from tests.exports.campaigns import CAMPAIGN
from tests.exports.worked_campaigns import SCENES, prefiltered
from tests.support.factory import make_workspace, record_attempts

GOLDEN = Path(__file__).parent / "files"
SEARCH = ("madqa", "trajectories", "gold", "scores", "runs")
FINAL = ("madqa", "trajectories")
"""Also by the final submissions, in the bytes of before first ones became the default."""
GOLDEN_SCENES = {**SCENES, "prefiltered": prefiltered}
FORMATS_OF_SCENES = {
    "relevance": ("labels", "vidore", "trec", "beir", "coco"),
    "prefiltered": ("page-scores",),
    "verify": (
        "labels",
        "trajectories",
        "coco",
        "labelstudio",
        "parsebench",
        "model-quality",
        "parsebench-dataset",
    ),
    "verify_chart": ("labels", "parsebench", "parsebench-dataset", "pages"),
    "verify_transcript": ("parsebench",),
    "transcribe": ("transcripts", "parsebench-dataset", "pages"),
    "verify_table": ("table-fixes",),
    "compared_tables": ("parsebench-dataset", "pages"),
    "qa_review": ("reviews",),
    "judge": ("judgements",),
    "author": ("authored",),
}
WITHOUT_GOLDEN_FILES = {
    *("adjudicated", "answers-to-merge", "atif", "dataset", "inspect", "trajectory-tasks")
}
"""They need reviews or runs, which the workspaces above do not have; tests/exports reads them."""
LEFT_OUT = ("manifest.json", "events.schema.json", "README.md")
"""The versions of libraries, and files that other tests compare or open."""
TEXTS = {".jsonl", ".json", ".csv", ".tsv", ".txt", ".xml", ".md", ".html"}


def write_exports(root: Path) -> None:
    """The exports of the fixed workspaces, below ``root / "out"``."""
    workspace = make_workspace(root / "ws")
    record_attempts(workspace)
    for format_ in SEARCH:
        export(workspace, "Otters", format_, root / "out" / format_)
    for format_ in FINAL:
        out = root / "out" / "final" / format_
        export(workspace, "Otters", format_, out, submission="final")
    for scene, formats in FORMATS_OF_SCENES.items():
        stage = GOLDEN_SCENES[scene](root / scene)
        for format_ in formats:
            export(stage.workspace, CAMPAIGN, format_, root / "out" / scene / format_)


def contents(folder: Path) -> dict[str, bytes]:
    """What is compared of each file, by the name that the golden file has."""
    contents_by_name: dict[str, bytes] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.suffix in TEXTS and path.name not in LEFT_OUT:
            contents_by_name[name] = path.read_bytes()
        elif path.suffix == ".parquet" and not path.with_suffix(".jsonl").exists():
            rows = [json_text(_comparable(row)) for row in pq.read_table(path).to_pylist()]
            contents_by_name[f"{name}.jsonl"] = "".join(f"{row}\n" for row in rows).encode()
    return contents_by_name


def _comparable(row: dict[str, Any]) -> dict[str, Any]:
    if "image" not in row:
        return row
    size = Image.open(io.BytesIO(row["image"]["bytes"])).size
    return {**row, "image": {**row["image"], "bytes": f"{size[0]} x {size[1]}"}}


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The exports as this program writes them now."""
    root = tmp_path_factory.mktemp("golden")
    write_exports(root)
    return contents(root / "out")


def test_the_golden_files_are_there() -> None:
    """The comparison below has something to compare."""
    assert len(contents(GOLDEN)) == 106, "files were added or removed: correct the number if meant"


def test_every_format_has_golden_files() -> None:
    """Each is in the exports of a campaign above, or has its own tests of content."""
    listed = {*SEARCH, *(name for formats in FORMATS_OF_SCENES.values() for name in formats)}
    missing = FORMATS.keys() - listed - WITHOUT_GOLDEN_FILES
    assert not missing, f"add {missing} to FORMATS_OF_SCENES, then run this module"


@pytest.mark.parametrize("path", sorted(contents(GOLDEN)))
def test_bytes_are_the_golden_ones(exported: dict[str, bytes], path: str) -> None:
    """Each file is what it was when its format was agreed."""
    assert exported[path] == (GOLDEN / path).read_bytes()


def test_set_of_golden_files_is_unchanged(exported: dict[str, bytes]) -> None:
    """The set of files is part of the format."""
    assert set(exported) == set(contents(GOLDEN))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        write_exports(Path(scratch))
        shutil.rmtree(GOLDEN, ignore_errors=True)
        for name, data in contents(Path(scratch) / "out").items():
            (GOLDEN / name).parent.mkdir(parents=True, exist_ok=True)
            (GOLDEN / name).write_bytes(data)
