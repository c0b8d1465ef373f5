"""The guidelines before the first task of a campaign, and after each change."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.app.services.composition import Services
from pagetrail.storage.campaigns.guidelines import guidelines_of, save_guidelines
from pagetrail.storage.importers.tasks.importer import import_tasks
from tests.app.conftest import TASKS
from tests.app.screens import at_screen
from tests.app.signed_in import attempts_of, boot, send, sign_in, stored_types

NAME = "Careful"


def test_guidelines_are_shown_once_and_after_a_change(
    services: Services, client: TestClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nothing is stored while they are read: the clock has not started. Whoever has worked since
    they changed is not asked again.
    """
    path = tmp_path / "tasks.jsonl"
    path.write_text("\n".join(map(json.dumps, TASKS)), encoding="utf-8")
    protocol = with_overrides(preset("search"), {"study.guidelines_first": True})
    import_tasks(services.workspace, path, campaign=NAME, protocol=protocol, guidelines="# Look")
    attempt = attempts_of(services, "alma", NAME)[0]

    def opened() -> AppTest:
        at = at_screen(services, "alma", monkeypatch, "task", attempt=attempt).run()
        assert not at.exception
        return at

    at = opened()
    assert [title.value for title in at.title] == ["Read this first"]
    assert "Look" in at.markdown[0].value and stored_types(services, attempt) == []
    at = at.button(key="guidelines-start").click().run()
    assert not at.exception and not at.title
    sign_in(client, "alma")
    token = boot(client, attempt)["token"]
    send(client, attempt, token, ("a", "opened", {"session": "s"}))
    assert not opened().title
    old = guidelines_of(services.workspace, NAME)
    save_guidelines(services.workspace, None, NAME, "# Look twice", based_on=old.mark)
    assert [title.value for title in opened().title] == ["Read this first"]
    send(client, attempt, token, ("b", "opened", {"session": "s"}))
    assert not opened().title
