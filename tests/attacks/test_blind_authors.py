"""Who writes questions blind gets no search, no page text and no other document, by any route."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from pagetrail.annotation.errors import ConflictError
from pagetrail.annotation.protocols.protocol import preset
from pagetrail.app.agents.task_text import check_can_finish
from pagetrail.app.services.composition import Services
from tests.annotation.events.examples import EXAMPLES
from tests.app.signed_in import attempts_of, send
from tests.attacks.served_routes import served_routes
from tests.support.campaigns import add_campaign

CAMPAIGN = "Blind"
SHOWN, FOREIGN = "report.pdf", "other.pdf"
ON_SHOWN_PAGE, ON_NEXT_PAGE, ON_FOREIGN_PAGE = "rivers", "fish", "badgers"
BRIEFS = [
    {"id": "page", "question": "Write.", "candidates": [{"document": SHOWN, "page": 1}]},
    {"id": "text", "question": f"About {FOREIGN}.", "summary": f"See {FOREIGN}: it digs."},
]


@pytest.fixture
def blind(root: Path) -> Iterator[tuple[TestClient, Services]]:
    """A browser of an author who has a page image in one task and a summary in the other."""
    with served_routes(root) as (browser, services):
        add_campaign(services.workspace, CAMPAIGN, BRIEFS, protocol="author_blind")
        yield browser, services


def _attempts(browser: TestClient, services: Services) -> dict[str, tuple[str, dict[str, Any]]]:
    """Key of the task → attempt and its screen."""
    screens = {}
    for attempt in attempts_of(services, "alma", CAMPAIGN):
        screen = browser.get(f"/pagetrail/attempts/{attempt}").json()
        screens["text" if screen["material"] else "page"] = attempt, screen
    return screens


def test_no_route_gives_more_than_the_brief(blind: tuple[TestClient, Services]) -> None:
    """Search, words, page text, finding, other pages and documents; the image of the page only."""
    browser, services = blind
    shas = {name: _sha(services, name) for name in (SHOWN, FOREIGN)}
    for key, (attempt, screen) in _attempts(browser, services).items():
        base, headers = f"/pagetrail/attempts/{attempt}", {"X-Pagetrail": screen["token"]}
        assert screen["brief"] == [] and screen["results"] is None
        assert set(screen["documents"]) == ({SHOWN} if key == "page" else set())
        replies = [
            browser.post(f"{base}/search", json={"id": "s-1", "query": word}, headers=headers)
            for word in (ON_SHOWN_PAGE, ON_FOREIGN_PAGE)
        ]
        for name in (SHOWN, FOREIGN):
            for page in (1, 2):
                place = {"document": name, "page": page}
                replies += [
                    browser.get(f"{base}/words", params=place, headers=headers),
                    browser.post(f"{base}/text", json={"id": "t", **place}, headers=headers),
                    browser.post(
                        f"{base}/find", json={"id": "f", "text": "i", **place}, headers=headers
                    ),
                    browser.get(
                        f"{base}/highlights", params={**place, "search_id": "s-1"}, headers=headers
                    ),
                ]
                image = browser.get(
                    f"/pagetrail/page/{shas[name]}/{page}",
                    params={"v": screen["token"], "dpi": "40"},
                )
                is_shown = (key, name, page) == ("page", SHOWN, 1)
                assert (image.status_code == 200) == is_shown, (key, name, page)
            if (key, name) != ("page", SHOWN):
                document = browser.get(f"{base}/document", params={"name": name}, headers=headers)
                assert document.status_code == 403
        for reply in replies:
            assert reply.status_code >= 400 or not any(reply.json().values()), reply.text
            for word in (ON_SHOWN_PAGE, ON_NEXT_PAGE, ON_FOREIGN_PAGE, shas[FOREIGN]):
                assert word not in reply.text


def test_no_event_brings_text_or_documents(blind: tuple[TestClient, Services]) -> None:
    """Every event there is, with the foreign document in place of its own; then the screens."""
    browser, services = blind
    for attempt, screen in _attempts(browser, services).values():
        for number, (payload, _) in enumerate(EXAMPLES):
            fields = json.loads(
                payload.model_dump_json().replace("a.pdf", FOREIGN).replace("b.pdf", FOREIGN)
            )
            kind = fields.pop("type")
            reply = send(browser, attempt, screen["token"], (f"e{number}", kind, fields))
            assert ON_FOREIGN_PAGE not in reply.text
        later = browser.get(f"/pagetrail/attempts/{attempt}").json()
        assert later["results"] is None and later["state"]["searches"] == []
        assert set(later["documents"]) <= {SHOWN}
        assert _sha(services, FOREIGN) not in json.dumps(later)


def test_the_checks_search_and_read_nothing(blind: tuple[TestClient, Services]) -> None:
    """Only those that need neither page nor search run."""
    browser, services = blind
    for attempt, screen in _attempts(browser, services).values():
        headers = {"X-Pagetrail": screen["token"]}
        send(
            browser,
            attempt,
            screen["token"],
            ("e1", "opened", {"session": "s"}),
            ("e2", "question_edited", {"text": "What do otters eat on page 2?"}),
        )
        reply = browser.post(f"/pagetrail/attempts/{attempt}/checks", json={}, headers=headers)
        findings = reply.json()["findings"]
        assert [finding["check"] for finding in findings] == ["giveaway", "duplicate"]
        assert all(not finding["query"] and not finding["pages"] for finding in findings)


def test_agents_cannot_be_authors() -> None:
    """Their tools would search and read."""
    with pytest.raises(ConflictError, match="a question written by the annotator"):
        check_can_finish(CAMPAIGN, preset("author_blind"))


def _sha(services: Services, name: str) -> str:
    info = services.corpus.document(name)
    assert info is not None
    return info.sha256
