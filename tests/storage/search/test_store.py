"""Indexes are built once, rebuilt on any change, and never opened unless they are ours."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.search import index as search_index
from pagetrail.storage.search import store as search_store
from pagetrail.storage.search.engine import WhooshIndex
from pagetrail.storage.search.store import current_index, ensure_index, usable_index
from tests.storage.search.generated_corpus import pages, register


def test_built_once_and_rebuilt_on_change(workspace: Workspace) -> None:
    """The same corpus gives the same index without work; a changed one another, alone there."""
    register(workspace, pages(60))
    calls: list[int] = []
    first = ensure_index(workspace, calls.append)
    assert (first.pages, calls[-1]) == (60, 60)
    assert ensure_index(workspace, lambda _: pytest.fail("built again")) == first
    register(workspace, pages(61), revision=2)
    assert current_index(workspace) is None
    second = ensure_index(workspace)
    assert second.identity != first.identity
    assert [p.name for p in workspace.index_dir.iterdir() if p.is_dir()] == [second.identity]


def test_a_change_that_changes_no_page_keeps_the_identity(workspace: Workspace) -> None:
    """A new revision with the same pages in the same order gives the same index, now current."""
    register(workspace, pages(60))
    first = ensure_index(workspace)
    register(workspace, pages(60), revision=7)
    second = ensure_index(workspace)
    assert (second.identity, second.revision) == (first.identity, 7)
    assert current_index(workspace) == second


def test_another_engine_is_another_index(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an upgrade of the engine the stored index is not used any more."""
    register(workspace, pages(20))
    first = ensure_index(workspace)
    for module in (search_index, search_store):
        monkeypatch.setattr(module, "ENGINE", "whoosh 9.9")
    assert current_index(workspace) is None
    assert ensure_index(workspace).identity != first.identity


def test_an_index_of_an_older_program_is_built_again(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its files are of another format; the identity, which is that of the ranking, stays."""
    register(workspace, pages(20))
    monkeypatch.setattr(search_store, "FILE_FORMAT", 1)
    first = ensure_index(workspace)
    monkeypatch.undo()
    assert current_index(workspace) is None
    assert usable_index(workspace) is None
    second = ensure_index(workspace)
    assert second.identity == first.identity
    assert [path for path in workspace.index_dir.iterdir() if path.is_dir()] == [second.folder]


def test_an_interrupted_build_leaves_nothing(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C in the middle leaves no index and no rubbish; the next build succeeds."""
    register(workspace, pages(200))

    def interrupt(count: int) -> None:
        if count >= 100:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ensure_index(workspace, interrupt)
    assert current_index(workspace) is None
    assert [p for p in workspace.index_dir.iterdir() if p.is_dir()] == []
    assert ensure_index(workspace).pages == 200


def test_rubbish_of_a_killed_build_is_removed(workspace: Workspace) -> None:
    """What a killed process left behind goes with the next build."""
    register(workspace, pages(20))
    left = workspace.index_dir / ".building-abc"
    left.mkdir()
    (left / "part").write_text("x")
    ensure_index(workspace)
    assert not left.exists()


@pytest.mark.parametrize("spoil", ["byte", "signature", "missing", "extra", "meta", "link"])
def test_a_folder_that_is_not_ours_is_not_opened(
    workspace: Workspace, tmp_path: Path, spoil: str
) -> None:
    """A changed, truncated, unsigned or foreign index is rebuilt, never read."""
    register(workspace, pages(20))
    stored = ensure_index(workspace)
    segment = stored.folder / "page.npy"
    meta = stored.folder / "meta.json"
    if spoil == "byte":
        data = bytearray(segment.read_bytes())
        data[len(data) // 2] ^= 1
        segment.write_bytes(bytes(data))
    elif spoil == "signature":
        facts = json.loads(meta.read_text())
        facts["revision"] = 2
        meta.write_text(json.dumps(facts))
        register(workspace, pages(20), revision=2)
    elif spoil == "missing":
        segment.unlink()
    elif spoil == "extra":
        (stored.folder / "more.npy").write_bytes(b"x")
    elif spoil == "meta":
        meta.write_text("[1, 2")
    else:
        elsewhere = tmp_path / "elsewhere"
        shutil.move(stored.folder, elsewhere)
        stored.folder.symlink_to(elsewhere)
    assert current_index(workspace) is None
    if spoil == "link":
        stored.folder.unlink()
    rebuilt = ensure_index(workspace)
    assert rebuilt.identity == stored.identity
    assert WhooshIndex(rebuilt.folder, rebuilt.identity).search("company", 3).results


def test_another_workspace_s_index_is_not_ours(workspace: Workspace, tmp_path: Path) -> None:
    """An index copied in from another workspace carries another signature."""
    other = Workspace.create(tmp_path / "other")
    for target in (workspace, other):
        register(target, pages(20))
    stored = ensure_index(other)
    shutil.copytree(stored.folder, workspace.index_dir / stored.identity)
    assert current_index(workspace) is None


def test_an_open_searcher_outlives_its_index(workspace: Workspace) -> None:
    """A reader of a running server goes on answering while the index is replaced."""
    register(workspace, pages(120))
    stored = ensure_index(workspace)
    index = WhooshIndex(stored.folder, stored.identity)
    before = index.search("company revenue", 5)
    register(workspace, pages(121), revision=2)
    ensure_index(workspace)
    assert not stored.folder.exists()
    assert index.search("company revenue", 5).results == before.results
    assert index.search('"net income" OR tax*', 5).total_hits > 0


def test_pages_follow_the_order_of_the_corpus(workspace: Workspace) -> None:
    """The index's identity is that of the pages in the order of the text file."""
    rows = pages(40)
    register(workspace, rows)
    assert ensure_index(workspace).identity == search_index.identity_of(rows)
    register(workspace, rows[::-1], revision=2)
    assert ensure_index(workspace).identity == search_index.identity_of(rows[::-1])
