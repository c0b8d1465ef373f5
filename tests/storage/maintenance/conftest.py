"""A workspace with work in it and a file for each document."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagetrail.storage.database.workspace import Workspace
from tests.support.factory import DOCUMENTS, make_workspace, record_attempts


@pytest.fixture
def annotated(tmp_path: Path) -> Workspace:
    """The made-up documents' hashes are those of their names, so their files hold their names."""
    workspace = make_workspace(tmp_path / "annotated")
    record_attempts(workspace)
    for name in DOCUMENTS:
        file_of(workspace, name).write_text(name, encoding="utf-8")
    return workspace


def file_of(workspace: Workspace, name: str) -> Path:
    """A document's file."""
    with workspace.engine.connect() as connection:
        sha256 = connection.exec_driver_sql(
            "SELECT sha256 FROM document WHERE name = ?", (name,)
        ).scalar_one()
    return workspace.corpus_dir / f"{sha256}.pdf"
