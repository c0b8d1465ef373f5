"""Recognises the format of an agent's result file and reads its runs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, get_args

from pagetrail.annotation.errors import InputFileError, NotFoundError
from pagetrail.annotation.events.agents import RunFormat
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.runs.record import RunRecord
from pagetrail.storage.attempts.run_originals import Original
from pagetrail.storage.database.storable_text import clean_text, printable, storable_name
from pagetrail.storage.files.digests import file_sha256
from pagetrail.storage.files.system_files import is_system_file
from pagetrail.storage.importers.files.json_rows import (
    iter_objects,
    json_bytes,
    loads_lenient,
    objects_in_bytes,
)
from pagetrail.storage.importers.files.recognition import IMPORT_RUN, importer_hint
from pagetrail.storage.importers.files.rows import RawRow, Row, RowError, read_error, refuse
from pagetrail.storage.importers.files.zip_members import Member, is_zip, member_names, read_members
from pagetrail.storage.importers.runs import atif, chat_messages, inspect_logs, langchain, madqa
from pagetrail.storage.importers.runs.search_tools import SearchTools
from pagetrail.storage.importers.runs.steps import RowFormat
from pagetrail.storage.importers.runs.values import printable_id

FORMATS: tuple[RunFormat, ...] = get_args(RunFormat)

ROW_FORMATS = (atif.FORMAT, langchain.FORMAT, chat_messages.FORMAT, madqa.FORMAT)
"""All formats except Inspect logs, in the order in which they are tried."""

_JSON = (".json", ".jsonl", ".ndjson")
_LINES = (".jsonl", ".ndjson")
_MAX_ROWS_INSPECTED = 100
_MAX_FILES = 100_000
_MAX_NAME = 1_000


@dataclass(frozen=True)
class ReadRun:
    """A run of a file, or the reason why it cannot be read.

    Attributes:
        file: file name, with the member's name for an archive, or the path below a folder.
        sha256: of the file or the whole archive.
        line: line in JSON Lines, otherwise the 1-based position in the file.
        id: the task's id as shown in reports; None if unknown.
        record: the run; None if it cannot be read.
        reason: why it cannot be read.
        originals: the unparsed row or sample, and the log's header.
        planned: number of runs that the whole file was to have, if it says so.
    """

    file: str
    sha256: str
    line: int
    id: str | None
    record: RunRecord | None
    reason: str = ""
    originals: tuple[Original, ...] = ()
    planned: int | None = None


@dataclass(frozen=True)
class RunFile:
    """A file or folder with its format."""

    path: Path
    format: RunFormat

    def runs(self, tools: SearchTools | None = None) -> Iterator[ReadRun]:
        """The runs in file order, read one at a time.

        Args:
            tools: tells which of the agent's tools are searches.

        Raises:
            InputFileError: the file cannot be used as a whole.
            PagetrailError: the package for this format is missing (code ``missing_extra``).
        """
        tools = tools or SearchTools()
        try:
            if self.path.is_dir():
                yield from _runs_in_parts(self.path, _parts_of_folder(self.path), tools)
            elif self.format == "inspect":
                yield from _runs_in_log(self.path, tools)
            elif is_zip(self.path):
                yield from _runs_in_parts(self.path, _parts_of_archive(self.path), tools)
            else:
                yield from _runs_in_file(self.path, self.format, tools)
        except OSError as error:
            raise read_error(self.path, error) from error


def open_runs(path: Path, format_: str | None = None) -> RunFile:
    """Open a file; unless its format is given, it is recognised by the content.

    Raises:
        InputFileError: the file is missing, empty, or has an unknown format.
        NotFoundError: there is no format with this name.
    """
    if format_ is not None and format_ not in FORMATS:
        raise NotFoundError(
            gettext(
                "There is no format {format!r}. Formats: {formats}.",
                format=format_,
                formats=", ".join(FORMATS),
            )
        )
    try:
        if path.stat().st_size == 0:
            refuse(path, "is empty.")
        named_format = next((name for name in FORMATS if name == format_), None)
        run_format = named_format or _format_of_file(path)
        if path.is_dir() and run_format != "atif":
            refuse(path, "is a folder. Only trajectories in ATIF are read from folders.")
    except OSError as error:
        raise read_error(path, error) from error
    if run_format is None:
        refuse(
            path,
            "has an unknown format. Supported: MADQA results (JSON Lines with id and answer), logs "
            "of Inspect (.eval or its JSON), trajectories in ATIF, conversations with messages in "
            "OpenAI's format, and traces of LangChain. Name the format if it is one of them."
            + importer_hint(path, IMPORT_RUN),
        )
    return RunFile(path, run_format)


def _format_of_file(path: Path) -> RunFormat | None:
    if path.is_dir():
        return "atif"
    if is_zip(path):
        inside = member_names(path)
        if inspect_logs.holds_samples(inside):
            return "inspect"
        return "atif" if any(name.lower().endswith(_JSON) for name in inside) else None
    # Lenient, since scores in an Inspect log may be NaN.
    for row in islice(iter_objects(path, loads_lenient), _MAX_ROWS_INSPECTED):
        if isinstance(row, RawRow) and (run_format := _format_of_row(row.data)):
            return run_format
    # If all lines are invalid, reading the file as MADQA results lists each of them.
    return "madqa" if path.suffix.lower() in _LINES else None


def _format_of_row(data: dict[str, Any]) -> RunFormat | None:
    if not atif.is_atif(data) and inspect_logs.is_inspect(data):
        return "inspect"
    return next((row_format.name for row_format in ROW_FORMATS if row_format.matches(data)), None)


def _runs_in_log(path: Path, tools: SearchTools) -> Iterator[ReadRun]:
    name, digest = _stored_name(path), file_sha256(path)
    for sample in inspect_logs.read_log(path, tools):
        yield ReadRun(
            name,
            digest,
            sample.number,
            sample.task,
            None if isinstance(sample.run, RowError) else sample.run,
            sample.run.reason if isinstance(sample.run, RowError) else "",
            sample.originals,
            sample.planned,
        )


def _runs_in_file(path: Path, format_: RunFormat, tools: SearchTools) -> Iterator[ReadRun]:
    name, digest = _stored_name(path), file_sha256(path)
    row_format = next(row_format for row_format in ROW_FORMATS if row_format.name == format_)
    rows = iter_objects(path)
    for row in langchain.assemble_traces(rows) if format_ == "langchain" else rows:
        yield _read_run(row, row_format, name, digest, tools)


def _read_run(
    row: Row, row_format: RowFormat, name: str, digest: str, tools: SearchTools
) -> ReadRun:
    if isinstance(row, RowError):
        return ReadRun(name, digest, row.line, None, None, row.reason)
    task_id = printable_id(row_format.task_id(row.data))
    try:
        record = row_format.read(row.line, row.data, tools)
        original = Original("row", json_bytes(row.data))
        return ReadRun(name, digest, row.line, task_id, record, originals=(original,))
    except ValueError as error:
        return ReadRun(name, digest, row.line, task_id, None, str(error))
    except RecursionError:
        return ReadRun(name, digest, row.line, task_id, None, "is nested too deeply")


_Part = tuple[str, str, Callable[[], Iterable[Row]]]
"""A file in a folder or archive: its name as shown, its hash, and a function reading its rows."""


def _parts_of_folder(path: Path) -> Iterator[_Part]:
    files = sorted(
        Path(root, name)
        for root, _, inside in os.walk(path)
        for name in inside
        if name.lower().endswith(_JSON) and not is_system_file(Path(root, name).relative_to(path))
    )
    if len(files) > _MAX_FILES:
        refuse(path, f"holds {len(files):,} files; at most {_MAX_FILES:,} are read.")
    for file in files:
        name = printable(file.relative_to(path))[-_MAX_NAME:]
        yield name, file_sha256(file), partial(iter_objects, file)


def _parts_of_archive(path: Path) -> Iterator[_Part]:
    name, digest = _stored_name(path), file_sha256(path)
    for member in read_members(path, lambda inside: inside.lower().endswith(_JSON)):
        shown_name = f"{name}: {printable(clean_text(member.name)[0])}"[:_MAX_NAME]
        yield shown_name, digest, partial(_member_rows, member)


def _member_rows(member: Member) -> Iterator[Row]:
    try:
        if member.data is None:
            raise ValueError(member.problem)
        return objects_in_bytes(member.data)
    except ValueError as error:
        raise InputFileError(gettext("cannot be read: {error}", error=error)) from error


def _runs_in_parts(path: Path, parts: Iterable[_Part], tools: SearchTools) -> Iterator[ReadRun]:
    """The trajectories in a folder or archive; files without trajectories are skipped."""
    has_trajectories = False
    for name, digest, read in parts:
        try:
            rows = list(read())
        except InputFileError as error:
            has_trajectories = True
            yield ReadRun(name, digest, 1, None, None, error.message)
            continue
        if any(isinstance(row, RawRow) and atif.is_atif(row.data) for row in rows):
            has_trajectories = True
            yield from (_read_run(row, atif.FORMAT, name, digest, tools) for row in rows)
    if not has_trajectories:
        refuse(path, "holds no trajectory in ATIF.")


def _stored_name(path: Path) -> str:
    return clean_text(storable_name(path))[0][-_MAX_NAME:]
