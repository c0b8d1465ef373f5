"""Backups: complete, as of one moment, checked when restored, never half there."""

from __future__ import annotations

import hashlib
import io
import json
import os
import signal
import tarfile
from pathlib import Path
from threading import Event, Thread

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.errors import InputFileError, WorkspaceError
from pagetrail.storage.database.location import DATABASE_NAME
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.maintenance.archive import MANIFEST
from pagetrail.storage.maintenance.backup import back_up
from pagetrail.storage.maintenance.restore import restore
from pagetrail.storage.maintenance.scratch import abandoned_folders, scratch_folder
from pagetrail.storage.maintenance.serve_lock import serve_lock
from pagetrail.storage.maintenance.verify import verify
from tests.storage.maintenance.conftest import file_of
from tests.support.factory import driver
from tests.support.function_process import exit_code_of

CLOCK = SystemClock()


def rows(workspace: Workspace, sql: str = "SELECT * FROM event ORDER BY id") -> list[object]:
    """What the database answers."""
    with workspace.engine.connect() as connection:
        return [tuple(row) for row in connection.exec_driver_sql(sql)]


@pytest.fixture
def backup(annotated: Workspace, tmp_path: Path) -> Path:
    """A good backup."""
    file = tmp_path / "backup.tar"
    back_up(annotated, file, CLOCK)
    return file


def test_what_was_backed_up_comes_back(annotated: Workspace, backup: Path, tmp_path: Path) -> None:
    """Every event, every stored state and every file; nothing that can be made again."""
    manifest = restore(backup, tmp_path / "again", CLOCK)
    restored = Workspace.open(tmp_path / "again")
    for table in ("event", "attempt_state", "document", "user_account", "task", "meta"):
        assert rows(restored, f"SELECT * FROM {table}") == rows(annotated, f"SELECT * FROM {table}")
    assert manifest.events == len(rows(annotated)) > 20
    assert sorted(p.name for p in restored.corpus_dir.iterdir()) == sorted(
        p.name for p in annotated.corpus_dir.iterdir()
    )
    assert [check.problems for check in verify(restored)][:3] == [[], [], []]
    assert backup.stat().st_mode & 0o077 == 0


def test_its_folder_is_made(annotated: Workspace, tmp_path: Path) -> None:
    """As in the documented example, whose folder nobody has made before the first backup."""
    file = tmp_path / "backups" / "2026-03-01.tar"
    back_up(annotated, file, CLOCK)
    assert list(file.parent.iterdir()) == [file]


def test_people_work_on_while_it_is_made(annotated: Workspace, tmp_path: Path) -> None:
    """The backup is of one moment: a prefix of the log that ends with a whole transaction."""
    stop, confirmed = Event(), []
    attempt = driver(annotated, "4-Ada")
    attempt.do(ev.Opened(session="tab-1"))

    def annotate() -> None:
        while not stop.is_set():
            attempt.do(ev.NoteEdited(text=f"note {len(confirmed)}"), after_s=1)
            confirmed.append(1)

    thread = Thread(target=annotate)
    thread.start()
    try:
        for number in range(5):
            before = len(rows(annotated))
            manifest = back_up(annotated, tmp_path / f"{number}.tar", CLOCK)
            assert manifest.events >= before
    finally:
        stop.set()
        thread.join()
    for number in range(5):
        restore(tmp_path / f"{number}.tar", tmp_path / f"ws{number}", CLOCK)
        restored = Workspace.open(tmp_path / f"ws{number}")
        stored = rows(restored)
        assert stored == rows(annotated)[: len(stored)]
        assert verify(restored)[1].problems == []


def test_a_target_that_exists_is_left_alone(annotated: Workspace, backup: Path) -> None:
    """Yesterday's backup is never overwritten."""
    content = backup.read_bytes()
    with pytest.raises(WorkspaceError, match="already exists"):
        back_up(annotated, backup, CLOCK)
    assert backup.read_bytes() == content


@pytest.mark.parametrize("change", ["missing", "changed"])
def test_a_document_that_is_not_what_it_was_is_named(
    annotated: Workspace, tmp_path: Path, change: str
) -> None:
    """A backup with a hole would be noticed when it is too late."""
    file = file_of(annotated, "annual report.pdf")
    file.unlink() if change == "missing" else file.write_text("b.pdf", encoding="utf-8")
    with pytest.raises(WorkspaceError, match=f"corpus/{file.name}"):
        back_up(annotated, tmp_path / "backup.tar", CLOCK)
    assert {p.name for p in tmp_path.iterdir()} == {"annotated"}


def pack_and_be_killed(folder: str, command: str) -> None:
    """Back up or restore, and die at the first report of progress."""

    def die(_done: int, _total: int) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    root = Path(folder)
    if command == "backup":
        back_up(Workspace.open(root / "annotated"), root / "new.tar", CLOCK, die)
    else:
        restore(root / "backup.tar", root / "new", CLOCK, progress=die)


