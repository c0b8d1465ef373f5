"""Importers of rows report which cells of a workbook were read as what they show."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from pagetrail.annotation.protocols.protocol import preset
from pagetrail.storage.importers.links.download import Limits, download
from pagetrail.storage.importers.tables.importer import import_tables
from pagetrail.storage.importers.transcripts.importer import import_patches
from pagetrail.storage.importers.verdicts.importer import import_verdicts
from tests.support.review_campaign import campaign
from tests.support.workbooks import write_workbook

RECORD = {"id": "t1", "question": "Which?", "candidates": [{"document": "b.pdf", "page": 1}]}
NAME = "Random"


def _verdicts(folder: Path, file: Path) -> list[str]:
    worked = campaign(folder, preset("search"), [RECORD])
    return import_verdicts(worked.workspace, file, campaign=NAME, name="j").notes


def _patches(folder: Path, file: Path) -> list[str]:
    worked = campaign(folder, preset("transcribe"), [RECORD])
    return import_patches(worked.workspace, file, campaign=NAME).rounds.notes


def _tables(folder: Path, file: Path) -> list[str]:
    worked = campaign(folder, preset("verify_table"), [RECORD])
    return import_tables(worked.workspace, file, campaign=NAME).rounds.notes


def _links(folder: Path, file: Path) -> list[str]:
    return download(file, folder, Limits(1, 1.0, False)).notes


@pytest.mark.parametrize("notes_of", [_verdicts, _patches, _tables, _links])
def test_converted_cells_are_reported(
    tmp_path: Path, notes_of: Callable[[Path, Path], list[str]]
) -> None:
    """A date is text, which a note says, whether or not a row can be used."""
    rows = [["task", "verdict", "url", "on"], ["t1", "yes", "nowhere", date(2026, 3, 1)]]
    (note,) = notes_of(tmp_path / "ws", write_workbook(tmp_path / "rows.xlsx", {"Sheet": rows}))
    assert note == "Numbers and dates read as the sheet Sheet shows them: 1 (first: D2 2026-03-01)."
