"""Guesses what kind of file was given, and which command imports it.

Only for messages about files that cannot be used: the guess rests on the field names of the first
rows. The importers have their own, stricter rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pagetrail.annotation.errors import InputFileError
from pagetrail.annotation.messages import gettext
from pagetrail.storage.importers.files.json_rows import MAX_WHOLE_BYTES, iter_objects, loads_lenient
from pagetrail.storage.importers.files.rows import RawRow
from pagetrail.storage.importers.files.table_rows import column_names
from pagetrail.storage.importers.files.zip_members import is_zip, member_names

IMPORT_TASKS, IMPORT_RUN, IMPORT_ELEMENTS = "import-tasks", "import-run", "import-elements"
IMPORT_VERDICTS, IMPORT_DRAFTS = "import-verdicts", "import-drafts"
IMPORT_PATCHES, IMPORT_TABLES = "import-patches", "import-tables"
_QRELS, _CORPUS = "import-tasks --qrels", "import-tasks --corpus"
_TEXT, _LINKS = "ingest --text-jsonl", "download"
_MAX_ROWS_INSPECTED = 20
_MAX_LINES_INSPECTED = 20
_JSON = (".json", ".jsonl", ".ndjson")
_TABLES = (".csv", ".tsv", ".txt")


class FileKind(NamedTuple):
    """A kind of input file.

    Attributes:
        description: as used in a sentence, such as "trajectories in ATIF".
        command: the ``pagetrail`` command that imports it; None if there is none.
    """

    description: str
    command: str | None


Fields = Mapping[str, Any]


def _has_all(*names: str) -> Callable[[Fields], bool]:
    return lambda row: all(name in row for name in names)


def _has_any(*names: str) -> Callable[[Fields], bool]:
    return lambda row: any(name in row for name in names)


def _is_label_studio(row: Fields) -> bool:
    result_lists = ("predictions", "annotations", "completions")
    return "data" in row and any(name in row for name in result_lists)


def _is_atif(row: Fields) -> bool:
    version = str(row.get("schema_version", "")).upper()
    return version.startswith("ATIF") or ("steps" in row and "agent" in row)


_KINDS: tuple[tuple[Callable[[Fields], bool], FileKind], ...] = (
    (_is_atif, FileKind("trajectories in ATIF", IMPORT_RUN)),
    (_has_all("eval", "status"), FileKind("a log of Inspect", IMPORT_RUN)),
    (_has_all("run_type", "inputs"), FileKind("traces of LangChain", IMPORT_RUN)),
    (_has_all("images", "annotations"), FileKind("COCO JSON", IMPORT_ELEMENTS)),
    (_has_any("test_rules"), FileKind("rules of ParseBench", IMPORT_ELEMENTS)),
    (_has_all("pdf", "rule"), FileKind("rules of ParseBench", IMPORT_ELEMENTS)),
    (_is_label_studio, FileKind("tasks of Label Studio", IMPORT_ELEMENTS)),
    (_has_any("rect", "bbox"), FileKind("elements with boxes", IMPORT_ELEMENTS)),
    (_has_all("messages"), FileKind("conversations with messages", IMPORT_RUN)),
    (_has_any("trajectory", "search_history"), FileKind("MADQA results", IMPORT_RUN)),
    (_has_all("text_sha256", "patches"), FileKind("patches of transcriptions", IMPORT_PATCHES)),
    (_has_all("tables_sha256", "tables"), FileKind("fixed tables", IMPORT_TABLES)),
    (_has_any("verdict"), FileKind("verdicts on answers", IMPORT_VERDICTS)),
    (_has_any("reformulated_answer"), FileKind("models’ drafts of gold", IMPORT_DRAFTS)),
    (_has_all("query-id", "corpus-id"), FileKind("judgements of pages (qrels)", _QRELS)),
    (_has_all("query_id", "corpus_id"), FileKind("judgements of pages (qrels)", _QRELS)),
    (_has_all("corpus_id", "doc_id"), FileKind("the corpus of a test collection", _CORPUS)),
    (_has_all("_id", "title", "text"), FileKind("the corpus of a test collection", _CORPUS)),
    (
        _has_all("_id", "text"),
        FileKind("queries of a test collection", f"{IMPORT_TASKS} with --qrels"),
    ),
    (
        _has_all("query_id", "query"),
        FileKind("queries of a test collection", f"{IMPORT_TASKS} with --qrels"),
    ),
    (_has_all("file", "page_number", "text"), FileKind("the text of pages", _TEXT)),
    (_has_any("url"), FileKind("links to documents", _LINKS)),
    (_has_all("id", "answer", "iterations"), FileKind("MADQA results", IMPORT_RUN)),
    (_has_all("id", "answer", "citations"), FileKind("MADQA results", IMPORT_RUN)),
    (_has_all("question"), FileKind("tasks", IMPORT_TASKS)),
    (_has_all("id", "answer"), FileKind("results of a system", IMPORT_RUN)),
)


def kind_of_row(row: Fields) -> FileKind | None:
    """The kind of file that a row seems to come from; None if unknown."""
    return next((kind for matches, kind in _KINDS if matches(row)), None)


def kind_of_file(path: Path) -> FileKind | None:
    """The kind that a file seems to have; None if unknown or unreadable."""
    try:
        if not path.is_file():
            return None
        return _kind_by_shape(path) or next(filter(None, map(kind_of_row, _first_rows(path))), None)
    except (InputFileError, OSError, ValueError, RecursionError):
        return None


def importer_hint(path: Path, command: str) -> str:
    """A space and a sentence naming the right command for a file; empty if unknown."""
    kind = kind_of_file(path)
    if kind is None or (kind.command is not None and kind.command.split()[0] == command):
        return ""
    if kind.command is None:
        return f" It looks like {kind.description}, which is not imported."
    return f" It looks like {kind.description}: use `pagetrail {kind.command}`."


def refuse_if_other_kind(path: Path, command: str, rows: int, reason: str) -> None:
    """Refuse a file without usable rows if it looks like one for another importer.

    Raises:
        InputFileError: with the reason and the command to use instead.
    """
    hint = importer_hint(path, command)
    if hint:
        raise InputFileError(
            gettext(
                "None of the {rows:,} rows of {path} can be used by {command}: {reason}.{hint}",
                rows=rows,
                path=path.name,
                command=command,
                reason=reason,
                hint=hint,
            )
        )


def _first_rows(path: Path) -> Iterator[Fields]:
    suffix = path.suffix.lower()
    if suffix == ".parquet":
        yield dict.fromkeys(column_names(path))
    elif suffix in _JSON:
        if path.stat().st_size <= MAX_WHOLE_BYTES:
            for number, row in enumerate(iter_objects(path, loads_lenient)):
                if number == _MAX_ROWS_INSPECTED:
                    return
                if isinstance(row, RawRow):
                    yield row.data
    elif suffix in _TABLES:
        header = _first_lines(path)[:1]
        for line in header:
            delimiter = max(",;\t", key=line.count)
            yield dict.fromkeys(cell.strip().strip('"') for cell in line.split(delimiter))


def _first_lines(path: Path) -> list[str]:
    with path.open("rb") as file:
        head = file.read(64 * 2**10).decode("utf-8-sig", "replace")
    return [line for line in head.splitlines() if line.strip()][:_MAX_LINES_INSPECTED]


def _kind_by_shape(path: Path) -> FileKind | None:
    """The kind of a file without field names, by its content."""
    with path.open("rb") as file:
        head = file.read(4)
    if head == b"%PDF":
        return FileKind("a PDF", "ingest")
    if is_zip(path):
        names = member_names(path)
        if any(name.startswith("samples/") for name in names):
            return FileKind("a log of Inspect", IMPORT_RUN)
        if any(name.startswith("xl/") for name in names) and path.suffix.lower() != ".xlsx":
            return FileKind("an Excel workbook without its ending .xlsx", IMPORT_TASKS)
        return None
    if path.suffix.lower() not in _TABLES:
        return None
    cells = [line.split() for line in _first_lines(path)]
    if cells and all(len(row) == 6 and row[1] == "Q0" for row in cells):
        return FileKind("a TREC run, which ranks pages and has no answers", None)
    if cells and all(len(row) == 4 and row[3].lstrip("-").isdecimal() for row in cells):
        return FileKind("judgements of pages (TREC qrels)", _QRELS)
    return None
