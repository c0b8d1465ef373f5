"""A file of an agent's results, of whatever format: what it is, and the runs in it."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, get_args

from pagetrail.annotation.errors import InputFileError, NotFoundError
from pagetrail.annotation.events.agents import RunFormat
from pagetrail.annotation.runs.record import RunRecord
from pagetrail.storage.attempts.run_originals import Original
from pagetrail.storage.database.storable_text import clean_text, printable, storable_name
from pagetrail.storage.importers.files.json_rows import (
    iter_objects,
    json_bytes,
    loads_lenient,
    objects_in_bytes,
)
from pagetrail.storage.importers.files.recognition import IMPORT_RUN, importer_hint
from pagetrail.storage.importers.files.rows import RawRow, Row, RowError, read_error, refuse
from pagetrail.storage.importers.files.zip_members import Member, is_zip, member_names, read_members
from pagetrail.storage.importers.runs import atif as run_atif
from pagetrail.storage.importers.runs import chat_messages as run_chat
from pagetrail.storage.importers.runs import inspect_logs as run_inspect
from pagetrail.storage.importers.runs import langchain as run_langchain
from pagetrail.storage.importers.runs import madqa as run_madqa
from pagetrail.storage.importers.runs.search_tools import SearchTools
from pagetrail.storage.importers.runs.values import printable_id

FORMATS: tuple[RunFormat, ...] = get_args(RunFormat)

_JSON = (".json", ".jsonl", ".ndjson")
_LINES = (".jsonl", ".ndjson")
_MAX_ROWS_INSPECTED = 100
_MAX_FILES = 100_000
_MAX_NAME = 1_000


@dataclass(frozen=True)
class ReadRun:
    """One run of a file, or what is in its place.

    Attributes:
        file: the file's name, with the member's for an archive, or its path below a folder.
        sha256: of the file; of an archive, of the whole.
        line: line of JSON Lines, else the place in the file, from 1.
        id: the task's id as a report shows it; None where it cannot be told.
        record: the run; None where it cannot be read.
        reason: why not.
        originals: the row or sample as the file has it, and the log's header.
    """

    file: str
    sha256: str
    line: int
    id: str | None
    record: RunRecord | None
    reason: str = ""
    originals: tuple[Original, ...] = ()


@dataclass(frozen=True)
class RunFile:
    """A file, or a folder of files, of which the format is known."""

    path: Path
    format: RunFormat

    def runs(self, tools: SearchTools | None = None) -> Iterator[ReadRun]:
        """The runs in their order, read one at a time.

        Args:
            tools: which of the agent's tools are searches.

        Raises:
            InputFileError: the file cannot be used as a whole.
            PagetrailError: a package is missing that reads the format (code ``missing_extra``).
        """
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
    """The file with its format, which is told by what is in it unless it is named.

    Raises:
        InputFileError: the file is missing, empty, or of no format that is read.
        NotFoundError: no format of that name.
    """
    if format_ is not None and format_ not in FORMATS:
        raise NotFoundError(f"There is no format {format_!r}. Formats: {', '.join(FORMATS)}.")
    try:
        if path.stat().st_size == 0:
            refuse(path, "is empty.")
        detected = next((name for name in FORMATS if name == format_), None) or _format_of_file(
            path
        )
        if path.is_dir() and detected != "atif":
            refuse(path, "is a folder. Only trajectories in ATIF are read from folders.")
    except OSError as error:
        raise read_error(path, error) from error
    if detected is None:
        refuse(
            path,
            "is of no format that is read: MADQA results (JSON Lines with id and answer), a log "
            "of Inspect (.eval or its JSON), trajectories in ATIF, conversations with messages as "
            "OpenAI has them, or traces of LangChain. Name the format if it is one of them."
            + importer_hint(path, IMPORT_RUN),
        )
    return RunFile(path, detected)


def _format_of_file(path: Path) -> RunFormat | None:
    if path.is_dir():
        return "atif"
    if is_zip(path):
        inside = member_names(path)
        if run_inspect.holds_samples(inside):
            return "inspect"
        return "atif" if any(name.lower().endswith(_JSON) for name in inside) else None
    format_of_first: RunFormat | None = None
    # A score of an Inspect log may be NaN, which is no reason not to know the log.
    for rows_read, row in enumerate(iter_objects(path, loads_lenient), start=1):
        format_of_first = _format_of_row(row.data) if isinstance(row, RawRow) else None
        if format_of_first or rows_read == _MAX_ROWS_INSPECTED:
            break
    # Of a file of lines that are all wrong, each line is listed.
    return format_of_first or ("madqa" if path.suffix.lower() in _LINES else None)


def _format_of_row(data: dict[str, Any]) -> RunFormat | None:
    if run_atif.is_atif(data):
        return "atif"
    if run_inspect.is_inspect(data):
        return "inspect"
    if run_langchain.is_trace(data):
        return "langchain"
    if run_chat.is_chat(data):
        return "openai"
    return "madqa" if run_madqa.is_madqa(data) else None


def _runs_in_log(path: Path, tools: SearchTools | None) -> Iterator[ReadRun]:
    name, digest = _stored_name(path), _sha256(path)
    for sample in run_inspect.read_log(path, tools):
        if isinstance(sample.run, RowError):
            yield ReadRun(name, digest, sample.number, sample.task, None, sample.run.reason)
        else:
            yield ReadRun(
                name, digest, sample.number, sample.task, sample.run, originals=sample.originals
            )


def _runs_in_file(path: Path, format_: RunFormat, tools: SearchTools | None) -> Iterator[ReadRun]:
    name, digest = _stored_name(path), _sha256(path)
    rows = iter_objects(path)
    for row in run_langchain.assemble_traces(rows) if format_ == "langchain" else rows:
        yield _found_run(row, format_, name, digest, tools)


class _RowReader(NamedTuple):
    """What reads the run in a row, and says which task it claims to be of."""

    read: Callable[[int, dict[str, Any], SearchTools | None], RunRecord]
    shown_task: Callable[[dict[str, Any]], str | None]


_ROW_READERS: dict[str, _RowReader] = {
    "madqa": _RowReader(run_madqa.read_row, lambda row: printable_id(row.get("id"))),
    "atif": _RowReader(run_atif.read_trajectory, run_atif.task_id_shown),
    "openai": _RowReader(run_chat.read_chat, run_chat.task_id_shown),
    "langchain": _RowReader(run_langchain.read_trace, run_langchain.task_id_shown),
}


def _found_run(
    row: Row, format_: str, name: str, digest: str, tools: SearchTools | None
) -> ReadRun:
    if isinstance(row, RowError):
        return ReadRun(name, digest, row.line, None, None, row.reason)
    reader = _ROW_READERS[format_]
    id_ = reader.shown_task(row.data)
    try:
        record = reader.read(row.line, row.data, tools)
        original = Original("row", json_bytes(row.data))
        return ReadRun(name, digest, row.line, id_, record, originals=(original,))
    except ValueError as error:
        return ReadRun(name, digest, row.line, id_, None, str(error))
    except RecursionError:
        return ReadRun(name, digest, row.line, id_, None, "is nested too deeply")


_Part = tuple[str, str, Callable[[], Iterable[Row]]]
"""A file of a folder or an archive: its name as shown, the sum, and what reads its rows."""


def _parts_of_folder(path: Path) -> Iterator[_Part]:
    files = sorted(
        Path(root, name)
        for root, _, inside in os.walk(path)
        for name in inside
        if name.lower().endswith(_JSON)
    )
    if len(files) > _MAX_FILES:
        refuse(path, f"holds {len(files):,} files; at most {_MAX_FILES:,} are read.")
    for file in files:
        name = printable(file.relative_to(path))[-_MAX_NAME:]
        yield name, _sha256(file), partial(iter_objects, file)


def _parts_of_archive(path: Path) -> Iterator[_Part]:
    name, digest = _stored_name(path), _sha256(path)
    for member in read_members(path, lambda inside: inside.lower().endswith(_JSON)):
        shown_name = f"{name}: {printable(clean_text(member.name)[0])}"[:_MAX_NAME]
        yield shown_name, digest, partial(_member_rows, member)


def _member_rows(member: Member) -> Iterator[Row]:
    try:
        if member.data is None:
            raise ValueError(member.problem)
        return objects_in_bytes(member.data)
    except ValueError as error:
        raise InputFileError(f"cannot be read: {error}") from error


def _runs_in_parts(
    path: Path, parts: Iterable[_Part], tools: SearchTools | None
) -> Iterator[ReadRun]:
    """The trajectories of a folder or archive; a file that holds none of them is passed over."""
    has_trajectories = False
    for name, digest, read in parts:
        try:
            rows = list(read())
        except InputFileError as error:
            has_trajectories = True
            yield ReadRun(name, digest, 1, None, None, error.message)
            continue
        if any(isinstance(row, RawRow) and run_atif.is_atif(row.data) for row in rows):
            has_trajectories = True
            yield from (_found_run(row, "atif", name, digest, tools) for row in rows)
    if not has_trajectories:
        refuse(path, "holds no trajectory in ATIF.")


def _stored_name(path: Path) -> str:
    return clean_text(storable_name(path))[0][-_MAX_NAME:]


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
