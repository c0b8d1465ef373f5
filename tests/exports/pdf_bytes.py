"""PDF files written by hand: the same bytes everywhere, and marks whose place is known."""

from __future__ import annotations

from dataclasses import dataclass

Corners = tuple[float, float, float, float]


@dataclass(frozen=True)
class Sheet:
    """One page.

    Attributes:
        size: of the media box, points.
        marks: black rectangles in the PDF's own space: x0, y0, x1, y1 with y going up.
        crop: the crop box in that space.
        rotate: clockwise turn of the displayed page.
        origin: lower-left corner of the media box.
    """

    size: tuple[float, float] = (612, 792)
    marks: tuple[Corners, ...] = ()
    crop: Corners | None = None
    rotate: int = 0
    origin: tuple[float, float] = (0, 0)


def pdf_bytes(*sheets: Sheet) -> bytes:
    """A PDF file of these pages."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Count %d /Kids [%s] >>"
        % (len(sheets), b" ".join(b"%d 0 R" % (3 + 2 * n) for n in range(len(sheets)))),
    ]
    for number, sheet in enumerate(sheets):
        x, y = sheet.origin
        media = (x, y, x + sheet.size[0], y + sheet.size[1])
        boxes = f"/MediaBox [{_numbers(media)}]"
        if sheet.crop is not None:
            boxes += f" /CropBox [{_numbers(sheet.crop)}]"
        page = (
            f"<< /Type /Page /Parent 2 0 R {boxes} /Rotate {sheet.rotate} "
            f"/Contents {4 + 2 * number} 0 R /Resources << >> >>"
        )
        content = "".join(
            f"{_numbers((x0, y0, x1 - x0, y1 - y0))} re f\n" for x0, y0, x1, y1 in sheet.marks
        ).encode()
        objects.append(page.encode())
        objects.append(b"<< /Length %d >>\nstream\n%sendstream" % (len(content), content))
    return _file(objects)


def _file(objects: list[bytes]) -> bytes:
    data = b"%PDF-1.4\n"
    starts = []
    for number, body in enumerate(objects, start=1):
        starts.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % start for start in starts)
    return data + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n"
        b"%%%%EOF\n" % (len(objects) + 1, table, len(objects) + 1, len(data))
    )


def _numbers(values: tuple[float, ...]) -> str:
    return " ".join(f"{value:g}" for value in values)
