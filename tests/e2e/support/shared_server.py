"""One server for the tests of a package; each test has its own account.

A conftest imports ``shared_fixtures``, and makes its ``template`` with all of ``ACCOUNTS``.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import open_assignment
from pagetrail.storage.batches import my_batches
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import add_user, find_person
from tests.e2e.support.server_process import ServerProcess
from tests.e2e.support.small_workspace import PASSWORD
from tests.support.built_once import built_once, closed

ACCOUNTS = tuple(f"alma{number:02}" for number in range(1, 65))
"""As many as a package has tests, and more."""


def add_accounts(workspace: Workspace) -> None:
    """An annotator for each test."""
    for name in ACCOUNTS:
        add_user(workspace, name, "annotator", PASSWORD)


def template_of(name: str, build: Callable[[Path], Workspace]) -> Any:
    """The ``template`` fixture: what ``build`` makes in an empty folder."""

    @pytest.fixture(scope="package")
    def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
        return built_once(tmp_path_factory, name, closed(build)) / "ws"

    return template


@pytest.fixture(scope="package")
def workspace(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """A copy of the template, opened to read what the server stored."""
    root = tmp_path_factory.mktemp("shared") / "ws"
    shutil.copytree(template, root)
    opened = Workspace.open(root)
    yield opened
    opened.engine.dispose()


@pytest.fixture(scope="package")
def shared_server(workspace: Workspace, port: int) -> Iterator[ServerProcess]:
    """A server for the workspace."""
    with ServerProcess(workspace.root, port) as process:
        yield process


@pytest.fixture
def server(shared_server: ServerProcess) -> Iterator[ServerProcess]:
    """The server; a traceback in its log fails the test in which it was written."""
    before = len(shared_server.log)
    yield shared_server
    assert "Traceback" not in shared_server.log[before:], shared_server.log[before:]


@pytest.fixture(scope="package")
def unused_accounts() -> Iterator[str]:
    """Accounts that no test has worked in."""
    return iter(ACCOUNTS)


@pytest.fixture
def account_of(workspace: Workspace, unused_accounts: Iterator[str]) -> Callable[[str], str]:
    """Returns a person's account in this test, with all batches open."""

    @cache
    def account(_name: str) -> str:
        name = next(unused_accounts)
        services, person = Services(workspace), find_person(workspace, name)
        for row in my_batches.assignments(workspace.engine, person.id):
            open_assignment(services, person, row.assignment_id)
        return name

    return account
