"""Documents in a bucket: whole or not there, whoever is killed, and the same in every folder."""

from __future__ import annotations

import hashlib
import os
import signal
import socket
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from s3fs import S3FileSystem
from sqlalchemy import select

from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.errors import Busy, ConflictError, CorpusError, WorkspaceError
from pagetrail.storage.corpus import local_files
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.corpus.local_files import corpus_key, local_pdf, pdf_path
from pagetrail.storage.corpus.page_images import PageImages
from pagetrail.storage.corpus.page_workers import PageWorkers
from pagetrail.storage.database.location import address_wanted
from pagetrail.storage.database.tables import Document
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.files import bucket as module
from pagetrail.storage.files.bucket import Bucket, FilesUnavailable
from pagetrail.storage.files.location import FILES_URL
from pagetrail.storage.ingest.command import ingest
from pagetrail.storage.ingest.exclusive import exclusive_ingest
from pagetrail.storage.ingest.report import Ingested
from pagetrail.storage.maintenance.backup import back_up
from pagetrail.storage.maintenance.health import Health
from pagetrail.storage.maintenance.move_files import move_files_to_bucket, move_files_to_folder
from pagetrail.storage.maintenance.restore import restore
from pagetrail.storage.maintenance.serve_lock import server_lock
from pagetrail.storage.maintenance.shared_hold import epoch_of
from pagetrail.storage.maintenance.verify import verify
from tests.storage.pdfs import make_pdf
from tests.support.bucket import new_bucket, objects
from tests.support.function_process import exit_code_of
from tests.support.postgresql import new_database


def ingest_and_be_killed(root: str, file: str) -> None:
    """Die once the file is in the bucket."""
    real = Bucket.upload

    def upload_and_die(self: Bucket, path: Path, key: str) -> None:
        real(self, path, key)
        os.kill(os.getpid(), signal.SIGKILL)

    pytest.MonkeyPatch().setattr(Bucket, "upload", upload_and_die)
    ingest(Workspace.open(Path(root)), [Path(file)], ocr="never", workers=1)


def transfer_and_be_killed(address: str, path: str, sha256: str, request: str) -> None:
    """Die before the second request of this name."""
    real, requests = S3FileSystem._call_s3, list[str]()

    def call_or_die(self: Any, method: str, *arguments: Any, **options: Any) -> Any:
        requests.append(method)
        if requests.count(request) == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(self, method, *arguments, **options)

    pytest.MonkeyPatch().setattr(S3FileSystem, "_call_s3", call_or_die)
    bucket = Bucket(address, "w")
    if request == "upload_part":
        bucket.upload(Path(path), "big")
    else:
        bucket.fetch("big", sha256, Path(path))


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """A workspace whose files are in a bucket, with one document of two pages."""
    workspace = Workspace.create(tmp_path / "ws", address_wanted(), new_bucket(monkeypatch))
    _ingest(workspace, make_pdf(tmp_path / "in" / "a.pdf", ["alpha", "beta"]))
    return workspace


def test_what_one_server_ingests_another_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two folders, one database, one bucket: the second joins, and fetches what it shows."""
    address, files_url = new_database(), new_bucket(monkeypatch)
    monkeypatch.setenv("PAGETRAIL_DATABASE_URL", address)
    assert not Workspace.join(tmp_path / "second", address)
    first = Workspace.create(tmp_path / "first", address, files_url)
    pdf = make_pdf(tmp_path / "a.pdf", ["alpha"])
    assert Workspace.join(tmp_path / "second", address)
    assert not Workspace.join(tmp_path / "second", address)
    second = Workspace.open(tmp_path / "second")
    with server_lock(first, "a server"), server_lock(second, "a server with another folder"):
        assert epoch_of(first) == epoch_of(second)
        _ingest(first, pdf)
        with exclusive_ingest(first), pytest.raises(ConflictError, match="Another ingest"):
            _ingest(second, pdf)
        sha256 = hashlib.sha256(pdf.read_bytes()).hexdigest()
        assert not pdf_path(second, sha256).exists()
        images = PageImages(second, workers=PageWorkers(second.cache_dir, size=1))
        try:
            assert images.jpeg(sha256, 1, 40)[:2] == b"\xff\xd8"
        finally:
            images.workers.pool.close()
        assert pdf_path(second, sha256).read_bytes() == pdf.read_bytes()
        assert [path.name for path in second.corpus_dir.iterdir()] == [f"{sha256}.pdf"]
        # What has been drawn needs neither the file nor the bucket.
        pdf_path(second, sha256).unlink()
        monkeypatch.setattr(Bucket, "parts", lambda *_: pytest.fail("fetched again"))
        assert images.jpeg(sha256, 1, 40)


def test_a_bucket_that_is_down(stored: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is called ingested, what the folder has is read, the rest says why; then it works."""
    path = _only_file(stored)
    endpoint = os.environ["AWS_ENDPOINT_URL"]
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    down = Workspace.open(stored.root)
    new = make_pdf(stored.root.parent / "in" / "b.pdf", ["gamma"])
    report = ingest(down, [new], ocr="never", workers=1)
    assert "does not answer" in report.failed[0].reason and not report.ingested
    assert _names(down) == ["a.pdf"] and list(down.corpus_dir.iterdir()) == [path]
    assert local_pdf(down, path.stem) == path
    copy = path.read_bytes()
    path.unlink()
    started = time.monotonic()
    for _ in range(20):  # at once, after the first
        with pytest.raises(FilesUnavailable, match="does not answer"):
            local_pdf(down, path.stem)
    assert time.monotonic() - started < 20
    assert "does not answer" in (Health(down).files_problem() or "")
    assert Health(down).numbers()["bucket_up"] == 0
    assert [check.name for check in verify(down) if not check.ok][:1] == ["bucket"]
    assert list(down.corpus_dir.iterdir()) == []

    monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint)
    up = Workspace.open(stored.root)
    assert Health(up).files_problem() is None and Health(up).numbers()["bucket_up"] == 1
    assert local_pdf(up, path.stem).read_bytes() == copy
    assert [entry.document for entry in _ingest(up, new)] == ["b.pdf"]


