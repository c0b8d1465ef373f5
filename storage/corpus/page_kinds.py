"""Pages whose text layer is not what they show: stamped scans, blank pages, notices, covers."""

from __future__ import annotations

from typing import Any

import pymupdf

from pagetrail.storage.corpus.page_values import BLANK, COVER, NOTICE, PARTIAL

MAX_STAMP_CHARACTERS = 400
"""Longer text layers are not examined: 400 characters are four full lines."""

MAX_STAMP_SHARE = 0.02
"""Share of the page that stamps, page numbers and court headers cover at most. The header of a
federal court covers 0.010; titles on photographs that fill a page cover 0.035 and more."""

MIN_SCAN_SHARE = 0.8
"""Share of the page that a scan covers at least, as one image or in strips: scanners leave out
margins. Charts and photographs in pages with text cover less."""

_GRID = 24
_INVISIBLE = 3  # rendering mode of the text that OCR puts under a scan
_NOTICE = "if this message is not eventually replaced"
_XFA_NOTICE = "please wait"


def page_kind(page: Any, text: str) -> str:
    """``PARTIAL``, ``BLANK``, or "" for any other page.

    Args:
        text: of its text layer.
    """
    if len(text.strip()) > MAX_STAMP_CHARACTERS:
        return ""
    if not text.strip():
        return BLANK if _is_blank(page) else ""
    frame = (page.rect * page.derotation_matrix).normalize()
    images = [pymupdf.Rect(image["bbox"]) for image in page.get_image_info()]
    if not images or _covered_share(frame, images) < MIN_SCAN_SHARE:
        return ""
    words = [pymupdf.Rect(word[:4]) & frame for word in page.get_text("words")]
    if sum(word.get_area() for word in words) > MAX_STAMP_SHARE * frame.get_area():
        return ""
    # A text layer under the image is a recognised one, and complete, however short.
    is_recognised = any(span["type"] == _INVISIBLE for span in page.get_texttrace())
    return "" if is_recognised else PARTIAL


def first_page_kind(document: Any, text: str) -> str:
    """``NOTICE`` or ``COVER`` if the document's first page is one; "" otherwise.

    A form that also has ordinary pages (static XFA) shows these, so it has no notice.
    """
    catalog = document.pdf_catalog()
    if document.xref_get_key(catalog, "Collection")[0] != "null":
        return COVER
    words = " ".join(text.lower().split())
    is_dynamic = document.xref_get_key(catalog, "NeedsRendering")[1] == "true"
    is_xfa = document.xref_get_key(catalog, "AcroForm/XFA")[0] != "null"
    is_short = len(document) == 1
    if _NOTICE in words or (is_xfa and (is_dynamic or (is_short and _XFA_NOTICE in words))):
        return NOTICE
    return ""


def _covered_share(frame: Any, boxes: list[Any]) -> float:
    """Share of a frame's points, on a grid, that are in one of the boxes."""
    steps = [(step + 0.5) / _GRID for step in range(_GRID)]
    points = [
        (frame.x0 + across * frame.width, frame.y0 + down * frame.height)
        for across in steps
        for down in steps
    ]
    covered = sum(
        any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in boxes) for x, y in points
    )
    return covered / len(points)


def _is_blank(page: Any) -> bool:
    """Whether nothing is drawn on the page, annotations included."""
    drawn = pymupdf.mupdf.FzRect()
    device = pymupdf.mupdf.fz_new_bbox_device(drawn)
    pymupdf.mupdf.fz_run_page(page.this, device, pymupdf.mupdf.FzMatrix(), pymupdf.mupdf.FzCookie())
    pymupdf.mupdf.fz_close_device(device)
    return bool(pymupdf.mupdf.fz_is_empty_rect(drawn))
