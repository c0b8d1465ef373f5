"""A report as a folder: complete or nothing, the same bytes, replaced only where it is ours."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from pagetrail.annotation.errors import ConflictError, OutputError
from pagetrail.exports.reports.model import Column, Report, Section, Table
from pagetrail.exports.reports.render import report_folder as write
from pagetrail.exports.reports.render.report_folder import files_of, write_report
from pagetrail.storage.files.digests import file_sha256
from tests.exports.reports.sample import charts, table, without_charts
from tests.support.charts_drawn_once import charts_drawn_once

__all__ = ["charts_drawn_once"]


@cache
def small() -> Report:
    """A report with one table and one chart."""
    return replace(without_charts(), sections=[Section("One", [table(), charts()[5]])])


FILES = [
    "report.html",
    "report.json",
    "tables/by-side.csv",
    "tables/by-side.tex",
    "charts/overlap-iou.svg",
    "charts/overlap-iou.png",
    "charts/overlap-iou.pdf",
]


def contents(folder: Path) -> dict[str, bytes]:
    """Every file by its path."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_the_folder_has_every_file_and_a_manifest(tmp_path: Path) -> None:
    """What is returned is there, the page to read first, and the manifest has its hashes."""
    out = tmp_path / "a" / "out"
    paths = write_report(small(), out)
    assert [path.relative_to(out).as_posix() for path in paths] == [*FILES, "manifest.json"]
    assert set(contents(out)) == {*FILES, "manifest.json"}
    manifest = json.loads((out / "manifest.json").read_text("utf-8"))
    assert manifest["format"] == "metrics" and manifest["identified"] is False
    assert {f["path"]: f["sha256"] for f in manifest["files"]} == {
        name: file_sha256(out / name) for name in FILES
    }
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["out"]


def test_the_same_report_gives_the_same_bytes(tmp_path: Path) -> None:
    """All files, images too."""
    write_report(small(), tmp_path / "one")
    write_report(small(), tmp_path / "two")
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_an_earlier_report_is_replaced_only_when_asked(tmp_path: Path) -> None:
    """Without ``overwrite`` it stays; with it, nothing of it is left over."""
    write_report(small(), tmp_path / "out")
    before = contents(tmp_path / "out")
    with pytest.raises(ConflictError, match="--overwrite"):
        write_report(small(), tmp_path / "out")
    assert contents(tmp_path / "out") == before
    write_report(replace(small(), sections=[]), tmp_path / "out", overwrite=True)
    assert set(contents(tmp_path / "out")) == {"report.html", "report.json", "manifest.json"}


def test_a_folder_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    """Also with ``overwrite``."""
    (tmp_path / "thesis.tex").write_text("mine", encoding="utf-8")
    with pytest.raises(ConflictError, match="not an export"):
        write_report(small(), tmp_path, overwrite=True)
    assert contents(tmp_path) == {"thesis.tex": b"mine"}


@pytest.mark.parametrize("stop", [KeyboardInterrupt, ValueError])
def test_what_ends_early_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop: type[BaseException]
) -> None:
    """An interrupted run leaves no half folder, and an earlier report as it was."""
    out = tmp_path / "out"
    write_report(small(), out)
    before = contents(tmp_path)

    def interrupted(*_: object) -> bytes:
        raise stop

    monkeypatch.setattr(write, "png", interrupted)
    with pytest.raises(stop):
        write_report(small(), out, overwrite=True)
    assert contents(tmp_path) == before
    with pytest.raises(stop):
        write_report(small(), tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_place_that_takes_no_files_is_named(tmp_path: Path) -> None:
    """An error of the file system is a sentence with the folder in it."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(OutputError, match="cannot be written"):
        write_report(small(), tmp_path / "file" / "out")


def test_progress_counts_the_files(tmp_path: Path) -> None:
    """It ends with all of them done."""
    steps: list[tuple[int, int]] = []
    write_report(
        small(), tmp_path / "out", progress=lambda n_done, all_: steps.append((n_done, all_))
    )
    assert steps == [(n + 1, len(FILES)) for n in range(len(FILES))]


@pytest.mark.parametrize("keys", [("../x",), ("A",), ("",), ("a", "a"), ("a/b",), ("a-",)])
def test_keys_name_files_of_their_own(keys: tuple[str, ...]) -> None:
    """A key that leaves its folder, or is there twice, is a mistake of the builder."""
    parts = [Table.from_rows(key, "T", "", [Column("a", "A", "score")], []) for key in keys]
    with pytest.raises(ValueError, match="not fit to name"):
        files_of(replace(small(), sections=[Section("S", parts)]))
