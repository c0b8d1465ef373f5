"""Small PDF files whose pages take very long to draw."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pymupdf

_WIDTH, _HEIGHT = 612, 792
_FILLS = 60_000
_RECTANGLES = 100_000


def write_blended_fills(path: Path, pages: int) -> None:
    """Pages that each blend 60,000 half-transparent fills: some 5 KB, and minutes of work."""
    fills = b"1 0 0 rg\n" + b"0 0 %d %d re f\n" % (_WIDTH, _HEIGHT) * _FILLS
    document = pymupdf.open()
    for number in range(pages):
        page = document.new_page(width=_WIDTH, height=_HEIGHT)
        # Gives the page a graphics state with that opacity; its name begins the contents.
        page.draw_rect(page.rect, fill=(1, 0, 0), fill_opacity=0.5)
        (contents,) = page.get_contents()
        state = next(
            line for line in document.xref_stream(contents).splitlines() if line.endswith(b" gs")
        )
        drawing = b"% page" + b"%d\nq\n" % number + state + b"\n" + fills + b"Q"
        document.update_stream(contents, drawing)
    document.save(path, deflate=True)
    document.close()


def write_rectangles(path: Path) -> None:
    """One page of 100,000 rectangles, as a careless plot has them."""
    at = Random(1)
    document = pymupdf.open()
    page = document.new_page(width=_WIDTH, height=_HEIGHT)
    page.draw_rect(pymupdf.Rect(0, 0, 5, 5))
    (contents,) = page.get_contents()
    document.update_stream(
        contents,
        b"".join(
            b"%d %d 20 20 re f\n" % (at.randrange(_WIDTH), at.randrange(_HEIGHT))
            for _ in range(_RECTANGLES)
        ),
    )
    document.save(path, deflate=True)
    document.close()


def write_long_text(path: Path, lines: int = 8_000) -> None:
    """A page of 1,200 characters a line: some 25 KB, and 100 KB of memory for each line."""
    document = pymupdf.open()
    page = document.new_page(width=_WIDTH, height=_HEIGHT)
    page.insert_text((72, 72), "x")
    (contents,) = page.get_contents()
    line = b"BT /helv 1 Tf 10 10 Td (" + b"otter " * 200 + b") Tj ET\n"
    document.update_stream(contents, line * lines)
    document.save(path, deflate=True)
    document.close()
