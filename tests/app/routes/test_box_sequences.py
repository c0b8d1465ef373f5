"""Random work on boxes in two tabs of one person, through the routes, against a plain model.

A tab does what the browser's code does: it folds its own events on what it saw at its last reload,
sends them in order, keeps them while it is offline, and sends them again when no answer came.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from starlette.testclient import TestClient

from pagetrail.annotation.attempts.boxes import PageBox
from pagetrail.annotation.attempts.state import AttemptState, apply, fold
from pagetrail.annotation.events import Event, parse_payload
from pagetrail.app.services.composition import Services
from pagetrail.storage.projections import rebuild
from tests.app.box_campaigns import ELEMENTS, HEIGHT, REPORT, VERIFY, WIDTH, add_campaigns
from tests.app.signed_in import attempts_of, boot, send, sign_in
from tests.support.box_machine import snapshots_of
from tests.support.box_model import BoxModel, PageKey, Snapshot

LABELS = ("Text", "Table", "Picture")
FREE = {"boxes.check_all": False}
Wire = tuple[str, str, dict[str, Any]]


@dataclass
class Tab:
    """One tab: its view, its queue, and the answers it got."""

    name: str
    client: TestClient
    attempt: str
    rng: Random
    token: str = ""
    view: AttemptState = field(default_factory=AttemptState)
    queue: list[Wire] = field(default_factory=list)
    online: bool = True
    count: int = 0

    def reload(self) -> None:
        """What the server says, and on top of it what was not sent yet."""
        record = boot(self.client, self.attempt)
        self.token = record["token"]
        self.view = AttemptState.model_validate_json(json.dumps(record["state"]))
        for wire in self.queue:
            self._see(wire)

    def enqueue(self, type_: str, payload: dict[str, Any]) -> None:
        """Do it on screen at once, and put it in the queue."""
        self.count += 1
        wire = (f"{self.name}-{self.count}", type_, json.loads(json.dumps(payload)))
        self._see(wire)
        self.queue.append(wire)

    def _see(self, wire: Wire) -> None:
        id_, type_, payload = wire
        event = Event(
            attempt_id=self.attempt,
            seq=self.view.last_seq + 1,
            server_ts="2026-03-02T09:00:00.000000Z",
            client_ts=None,
            elapsed_ms=0,
            actor="alma",
            client_event_id=id_,
            payload=parse_payload(type_, payload),
        )
        self.view = apply(self.view, event)

    def pick_visible_box(self) -> PageBox | None:
        """One of the boxes that the tab shows."""
        boxes = [box for box in self.view.boxes.boxes if not box.deleted]
        return self.rng.choice(boxes) if boxes else None


class Session:
    """Two tabs, the model, and the steps that a person may take."""

    def __init__(self, client: TestClient, services: Services, seed: int) -> None:
        self.rng = Random(seed)
        self.client, self.services = client, services
        self.attempt = attempts_of(services, "alma", VERIFY)[0]
        sign_in(client, "alma")
        self.tabs = [Tab(name, client, self.attempt, self.rng) for name in ("a", "b")]
        initial_boxes: Snapshot = {
            f"e{n}": (tuple(map(float, element["rect"])), str(element["label"]))  # type: ignore[call-overload]
            for n, element in enumerate(ELEMENTS, start=1)
        }
        self.model = BoxModel({(REPORT, 1): initial_boxes})
        self.sent: dict[str, Wire] = {}
        self.tabs[0].reload()
        self._post(self.tabs[0], [("open", "opened", {"session": "s"})])
        for tab in self.tabs:
            tab.reload()

    def step(self) -> None:
        """One action in one of the tabs."""
        tab, rng = self.rng.choice(self.tabs), self.rng
        page_key: PageKey = (REPORT, rng.randint(1, 2))
        match rng.choices(range(9), weights=(4, 4, 3, 2, 3, 6, 4, 2, 2))[0]:
            case 0:
                tab.enqueue("box_drawn", self._drawing(tab, page_key))
            case 1:
                self._moved(tab)
            case 2:
                self._resized(tab)
            case 3 if box := tab.pick_visible_box():
                tab.enqueue("box_labelled", {"box": box.id, "label": rng.choice(LABELS)})
            case 4 if box := tab.pick_visible_box():
                tab.enqueue("box_deleted", {"box": box.id})
            case 5:
                self._turned(tab, "undo", page_key)
            case 6:
                self._turned(tab, "redo", page_key)
            case 7:
                tab.reload()
            case 8:
                tab.online = not tab.online
            case _:
                return
        if tab.online:
            self.flush(tab)

    def flush(self, tab: Tab) -> None:
        """Send what waits; now and then the answer is lost, and all of it goes out again."""
        waiting, tab.queue = tab.queue, []
        if not waiting:
            return
        refused = self._post(tab, waiting)
        if self.rng.random() < 0.2:
            assert self._post(tab, waiting) <= refused
        if refused:
            tab.reload()

    def check(self) -> None:
        """Stored, booted and modelled boxes are the same."""
        state = self.services.log.state(self.attempt)
        assert snapshots_of(state) == self.model.snapshots()

    def check_all(self) -> None:
        """The log, its fold, the projection and the boot record agree, and nothing is twice."""
        self.check()
        log = list(self.services.log.events(self.attempt))
        assert [e.seq for e in log] == list(range(1, len(log) + 1))
        assert max(Counter(e.client_event_id for e in log).values()) == 1
        state = self.services.log.state(self.attempt)
        assert fold(log) == state
        assert boot(self.client, self.attempt)["state"] == state.model_dump(mode="json")
        assert rebuild(self.services.workspace.engine, check=True).clean

    def _post(self, tab: Tab, wires: list[Wire]) -> set[str]:
        """The ids that were refused, which must be those that the model does not take."""
        reply = send(self.client, self.attempt, tab.token, *wires).json()
        receipts = {receipt["id"]: receipt for receipt in reply["receipts"]}
        refusals = {refusal["id"] for refusal in reply["refusals"]}
        for wire in wires:
            id_, type_, payload = wire
            repeated = id_ in self.sent
            if repeated or type_ == "opened" or self.model.take(id_, type_, payload):
                assert receipts[id_]["repeated"] is repeated, wire
                self.sent[id_] = wire
            else:
                assert id_ in refusals, wire
        assert len(receipts) + len(refusals) == len(wires)
        return refusals

    def _drawing(self, tab: Tab, page_key: PageKey) -> dict[str, Any]:
        x, y = self.rng.uniform(0, 300), self.rng.randint(0, 400)
        rect = [x, y, x + self.rng.randint(4, 90), y + self.rng.uniform(4, 90)]
        return {
            "box": f"{tab.name}-box-{tab.count}",
            "document": page_key[0],
            "page": page_key[1],
            "rect": rect,
            "label": self.rng.choice(LABELS),
        }

    def _moved(self, tab: Tab) -> None:
        if box := tab.pick_visible_box():
            x0, y0, x1, y1 = box.rect
            dx = self.rng.uniform(-x0, WIDTH - x1)
            dy = self.rng.uniform(-y0, HEIGHT - y1)
            rect = [x0 + dx, y0 + dy, x1 + dx, y1 + dy]
            move_method = self.rng.choice(["drag", "nudge"])
            tab.enqueue("box_moved", {"box": box.id, "rect": rect, "how": move_method})

    def _resized(self, tab: Tab) -> None:
        if box := tab.pick_visible_box():
            x0, y0, x1, y1 = box.rect
            rect = [x0, self.rng.uniform(0, y1 - 4) if y1 > 4 else y0, min(x1 + 5, WIDTH), y1]
            tab.enqueue("box_resized", {"box": box.id, "rect": rect})

    def _turned(self, tab: Tab, stack: Any, page_key: PageKey) -> None:
        change = tab.view.boxes.last(stack, *page_key)
        if change is not None:
            payload = {"document": page_key[0], "page": page_key[1], "change": change.id}
            tab.enqueue("undone" if stack == "undo" else "redone", payload)


@pytest.mark.parametrize("seed", range(3))
def test_stored_boxes_equal_the_models(client: TestClient, services: Services, seed: int) -> None:
    """After each of 150 random actions, offline spells and lost answers included."""
    add_campaigns(services, verify=FREE)
    session = Session(client, services, seed)
    for _ in range(150):
        session.step()
        session.check()
    for tab in session.tabs:
        session.flush(tab)
    session.check_all()
    kinds = Counter(event.type for event in services.log.events(session.attempt))
    assert {"box_drawn", "box_moved", "box_resized", "box_deleted", "undone"} <= set(kinds)


@pytest.mark.parametrize("seed", range(2))
def test_one_tab_sees_what_is_stored(client: TestClient, services: Services, seed: int) -> None:
    """Alone and online nothing is refused, and the screen is what a reload would show."""
    add_campaigns(services, verify=FREE)
    session = Session(client, services, 100 + seed)
    session.tabs = session.tabs[:1]
    (tab,) = session.tabs
    for _ in range(100):
        session.step()
        tab.online = True
        session.flush(tab)
        assert tab.view.boxes.model_copy(
            update={"boxes": _unnumbered(tab.view)}
        ) == session.services.log.state(session.attempt).boxes.model_copy(
            update={"boxes": _unnumbered(services.log.state(session.attempt))}
        )
    assert len(session.sent) == tab.count + 1
    session.check_all()


def _unnumbered(state: AttemptState) -> list[PageBox]:
    """The boxes without the number of the event that made them, which the server gives."""
    return [box.model_copy(update={"seq": 0}) for box in state.boxes.boxes]
