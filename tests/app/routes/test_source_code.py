"""Everybody who reaches the server gets the source of the version that runs (AGPL, section 13)."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from pagetrail.app.services import source_code

ROOT = Path(__file__).parents[3]


def test_the_sign_in_page_leads_to_the_source(client: TestClient) -> None:
    """Without a session; the archive has the program and nothing else of the folder it is in."""
    page = client.get("/pagetrail/login")
    assert f'href="{source_code.ARCHIVE_PATH}"' in page.text
    answer = client.get(source_code.ARCHIVE_PATH)
    assert answer.status_code == 200
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        names = set(archive.namelist())
        module = "app/services/source_code.py"
        assert archive.read(f"pagetrail/{module}") == (ROOT / module).read_bytes()
    assert {"pagetrail/LICENSE", "pagetrail/pyproject.toml", "pagetrail/scripts/setup"} <= names
    assert not [name for name in names if "/." in name or name.endswith(".pyc")]
    folders = {name.split("/")[1] for name in names}
    assert not folders & {"node_modules", "demo-workspace"}


def test_a_changed_version_names_its_own_address(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Escaped, like everything else on the page."""
    monkeypatch.setenv(source_code.SOURCE_URL, 'https://example.org/fork?a=1&b="2"')
    page = client.get("/pagetrail/login")
    assert 'href="https://example.org/fork?a=1&amp;b=&quot;2&quot;"' in page.text
