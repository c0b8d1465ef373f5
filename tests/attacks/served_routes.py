"""The server's routes with its middleware and failure handling, without a server process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.testclient import TestClient

from pagetrail.app.server.application import EXCEPTION_HANDLERS, MIDDLEWARE, routes
from pagetrail.app.services import composition
from pagetrail.app.services.composition import Services
from pagetrail.storage.database.workspace import Workspace
from tests.app.signed_in import sign_in


@contextmanager
def served_routes(root: Path, name: str = "alma") -> Iterator[tuple[TestClient, Services]]:
    """A browser in which somebody has signed in, and the services that answer it."""
    services = Services(Workspace.open(root))
    composition.replace_services(services)
    app = Starlette(routes=routes(), middleware=MIDDLEWARE, exception_handlers=EXCEPTION_HANDLERS)
    try:
        with TestClient(app, follow_redirects=False, raise_server_exceptions=False) as browser:
            sign_in(browser, name)
            yield browser, services
    finally:
        composition.replace_services(None)
        services.workspace.engine.dispose()
