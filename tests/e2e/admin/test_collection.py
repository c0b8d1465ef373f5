"""A supervisor sends PDFs through the browser and takes them into the collection.

The place for files is a component of its own, and the taking in is a job beside the server: both
are seen as they are only in a browser.
"""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest
from playwright.sync_api import expect
from sqlalchemy import select

from pagetrail.app.services.pending_uploads import pending_uploads
from pagetrail.storage.database.tables import Document
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.audit import audit_entries
from tests.e2e.conftest import OpenScreen
from tests.e2e.support.screen import Watch, wait_until_drawn


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """A PDF, and a plain text file."""
    document = pymupdf.open()
    document.new_page().insert_text((72, 72), "beavers build dams")
    document.save(tmp_path / "beavers.pdf")
    (tmp_path / "notes.txt").write_text("no PDF")
    return [tmp_path / "beavers.pdf", tmp_path / "notes.txt"]


def documents(workspace: Workspace) -> list[str]:
    """The documents in the collection."""
    with workspace.engine.connect() as connection:
        return list(connection.execute(select(Document.name)).scalars())


def actions(workspace: Workspace) -> list[str]:
    """The actions in the audit log."""
    return [entry.action for entry in audit_entries(workspace)]


def test_files_are_uploaded_and_ingested_once(
    screen_of: OpenScreen, workspace: Workspace, files: list[Path], watch: Watch
) -> None:
    """The PDF waits and is taken in by one of two clicks; the other file is refused by name."""
    watch.allow(r"status of 400", r"uploads/notes\.txt")
    page = screen_of("sven", path="/administration?part=Collection").page
    expect(page.get_by_text("Drop PDF files here, or choose them")).to_be_visible()
    before = len(documents(workspace))
    page.get_by_test_id("upload-input").set_input_files(files)
    expect(page.get_by_text("1 file waiting")).to_be_visible()
    expect(page.get_by_test_id("upload-list")).to_contain_text("notes.txt is not a PDF file")
    assert [file.name for file in pending_uploads(workspace)] == ["beavers.pdf"]
    wait_until_drawn(page)
    page.get_by_role("button", name="Ingest").dblclick()
    expect(page.get_by_text("1 ingested, 0 refused")).to_be_visible()
    expect(page.get_by_text("1 file waiting")).to_have_count(0)
    assert len(documents(workspace)) == before + 1
    assert "beavers.pdf" in documents(workspace)
    assert pending_uploads(workspace) == []
    assert actions(workspace).count("document_uploaded") == 1
    assert actions(workspace).count("ingest_started") == 1
