"""A small served workspace: two annotators, a supervisor, three documents, four tasks."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pymupdf
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from pagetrail.app.server.application import EXCEPTION_HANDLERS, MIDDLEWARE, routes
from pagetrail.app.services import composition as wiring
from pagetrail.app.services.composition import Services
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import add_user
from pagetrail.storage.search.service import SearchService
from tests.support.built_once import built_once, closed
from tests.support.campaigns import add_campaign, make_collection
from tests.support.thread_pool import compute_in_threads

PASSWORD = "correct horse"
TASKS = [
    {
        "id": f"q{n}",
        "question": f"What does report {n} say about otters? <script>alert({n})</script>",
        "answer_variants": [["secret gold answer"]],
        "evidence": [{"document": "report.pdf", "page": n}],
    }
    for n in (1, 2)
]


def write_pdf(path: Path, pages: list[str]) -> None:
    """A PDF with one line of text a page."""
    document = pymupdf.open()
    for text in pages:
        document.new_page(width=400, height=500).insert_text((40, 60), text)
    document.save(path)


def make_workspace(root: Path) -> Workspace:
    """Documents, index, people and two campaigns (search and oracle), in a new workspace."""
    pages = {
        "report.pdf": ["otters live in rivers", "otters eat fish", "no animals"],
        "other.pdf": ["badgers dig setts"],
    }
    workspace = make_collection(
        root, {name: partial(write_pdf, pages=texts) for name, texts in pages.items()}
    )
    for name, role in (("alma", "annotator"), ("bruno", "annotator"), ("sven", "supervisor")):
        add_user(workspace, name, role, PASSWORD)
    add_campaign(workspace, "Otters", TASKS, protocol="search", overlap=2, seed=1)
    add_campaign(workspace, "Otters given", TASKS, protocol="oracle", overlap=2, seed=1)
    return workspace


compute_in_threads()


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The workspace's folder, made once; tests work on copies."""
    return built_once(tmp_path_factory, "otters", closed(make_workspace)) / "ws"


@pytest.fixture
def services(template: Path, tmp_path: Path) -> Iterator[Services]:
    """The services of a fresh workspace, wired in for the routes and the screens."""
    shutil.copytree(template, tmp_path / "ws")
    fresh_services = Services(Workspace.open(tmp_path / "ws"))
    wiring.replace_services(fresh_services)
    yield fresh_services
    wiring.replace_services(None)
    fresh_services.workspace.engine.dispose()


@pytest.fixture
def searching(services: Services) -> Services:
    """The services with the search processes up, as the server has them before it answers.

    The limit is far off: a busy machine must not turn an answer into a refusal.
    """
    services.search = SearchService(services.workspace, workers=1, limit_s=30)
    services.search.start()
    return services


@pytest.fixture
def client(services: Services) -> Iterator[TestClient]:
    """A browser that is not signed in."""
    with TestClient(Starlette(routes=routes()), follow_redirects=False) as browser:
        yield browser


@pytest.fixture
def server_client(services: Services) -> Iterator[TestClient]:
    """A browser in front of the routes with the server's middleware and failure handling."""
    app = Starlette(routes=routes(), middleware=MIDDLEWARE, exception_handlers=EXCEPTION_HANDLERS)
    with TestClient(app, follow_redirects=False, raise_server_exceptions=False) as browser:
        yield browser
