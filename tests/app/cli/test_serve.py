"""``pagetrail serve`` before it listens: what it waits for."""

from __future__ import annotations

from pagetrail.app.cli.workspaces.serve import prepare
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.search.store import current_index, ensure_index, usable_index
from tests.storage.search.generated_corpus import pages, register


def test_it_waits_for_the_first_index_only(workspace: Workspace) -> None:
    """An older one answers until the server has renewed it."""
    register(workspace, pages(5))
    prepare(workspace.root)
    first = current_index(workspace)
    assert first is not None
    register(workspace, pages(6), revision=2)
    prepare(workspace.root)
    assert current_index(workspace) is None
    assert usable_index(workspace) == first
    assert ensure_index(workspace).pages == 6
