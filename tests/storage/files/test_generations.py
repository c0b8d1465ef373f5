"""The index in a bucket: built once for all servers, never seen half, replaceable if it is lost."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pagetrail.storage.database.location import DATABASE_URL
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.files.bucket import Bucket, FilesUnavailable
from pagetrail.storage.files.location import FILES_URL
from pagetrail.storage.maintenance.move_files import move_files_to_folder
from pagetrail.storage.maintenance.verify import verify
from pagetrail.storage.search import generations, store
from pagetrail.storage.search.engine import WhooshIndex
from pagetrail.storage.search.generations import current_generation
from pagetrail.storage.search.store import current_index, ensure_index, index_folders
from tests.storage.search.generated_corpus import pages, register
from tests.support.bucket import new_bucket, objects
from tests.support.function_process import exit_code_of
from tests.support.postgresql import new_database


def build_and_be_killed(root: str, stage: str) -> None:
    """Build the index; die once it is stored, or in the middle of a file."""

    def die(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def first_bytes(self: Bucket, key: str, real: Any = Bucket.parts) -> Iterator[bytes]:
        yield next(real(self, key))[:1000]
        die()

    patch = pytest.MonkeyPatch()
    if stage == "stored":
        patch.setattr(generations, "_store_name", die)
    else:
        patch.setattr(Bucket, "parts", first_bytes)
    ensure_index(Workspace.open(Path(root)))


class Servers(NamedTuple):
    """Two folders of one workspace, and their search for a word."""

    first: Workspace
    second: Workspace


@pytest.fixture
def servers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Servers:
    """With a collection of sixty pages, and no index."""
    address, files_url = new_database(), new_bucket(monkeypatch)
    monkeypatch.setenv(DATABASE_URL, address)
    first = Workspace.create(tmp_path / "first", address, files_url)
    register(first, pages(60))
    assert Workspace.join(tmp_path / "second", address)
    return Servers(first, Workspace.open(tmp_path / "second"))


def test_one_builds_and_the_other_fetches(
    servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same files; after a change the next generation takes the place of the first."""
    first, second = servers
    built = ensure_index(first)
    with monkeypatch.context() as patch:
        patch.setattr(store, "build", lambda *_: pytest.fail("built again"))
        fetched = ensure_index(second)
    assert fetched.identity == built.identity and fetched.folder.parent == second.index_dir
    assert _bytes(fetched.folder) == _bytes(built.folder)
    query = pages(60)[0][3].split()[0]
    results = [WhooshIndex(i.folder, i.identity).search(query, 5).results for i in (built, fetched)]
    assert results[0] and results[0] == results[1]

    register(second, pages(61), revision=2)
    later = ensure_index(second)
    with monkeypatch.context() as patch:
        patch.setattr(store, "build", lambda *_: pytest.fail("built again"))
        assert ensure_index(first).identity == later.identity != built.identity
    assert [folder.name for folder in index_folders(first)] == [later.identity]
    (archive,) = _archives()
    present = current_generation(first)
    assert present is not None and archive.endswith(present.key)
    assert [path.name for path in first.index_dir.glob(".*")] == [".lock"]


def test_servers_that_are_killed(servers: Servers, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who builds, before the database names what it has stored; and who fetches."""
    first, second = servers
    _killed(second, "stored")
    assert current_generation(first) is None and len(_archives()) == 1
    stored = ensure_index(first)
    present = current_generation(second)
    assert present is not None and present.identity == stored.identity
    assert [name.rpartition("/")[2] for name in _archives()] == [f"{present.sha256}.tar"]
    assert current_index(second) is not None  # its own, which was complete

    register(first, pages(60), revision=2)
    shutil.rmtree(second.index_dir)
    ensure_index(first)
    _killed(second, "fetching")
    assert index_folders(second) == [] and current_index(second) is None
    monkeypatch.setattr(store, "build", lambda *_: pytest.fail("built again"))
    ensure_index(second)
    assert [path.name for path in second.index_dir.glob(".*")] == [".lock"]


def test_a_generation_that_cannot_be_had(servers: Servers, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other server builds its own, and mends the bucket if that answers."""
    first, second = servers
    built = ensure_index(first)
    for damage in ("away", "changed", "missing"):
        (archive,) = _archives()
        if damage == "changed":
            objects().pipe_file(archive, b"x" * 100)
        elif damage == "missing":
            objects().rm(archive)
        assert damage == "away" or "pagetrail index --force" in _bucket_problems(first)
        with monkeypatch.context() as patch:
            if damage == "away":
                patch.setattr(Bucket, "_call", _fail)
            stored = ensure_index(second)
        assert stored.identity == built.identity and _bytes(stored.folder)
        assert "index" not in _bucket_problems(first)
        shutil.rmtree(stored.folder)


def test_back_in_the_folder(servers: Servers, monkeypatch: pytest.MonkeyPatch) -> None:
    """The generation is forgotten with the bucket."""
    first, _ = servers
    ensure_index(first)
    assert current_generation(first) is not None
    with monkeypatch.context() as patch:
        patch.setattr("pagetrail.storage.maintenance.move_files._hashes", lambda _: [])
        move_files_to_folder(first)
    home = Workspace.open(first.root)
    assert home.files is None and home.meta("index_generation") is None
    assert current_index(home) is not None


def _archives() -> list[str]:
    return list(objects().find(f"{os.environ[FILES_URL]}/index"))


def _bytes(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def _bucket_problems(workspace: Workspace) -> str:
    """What is wrong in the bucket; the made-up documents have no files."""
    (check,) = (check for check in verify(workspace) if check.name == "bucket")
    return " ".join(problem for problem in check.problems if "corpus/" not in problem)


def _killed(workspace: Workspace, stage: str) -> None:
    assert exit_code_of(build_and_be_killed, workspace.root, stage) == -signal.SIGKILL


def _fail(*_: object, **__: object) -> None:
    raise FilesUnavailable("away")
