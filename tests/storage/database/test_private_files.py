"""Other users of the machine read nothing of a workspace: new, older, restored, worked on."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pagetrail.annotation.clock import SystemClock
from pagetrail.app.cli.main import main
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.maintenance.backup import back_up
from pagetrail.storage.maintenance.restore import restore
from tests.storage.pdfs import make_pdf

WIDE = {True: 0o755, False: 0o644}


@pytest.fixture(autouse=True)
def _usual_umask() -> Iterator[None]:
    """What systems set, and back to what it was even where the command has narrowed it."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def readable_by_others(root: Path) -> list[str]:
    """Everything in the folder, and the folder, that group or others may do anything with."""
    return [
        str(path.relative_to(root.parent))
        for path in [root, *root.rglob("*")]
        if not path.is_symlink() and path.stat().st_mode & 0o077
    ]


@pytest.mark.parametrize("exists", [False, True])
def test_a_new_workspace_is_private(tmp_path: Path, exists: bool) -> None:
    """In a folder of its own making or one that was there, the write-ahead log included."""
    root = tmp_path / "ws"
    if exists:
        root.mkdir(mode=0o700)
    Workspace.create(root)
    assert list(root.glob("*-wal"))
    assert readable_by_others(root) == []


def test_an_older_one_is_private_once_it_is_opened(tmp_path: Path) -> None:
    """Every file and folder; a link and what it points to stay as they are."""
    root = tmp_path / "ws"
    Workspace.create(root).engine.dispose()
    outside = tmp_path / "shared.pdf"
    outside.write_bytes(b"%PDF")
    (root / "cache" / "deep" / "er").mkdir(parents=True)
    (root / "cache" / "deep" / "er" / "page.jpg").write_bytes(b"x")
    (root / "corpus" / "link.pdf").symlink_to(outside)
    for path in [root, *root.rglob("*")]:
        if not path.is_symlink():
            path.chmod(WIDE[path.is_dir()])
    Workspace.open(root)
    assert readable_by_others(root) == []
    assert outside.stat().st_mode & 0o777 == WIDE[False]


def test_backup_and_restored_workspace_are_private(workspace: Workspace, tmp_path: Path) -> None:
    """The file, and everything that is made from it."""
    back_up(workspace, tmp_path / "b.tar", SystemClock())
    restore(tmp_path / "b.tar", tmp_path / "restored", SystemClock())
    assert readable_by_others(tmp_path / "b.tar") == []
    assert readable_by_others(tmp_path / "restored") == []


def test_commands_write_private_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Documents, index and locks as the command writes them, its worker processes included."""
    pdf = make_pdf(tmp_path / "a.pdf", ["otters"])
    for words in (["init"], ["ingest", str(pdf), "--ocr", "never"], ["index"]):
        command, *rest = words
        monkeypatch.setattr(sys, "argv", ["pagetrail", command, str(tmp_path / "ws"), *rest])
        with pytest.raises(SystemExit) as ended:
            main()
        assert not ended.value.code
    assert len(list((tmp_path / "ws" / "corpus").glob("*.pdf"))) == 1
    assert readable_by_others(tmp_path / "ws") == []
