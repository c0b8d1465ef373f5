"""No payload tells of a document that the campaign does not show."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from pagetrail.annotation import events as ev
from pagetrail.app.server.application import EXCEPTION_HANDLERS, MIDDLEWARE, routes
from pagetrail.app.services import composition
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import attempt_to_open
from pagetrail.app.workspace.payload import attempt_payload
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import find_person
from tests.annotation.events.examples import EXAMPLES
from tests.app.signed_in import attempts_of, send, sign_in

VISIBLE, FOREIGN = "report.pdf", "other.pdf"
CAMPAIGN = "Otters given"


@pytest.fixture
def services(template: Path, tmp_path: Path) -> Iterator[Services]:
    """The services of a workspace with a campaign that shows one of two documents."""
    shutil.copytree(template, tmp_path / "ws")
    wired_services = Services(Workspace.open(tmp_path / "ws"))
    composition.replace_services(wired_services)
    yield wired_services
    composition.replace_services(None)
    wired_services.workspace.engine.dispose()


def traces(services: Services, value: Any) -> set[str]:
    """Paths of the fields, at any depth, that hold the foreign document's name, hash or size."""
    info = services.corpus.document(FOREIGN)
    assert info is not None
    exposed_paths = set()

    def walk(node: Any, path: str) -> None:
        if isinstance(node, dict):
            for key, value in node.items():
                walk(key, f"{path}.(key)")
                walk(value, f"{path}.{key}")
        elif isinstance(node, list):
            for value in node:
                walk(value, f"{path}[]")
        elif isinstance(node, str) and (FOREIGN in node or info.sha256 in node):
            exposed_paths.add(path)

    walk(value, "")
    return exposed_paths


@pytest.mark.parametrize("document", [FOREIGN, "missing.pdf"])
def test_link_to_a_document_outside_the_task_reveals_nothing(
    services: Services, document: str
) -> None:
    """Before, hash, page count and sizes came with it. A missing one looks the same."""
    person = find_person(services.workspace, "alma")
    row = attempt_to_open(services, person, attempts_of(services, "alma", CAMPAIGN)[0])
    plain = attempt_payload(services, person, row)
    linked = attempt_payload(services, person, row, (document, 1))
    assert traces(services, linked) == set()
    assert {**linked, "token": ""} == {**plain, "token": ""}
    own_payload = attempt_payload(
        services, person, row, row.pages()[0] if row.pages() else (VISIBLE, 1)
    )
    assert own_payload["link"] is not None and set(own_payload["documents"]) == {VISIBLE}


def test_no_route_and_no_event_brings_one_in(services: Services) -> None:
    """Every event and route that names a document, with a foreign one; then every payload."""
    app = Starlette(routes=routes(), middleware=MIDDLEWARE, exception_handlers=EXCEPTION_HANDLERS)
    attempt = attempts_of(services, "alma", CAMPAIGN)[0]
    info = services.corpus.document(FOREIGN)
    assert info is not None
    with TestClient(app, follow_redirects=False, raise_server_exceptions=False) as browser:
        sign_in(browser, "alma")
        base = f"/pagetrail/attempts/{attempt}"
        first = browser.get(base).json()
        headers = {"X-Pagetrail": first["token"]}
        naming_payloads = [payload for payload, _ in EXAMPLES if _names_document(payload)]
        assert len({payload.type for payload in naming_payloads}) > 10
        for number, payload in enumerate(naming_payloads):
            fields = _with_foreign(payload.model_dump(mode="json"))
            kind = fields.pop("type")
            reply = send(browser, attempt, first["token"], (f"e{number}", kind, fields))
            assert traces(services, _without_messages(reply.json())) == set(), kind
        for path, params in (
            (f"{base}/document", {"name": FOREIGN}),
            (f"{base}/words", {"document": FOREIGN, "page": "1"}),
            (f"{base}/find", {"document": FOREIGN, "q": "badgers"}),
            (f"{base}/highlights", {"document": FOREIGN, "page": "1", "search_id": "s"}),
            (f"/pagetrail/page/{info.sha256}/1", {"v": first["token"], "dpi": "40"}),
        ):
            reply = browser.get(path, params=params, headers=headers)
            assert reply.status_code in (403, 404) or reply.json() == {"boxes": []}, path
            assert info.sha256 not in reply.text, path
        assert traces(services, browser.get(base).json()) == set()


def _names_document(payload: ev.Payload) -> bool:
    return '"document"' in json.dumps(payload.model_dump(mode="json"))


def _with_foreign(value: Any) -> Any:
    """The same with the foreign document wherever one is named."""
    if isinstance(value, dict):
        return {
            key: FOREIGN if key == "document" else _with_foreign(value)
            for key, value in value.items()
        }
    return [_with_foreign(value) for value in value] if isinstance(value, list) else value


def _without_messages(reply: dict[str, Any]) -> dict[str, Any]:
    """A refusal may repeat the name that was sent."""
    return json.loads(json.dumps(reply), object_hook=lambda d: {**d, "message": ""})  # type: ignore[no-any-return]
