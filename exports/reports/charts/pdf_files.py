"""Makes the PDF files of vl-convert reproducible and adds metadata.

svg2pdf, which vl-convert uses, writes the fonts of a file in random order.
"""

from __future__ import annotations

import re

_OBJECT = re.compile(rb"^(\d+) 0 obj\n(.*?)\nendobj\n", re.DOTALL | re.MULTILINE)
_ROOT = re.compile(rb"/Root (\d+) 0 R")
_REFERENCE = re.compile(rb"\b(\d+) 0 R\b")
_FONTS = re.compile(rb"(?<=/Font <<\n)(?: +/\S+ \d+ 0 R\n)+")
_HEADER = b"%PDF-1.7\n%\x80\x80\x80\x80\n\n"
_STREAM = b"\nstream\n"


def stable_pdf(content: bytes, *, title: str, subject: str) -> bytes:
    """The document with its objects in order of reference.

    Args:
        content: a file of svg2pdf: uncompressed objects, without object streams.
        title, subject: metadata.
    """
    objects = {int(number): body for number, body in _OBJECT.findall(content)}
    root = _ROOT.search(content)
    if root is None:
        raise ValueError("the PDF has no catalogue")
    order = _reading_order(objects, int(root[1]))
    numbers = {old: new for new, old in enumerate(order, start=1)}
    bodies = [_renumbered(objects[old], numbers) for old in order]
    bodies.append(
        b"<<\n  /Producer (svg2pdf)\n  /Title %b\n  /Subject %b\n>>"
        % (_text_string(title), _text_string(subject))
    )
    return _file(bodies)


def _reading_order(objects: dict[int, bytes], root: int) -> list[int]:
    order: dict[int, None] = {}
    waiting = [root]
    while waiting:
        number = waiting.pop()
        if number not in order:
            order[number] = None
            head = _sorted_fonts(objects[number]).partition(_STREAM)[0]
            waiting += reversed([int(reference) for reference in _REFERENCE.findall(head)])
    return list(order)


def _renumbered(body: bytes, numbers: dict[int, int]) -> bytes:
    head, stream, rest = _sorted_fonts(body).partition(_STREAM)
    head = _REFERENCE.sub(lambda reference: b"%d 0 R" % numbers[int(reference[1])], head)
    return head + stream + rest


def _sorted_fonts(body: bytes) -> bytes:
    head, stream, rest = body.partition(_STREAM)
    head = _FONTS.sub(lambda fonts: b"".join(sorted(fonts[0].splitlines(keepends=True))), head)
    return head + stream + rest


def _text_string(text: str) -> bytes:
    return b"<FEFF%b>" % text.encode("utf-16-be").hex().upper().encode()


def _file(bodies: list[bytes]) -> bytes:
    """A PDF file: the catalogue first, the metadata last."""
    content = bytearray(_HEADER)
    offsets = []
    for number, body in enumerate(bodies, start=1):
        offsets.append(len(content))
        content += b"%d 0 obj\n%b\nendobj\n\n" % (number, body)
    start = len(content)
    content += b"xref\n0 %d\n0000000000 65535 f\r\n" % (len(bodies) + 1)
    content += b"".join(b"%010d 00000 n\r\n" % offset for offset in offsets)
    trailer = b"trailer\n<<\n  /Size %d\n  /Root 1 0 R\n  /Info %d 0 R\n>>\n"
    content += trailer % (len(bodies) + 1, len(bodies)) + b"startxref\n%d\n%%%%EOF" % start
    return bytes(content)
