"""Uploads where files are in a bucket: any server ingests or discards what another one took."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from pagetrail.annotation.errors import ConflictError
from pagetrail.app.cli.workspaces.files import files as files_command
from pagetrail.app.jobs.progress import JobProgress
from pagetrail.app.jobs.requests import IngestRequest
from pagetrail.app.jobs.worker import ingest_uploads
from pagetrail.app.services.pending_uploads import (
    discard,
    pending_uploads,
    receive,
    remove_leftovers,
)
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.files.bucket import Bucket, FilesUnavailable
from pagetrail.storage.files.location import FILES_URL
from pagetrail.storage.maintenance.verify import verify
from tests.storage.pdfs import make_pdf
from tests.support.bucket import new_bucket, objects


def test_one_server_receives_and_another_ingests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What waits is in the bucket and the database, or was refused; afterwards nothing is left."""
    first = Workspace.create(tmp_path / "first", None, new_bucket(monkeypatch))
    second = replace(first, root=tmp_path / "second")
    for folder in (second.corpus_dir, second.index_dir):
        folder.mkdir(parents=True)
    for name in "ab":
        _upload(first, make_pdf(tmp_path / f"{name}.pdf", [name]))
    with monkeypatch.context() as patch, pytest.raises(FilesUnavailable):
        patch.setattr(Bucket, "upload", disconnect)
        _upload(first, tmp_path / "a.pdf")
    assert len(list((first.root / "uploads").iterdir())) == 2
    assert [file.name for file in pending_uploads(second)] == ["a.pdf", "b.pdf"]
    assert all(check.ok for check in verify(first) if check.name == "bucket")
    with pytest.raises(ConflictError, match="2 uploaded files"):
        files_command(first.root, "folder")

    upload = pending_uploads(second)[0]
    order = IngestRequest(paths=(str(upload.path),), ocr="never")
    state, message, _ = ingest_uploads(second, order, _teller())
    assert (state, message) == ("done", "1 ingested, 0 already exist, 0 refused.")
    assert list(Corpus(first).names()) == ["a.pdf"]
    assert [file.name for file in pending_uploads(first)] == ["b.pdf"] and len(_objects()) == 1
    remove_leftovers(second)
    remove_leftovers(first)
    assert len(list((first.root / "uploads").iterdir())) == 1
    assert list((second.root / "uploads").iterdir()) == []

    assert discard(second) == 1
    assert pending_uploads(first) == [] and _objects() == []
    remove_leftovers(first)
    assert list((first.root / "uploads").iterdir()) == []


def _upload(workspace: Workspace, pdf: Path) -> None:
    with receive(workspace, pdf.name) as upload:
        upload.write(pdf.read_bytes())
        upload.finish()


def _teller() -> JobProgress:
    return cast(JobProgress, SimpleNamespace(update=lambda *_: None))


def _objects() -> list[Any]:
    return list(objects().find(f"{os.environ[FILES_URL]}/uploads"))


def disconnect(*_: object) -> None:
    raise FilesUnavailable("away")
