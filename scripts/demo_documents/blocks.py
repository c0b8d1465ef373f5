"""Blocks of a page: figures strip, tables, quotes, call-outs, bullets, columns, check boxes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reportlab.graphics.shapes import Drawing, Line, Rect
from reportlab.lib.colors import Color, white
from reportlab.platypus import Flowable, HRFlowable, Paragraph, Spacer, Table

from scripts.demo_documents.book import Book, Mark

Cell = str | Flowable


def h1(book: Book, text: str) -> list[Flowable]:
    """A section title over a short rule in the accent colour."""
    return [
        Paragraph(text, book.style["h1"]),
        HRFlowable(42, 2.4, color=book.theme.accent, hAlign="LEFT", spaceBefore=0, spaceAfter=11),
    ]


def paras(book: Book, *texts: str, style: str = "body") -> list[Flowable]:
    """Paragraphs in one style."""
    return [Paragraph(text, book.style[style]) for text in texts]


def bullets(book: Book, items: Iterable[str], sign: str = "\u2022") -> list[Flowable]:
    """A bulleted list."""
    style = book.style["bullet"]
    return [Paragraph(text, style, bulletText=sign) for text in items]


def numbered(book: Book, items: Iterable[str], start: int = 1) -> list[Flowable]:
    """A numbered list."""
    style = book.style["bullet"].clone("steps", leftIndent=16)
    return [Paragraph(text, style, bulletText=f"{i}.") for i, text in enumerate(items, start)]


def columns(book: Book, flowables: Sequence[Flowable]) -> Table:
    """Text set in two columns of about equal height, without splitting a paragraph."""
    gap_width = 16
    width = (book.body_width - gap_width) / 2
    heights = [flow.wrap(width, 10_000)[1] + flow.getSpaceAfter() for flow in flowables]
    candidates = [
        i for i in range(1, len(flowables))
        if not getattr(flowables[i - 1].style, "keepWithNext", 0)
    ]
    cut = min(candidates, key=lambda i: abs(sum(heights[:i]) - sum(heights[i:])))
    return side_by_side(book, list(flowables[:cut]), list(flowables[cut:]), gap=gap_width)


def table(
    book: Book,
    header: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    widths: Sequence[float],
    *,
    text_columns: int = 1,
    totals: Sequence[int] = (),
    span: float | None = None,
    band: bool = True,
    head: Color | None = None,
    pad: float = 3.6,
) -> Table:
    """A table with a coloured head, banded rows and bold totals.

    Args:
        widths: relative column widths, scaled to ``span`` points (default: the body width).
        text_columns: how many leading columns are text; the rest is right-aligned.
        totals: indices of rows (negative ones count from the end) set as totals.
    """
    style = book.style
    total = {index % len(rows) for index in totals}
    data: list[list[Flowable]] = [
        [
            Paragraph(text, style["cellh" if i < text_columns else "cellhr"])
            for i, text in enumerate(header)
        ]
    ]
    for number, row in enumerate(rows):
        cells: list[Flowable] = []
        for i, cell in enumerate(row):
            if isinstance(cell, str):
                text = f"<b>{cell}</b>" if number in total else cell
                cells.append(Paragraph(text, style["cell" if i < text_columns else "cellr"]))
            else:
                cells.append(cell)
        data.append(cells)
    scale = (span or book.body_width) / sum(widths)
    commands: list[tuple[object, ...]] = [
        ("BACKGROUND", (0, 0), (-1, 0), head or book.theme.primary),
        ("VALIGN", (0, 0), (-1, 0), "BOTTOM"),
        ("VALIGN", (0, 1), (-1, -1), "MIDDLE"),
        ("TOPPADDING", (0, 0), (-1, -1), pad),
        ("BOTTOMPADDING", (0, 0), (-1, -1), pad),
        ("LEFTPADDING", (0, 0), (-1, -1), 5),
        ("RIGHTPADDING", (0, 0), (-1, -1), 5),
        ("LINEBELOW", (0, 1), (-1, -1), 0.35, book.theme.rule),
    ]
    for number in range(len(rows)):
        if number in total:
            commands += [
                ("LINEABOVE", (0, number + 1), (-1, number + 1), 0.9, book.theme.primary),
                ("BACKGROUND", (0, number + 1), (-1, number + 1), book.theme.tint),
            ]
        elif band and number % 2:
            commands.append(("BACKGROUND", (0, number + 1), (-1, number + 1), "#f6f8fa"))
    return Table(
        data, [w * scale for w in widths], style=commands, repeatRows=1, hAlign="LEFT",
        spaceBefore=2, spaceAfter=9,
    )


def figures(book: Book, items: Sequence[tuple[str, str]], per_row: int = 4) -> Table:
    """Key figures: large values over short labels on a tinted ground."""
    theme = book.theme
    big = book.style["centre"].clone(
        "big", fontName=theme.heading, fontSize=19, leading=23, textColor=theme.primary,
        spaceAfter=0,
    )
    small = book.style["centre"].clone(
        "small", fontSize=7.8, leading=10, textColor=theme.muted, spaceAfter=0
    )
    cells = [[Paragraph(value, big), Paragraph(label, small)] for value, label in items]
    grid = [cells[i : i + per_row] for i in range(0, len(cells), per_row)]
    grid[-1] += [[] for _ in range(per_row - len(grid[-1]))]
    return Table(
        grid, [book.body_width / per_row] * per_row, spaceBefore=4, spaceAfter=12,
        style=[
            ("BACKGROUND", (0, 0), (-1, -1), theme.tint),
            ("INNERGRID", (0, 0), (-1, -1), 3, white),
            ("LINEABOVE", (0, 0), (-1, 0), 2, theme.accent),
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("TOPPADDING", (0, 0), (-1, -1), 9),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 10),
        ],
    )


def quote(book: Book, text: str, who: str = "", width: float | None = None) -> Table:
    """A pull quote with its speaker."""
    cell: list[Flowable] = [Paragraph(f"\u201c{text}\u201d", book.style["quote"])]
    if who:
        cell.append(Paragraph(who, book.style["note"]))
    return Table(
        [[cell]], [width or book.body_width], spaceBefore=6, spaceAfter=10,
        style=[
            ("LINEBEFORE", (0, 0), (0, -1), 3, book.theme.accent),
            ("LEFTPADDING", (0, 0), (-1, -1), 12),
            ("TOPPADDING", (0, 0), (-1, -1), 2),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
        ],
    )


def callout(
    book: Book, title: str, texts: Sequence[Cell], *, width: float | None = None,
    ground: Color | None = None, edge: Color | None = None,
) -> Table:
    """A tinted box with a title."""
    cell: list[Flowable] = [Paragraph(title, book.style["h3"])]
    cell += [
        Paragraph(text, book.style["cell"].clone("boxed", spaceAfter=4))
        if isinstance(text, str) else text
        for text in texts
    ]
    return Table(
        [[cell]], [width or book.body_width], spaceBefore=5, spaceAfter=10,
        style=[
            ("BACKGROUND", (0, 0), (-1, -1), ground or book.theme.tint),
            ("LINEBEFORE", (0, 0), (0, -1), 3, edge or book.theme.primary),
            ("LEFTPADDING", (0, 0), (-1, -1), 11),
            ("RIGHTPADDING", (0, 0), (-1, -1), 9),
            ("TOPPADDING", (0, 0), (-1, -1), 5),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 6),
        ],
    )


def side_by_side(
    book: Book, left: Flowable | list[Flowable], right: Flowable | list[Flowable],
    share: float = 0.5, gap: float = 14,
) -> Table:
    """Two blocks next to each other; ``share`` is the left block's part of the width."""
    width = book.body_width - gap
    return Table(
        [[_mark_last(left), "", _mark_last(right)]], [width * share, gap, width * (1 - share)],
        spaceBefore=7,
        style=[
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            *((f"{side}PADDING", (0, 0), (-1, -1), 0) for side in ("LEFT", "RIGHT", "TOP")),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 4),
        ],
    )


