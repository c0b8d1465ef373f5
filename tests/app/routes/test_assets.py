"""The files of the browser code: which a page asks for at once, and which are served."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from pagetrail.app.routes import assets
from pagetrail.app.routes.assets import (
    ASSETS,
    current,
    entry,
    messages_address,
    needed,
    routes,
)

UNSERVED = {"manifest.json", "LICENSES.txt"}


def test_every_file_is_fetched_at_once_by_a_component_that_needs_it() -> None:
    """Only the text editor is left to a later round trip; none is served that nothing uses."""
    version = current().version
    fetched = {
        path.partition(f"/{version}/")[2]
        for component in ("page", "workspace", "reviewing", "replay", "upload")
        for path in needed("", component)
    }
    files = {path.relative_to(ASSETS).as_posix() for path in ASSETS.rglob("*.*")}
    (editor,) = files - UNSERVED - fetched
    assert "cm-editor" in (ASSETS / editor).read_text(encoding="utf-8")
    assert f'import("./{editor}")' in (ASSETS / "workspace.js").read_text(encoding="utf-8")


def test_the_licences_of_bundled_packages_are_beside_the_bundle() -> None:
    """They go into the wheel with it."""
    licences = (ASSETS / "LICENSES.txt").read_text(encoding="utf-8")
    for package in ("preact", "@preact/signals", "@preact/signals-core"):
        assert f"\n{package} " in licences
    packages = re.findall(r"^\S+ \d[\w.-]* \(MIT\)$", licences, flags=re.MULTILINE)
    assert licences.count("Permission is hereby granted, free of charge") == len(packages) >= 3


def test_a_language_s_messages_are_cached_under_the_hash_of_their_content(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """English needs none; an address of other messages is not answered with these."""
    messages: dict[str, Any] = {"language": "de", "messages": {"Save": "Speichern"}}
    monkeypatch.setattr(assets, "languages", lambda: ("en", "de"))
    monkeypatch.setattr(assets, "browser_messages", lambda _language: messages)
    client = TestClient(Starlette(routes=routes("")))
    address = messages_address("", "de")
    assert address is not None
    reply = client.get(address)
    assert reply.json() == messages
    assert "immutable" in reply.headers["cache-control"]
    messages["messages"] = {"Save": "Sichern"}
    assert client.get(address).status_code == 404
    assert messages_address("", "en") is None


def test_a_watched_folder_is_read_again_when_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each build has its own version, and its source maps are served."""

    def build(source: str, time: int) -> None:
        (tmp_path / "workspace.js").write_text(source, encoding="utf-8")
        (tmp_path / "workspace.js.map").write_text("{}", encoding="utf-8")
        manifest = tmp_path / "manifest.json"
        manifest.write_text(json.dumps({"workspace": ["workspace.js"]}), encoding="utf-8")
        os.utime(manifest, (time, time))

    build("1", 1)
    monkeypatch.setenv("PAGETRAIL_ASSETS", str(tmp_path))
    client = TestClient(Starlette(routes=routes("")))
    first = entry("")
    assert client.get(first).text == "1"
    assert client.get(f"{first}.map").status_code == 200
    build("2", 2)
    assert client.get(entry("")).text == "2"
    assert client.get(first).status_code == 404
