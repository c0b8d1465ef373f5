"""Exports of a fixed workspace, byte for byte against the files in this folder.

A change here is a change of format: look at the difference, and when it is meant, write the
files anew with ``python -m tests.golden.test_golden_exports`` and say so in the changelog. Parquet
is compared by content, since its bytes change with the library that writes it.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest

from exports.run import FORMATS, export
from tests.factory import make_workspace, work

GOLDEN = Path(__file__).parent / "files"


def write_exports(root: Path) -> None:
    """All formats of the fixed workspace, below ``root``."""
    workspace = make_workspace(root / "ws")
    work(workspace)
    for format_ in FORMATS:
        export(workspace, "Otters", format_, root / "out" / format_)


def texts(folder: Path) -> dict[str, bytes]:
    """The files whose bytes are this program's own."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.jsonl")
    }


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The exports as this program writes them now."""
    root = tmp_path_factory.mktemp("golden")
    write_exports(root)
    return texts(root / "out")


def test_the_golden_files_are_there() -> None:
    """The comparison below has something to compare."""
    assert len(texts(GOLDEN)) == 6


@pytest.mark.parametrize("path", sorted(texts(GOLDEN)))
def test_bytes_are_the_golden_ones(made: dict[str, bytes], path: str) -> None:
    """Each file is what it was when its format was agreed."""
    assert made[path] == (GOLDEN / path).read_bytes()


def test_no_file_came_or_went(made: dict[str, bytes]) -> None:
    """The set of files is part of the format."""
    assert set(made) == set(texts(GOLDEN))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        write_exports(Path(scratch))
        shutil.rmtree(GOLDEN, ignore_errors=True)
        for name, data in texts(Path(scratch) / "out").items():
            (GOLDEN / name).parent.mkdir(parents=True, exist_ok=True)
            (GOLDEN / name).write_bytes(data)
