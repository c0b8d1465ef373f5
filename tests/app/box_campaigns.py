"""Campaigns with boxes, fields and locked pages on top of the served workspace."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from starlette.testclient import TestClient

from pagetrail.annotation.attempts.boxes import PageBox
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.app.services.composition import Services
from tests.app.signed_in import attempts_of, boot, send, sign_in
from tests.support.audit_log import audited
from tests.support.campaigns import add_campaign

REPORT = "report.pdf"
WIDTH, HEIGHT = 400, 500
RELEVANCE, VERIFY, LOCKED = "Grades", "Elements", "Pairs"
RECT = [20, 30.5, 120, 80]
ELEMENTS = [
    {
        "id": f"m{n}",
        "document": REPORT,
        "page": 1,
        "rect": [10, 40 * n, 200, 40 * n + 30],
        "label": "Text",
        "content": f"line {n}",
        "order": n,
    }
    for n in (1, 2, 3)
]
_PAGES = [{"document": REPORT, "page": n} for n in (1, 2)]
_RECORDS: dict[str, tuple[str, dict[str, Any]]] = {
    RELEVANCE: ("relevance", {"candidates": _PAGES}),
    VERIFY: ("verify", {"candidates": _PAGES, "elements": ELEMENTS}),
    LOCKED: ("qa_review", {"evidence": _PAGES, "response": "the secret response"}),
}


def add_campaigns(services: Services, **settings: dict[str, Any]) -> None:
    """One campaign of one task for alma and bruno each; keywords override a campaign's settings."""
    for campaign, (protocol, record) in _RECORDS.items():
        add_campaign(
            services.workspace,
            campaign,
            [{"id": "q", "question": "Otters?", **record}],
            protocol=protocol,
            settings=settings.get(protocol, {}),
            overlap=2,
            seed=1,
        )


@dataclass
class BoxTab:
    """A tab of a person at a task of one of the campaigns."""

    client: TestClient
    services: Services
    attempt: str
    token: str
    name: str
    count: int = 0
    refusals: list[dict[str, Any]] = field(default_factory=list)

    def send(self, *events: tuple[str, dict[str, Any]]) -> list[str]:
        """Send events under new ids in one request; returns the codes of the refusals."""
        numbered_events = []
        for type_, payload in events:
            self.count += 1
            numbered_events.append((f"{self.name}-{self.count}", type_, payload))
        reply = send(self.client, self.attempt, self.token, *numbered_events)
        assert reply.status_code == 200, reply.text
        self.refusals = reply.json()["refusals"]
        return [refusal["code"] for refusal in self.refusals]

    def raw(self, type_: str, payload: str) -> Any:
        """Send one event whose payload is any text; returns the response."""
        self.count += 1
        body = (
            f'{{"session":"s","events":[{{"id":"{self.name}-{self.count}","type":"{type_}",'
            f'"payload":{payload}}}]}}'
        )
        return self.client.post(
            f"/pagetrail/attempts/{self.attempt}/events",
            content=body,
            headers={"X-Pagetrail": self.token},
        )

    @property
    def state(self) -> AttemptState:
        """The stored state."""
        return self.services.log.state(self.attempt)

    def boxes(self, page: int = 1) -> list[PageBox]:
        """The stored boxes of a page of the report."""
        return self.state.boxes.on(REPORT, page)

    def notes(self) -> list[tuple[str, str]]:
        """Action and detail of what was noted about the person."""
        entries = audited(self.services.workspace)
        return [(action, detail) for actor, action, detail in entries if actor == self.name]


def tab(client: TestClient, services: Services, campaign: str, name: str = "alma") -> BoxTab:
    """Sign in and open the campaign's task."""
    attempt = attempts_of(services, name, campaign)[0]
    sign_in(client, name)
    box_tab = BoxTab(client, services, attempt, boot(client, attempt)["token"], name)
    assert box_tab.send(("opened", {"session": "s"})) == []
    return box_tab


def graded(client: TestClient, services: Services, name: str = "alma") -> BoxTab:
    """A relevance task whose two pages may have boxes."""
    box_tab = tab(client, services, RELEVANCE, name)
    grades = [
        ("field_set", {"field": "relevance", "document": REPORT, "page": n, "value": "2"})
        for n in (1, 2)
    ]
    assert box_tab.send(("field_set", {"field": "query_quality", "value": "good"}), *grades) == []
    return box_tab


def draw_box(box: str = "b-1", **changes: Any) -> tuple[str, dict[str, Any]]:
    """A box on page 1 as a client draws it."""
    payload = {"box": box, "document": REPORT, "page": 1, "rect": RECT, "label": "Text"}
    return "box_drawn", payload | changes