def _mark_last(cell: Flowable | list[Flowable]) -> Flowable | list[Flowable]:
    # Only the first flowable of a cell loses its space before: behind a mark, a caption would sit
    # lower than its neighbour.
    if isinstance(cell, list) and isinstance(cell[0], Mark):
        return [*cell[1:], cell[0]]
    return cell


def footnotes(book: Book, *texts: str) -> list[Flowable]:
    """Notes under a short rule, numbered from 1."""
    rule = HRFlowable(70, 0.5, color=book.theme.muted, hAlign="LEFT", spaceBefore=4, spaceAfter=3)
    style = book.style["note"].clone("footnote", spaceBefore=0, spaceAfter=2)
    return [
        rule,
        *(Paragraph(f"<super>{i}</super> {text}", style) for i, text in enumerate(texts, 1)),
    ]


def check(ticked: bool, size: float = 9.5) -> Drawing:
    """A check box drawn as lines: its state is visible on the page and absent from the text."""
    drawing = Drawing(size + 1, size)
    drawing.add(Rect(0.5, 0.5, size - 1, size - 1, fillColor=white, strokeWidth=0.9))
    if ticked:
        inset = 2
        for ends in ((inset, inset, size - inset, size - inset),
                     (inset, size - inset, size - inset, inset)):
            drawing.add(Line(*ends, strokeWidth=1.6))
    return drawing


def gap(points: float) -> Spacer:
    """Vertical room."""
    return Spacer(1, points)