def test_a_killed_backup_or_restore_leaves_no_file_under_its_name(
    annotated: Workspace, backup: Path, tmp_path: Path
) -> None:
    """kill -9 half-way: what there is at the end was complete, or is not there."""
    for command in ("backup", "restore"):
        assert exit_code_of(pack_and_be_killed, tmp_path, command) == -signal.SIGKILL
    assert not (tmp_path / "new.tar").exists()
    assert not (tmp_path / "new").exists()
    back_up(annotated, tmp_path / "new.tar", CLOCK)
    restore(tmp_path / "new.tar", tmp_path / "new", CLOCK)


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_folders_of_killed_runs_are_named_and_removed(
    annotated: Workspace, backup: Path, tmp_path: Path, command: str
) -> None:
    """They hold password hashes. Those of a run that lives, and of anybody else, are left alone."""
    assert exit_code_of(pack_and_be_killed, tmp_path, command) == -signal.SIGKILL
    (left,) = tmp_path.glob(f".{command}-*")
    foreign = tmp_path / ".restore-points"
    foreign.mkdir()
    (tmp_path / "other").mkdir()
    with scratch_folder(tmp_path / "other", ".restore-") as live:
        moved = live.rename(tmp_path / live.name)
        (problem,) = verify(annotated)[-1].problems
        assert str(left) in problem
        assert abandoned_folders(tmp_path) == [left]
        restore(backup, tmp_path / "new", CLOCK)
        assert sorted(tmp_path.glob(".*")) == sorted([foreign, moved])
        moved.rename(live)
    assert verify(annotated)[-1].ok


def test_a_workspace_is_replaced_only_when_asked_and_not_served(
    annotated: Workspace, backup: Path, tmp_path: Path
) -> None:
    """The old one is moved aside, not deleted."""
    driver(annotated, "4-Ada").do(ev.Opened(session="tab-1"))
    annotated.engine.dispose()
    events = len(rows(annotated))
    with pytest.raises(WorkspaceError, match="--replace"):
        restore(backup, annotated.root, CLOCK)
    with (
        serve_lock(annotated.root, "a server at 127.0.0.1:8501"),
        pytest.raises(WorkspaceError, match=r"a server at 127\.0\.0\.1:8501"),
    ):
        restore(backup, annotated.root, CLOCK, replace=True)
    assert len(rows(Workspace.open(annotated.root))) == events
    restore(backup, annotated.root, CLOCK, replace=True)
    assert len(rows(Workspace.open(annotated.root))) == events - 1
    aside = next(tmp_path.glob("annotated.before-restore-*"))
    assert len(rows(Workspace.open(aside))) == events


def test_a_folder_with_other_files_is_refused(backup: Path, tmp_path: Path) -> None:
    """A slip of the hand does not mix a workspace into somebody's documents."""
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "thesis.tex").touch()
    with pytest.raises(WorkspaceError, match="not an empty folder"):
        restore(backup, tmp_path / "papers", CLOCK)


def members(file: Path) -> dict[str, bytes]:
    """The archive's contents."""
    with tarfile.open(file) as archive:
        return {m.name: archive.extractfile(m).read() for m in archive}  # type: ignore[union-attr]


def archive(file: Path, contents: dict[str, bytes]) -> Path:
    """An archive with these contents."""
    with tarfile.open(file, "w") as archive:
        for name, data in contents.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return file


def broken(contents: dict[str, bytes], damage: str) -> dict[str, bytes]:
    """A backup that somebody or something has damaged."""
    manifest = json.loads(contents[MANIFEST])
    document = next(name for name in contents if name.startswith("corpus/"))
    if damage == "no manifest":
        return {name: data for name, data in contents.items() if name != MANIFEST}
    if damage == "document changed":
        return {**contents, document: contents[document][::-1]}
    if damage == "document missing":
        return {name: data for name, data in contents.items() if name != document}
    if damage == "another size":
        return {**contents, document: b"longer than before"}
    if damage == "newer version":
        manifest["version"] = 99
    if damage == "path outside":
        outside = f"../{document}"
        manifest["files"][1]["path"] = outside
        contents = {(outside if name == document else name): d for name, d in contents.items()}
    if damage == "named twice":
        manifest["files"].append(manifest["files"][0])
    if damage == "no database":
        manifest["files"] = manifest["files"][1:]
    if damage == "not JSON":
        return {**contents, MANIFEST: b"{"}
    return {**contents, MANIFEST: json.dumps(manifest).encode()}


@pytest.mark.parametrize(
    "damage",
    [
        "no manifest",
        "document changed",
        "document missing",
        "another size",
        "newer version",
        "path outside",
        "named twice",
        "no database",
        "not JSON",
    ],
)
def test_a_damaged_backup_restores_nothing(backup: Path, tmp_path: Path, damage: str) -> None:
    """Truncated, changed, or made to write elsewhere: refused with the reason, nothing left."""
    bad = archive(tmp_path / "bad.tar", broken(members(backup), damage))
    with pytest.raises(InputFileError, match=r"bad\.tar"):
        restore(bad, tmp_path / "again", CLOCK)
    assert {p.name for p in tmp_path.iterdir()} == {"annotated", "backup.tar", "bad.tar"}


@pytest.mark.parametrize("share", [0.0, 0.05, 0.5, 0.99])
def test_a_truncated_backup_restores_nothing(backup: Path, tmp_path: Path, share: float) -> None:
    """A copy that ended early."""
    data = backup.read_bytes()
    bad = tmp_path / "bad.tar"
    bad.write_bytes(data[: int((len(data) - 10_240) * share)])
    with pytest.raises(InputFileError, match=r"bad\.tar"):
        restore(bad, tmp_path / "again", CLOCK)
    assert not (tmp_path / "again").exists()


def test_a_backup_whose_database_is_damaged_restores_nothing(backup: Path, tmp_path: Path) -> None:
    """Even where its hash was made to fit."""
    contents = members(backup)
    database = bytearray(contents[DATABASE_NAME])
    database[4096:12288] = b"\xff" * 8192
    manifest = json.loads(contents[MANIFEST])
    manifest["files"][0]["sha256"] = hashlib.sha256(database).hexdigest()
    bad = archive(
        tmp_path / "bad.tar",
        {**contents, MANIFEST: json.dumps(manifest).encode(), DATABASE_NAME: bytes(database)},
    )
    with pytest.raises(InputFileError, match="SQLite says"):
        restore(bad, tmp_path / "again", CLOCK)
