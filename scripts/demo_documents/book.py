"""The page machine: cover, running header and footer, contents, a rotated page, anchors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    KeepTogether,
    NextPageTemplate,
    PageBreak,
    PageTemplate,
    Paragraph,
)
from reportlab.platypus.tableofcontents import TableOfContents

from scripts.demo_documents.style import Theme

Painter = Callable[[Canvas, "Book"], None]


class Built(NamedTuple):
    """What a builder laid out: number of pages, and the page (1-based) of each named anchor."""

    pages: int
    anchors: dict[str, int]


class Mark(Flowable):
    """A flowable without size that notes the page on which it is drawn."""

    width = height = 0
    keepWithNext = 1

    def __init__(self, key: str) -> None:
        super().__init__()
        self.key = key

    def wrap(self, *_available: float) -> tuple[float, float]:
        """Take no room."""
        return 0, 0

    def draw(self) -> None:
        """Note the page."""
        self.canv._doctemplate.anchors[self.key] = self.canv.getPageNumber()


def marked(key: str, *flowables: Flowable) -> KeepTogether:
    """The flowables on one page, whose number is noted under ``key``."""
    return KeepTogether([Mark(key), *flowables])


class Book(BaseDocTemplate):
    """A PDF document with a cover, body pages and pages turned by 90 degrees.

    Page templates: ``cover`` (painted whole), ``body``, ``two`` (two columns) and ``wide`` (a
    portrait page with /Rotate 90, whose content is laid out landscape as it is displayed).
    The same story gives the same bytes.
    """

    def __init__(
        self,
        path: Path,
        theme: Theme,
        *,
        title: str,
        organisation: str,
        running: str | None = None,
        pagesize: tuple[float, float] = A4,
        margins: tuple[float, float, float, float] = (22 * mm, 24 * mm, 22 * mm, 22 * mm),
        cover: Painter | None = None,
        chrome: Painter | None = None,
    ) -> None:
        super().__init__(
            str(path), pagesize=pagesize, title=title, author=organisation,
            subject=running or title, creator="Pagetrail demo corpus", invariant=1,
        )
        self.theme = theme
        self.organisation = organisation
        self.running = running or title
        self.anchors: dict[str, int] = {}
        self.style = theme.styles()
        left, top, right, bottom = margins
        width, height = pagesize
        self.inner = (left, bottom, width - right, height - top)
        body = self._frame(left, bottom, width - left - right, height - top - bottom, "body")
        gutter = 7 * mm
        column = (width - left - right - gutter) / 2
        tall = height - top - bottom
        columns = [
            self._frame(left + i * (column + gutter), bottom, column, tall, f"c{i}")
            for i in range(2)
        ]
        wide = self._frame(
            20 * mm, 18 * mm, height - 40 * mm, width - 40 * mm, "wide"
        )
        self.column_width = column
        self.body_width = width - left - right
        self.wide_width = height - 40 * mm
        paint = chrome or running_chrome
        templates = [
            PageTemplate("body", [body], onPage=_upright(paint), pagesize=pagesize),
            PageTemplate("two", columns, onPage=_upright(paint), pagesize=pagesize),
            # Of a turned page reportlab wants the size as displayed.
            PageTemplate("wide", [wide], onPage=_turned, pagesize=(height, width)),
        ]
        templates[2].rotation = 90
        if cover is not None:
            blank = self._frame(left, bottom, width - left - right, height - top - bottom, "cover")
            templates.insert(0, PageTemplate("cover", [blank], onPage=_upright(cover),
                                             pagesize=pagesize))
        self.addPageTemplates(templates)

    @staticmethod
    def _frame(x: float, y: float, width: float, height: float, name: str) -> Frame:
        return Frame(x, y, width, height, 0, 0, 0, 0, id=name)

    def afterFlowable(self, flowable: Flowable) -> None:
        """Enter headings of the first two levels into the contents."""
        if isinstance(flowable, Paragraph) and flowable.style.name in ("h1", "h2"):
            level = 0 if flowable.style.name == "h1" else 1
            self.notify("TOCEntry", (level, flowable.getPlainText(), self.page))

    def make(self, story: list[Flowable]) -> Built:
        """Write the file and report its pages and anchors."""
        self.multiBuild(story)
        return Built(self.page, dict(self.anchors))


def _upright(paint: Painter) -> Painter:
    def painter(canvas: Canvas, book: Book) -> None:
        canvas.saveState()
        paint(canvas, book)
        canvas.restoreState()

    return painter


def _turned(canvas: Canvas, book: Book) -> None:
    """Turn the page by 90 degrees and lay its content out as the reader sees it."""
    width, height = book.pagesize
    canvas.translate(width, 0)
    canvas.rotate(90)
    canvas.saveState()
    _footer(canvas, book, 20 * mm, height - 20 * mm, 11 * mm)
    canvas.restoreState()


def _footer(canvas: Canvas, book: Book, left: float, right: float, y: float) -> None:
    theme = book.theme
    canvas.setStrokeColor(theme.rule)
    canvas.setLineWidth(0.5)
    canvas.line(left, y + 10, right, y + 10)
    canvas.setFillColor(theme.muted)
    canvas.setFont(theme.regular, 7.5)
    canvas.drawString(left, y, f"{book.organisation}  |  {book.running}")
    canvas.setFont(theme.bold, 8.5)
    canvas.setFillColor(theme.primary)
    canvas.drawRightString(right, y, str(canvas.getPageNumber()))


def running_chrome(canvas: Canvas, book: Book) -> None:
    """A coloured edge on top and a footer with organisation, title and page number."""
    left, bottom, right, _top = book.inner
    width, height = book.pagesize
    canvas.setFillColor(book.theme.primary)
    canvas.rect(0, height - 5 * mm, width, 5 * mm, stroke=0, fill=1)
    canvas.setFillColor(book.theme.accent)
    canvas.rect(left, height - 5 * mm, 26 * mm, 5 * mm, stroke=0, fill=1)
    _footer(canvas, book, left, right, bottom - 12 * mm)


def contents(theme: Theme, levels: int = 1) -> TableOfContents:
    """A table of contents with dotted leaders, of one or two levels."""
    toc = TableOfContents(dotsMinLevel=0)
    toc.levelStyles = [
        ParagraphStyle(
            "toc1", fontName=theme.bold, fontSize=10, leading=19, textColor=theme.ink
        ),
        ParagraphStyle(
            "toc2", fontName=theme.regular, fontSize=8.6, leading=13, leftIndent=12,
            textColor=theme.muted,
        ),
    ][:levels]
    if levels == 1:
        toc.notify = _only_first_level(toc)  # type: ignore[method-assign]
    return toc


def _only_first_level(toc: TableOfContents) -> Callable[[str, tuple[int, str, int]], None]:
    def notify(kind: str, entry: tuple[int, str, int]) -> None:
        if kind == "TOCEntry" and entry[0] == 0:
            toc.addEntry(*entry)

    return notify


def switch(template: str) -> list[Flowable]:
    """Go on with another page template on a new page."""
    return [NextPageTemplate(template), PageBreak()]