def test_a_bucket_that_takes_calls_and_never_answers(
    stored: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever asks is told in time, and the next one at once."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{port}")
        monkeypatch.setattr(module, "_CHECK_LIMIT_S", 0.2)
        hanging = Workspace.open(stored.root)
        assert "does not answer in time" in (Health(hanging).files_problem() or "")
        path = _only_file(stored)
        path.unlink()
        with pytest.raises(FilesUnavailable, match="in time"):
            local_pdf(hanging, path.stem)


def test_an_object_that_is_not_what_was_stored(
    stored: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Missing or changed: refused, no file is left, and ``verify`` names it."""
    path = _only_file(stored)
    content = path.read_bytes()
    path.unlink()
    key = f"{os.environ[FILES_URL]}/{corpus_key(path.stem)}"
    objects().pipe_file(key, content + b"!")
    with pytest.raises(CorpusError, match="another hash"):
        local_pdf(stored, path.stem)
    assert "is not what was stored" in _problems(stored)["bucket"]
    objects().rm(key)
    with pytest.raises(CorpusError, match="missing"):
        local_pdf(stored, path.stem)
    assert "a.pdf" in _problems(stored)["bucket"] and "missing" in _problems(stored)["bucket"]
    assert list(stored.corpus_dir.iterdir()) == []
    objects().pipe_file(key, content)
    objects().pipe_file(key.replace(path.stem, "0" * 64), b"")
    assert "nothing that the database names" in _problems(stored)["bucket"]
    path.write_bytes(b"damaged")
    assert "not what was ingested" in _problems(stored)["documents"]


def test_whoever_waits_for_a_page_does_not_wait_for_ever(
    stored: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The document is fetched once for all who want it, and goes on coming when they are told."""
    path = _only_file(stored)
    path.unlink()
    go_on, real, fetched = threading.Event(), Bucket.fetch, []

    def slow(*args: object) -> None:
        fetched.append(args)
        go_on.wait(60)
        real(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(Bucket, "fetch", slow)
    for _ in range(2):
        with pytest.raises(Busy, match="being fetched"):
            local_pdf(stored, path.stem, wait_s=0.01)
    go_on.set()
    assert local_pdf(stored, path.stem).exists()
    assert len(fetched) == 1
    left = path.with_name(f".{path.name}.1-1{module.UNFINISHED}")
    left.touch()
    os.utime(left, (0, 0))
    path.unlink()
    assert local_pdf(stored, path.stem).exists() and not left.exists()
    assert not local_files._downloads


def test_killed_between_bucket_and_database(stored: Workspace, tmp_path: Path) -> None:
    """The document is not there for anybody; ingesting it again is all it takes."""
    new = make_pdf(tmp_path / "in" / "b.pdf", ["gamma"])
    assert exit_code_of(ingest_and_be_killed, stored.root, new) == -signal.SIGKILL
    assert _names(stored) == ["a.pdf"]
    assert [entry.document for entry in _ingest(stored, new)] == ["b.pdf"]
    assert all(check.ok for check in verify(stored) if check.name in ("documents", "bucket"))


def test_killed_in_the_middle_of_a_transfer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither end has half a file."""
    address = new_bucket(monkeypatch)
    bucket = Bucket(address, "w")
    bucket.claim()
    big = tmp_path / "big"
    big.write_bytes(os.urandom(20 << 20))
    sha256 = hashlib.sha256(big.read_bytes()).hexdigest()
    killed = exit_code_of(transfer_and_be_killed, address, big, sha256, "upload_part")
    assert killed == -signal.SIGKILL
    assert bucket.keys("big") == {}
    bucket.upload(big, "big")
    assert bucket.keys("big") == {"big": 20 << 20}

    folder = tmp_path / "target"
    killed = exit_code_of(transfer_and_be_killed, address, folder / "copy", sha256, "get_object")
    assert killed == -signal.SIGKILL
    left = list(folder.iterdir())
    assert [path.suffix for path in left] == [module.UNFINISHED] and left[0].stat().st_size
    bucket.fetch("big", sha256, folder / "copy")
    assert (folder / "copy").read_bytes() == big.read_bytes()
    bucket.remove("big")
    bucket.remove("big")
    assert bucket.keys("big") == {}


def test_there_and_back_without_a_loss(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Moved into a bucket, backed up from there, and home again."""
    workspace = Workspace.create(tmp_path / "ws")
    pdfs = [make_pdf(tmp_path / "in" / f"{name}.pdf", [name]) for name in "ab"]
    _ingest(workspace, *pdfs)
    files = {path.name: path.read_bytes() for path in workspace.corpus_dir.iterdir()}
    address = new_bucket(monkeypatch)
    with monkeypatch.context() as patch, pytest.raises(FilesUnavailable):
        patch.setattr(Bucket, "upload", _fails_after_one())
        move_files_to_bucket(workspace, address)
    assert Workspace.open(workspace.root).files is None
    progress: list[tuple[int, int]] = []
    assert move_files_to_bucket(workspace, address, lambda *n: progress.append(n)) == 2
    assert progress == [(1, 2), (2, 2)]

    moved = Workspace.open(workspace.root)
    with pytest.raises(WorkspaceError, match="in another bucket"):
        move_files_to_bucket(moved, f"{address}2")
    for path in moved.corpus_dir.iterdir():
        path.unlink()
    back_up(moved, tmp_path / "backup.tar", SystemClock())
    assert {path.name: path.read_bytes() for path in moved.corpus_dir.iterdir()} == files
    restore(tmp_path / "backup.tar", tmp_path / "restored", SystemClock())
    restored = Workspace.open(tmp_path / "restored")
    assert restored.files is None
    assert {path.name: path.read_bytes() for path in restored.corpus_dir.iterdir()} == files
    with pytest.raises(WorkspaceError, match="files of another workspace"):
        Workspace.create(tmp_path / "other", None, address)
    assert not (tmp_path / "other").exists()
    monkeypatch.delenv(FILES_URL)
    with pytest.raises(WorkspaceError, match=FILES_URL):
        Workspace.open(workspace.root)

    next(moved.corpus_dir.iterdir()).unlink()
    assert move_files_to_folder(moved) == 2
    home = Workspace.open(workspace.root)
    assert home.files is None
    assert {path.name: path.read_bytes() for path in home.corpus_dir.iterdir()} == files
    with pytest.raises(WorkspaceError, match="in its folder already"):
        move_files_to_folder(home)


@pytest.mark.parametrize("address", ["bucket", "s3://", "s3://key:secret@bucket", "http://x/y"])
def test_an_address_that_is_none(address: str) -> None:
    """Refused with what it should be; a password is not repeated."""
    with pytest.raises(WorkspaceError, match="s3://bucket/prefix") as refused:
        Bucket(address, "w")
    assert "secret" not in refused.value.message.replace("SECRET", "")


def test_a_bucket_that_does_not_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    new_bucket(monkeypatch)
    with pytest.raises(WorkspaceError, match="Make it"):
        Bucket("s3://bucket-none/ws", "w").claim()


def _ingest(workspace: Workspace, *paths: Path) -> list[Ingested]:
    report = ingest(workspace, paths, ocr="never", workers=1)
    assert not report.failed
    return list(report.ingested)


def _names(workspace: Workspace) -> list[str]:
    with workspace.engine.connect() as connection:
        return list(connection.execute(select(Document.name)).scalars())


def _only_file(workspace: Workspace) -> Path:
    (path,) = workspace.corpus_dir.iterdir()
    assert Corpus(workspace).document_by_hash(path.stem) is not None
    return path


def _problems(workspace: Workspace) -> dict[str, str]:
    return {check.name: " ".join(check.problems) for check in verify(workspace)}


def _fails_after_one() -> object:
    real = Bucket.upload
    uploaded: list[str] = []

    def upload(self: Bucket, path: Path, key: str) -> None:
        if uploaded:
            raise FilesUnavailable("gone")
        uploaded.append(key)
        real(self, path, key)

    return upload
