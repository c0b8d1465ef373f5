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
    """A page with lines of 1,200 characters: some 25 KB, and 100 KB of memory for each line."""
    document = pymupdf.open()
    page = document.new_page(width=_WIDTH, height=_HEIGHT)
    page.insert_text((72, 72), "x")
    (contents,) = page.get_contents()
    line = b"BT /helv 1 Tf 10 10 Td (" + b"otter " * 200 + b") Tj ET\n"
    document.update_stream(contents, line * lines)
    document.save(path, deflate=True)
    document.close()


def write_many_pages(path: Path, pages: int) -> None:
    """A sound document of many pages, all with one line of text, in a flat tree."""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count %d/MediaBox[0 0 %d %d]/Resources<</Font<</F 3 0 R>>>>/Kids[%s]>>"
        % (pages, _WIDTH, _HEIGHT, b" ".join(b"%d 0 R" % (n + 5) for n in range(pages))),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        b"<</Length 38>>stream\nBT /F 12 Tf 72 700 Td (An otter) Tj ET\nendstream",
    ]
    objects += [b"<</Type/Page/Parent 2 0 R/Contents 4 0 R>>"] * pages
    write_objects(path, objects)


def write_nested_forms(path: Path, depth: int = 12) -> None:
    """One page whose form draws another ten times, ``depth`` levels deep: some 2 KB."""
    size = b"[0 0 %d %d]" % (_WIDTH, _HEIGHT)
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count 1/Kids[3 0 R]>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox%s/Contents 4 0 R/Resources<</XObject<</X 5 0 R>>>>>>"
        % size,
        b"<</Length 5>>stream\n/X Do\nendstream",
    ]
    objects += [
        b"<</Type/XObject/Subtype/Form/BBox%s/Resources<</XObject<</X %d 0 R>>>>/Length 60>>"
        b"stream\n%s\nendstream" % (size, number + 1, b"/X Do " * 10)
        for number in range(5, 5 + depth)
    ]
    objects.append(
        b"<</Type/XObject/Subtype/Form/BBox%s/Length 12>>stream\n0 0 9 9 re f\nendstream" % size
    )
    write_objects(path, objects)


def write_objects(path: Path, objects: list[bytes]) -> None:
    """A PDF of these objects, numbered from 1; the first is the catalogue."""
    pdf = bytearray(b"%PDF-1.7\n")
    offsets = []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(pdf))
        pdf += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start = len(pdf)
    pdf += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    pdf += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    pdf += b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n" % (len(objects) + 1)
    path.write_bytes(pdf + b"%d\n%%%%EOF\n" % start)
