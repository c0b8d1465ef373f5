"""A workspace for drawing boxes: turned and cropped pages, and campaigns with and without rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pymupdf

from pagetrail.storage.database.workspace import Workspace
from tests.e2e.support.reused_tab import COPIES, add_person, import_copies
from tests.e2e.support.shared_server import ACCOUNTS, add_accounts
from tests.support.campaigns import add_campaign, make_collection

MARKS = "marks.pdf"
DENSE = "dense.pdf"
SCAN, SCANS = "scan.pdf", "Scans"
"""A page without text, and its campaign."""

DRAWING = "Drawing"
GRADING = "Grading"
FIXED = "Fixed"
MANY_BOXES = "Many"

PLAIN, TURNED, WIDE = 1, 2, 3
SIZES = {PLAIN: (420.0, 560.0), TURNED: (450.0, 340.0), WIDE: (700.0, 300.0)}
"""Points of each page as displayed."""

CROP = pymupdf.Rect(30, 60, 370, 510)
RED = (200.0, 250.0, 300.0, 290.0)
"""The red block of the turned page, in the paper's own points."""

N_MANY = 150
FEW_COPIES = 3
"""Copies of tasks that one or two tests open."""


def build(root: Path) -> Workspace:
    """Make the workspace in ``root / "ws"``; nobody has worked."""
    workspace = make_collection(root, {MARKS: _marks, DENSE: _dense, SCAN: _scan})
    pages = [{"document": MARKS, "page": number} for number in SIZES]
    tasks: list[tuple[str, str, dict[str, Any], dict[str, Any]]] = [
        (
            DRAWING,
            "verify",
            {"boxes.fill": False},
            {"candidates": pages, "elements": [_given_element(WIDE)]},
        ),
        (GRADING, "relevance", {"boxes.max_per_page": 2}, {"candidates": pages}),
        (
            FIXED,
            "verify",
            {"boxes.add": False},
            {"candidates": pages, "elements": [_given_element(PLAIN)]},
        ),
        (
            MANY_BOXES,
            "verify",
            {},
            {"candidates": [_page_ref(DENSE, 1)], "elements": _many_elements()},
        ),
        (SCANS, "relevance", {}, {"candidates": [_page_ref(SCAN, 1)]}),
    ]
    add_person(workspace)
    for campaign, protocol, settings, record in tasks:
        count = COPIES if campaign == DRAWING else FEW_COPIES
        import_copies(workspace, campaign, protocol, settings, [_task(record)], count)
    add_accounts(workspace)
    for campaign, protocol, settings, record in tasks:
        add_campaign(
            workspace,
            campaign,
            [_task(record)],
            protocol=protocol,
            settings=settings,
            overlap=len(ACCOUNTS),
            seed=3,
        )
    return workspace


def _task(record: dict[str, Any]) -> dict[str, Any]:
    return {"id": "t1", "question": "Where does it say so?", **record}


def _page_ref(document: str, page: int) -> dict[str, Any]:
    return {"document": document, "page": page}


def _given_element(page: int) -> dict[str, Any]:
    return {
        "id": "given-1",
        "rect": [100, 100, 200, 150],
        "label": "Text",
        "content": "given",
        "order": 1,
        **_page_ref(MARKS, page),
    }


def _many_elements() -> list[dict[str, Any]]:
    return [
        {
            "id": f"line-{n}",
            "rect": [
                *(20 + 130 * (n % 3), 10 + 10.5 * (n // 3)),
                *(140 + 130 * (n % 3), 19 + 10.5 * (n // 3)),
            ],
            "label": ("Text", "Table", "Picture")[n % 3],
            "order": n + 1,
            **_page_ref(DENSE, 1),
        }
        for n in range(N_MANY)
    ]


def _marks(path: Path) -> None:
    document = pymupdf.open()
    plain = document.new_page(width=420, height=560)
    for line, text in enumerate(("first otters swim here", "second herons stand there")):
        plain.insert_text((100, 100 + 20 * line), text, fontsize=12)
    turned = document.new_page(width=400, height=600)
    turned.draw_rect(pymupdf.Rect(RED), color=(1, 0, 0), fill=(1, 0, 0), width=0)
    turned.insert_text((60, 120), "sideways otters", fontsize=12)
    turned.set_cropbox(CROP)
    turned.set_rotation(90)
    wide = document.new_page(width=700, height=300)
    wide.insert_text((100, 130), "wide paper", fontsize=14)
    document.save(path)
    document.close()


def _dense(path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page(width=420, height=560)
    for n in range(N_MANY):
        page.insert_text((22 + 130 * (n % 3), 17 + 10.5 * (n // 3)), f"entry {n}", fontsize=7)
    document.save(path)
    document.close()


def _scan(path: Path) -> None:
    """A page that is only an image of its text."""
    original = pymupdf.open()
    page = original.new_page(width=420, height=560)
    page.insert_text((100, 100), "scanned otters", fontsize=12)
    scan = pymupdf.open()
    scan.new_page(width=420, height=560).insert_image(page.rect, pixmap=page.get_pixmap(dpi=100))
    scan.save(path)
    scan.close()
    original.close()
