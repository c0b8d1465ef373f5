"""``pagetrail files``, and what becomes of exports where files are in a bucket."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from zipfile import ZipFile

import pytest
from typer.testing import CliRunner

from pagetrail.annotation.errors import CorpusError, NotFoundError
from pagetrail.app.cli.main import app
from pagetrail.app.jobs.progress import JobProgress
from pagetrail.app.jobs.requests import ExportRequest
from pagetrail.app.jobs.worker import export_formats
from pagetrail.exports.run import export
from pagetrail.exports.writing.export_list import finished_exports
from pagetrail.exports.writing.stored_exports import (
    all_finished,
    remove_export,
    store_export,
    write_zip,
)
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.files.bucket import Bucket, FilesUnavailable
from pagetrail.storage.files.location import FILES_URL
from pagetrail.storage.maintenance.verify import verify
from tests.storage.maintenance.conftest import file_of
from tests.support.bucket import new_bucket, objects
from tests.support.factory import DOCUMENTS, make_workspace, record_attempts


@pytest.fixture
def exported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """A workspace with its files in its folder, and an export; the environment has a bucket."""
    workspace = make_workspace(tmp_path / "ws")
    record_attempts(workspace)
    for name in DOCUMENTS:
        file_of(workspace, name).write_text(name, encoding="utf-8")
    export(workspace, "Otters", "gold", workspace.exports_dir / "Otters-gold")
    new_bucket(monkeypatch)
    return workspace


def test_files_move_to_the_bucket_and_back(
    exported: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exports go along: archives there, listed on every server, and folders again at home."""
    folder = exported.exports_dir / "Otters-gold"
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    before = finished_exports(exported.exports_dir)
    assert "2 documents are in s3://" in _run("files", exported.root, "--to", os.environ[FILES_URL])
    assert not folder.exists()
    moved = Workspace.open(exported.root)
    assert all_finished(moved) == before and finished_exports(moved.exports_dir) == []
    assert all(check.ok for check in verify(moved) if check.name == "bucket")
    # The same again finds nothing to do.
    assert "2 documents are in" in _run("files", exported.root, "--to", os.environ[FILES_URL])

    assert "has all 2 documents" in _run("files", exported.root, "--to", "folder")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == files
    monkeypatch.delenv(FILES_URL)
    assert [e.name for e in all_finished(Workspace.open(exported.root))] == ["Otters-gold"]


def test_what_a_server_exports(
    exported: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is in the bucket before it is called written; again, damaged, away, and deleted."""
    _run("files", exported.root, "--to", os.environ[FILES_URL])
    workspace = Workspace.open(exported.root)
    state, message, _ = _job(workspace, ("trajectories", "Otters-trajectories"))
    assert (state, message) == ("done", "Written: trajectories.")
    assert list(workspace.exports_dir.iterdir()) == []
    assert {e.name for e in all_finished(workspace)} == {"Otters-gold", "Otters-trajectories"}
    write_zip(workspace, "Otters-trajectories", tmp_path / "a.zip")
    with ZipFile(tmp_path / "a.zip") as packed:
        assert "Otters-trajectories/manifest.json" in packed.namelist()
    for attempt_number in range(2):  # the same bytes, then others of the same name
        if attempt_number:
            remove_export(workspace, "Otters-trajectories")
        _job(workspace, ("gold", "Otters-gold"))
    assert len(_archives()) == 1

    with monkeypatch.context() as patch:
        patch.setattr(Bucket, "upload", disconnect)
        state, message, _ = _job(workspace, ("trajectories", "Otters-trajectories"))
    assert state == "failed" and "on this server only: away" in message
    assert {e.name for e in all_finished(workspace)} == {"Otters-gold", "Otters-trajectories"}
    write_zip(workspace, "Otters-trajectories", tmp_path / "b.zip")
    store_export(workspace, "Otters-trajectories")
    assert len(_archives()) == 2

    for archive in _archives():
        objects().pipe_file(archive, b"x")
    with pytest.raises(CorpusError, match="another hash"):
        write_zip(workspace, "Otters-gold", tmp_path / "c.zip")
    assert not (tmp_path / "c.zip").exists()
    (check,) = (check for check in verify(workspace) if check.name == "bucket")
    assert len(check.problems) == 2 and "An export" in check.problems[0]
    for name in ("Otters-gold", "Otters-trajectories"):
        remove_export(workspace, name)
    assert all_finished(workspace) == [] and _archives() == []
    with pytest.raises(NotFoundError):
        remove_export(workspace, "Otters-gold")
    with pytest.raises(NotFoundError):
        write_zip(workspace, "Otters-gold", tmp_path / "d.zip")


def _run(*args: object) -> str:
    result = CliRunner().invoke(app, [*map(str, args)])
    if result.exception is not None:
        raise result.exception
    return " ".join(result.output.split())


def _job(workspace: Workspace, *formats: tuple[str, str]) -> tuple[str, str, Mapping[str, Any]]:
    order = ExportRequest(campaign="Otters", formats=formats, identify=False, dpi=40)
    teller = cast(JobProgress, SimpleNamespace(update=lambda *_: None))
    return export_formats(workspace, order, teller)


def _archives() -> list[str]:
    return list(objects().find(f"{os.environ[FILES_URL]}/exports"))


def disconnect(*_: object) -> None:
    raise FilesUnavailable("away")
