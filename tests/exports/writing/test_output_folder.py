"""Folders of exports: one writer at a time, and others' files stay."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

from pagetrail.annotation.errors import ConflictError
from pagetrail.exports.writing.manifest import FILE, product, save_manifest
from pagetrail.exports.writing.output_folder import new_folder, remove_export_folder
from pagetrail.storage.maintenance.scratch import abandoned_folders


def write_export(out: Path, *written: str, overwrite: bool = True) -> None:
    with new_folder(out, overwrite=overwrite) as folder:
        fill(folder, *written)


def fill(folder: Path, *written: str) -> None:
    for name in written:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(name, encoding="utf-8")
    save_manifest({"product": product(), "files": [{"path": name} for name in written]}, folder)


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def files(folder: Path) -> set[str]:
    """Files that are not the manifest."""
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)) for path in paths} - {FILE}


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """An export of two files."""
    write_export(tmp_path / "out", "rows.csv", "data/a.txt")
    return tmp_path / "out"


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_second_export_into_a_folder_is_refused(tmp_path: Path, overwrite: bool) -> None:
    """While the first is being written; the sentence names the folder."""
    out = tmp_path / "out"
    with new_folder(out, overwrite=overwrite) as folder:
        with (
            pytest.raises(ConflictError, match=r"out is being written .* choose another folder"),
            new_folder(out, overwrite=overwrite),
        ):
            pass
        fill(folder, "first.csv")
    assert files(out) == {"first.csv"}
    assert names(tmp_path) == ["out"]


def test_an_export_that_is_complete_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    """Unless that was asked for: it is checked again when the folder is one's own."""
    write_export(tmp_path / "out", "first.csv", overwrite=False)
    with pytest.raises(ConflictError, match="not empty"):
        write_export(tmp_path / "out", "second.csv", overwrite=False)
    assert files(tmp_path / "out") == {"first.csv"}


def test_others_files_stay(out: Path) -> None:
    """Those that were there, and those that come while the next export is being written."""
    (out / "data" / "notes.md").write_text("mine", encoding="utf-8")
    with new_folder(out, overwrite=True) as folder:
        fill(folder, "new.csv")
        (out / "late.md").write_text("mine too", encoding="utf-8")
    assert files(out) == {"new.csv", "late.md", "data/notes.md"}
    remove_export_folder(out)
    assert files(out) == {"late.md", "data/notes.md"}
    assert names(out.parent) == ["out"]


@pytest.mark.parametrize(
    ("others", "new"), [("a.md", "a.md"), ("dir/a.md", "dir"), ("dir", "dir/a.md")]
)
def test_a_file_in_the_way_refuses_the_export(out: Path, others: str, new: str) -> None:
    """The earlier export stays, with that file."""
    with (
        pytest.raises(ConflictError, match=f"file {others} .* Nothing was changed"),
        new_folder(out, overwrite=True) as folder,
    ):
        fill(folder, new)
        (out / others).parent.mkdir(exist_ok=True)
        (out / others).write_text("mine", encoding="utf-8")
    assert files(out) == {"rows.csv", "data/a.txt", others}
    assert (out / FILE).exists()
    assert names(out.parent) == ["out"]


def test_what_a_killed_export_left_is_removed_by_the_next(tmp_path: Path) -> None:
    """It is known for one that was abandoned until then."""
    out, child = tmp_path / "out", os.fork()
    if not child:
        with new_folder(out) as folder:
            fill(folder, "half.csv")
            os.kill(os.getpid(), signal.SIGKILL)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
    assert abandoned_folders(tmp_path) == [tmp_path / ".out.unfinished"]
    write_export(out, "whole.csv", overwrite=False)
    assert files(out) == {"whole.csv"}
    assert names(tmp_path) == ["out"]


@pytest.mark.parametrize("was_complete", [False, True])
def test_an_export_killed_while_replacing_loses_nothing(out: Path, was_complete: bool) -> None:
    """The earlier export is there again, or the new one with the others' files."""
    (out / "notes.md").write_text("mine", encoding="utf-8")
    out.rename(out.with_name(".out.replaced"))
    if was_complete:
        out.mkdir()
        fill(out, "new.csv")
    with pytest.raises(OSError, match="full"), new_folder(out, overwrite=True):
        raise OSError("full")
    written = {"new.csv"} if was_complete else {"rows.csv", "data/a.txt"}
    assert files(out) == written | {"notes.md"}
    assert json.loads((out / FILE).read_text())["product"] == product()
