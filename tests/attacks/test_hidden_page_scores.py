"""Nobody who grades pages sees a model's scores, the cut or which pages were drawn: no route, no
screen, no agent's tool."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from pagetrail.app.agents.client import AgentClient
from pagetrail.app.services.composition import Services
from pagetrail.storage.attempts import queries
from pagetrail.storage.importers.tasks.importer import import_tasks
from tests.app.signed_in import attempts_of, send, sign_in
from tests.attacks.served_routes import served_routes

CAMPAIGN, MODEL = "Scored", "secret-filter-9"
SCORES = {1: 0.87654321, 2: 0.12345679, 3: 0.23456789}
CUT, RATE = 0.76543211, 0.98765431
TRACES = [*map(str, SCORES.values()), str(CUT), str(RATE), MODEL, "inclusion", "page_scores"]


@pytest.fixture
def scored(root: Path) -> Iterator[tuple[TestClient, Services]]:
    """A browser of somebody who grades three pages, of which one reached the cut."""
    with served_routes(root) as (browser, services):
        pages = [
            {"document": "report.pdf", "page": page, "score": score}
            for page, score in SCORES.items()
        ]
        tasks = root.parent / "scored.jsonl"
        row = {"id": "q", "question": "Otters?", "page_scores": pages}
        tasks.write_text(json.dumps(row), encoding="utf-8")
        settings = {
            "prefilter.cut": CUT,
            "prefilter.sample_rate": RATE,
            "prefilter.model": MODEL,
        }
        report = import_tasks(
            services.workspace, tasks, campaign=CAMPAIGN, protocol="relevance", settings=settings
        )
        assert report.imported == 1
        yield browser, services


def _traces(text: str) -> list[str]:
    return [trace for trace in TRACES if trace in text]


def test_annotators_see_no_scores_by_any_route(scored: tuple[TestClient, Services]) -> None:
    """The screen before and after work, documents, news, and what events are answered with."""
    browser, services = scored
    (attempt,) = attempts_of(services, "alma", CAMPAIGN)
    base = f"/pagetrail/attempts/{attempt}"
    screen = browser.get(base)
    token = screen.json()["token"]
    assert len(screen.json()["given_pages"]) == 3
    assert [page["page"] for page in screen.json()["given_pages"]] == [1, 2, 3]
    place = {"document": "report.pdf", "page": 1}
    events: list[tuple[str, str, dict[str, Any]]] = [
        ("e1", "opened", {"session": "s"}),
        ("e2", "field_set", {"field": "query_quality", "value": "good"}),
        ("e3", "page_viewed", {"via": "given", **place}),
        ("e4", "field_set", {"field": "relevance", "value": "2", **place}),
    ]
    replies = [
        screen,
        send(browser, attempt, token, *events),
        browser.get(base),
        browser.get(
            f"{base}/document", params={"name": "report.pdf"}, headers={"X-Pagetrail": token}
        ),
        browser.get(f"{base}/words", params=place, headers={"X-Pagetrail": token}),
    ]
    for reply in replies:
        assert _traces(reply.text) == []
    for page in (1, 2, 3):
        sha = screen.json()["documents"]["report.pdf"]["sha256"]
        image = browser.get(f"/pagetrail/page/{sha}/{page}", params={"v": token, "dpi": "40"})
        assert image.status_code == 200 and not any("score" in name for name in image.headers)


def test_reviewers_see_no_scores(scored: tuple[TestClient, Services]) -> None:
    """They decide on grades too."""
    browser, services = scored
    (attempt,) = attempts_of(services, "alma", CAMPAIGN)
    task = queries.attempt(services.workspace.engine, attempt).task_id
    sign_in(browser, "sven")
    reply = browser.get(f"/pagetrail/reviews/{task}")
    assert reply.status_code == 200
    assert _traces(reply.text) == []


def test_agents_see_no_scores(scored: tuple[TestClient, Services]) -> None:
    """Neither in the list of tasks nor when one is open, and the protocol has no cut."""
    _, services = scored
    with AgentClient(services, CAMPAIGN, "bot") as client:
        received_text = repr(client.tasks()) + client.guidelines
        received_text += client.protocol.model_dump_json()
        attempt = client.open("q")
        received_text += repr(attempt.read_page("report.pdf", 1))
    assert _traces(received_text) == []
