"""``pagetrail serve`` before it listens: what it waits for."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from pagetrail.annotation.errors import WorkspaceError
from pagetrail.app.cli.workspaces.serve import (
    address,
    checked_base_path,
    first_steps,
    make_if_empty,
    prepare,
    serve,
)
from pagetrail.app.server.application import routes
from pagetrail.app.services.composition import Services, replace_services
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import list_people
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


def test_workers_are_refused_with_the_way_out(workspace: Workspace) -> None:
    """The option that started several servers says how to start them now, and starts nothing."""
    with pytest.raises(WorkspaceError, match=r"docs/operations\.md"):
        serve(workspace.root, workers=2)


@pytest.mark.parametrize("path", ["a b", "/a//b", "/../x", "?x", "/a<b>"])
def test_a_base_path_is_part_of_an_address(path: str) -> None:
    """What a browser would change or a proxy refuse is refused, with the form that works."""
    with pytest.raises(WorkspaceError, match="/pagetrail"):
        checked_base_path(path)
    assert checked_base_path("/lab/pagetrail/") == "/lab/pagetrail"
    assert checked_base_path("/") == ""


def test_an_empty_folder_becomes_a_workspace_with_a_link_to_its_first_admin(tmp_path: Path) -> None:
    """Only the link makes an account; the admin is led to the checklist, and no more links are
    made. Folders with other files stay as they are.
    """
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.txt").write_text("mine")
    assert not make_if_empty(tmp_path / "other")
    folder = tmp_path / "new" / "ws"
    assert make_if_empty(folder) and not make_if_empty(folder)
    workspace = Workspace.open(folder)
    at = address("0.0.0.0", 8501)
    link = first_steps(workspace, at)[1].strip()
    assert link.startswith("http://127.0.0.1:8501/pagetrail/invitation/")
    assert address("::1", 80) == "http://[::1]:80"
    replace_services(Services(workspace))
    try:
        client = TestClient(Starlette(routes=routes()), follow_redirects=False)
        assert "Nobody administers this workspace yet" in client.get("/pagetrail/login").text
        url = link.removeprefix(at)
        assert "makes you its admin" in client.get(url).text
        form = {"name": "Ines", "password": "correct horse", "again": "correct horse"}
        assert client.post(f"{url}x", data=form).status_code == 404
        assert list_people(workspace) == []
        reply = client.post(url, data=form)
        assert reply.headers["location"] == "/administration?part=Setup"
        assert [person.role for person in list_people(workspace)] == ["admin"]
        assert "Ask your supervisor" in client.get("/pagetrail/login").text
    finally:
        replace_services(None)
    assert first_steps(workspace, at) == []
