"""What the ids of pages stand for: BEIR's corpus, our ``documents.tsv``, ViDoRe's Parquet."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image, UnidentifiedImageError

from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.importers.files.bounded_reading import read_in_worker
from pagetrail.storage.importers.files.json_rows import iter_json_lines, read_text
from pagetrail.storage.importers.files.rows import RawRow, refuse
from pagetrail.storage.importers.files.table_rows import column_names, parquet_file

_IDS = ("corpus_id", "corpus-id", "id", "_id")
_DOCUMENTS = ("document", "file", "doc_id", "doc-id", "document_id")
_PAGES = ("page", "page_number_in_doc", "page_number", "page-number")
_WAY_OUT = "Split it into several files, or leave the images out where no boxes need them."
_ROWS_AT_ONCE = 32
"""Rows with images in memory at a time."""


class Page(NamedTuple):
    """A page of a document; ``number`` counts from 1 once the corpus has been read."""

    document: str
    number: int


@dataclass
class PageNames:
    """Pages and the pixels of their images by id; an id that is missing names its page itself."""

    pages: dict[str, Page] = field(default_factory=dict)
    image_sizes: dict[str, tuple[int, int]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def read_corpus(
    paths: Sequence[Path], with_boxes: set[str], pages_from: int | None = None
) -> PageNames:
    """The pages of a corpus.

    Args:
        with_boxes: ids of the pages whose images' sizes are needed.
        pages_from: the number of a document's first page; None: 0 where any page has that number,
            as in the published ViDoRe datasets, else 1.

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
            corpus.notes.append("The corpus counts pages from 0; they are read as counted from 1.")
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
            "does not say which pages its rows are: it needs the columns corpus_id, doc_id and "
            f"page_number_in_doc. Columns: {', '.join(map(printable, names[:20]))}.",
        )
    return read_in_worker(_read_pages, path, [str(name) for name in columns], advice=_WAY_OUT)


def _read_pages(path: Path, columns: Sequence[str]) -> list[tuple[str, Page]]:
    """In a worker: the pages that the columns state."""
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
    """In a worker: the pixels of the wanted images."""
    sizes = []
    for row in _iter_rows(path, [id_name, "image"], _ROWS_AT_ONCE):
        image = row["image"]
        data = image.get("bytes") if isinstance(image, dict) else image
        if str(row[id_name]) not in page_ids or not isinstance(data, bytes):
            continue
        try:
            # Only the header is parsed; no pixel is decoded.
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
            next((fields[name] for name in names if fields.get(name) is not None), None)
            for names in (("_id", "id"), _DOCUMENTS, _PAGES)
        )
        yield from _page_if_stated(id_, document, page)


def _table_pages(path: Path) -> Iterator[tuple[str, Page]]:
    """Lines of an id, a page and a document, as in the ``trec`` export."""
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        cells = line.split("\t")
        if line.strip() and (len(cells) != 3 or not cells[1].isdecimal()):
            refuse(path, f"cannot be read: line {number:,} is not an id, a page and a document.")
        if line.strip():
            yield from _page_if_stated(cells[0], cells[2], int(cells[1]))


def _page_if_stated(id_: Any, document: Any, page: Any) -> Iterator[tuple[str, Page]]:
    """The page, where all of it is stated; otherwise its id has to name it."""
    if isinstance(page, str) and page.isdecimal():
        page = int(page)
    if id_ is None or not isinstance(document, str) or not document.strip():
        return
    if isinstance(page, int) and not isinstance(page, bool):
        yield str(id_), Page(document, page)
