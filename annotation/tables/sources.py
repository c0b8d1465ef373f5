"""Tables as task files and models' answers hold them, with an id and a page.

HTML or Markdown, or records: a list of objects, values by column header.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pagetrail.annotation.tables.grid import Grid, check_size
from pagetrail.annotation.tables.parsing import (
    MAX_CELL_CHARACTERS,
    ParsedTable,
    Repair,
    parse_tables,
)

MAX_TABLES = 50
"""Tables of one task."""
MAX_SOURCE = 2_000_000
"""Characters of a table's HTML or Markdown."""
MAX_TABLE_ID = 100

Page = tuple[str, int]


class TableSource(NamedTuple):
    """A table that was read from a file.

    Attributes:
        id: as in the file, or ``t1``, ``t2`` … in its order.
        page: document and 1-based page number.
        repairs: what was not as it should be, see ``ParsedTable``.
    """

    id: str
    page: Page
    grid: Grid
    repairs: tuple[Repair, ...]


def read_table_sources(data: Any, pages: Sequence[Page]) -> list[TableSource]:
    """The tables of one task.

    Args:
        data: a list of texts, or of objects with ``html``, ``markdown`` or ``records`` and, if they
            are known, ``id``, ``document`` and ``page``; or one text. A text may hold several
            tables.
        pages: the task's pages; tables without a page are on the first.

    Raises:
        ValueError: an entry cannot be used; the message says where and why.
    """
    entries = [data] if isinstance(data, str | Mapping) else data
    if not isinstance(entries, list):
        raise ValueError("tables: must be a list of objects with html, markdown or records")
    sources: list[TableSource] = []
    for index, entry in enumerate(entries):
        try:
            sources += _entry_sources(entry, pages, len(sources) + 1)
        except ValueError as error:
            raise ValueError(f"tables[{index}]: {error}") from error
    if len(sources) > MAX_TABLES:
        raise ValueError(f"tables: {len(sources)} tables; at most {MAX_TABLES} are read per task")
    ids = [source.id for source in sources]
    repeated = next((table_id for table_id in ids if ids.count(table_id) > 1), None)
    if repeated is not None:
        raise ValueError(f"tables: two tables have the id {repeated!r}")
    return sources


def _entry_sources(entry: Any, pages: Sequence[Page], number: int) -> list[TableSource]:
    fields = entry if isinstance(entry, Mapping) else {"html": entry}
    texts = [fields[name] for name in ("html", "markdown") if fields.get(name) is not None]
    if not texts and fields.get("records") is not None:
        tables = [ParsedTable(records_grid(fields["records"]))]
    elif len(texts) != 1 or not isinstance(texts[0], str):
        raise ValueError("must have html or markdown, one of them, as text; or records")
    elif len(texts[0]) > MAX_SOURCE:
        raise ValueError(f"has {len(texts[0]):,} characters; at most {MAX_SOURCE:,} are read")
    else:
        tables = parse_tables(texts[0])
    page = _page_of(fields, pages)
    if not tables:
        raise ValueError("holds no table")
    table_id = fields.get("id")
    if table_id is not None and not isinstance(table_id, str | int):
        raise ValueError("id must be text or a whole number")
    given_id = "" if table_id is None else str(table_id).strip()
    if len(given_id) > MAX_TABLE_ID - 4:
        raise ValueError(f"id has more than {MAX_TABLE_ID - 4} characters")
    sources = []
    for index, table in enumerate(tables):
        if not table.grid.cells:
            raise ValueError("holds a table without cells")
        further_id = f"{given_id}-{index + 1}" if index else given_id
        unique_id = further_id if given_id else f"t{number + index}"
        sources.append(TableSource(unique_id, page, table.grid, table.repairs))
    return sources


def records_grid(records: Any) -> Grid:
    """A table of one header row from records; columns are in the order of first occurrence.

    Raises:
        ValueError: they are no list of objects with texts and numbers, or too many.
        GridTooLarge: more rows or columns than a grid may have.
    """
    if not isinstance(records, list) or not all(isinstance(record, Mapping) for record in records):
        raise ValueError("records: must be a list of objects, values by column header")
    headers = list(dict.fromkeys(str(header) for record in records for header in record))
    check_size(len(records) + 1, len(headers))
    rows = [[_cell_text(record.get(header)) for header in headers] for record in records]
    if any(len(text) > MAX_CELL_CHARACTERS for row in (headers, *rows) for text in row):
        raise ValueError(f"records: a cell has more than {MAX_CELL_CHARACTERS:,} characters")
    return Grid.from_texts([headers, *rows] if headers else [], n_header_rows=1)


def _cell_text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError("records: values must be texts or numbers")
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _page_of(fields: Mapping[str, Any], pages: Sequence[Page]) -> Page:
    if not pages:
        raise ValueError("the task has no page")
    document, number = fields.get("document"), fields.get("page")
    matching_pages = [
        page
        for page in pages
        if (document is None or page[0] == document) and (number is None or page[1] == number)
    ]
    if not matching_pages:
        raise ValueError(f"page {number} of {document or pages[0][0]} is none of the task's pages")
    return matching_pages[0]
