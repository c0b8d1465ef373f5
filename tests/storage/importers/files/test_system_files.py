"""Files that macOS and Windows leave behind are no part of what was given, wherever it is read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import pytest

from pagetrail.storage.files.system_files import is_system_file
from pagetrail.storage.importers.files.zip_members import member_names
from pagetrail.storage.importers.preannotations.export_folders import select_files
from pagetrail.storage.importers.retrieval.collection import read_collection
from pagetrail.storage.importers.runs.formats import open_runs
from pagetrail.storage.importers.runs.search_tools import SearchTools
from pagetrail.storage.ingest.input_files import find_pdfs

_LEFT_BEHIND = (
    "._report{}",
    ".DS_Store",
    "sub/Thumbs.db",
    "desktop.ini",
    "__MACOSX/report{}",
    "__MACOSX/queries/._report{}",
)


def given_folder(folder: Path, files: dict[str, str], ending: str) -> Path:
    """A folder with these files, and what the systems leave in it."""
    junk = {name.format(ending): "\x00\x05\x16\x07" for name in _LEFT_BEHIND}
    for name, text in (files | junk).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


@pytest.mark.parametrize("name", ["a.pdf", "_a.pdf", ".a", "MACOSX/a.json", "", "a/thumbs.db.pdf"])
def test_other_names_are_read(name: str) -> None:
    """Names that only resemble them."""
    assert not is_system_file(name)


def test_folders_of_documents(tmp_path: Path) -> None:
    """Neither ingested nor counted among the files that are no PDF."""
    inputs = find_pdfs([given_folder(tmp_path, {"report.pdf": "", "notes.txt": ""}, ".pdf")])
    assert [path.name for path in inputs.files] == ["report.pdf"]
    assert (inputs.ignored, inputs.failed) == (1, [])


def test_archives(tmp_path: Path) -> None:
    """Backslashes in the names of members, as old Windows programs write them, do not matter."""
    path = tmp_path / "given.zip"
    with ZipFile(path, "w") as archive:
        for name in ("report.json", *_LEFT_BEHIND):
            archive.writestr(name.format(".json"), "{}")
        archive.writestr("sub\\._report.json", "{}")
    assert member_names(path) == ["report.json"]


def _collection(folder: Path) -> list[str]:
    return [str(row.data["id"]) for row in read_collection(folder, None, None).rows]


def _runs(folder: Path) -> list[str]:
    return [str(run.id) for run in open_runs(folder).runs(SearchTools())]


def _elements(folder: Path) -> list[str]:
    return [file.name for file in select_files([folder]).files]


@pytest.mark.parametrize(
    ("read", "files", "ending", "expected"),
    [
        (
            _collection,
            {
                "queries.jsonl": '{"_id": "q", "text": "Who?"}',
                "qrels/test.tsv": "query-id\tcorpus-id\tscore\nq\ta.pdf#1\t1\n",
                "qrels/._test.tsv": "",
            },
            ".tsv",
            ["q"],
        ),
        (
            _runs,
            {
                "t.json": '{"schema_version": "ATIF-v1.4", "session_id": "q", "steps": [],'
                ' "agent": {"name": "a", "version": "1"}}'
            },
            ".json",
            ["q"],
        ),
        (_elements, {"coco.json": "{}"}, ".json", ["coco.json"]),
    ],
)
def test_folders_for_imports(
    tmp_path: Path,
    read: Callable[[Path], list[str]],
    files: dict[str, str],
    ending: str,
    expected: list[str],
) -> None:
    """Test collections, trajectories and elements."""
    assert read(given_folder(tmp_path, files, ending)) == expected
