"""Maps page ids to pages: BEIR's corpus, our ``documents.tsv``, ViDoRe's Parquet."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image, UnidentifiedImageError

from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.importers.files.bounded_reading import read_in_worker
from pagetrail.storage.importers.files.field_types import first_value
from pagetrail.storage.importers.files.json_rows import iter_json_lines, read_text
from pagetrail.storage.importers.files.rows import RawRow, refuse
from pagetrail.storage.importers.files.table_rows import column_names, parquet_file

_IDS = ("corpus_id", "corpus-id", "id", "_id")
_DOCUMENTS = ("document", "file", "doc_id", "doc-id", "document_id")
_PAGES = ("page", "page_number_in_doc", "page_number", "page-number")
_WAY_OUT = "Split it into several files, or leave the images out where no boxes need them."
_ROWS_AT_ONCE = 32
"""Rows with images held in memory at a time."""


class Page(NamedTuple):
    """A page of a document; ``number`` is 1-based in the result of ``read_corpus``."""

    document: str
    number: int


@dataclass
class PageNames:
    """Pages and image sizes in pixels by id; ids that are missing name their page themselves."""

    pages: dict[str, Page] = field(default_factory=dict)
    image_sizes: dict[str, tuple[int, int]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def read_corpus(
    paths: Sequence[Path], with_boxes: set[str], pages_from: int | None = None
) -> PageNames:
    """Read the pages of a corpus.

    Args:
        with_boxes: ids of the pages whose image sizes are needed.
        pages_from: number of a document's first page; None means 0 if any page has this number, as
            in the published ViDoRe datasets, else 1.

    Raises:
        InputFileError: a file cannot be used as a whole.
    """
    corpus = PageNames()
    for path in paths:
        suffix = path.suffix.lower()
        reader = {".parquet": _parquet_pages, ".tsv": _table_pages}.get(suffix, _json_pages)
        corpus.pages.update(reader(path))
        if with_boxes and suffix == ".parquet":
            corpus.image_sizes.update(_image_sizes(path, with_boxes))
    if pages_from is None:
        pages_from = 0 if any(page.number == 0 for page in corpus.pages.values()) else 1
        if pages_from == 0:
            corpus.notes.append("The corpus counts pages from 0; they were renumbered from 1.")
    if pages_from != 1:
        corpus.pages = {
            id_: page._replace(number=page.number + 1 - pages_from)
            for id_, page in corpus.pages.items()
        }
    return corpus


def _parquet_pages(path: Path) -> list[tuple[str, Page]]:
    names = column_names(path)
    columns = [
        next((n for n in accepted_names if n in names), None)
        for accepted_names in (_IDS, _DOCUMENTS, _PAGES)
    ]
    if None in columns:
        refuse(
            path,
            "does not identify the pages of its rows: it needs the columns corpus_id, doc_id and "
            f"page_number_in_doc. Columns: {', '.join(map(printable, names[:20]))}.",
        )
    return read_in_worker(_read_pages, path, [str(name) for name in columns], advice=_WAY_OUT)


def _read_pages(path: Path, columns: Sequence[str]) -> list[tuple[str, Page]]:
    """The pages in these columns. Runs in a worker process."""
    return [
        page
        for row in _iter_rows(path, columns, 1_000)
        for page in _page_if_stated(*(row[name] for name in columns))
    ]


def _image_sizes(path: Path, page_ids: set[str]) -> list[tuple[str, tuple[int, int]]]:
    names = column_names(path)
    id_name = next(name for name in _IDS if name in names)
    if "image" not in names:
        return []
    return read_in_worker(_read_image_sizes, path, id_name, page_ids, advice=_WAY_OUT)


def _read_image_sizes(
    path: Path, id_name: str, page_ids: set[str]
) -> list[tuple[str, tuple[int, int]]]:
    """Sizes of the images of these pages. Runs in a worker process."""
    sizes = []
    for row in _iter_rows(path, [id_name, "image"], _ROWS_AT_ONCE):
        image = row["image"]
        data = image.get("bytes") if isinstance(image, dict) else image
        if str(row[id_name]) not in page_ids or not isinstance(data, bytes):
            continue
        try:
            # Parses only the header.
            with Image.open(io.BytesIO(data), formats=("JPEG", "PNG", "WEBP")) as opened:
                sizes.append((str(row[id_name]), opened.size))
        except (UnidentifiedImageError, OSError, ValueError, SyntaxError):
            continue
    return sizes


def _iter_rows(path: Path, columns: Sequence[str], size: int) -> Iterator[dict[str, Any]]:
    with parquet_file(path) as file:
        for batch in file.iter_batches(batch_size=size, columns=list(columns)):
            yield from batch.to_pylist()


def _json_pages(path: Path) -> Iterator[tuple[str, Page]]:
    for row in iter_json_lines(path):
        if not isinstance(row, RawRow):
            refuse(path, f"cannot be read: line {row.line:,} {row.reason}.")
        metadata = row.data.get("metadata")
        fields = {**row.data, **(metadata if isinstance(metadata, dict) else {})}
        id_, document, page = (
            first_value(fields, names) for names in (("_id", "id"), _DOCUMENTS, _PAGES)
        )
        yield from _page_if_stated(id_, document, page)


def _table_pages(path: Path) -> Iterator[tuple[str, Page]]:
    """Pages from lines of id, page and document, as in the ``trec`` export."""
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        cells = line.split("\t")
        if line.strip() and (len(cells) != 3 or not cells[1].isdecimal()):
            refuse(path, f"cannot be read: line {number:,} is not an id, a page and a document.")
        if line.strip():
            yield from _page_if_stated(cells[0], cells[2], int(cells[1]))


def _page_if_stated(id_: Any, document: Any, page: Any) -> Iterator[tuple[str, Page]]:
    """The page if id, document and number are stated; otherwise the id has to name it."""
    if isinstance(page, str) and page.isdecimal():
        page = int(page)
    if id_ is None or not isinstance(document, str) or not document.strip():
        return
    if isinstance(page, int) and not isinstance(page, bool):
        yield str(id_), Page(document, page)
