"""Uploaded files, kept on disk only while they are imported."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any

import pandas as pd
import streamlit as st

from pagetrail.annotation.errors import InputFileError, PagetrailError
from pagetrail.annotation.messages import gettext
from pagetrail.app.ui.file_names import safe_name
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_number
from pagetrail.app.ui.tables import show_table
from pagetrail.exports.writing.spreadsheet_csv import spreadsheet_csv
from pagetrail.storage.database.storable_text import named_in_messages
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.files.row_files import ROW_SUFFIXES
from pagetrail.storage.importers.tasks.campaign_import import FileReport

TABLE_TYPES = list(ROW_SUFFIXES)
TASK_TYPES = [*TABLE_TYPES, "zip"]
"""A zip holds a test collection for retrieval."""
_MAX_SHOWN = 200
_COLUMNS = ("file", "line", "id", "reason")


@contextmanager
def on_disk(*groups: Sequence[Any]) -> Iterator[list[list[Path]]]:
    """The files of each group under their own names, in a folder removed after the block.

    Raises:
        InputFileError: two files of a group have the same name, or the block raised it;
            messages do not name the folder.
    """
    with TemporaryDirectory(prefix="pagetrail-") as name:
        folder = Path(name)
        with ExitStack() as namings:
            for number in range(len(groups)):
                (folder / str(number)).mkdir()
                namings.enter_context(named_in_messages(folder / str(number), "The files"))
            yield [save_files(folder / str(number), group) for number, group in enumerate(groups)]


def save_files(folder: Path, files: Sequence[Any]) -> list[Path]:
    """Write uploaded files into a folder under their own names.

    Raises:
        InputFileError: two have the same name.
    """
    paths: list[Path] = []
    for file in files:
        path = folder / safe_name(file.name)
        if path in paths:
            raise InputFileError(
                gettext("Two files are called {path}. Remove one.", path=path.name)
            )
        path.write_bytes(file.getvalue())
        paths.append(path)
    return paths


@contextmanager
def import_folder(workspace: Workspace, files: Sequence[Any]) -> Iterator[Path]:
    """A folder with the files for a job, which deletes it; deleted here if the block fails.

    Raises:
        InputFileError: two files have the same name.
    """
    imports = workspace.root / "imports"
    imports.mkdir(exist_ok=True)
    folder = Path(mkdtemp(dir=imports))
    try:
        save_files(folder, files)
        yield folder
    except PagetrailError:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def show_reports(reports: Sequence[FileReport], key: str) -> None:
    """Rows left out, with line and reason, as a table and a download, and the notes."""
    rows = [
        (file.file, row.line, row.id or "", row.reason)
        for file in reports
        for row in file.report.bad
    ]
    if rows:
        show_table(
            pd.DataFrame(rows[:_MAX_SHOWN], columns=list(_COLUMNS)),
            max_height=300,
            column_config={"reason": st.column_config.TextColumn(width="large")},
        )
        if len(rows) > _MAX_SHOWN:
            st.caption(
                gettext(
                    "The first {shown} of {rows}; the download has all of them.",
                    shown=_MAX_SHOWN,
                    rows=format_number(len(rows)),
                )
            )
        st.download_button(
            gettext("Rows left out (CSV)"),
            partial(spreadsheet_csv, _COLUMNS, rows),
            file_name="rows-left-out.csv",
            mime="text/csv",
            on_click="ignore",
            icon=":material/download:",
            key=f"{key}-bad",
        )
    notes = [f"{file.file}: {note}" for file in reports for note in file.report.warnings]
    for note in notes[:10]:
        st.caption(literal(note))
    if len(notes) > 10:
        st.caption(gettext("… and {notes} more notes.", notes=format_number(len(notes) - 10)))


def count_rows(reports: Sequence[FileReport]) -> tuple[int, int]:
    """Number of tasks imported or importable, and number of rows left out."""
    return (
        sum(file.report.imported for file in reports),
        sum(len(file.report.bad) for file in reports),
    )
