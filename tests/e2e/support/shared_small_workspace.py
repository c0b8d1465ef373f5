"""The small workspace for tests that share a server: an account and copies of tasks for each."""

from __future__ import annotations

from pathlib import Path

import pymupdf

from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.ingest.command import ingest
from pagetrail.storage.search.store import ensure_index
from tests.e2e.support import small_workspace as small
from tests.e2e.support.reused_tab import add_person, import_copies
from tests.e2e.support.shared_server import ACCOUNTS, add_accounts

DIRECT = "Submitted without a question"
SCRIPTS = "Other scripts"
ARABIC_AND_CHINESE = "scripts.pdf"
ARABIC = "كم عدد القضاعات؟"
CHINESE = "春天有多少只水獭？"
_COPIED: dict[str, tuple[list[dict[str, str]], dict[str, bool]]] = {
    **{name: (small.rows_of(keys), settings) for name, (keys, settings) in small.CAMPAIGNS.items()},
    DIRECT: (small.rows_of(("q1", "q2")), {"direct_submit": True}),
    SCRIPTS: ([{"id": "ar", "question": ARABIC}, {"id": "zh", "question": CHINESE}], {}),
}


def build(root: Path) -> Workspace:
    """Make the workspace in ``root / "ws"``; nobody has worked."""
    workspace = small.collection(root)
    _add_scripts(workspace, root / ARABIC_AND_CHINESE)
    add_person(workspace)
    for campaign, (rows, settings) in _COPIED.items():
        guidelines = small.GUIDELINES
        import_copies(workspace, campaign, "search", settings, rows, guidelines=guidelines)
    add_accounts(workspace)
    small.import_campaigns(workspace, overlap=len(ACCOUNTS))
    return workspace


def _add_scripts(workspace: Workspace, path: Path) -> None:
    """A document with an Arabic and a Chinese page."""
    document = pymupdf.open()
    page = document.new_page(width=420, height=560)
    page.insert_text((40, 80), "otherwise", fontsize=16)
    (contents,) = page.get_contents()
    word = "وأربعون".encode("utf-16-be").hex().encode()
    original_stream = document.xref_stream(contents)
    # No font at hand gives Arabic letters as they are typed; so the PDF says what is to be read.
    tagged_stream = b"/Span <</ActualText <FEFF%b>>> BDC\n%b\nEMC\n" % (word, original_stream)
    document.update_stream(contents, tagged_stream)
    page = document.new_page(width=420, height=560)
    page.insert_text((40, 80), "萨勒河的水獭在春天有四十二只", fontname="china-s", fontsize=16)
    document.save(path)
    document.close()
    ingest(workspace, [path], ocr="never", workers=1)
    ensure_index(workspace)
