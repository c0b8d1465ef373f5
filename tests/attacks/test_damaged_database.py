"""A damaged database: nobody reads data in an error, and health names what is wrong."""

from __future__ import annotations

import json
import logging
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from pagetrail.app.server.application import EXCEPTION_HANDLERS, MIDDLEWARE, routes
from pagetrail.app.services import composition
from pagetrail.app.services.composition import Services
from pagetrail.storage.database.location import DATABASE_NAME
from pagetrail.storage.database.workspace import Workspace
from tests.app.signed_in import attempts_of, sign_in

SECRET = "quality-of-otters"


@pytest.mark.parametrize("damage", ["not UTF-8", "no pages"])
def test_errors_hold_no_data(
    template: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: str
) -> None:
    """The annotator's 503 and the log have no value of the column; ``/healthz`` says damaged."""
    root = tmp_path / "ws"
    shutil.copytree(template, root)
    services = Services(Workspace.open(root))
    composition.replace_services(services)
    app = Starlette(routes=routes(), middleware=MIDDLEWARE, exception_handlers=EXCEPTION_HANDLERS)
    try:
        attempt = attempts_of(services, "alma")[0]
        with TestClient(app, follow_redirects=False, raise_server_exceptions=False) as browser:
            sign_in(browser, "alma")
            assert browser.get("/healthz").status_code == 200
            _damage(root / DATABASE_NAME, damage)
            caplog.set_level(logging.DEBUG)
            reply = browser.get(f"/pagetrail/attempts/{attempt}")
            assert reply.status_code == 503
            assert reply.json()["error"]["code"] == "storage_damaged"
            services.health._looked = 0.0
            health = browser.get("/healthz")
            assert health.status_code == 503
            assert "damaged" in health.json()["reason"]
            assert "replaced" not in health.json()["reason"]
            for text in (json.dumps(reply.json()), health.text, caplog.text):
                assert SECRET not in text
                assert "top_k" not in text
    finally:
        composition.replace_services(None)
        services.workspace.engine.dispose()


def _damage(path: Path, how: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        if how == "not UTF-8":
            torn = b'{"name": "' + SECRET.encode() + b'", "top_k": "\xff\xfe"}'
            connection.execute("UPDATE campaign SET protocol = CAST(? AS TEXT)", (torn,))
            connection.commit()
            return
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with path.open("r+b") as file:  # every page but the first
        size = path.stat().st_size
        file.seek(4096)
        file.write((SECRET.encode() * (size // len(SECRET) + 1))[: size - 4096])
