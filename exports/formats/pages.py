"""Transcribed pages as plain files: Markdown, HTML and CSV, for other programs.

A folder per document with ``page-0003.md`` and ``page-0003.html``: the text of the page, or its
tables and points of charts as tables. ``page-0003-<table>.csv`` has each table, and
``page-0003-<field>.csv`` the points of its charts.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pagetrail.annotation.attempts.form_state import RecordRow
from pagetrail.annotation.protocols.fields import FieldSpec
from pagetrail.annotation.tables.grid import Grid
from pagetrail.exports.formats.export_format import BOXES_FROM_GOLD, Format
from pagetrail.exports.formats.transcribed_pages import TranscribedPage, transcribed_pages
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.writing.file_formats import FileNames
from pagetrail.exports.writing.markdown_html import html_page, markdown_html
from pagetrail.exports.writing.page_images import page_label


def write(source: Source, folder: Path) -> WrittenFiles:
    """Write the files of every page that has a text, a table or a chart."""
    tally = WrittenFiles(counts={"pages": 0, "texts": 0, "tables": 0, "charts": 0})
    written_pages: set[tuple[str, int]] = set()
    names = FileNames()
    for page in transcribed_pages(source, tally):
        if page.text is None and not page.tables and not page.charts:
            continue
        if page.key in written_pages:
            tally.leave_out("task", "page_of_another_task", f"{page.task} {page_label(page.key)}")
            continue
        written_pages.add(page.key)
        tally.count("pages")
        tally.count("texts", page.text is not None)
        tally.count("tables", len(page.tables))
        tally.count("charts", len(page.charts))
        path = f"{names[page.document]}/page-{page.page:04}"
        for suffix, content in _files(page):
            file = folder / f"{path}{suffix}"
            file.parent.mkdir(exist_ok=True)
            file.write_text(content, encoding="utf-8", newline="")
            tally.rows[f"{path}{suffix}"] = 1
    return tally


FORMAT = Format(
    name="pages",
    summary="transcribed pages as Markdown, HTML and CSV",
    purpose="transcribed pages as plain files",
    applies_to="transcriptions, tables and charts",
    write=write,
    gold=BOXES_FROM_GOLD,
    has_submissions=False,
)


def _files(page: TranscribedPage) -> Iterator[tuple[str, str]]:
    """End of the name and content of each file."""
    grids = [(name, grid) for name, grid in page.tables]
    grids += [(spec.name, chart_grid(spec, rows)) for spec, rows in page.charts]
    title = f"{page.document}, page {page.page}"
    if page.text is not None:
        yield ".md", page.text
        yield ".html", html_page(title, markdown_html(page.text))
    else:
        yield ".md", "".join(f"{grid.to_markdown()}\n\n" for _, grid in grids).strip() + "\n"
        yield ".html", html_page(title, "\n".join(grid.to_html() for _, grid in grids))
    names = FileNames()
    for name, grid in grids:
        yield f"-{names[name]}.csv", grid.to_csv()


def chart_grid(spec: FieldSpec, rows: tuple[RecordRow, ...]) -> Grid:
    """The points of a chart as a table, a column per column of the field."""
    names = [column.name for column in spec.columns]
    texts = [[row.values.get(name, "") for name in names] for row in rows]
    return Grid.from_texts([names, *texts], n_header_rows=1)
