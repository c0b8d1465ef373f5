"""Reads test collections for retrieval as task files: queries, judgements and judged pages.

A row is a task whose ``page_grades`` lists the judged pages, each with ``grade`` and either
``document`` and ``page`` or the ``id`` used in the judgements. Formats: TREC qrels
(``qid 0 docid grade``) with topics (``qid``, tab, text), BEIR (``queries.jsonl``, ``qrels/*.tsv``,
``corpus.jsonl``) and ViDoRe V3 (Parquet folders ``queries``, ``qrels``, ``corpus``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pagetrail.annotation.sentences import join_first
from pagetrail.storage.database.storable_text import named_in_messages, printable
from pagetrail.storage.files.system_files import is_system_file
from pagetrail.storage.importers.files.bounded_reading import read_in_worker
from pagetrail.storage.importers.files.rows import RawRow, TaskFile, read_error, refuse
from pagetrail.storage.importers.files.zip_members import is_zip, unpack_members
from pagetrail.storage.importers.retrieval.corpora import PageNames, read_corpus
from pagetrail.storage.importers.retrieval.judgements import Judgement, read_qrels
from pagetrail.storage.importers.retrieval.queries import Query, read_queries

_SUFFIXES = (".parquet", ".jsonl", ".tsv", ".txt")
_WAY_OUT = "Unpack the archive."
_MAX_NAMES = 5


@dataclass(frozen=True)
class CollectionFiles:
    """The files of a test collection; those of ViDoRe may be split into parts."""

    queries: tuple[Path, ...]
    qrels: tuple[Path, ...]
    corpus: tuple[Path, ...] = ()


def is_collection(path: Path) -> bool:
    """Whether a path is a folder or zip archive; other task files are single files."""
    return path.is_dir() or (path.suffix.lower() == ".zip" and path.is_file())


def read_collection(
    path: Path, qrels: Path | None = None, corpus: Path | None = None, pages_from: int | None = None
) -> TaskFile:
    """Read the tasks of a test collection in the order of its queries.

    Args:
        path: a folder, a zipped folder, or the file of queries or tasks.
        qrels: file of judgements; None for the one in the folder.
        corpus: file mapping page ids to pages; None for the one in the folder.
        pages_from: number of a document's first page in the corpus; None to detect it.

    Raises:
        InputFileError: a file is missing or cannot be used as a whole.
    """
    try:
        with _unpack(path) as folder:
            files = _select_files(path, folder, qrels, corpus)
            return _join(files, pages_from)
    except OSError as error:
        raise read_error(path, error) from error


def _join(files: CollectionFiles, pages_from: int | None) -> TaskFile:
    queries = read_queries(files.queries)
    qrels_read = read_qrels(files.qrels)
    page_names = read_corpus(files.corpus, qrels_read.page_ids_with_boxes(), pages_from)
    file = TaskFile(
        errors=[*queries.errors, *qrels_read.errors],
        notes=[*queries.notes, *qrels_read.notes, *page_names.notes],
    )
    unjudged = 0
    for query in queries.queries:
        judgements = qrels_read.by_query.pop(query.key, [])
        unjudged += not judgements
        grades = [_page_grade(judgement, page_names) for judgement in judgements]
        file.rows.append(RawRow(query.line, _task_row(query, grades)))
    if unjudged:
        file.notes.append(f"Queries without a judgement: {unjudged:,}.")
    if qrels_read.by_query:
        names = [printable(key)[:60] for key in qrels_read.by_query]
        file.notes.append(
            "Judgements of queries that are not in the file of queries are left out: "
            f"{join_first(names, _MAX_NAMES)}."
        )
    return file


def _task_row(query: Query, grades: list[dict[str, Any]]) -> dict[str, Any]:
    return {**query.fields, **({"page_grades": grades} if grades else {})}


def _page_grade(judgement: Judgement, page_names: PageNames) -> dict[str, Any]:
    """A judgement as an item of ``page_grades``."""
    page = page_names.pages.get(judgement.page_id)
    page_reference: dict[str, Any] = (
        {"id": judgement.page_id}
        if page is None
        else {"document": page.document, "page": page.number}
    )
    details: dict[str, Any] = {}
    if judgement.content_types:
        details["content_type"] = list(judgement.content_types)
    if judgement.boxes:
        details["boxes"] = [
            {"annotator": box.annotator, "rect": list(box.rect), "label": box.label}
            for box in judgement.boxes
        ]
        details["image_size"] = list(page_names.image_sizes.get(judgement.page_id, (None, None)))
    return {**page_reference, "grade": judgement.grade, **details}


@contextmanager
def _unpack(path: Path) -> Iterator[Path]:
    """The folder itself, or a temporary folder with the archive's members."""
    if not is_collection(path) or path.is_dir():
        yield path
        return
    if not is_zip(path):
        refuse(path, "is not a zip archive.")
    with TemporaryDirectory(prefix="pagetrail-") as name:
        folder = Path(name)
        read_in_worker(unpack_members, path, folder, _SUFFIXES, advice=_WAY_OUT)
        with named_in_messages(folder, printable(path), prefix=f"{printable(path)}: "):
            yield folder


def _select_files(
    path: Path, folder: Path, qrels: Path | None, corpus: Path | None
) -> CollectionFiles:
    if not folder.is_dir():
        if qrels is None:
            refuse(path, "holds queries. Name the file of judgements too (--qrels).")
        return CollectionFiles((path,), (qrels,), () if corpus is None else (corpus,))
    files = sorted(
        file
        for file in folder.rglob("*")
        if file.suffix.lower() in _SUFFIXES and not is_system_file(file.relative_to(folder))
    )
    files_by_part = {part: _files_of_part(files, part) for part in ("queries", "qrels", "corpus")}
    qrels_files = files_by_part["qrels"] if qrels is None else [qrels]
    if not files_by_part["queries"] or not qrels_files:
        refuse(
            path,
            "is not a test collection. One has queries and judgements: queries.jsonl and "
            "qrels/test.tsv (BEIR), topics.tsv and qrels.txt (TREC), or folders queries, qrels and "
            "corpus of Parquet files (ViDoRe). Name other files individually, with --qrels.",
        )
    if len(qrels_files) > 1 and any(file.suffix.lower() != ".parquet" for file in qrels_files):
        names = ", ".join(printable(file.name) for file in qrels_files[:_MAX_NAMES])
        refuse(path, f"has several files of judgements: {names}. Name one of them (--qrels).")
    return CollectionFiles(
        tuple(files_by_part["queries"]),
        tuple(qrels_files),
        tuple(files_by_part["corpus"] if corpus is None else [corpus]),
    )


_FILE_NAMES: Mapping[str, tuple[str, ...]] = {
    "queries": ("queries.jsonl", "topics.tsv", "topics.txt", "queries.tsv"),
    "qrels": ("qrels.txt", "qrels.tsv"),
    "corpus": ("corpus.jsonl", "documents.tsv"),
}


def _files_of_part(files: list[Path], part: str) -> list[Path]:
    """The files of a part, recognised by their own name or that of their folder."""
    by_name = [file for file in files if file.name.lower() in _FILE_NAMES[part]]
    by_folder = [
        file
        for file in files
        if file.parent.name.lower() == part and file.suffix.lower() in (".parquet", ".tsv", ".txt")
    ]
    return by_name or by_folder
