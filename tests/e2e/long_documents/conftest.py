"""A workspace with a document of 200 letter-size pages."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest

from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import add_user
from tests.e2e.support.small_workspace import CAMPAIGN, PASSWORD
from tests.support.built_once import built_once, closed
from tests.support.campaigns import add_campaign, make_collection, open_batches

LONG = "long report.pdf"
PAGES = 200


def build(root: Path) -> Workspace:
    """Make the workspace in ``root / "ws"``, with 30 tasks for alma."""
    workspace = make_collection(root, {LONG: _write})
    add_user(workspace, "alma", "annotator", PASSWORD)
    rows = [
        {"id": f"q{number}", "question": f"What is in ledger {number}?"} for number in range(30)
    ]
    add_campaign(workspace, CAMPAIGN, rows, protocol="search", batch_size=30, overlap=1, seed=3)
    open_batches(workspace, ["alma"])
    return workspace


def _write(path: Path) -> None:
    document = pymupdf.open()
    for number in range(1, PAGES + 1):
        page = document.new_page(width=612, height=792)
        page.insert_text((60, 80), f"ledger page {number}", fontsize=24)
        for line in range(40):
            page.insert_text((60, 130 + 15 * line), f"row {line} of ledger {number * line}")
        shade = (number % 10) / 10
        page.draw_rect((300, 100, 560, 740), fill=(shade, 0.8, 1 - shade))
    document.save(path)
    document.close()


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The workspace's folder, made once; each test works on a copy."""
    return built_once(tmp_path_factory, "long", closed(build)) / "ws"
