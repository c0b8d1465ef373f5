"""Two clients with stale views change boxes on several pages; a plain model says what must be."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any
from unittest.mock import patch

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts import boxes
from pagetrail.annotation.attempts.event_log import EventLog
from pagetrail.annotation.attempts.preannotations import seed_payloads
from pagetrail.annotation.attempts.recorder import AttemptContext, Command, Recorder
from pagetrail.annotation.attempts.state import AttemptState, fold
from pagetrail.annotation.events import parse_payload
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from tests.annotation.events.elements import element
from tests.support.box_model import BoxModel, PageKey, Snapshot
from tests.support.factory import FakePages, start_clock

HISTORY = 6
LABELS = ("Text", "Table", "Picture")
PAGES: tuple[PageKey, ...] = (("b.pdf", 1), ("b.pdf", 2), ("annual report.pdf", 1))
ELEMENTS = [element(n, label="Text", rect=(10 * n, 5, 10 * n + 50, 40)) for n in (1, 2, 3)]
PROTOCOL = with_overrides(preset("verify"), {"boxes.check_all": False})

clients = st.integers(0, 1)
page_keys = st.sampled_from(PAGES)
labels = st.sampled_from(LABELS)
picks = st.integers(0, 1_000)
lengths = st.one_of(st.integers(4, 200), st.floats(4, 200).map(lambda v: round(v, 3)))


def snapshots_of(state: AttemptState) -> dict[PageKey, Snapshot]:
    """The boxes of a state on each page, in the form of the model."""
    snapshots: dict[PageKey, Snapshot] = {}
    for box in state.boxes.boxes:
        if not box.deleted:
            snapshot = snapshots.setdefault((box.document, box.page), {})
            snapshot[box.id] = (tuple(box.rect), str(box.label))
    return snapshots


@dataclass(frozen=True)
class Message:
    """A command with its payload as it came over the wire."""

    command: Command
    wire: dict[str, Any]

    @property
    def id(self) -> str:
        return self.command.client_event_id


@dataclass
class Client:
    """A tab: what it last saw of the attempt, what waits to be sent, and what was sent."""

    name: str
    view: AttemptState = field(default_factory=AttemptState)
    queue: list[Message] = field(default_factory=list)
    stored: list[Message] = field(default_factory=list)
    refused: list[Message] = field(default_factory=list)
    count: int = 0


class BoxMachine(RuleBasedStateMachine):
    """The machine over some log; a subclass says which."""

    @abstractmethod
    def make_log(self) -> tuple[EventLog, str]:
        """An empty log and the attempt to work on."""

    @initialize()
    def begin(self) -> None:
        """The attempt is opened, with three elements of a model on one page."""
        self.log, attempt = self.make_log()
        record = {"elements": [e.model_dump(mode="json") for e in ELEMENTS]}
        self.context = AttemptContext(
            attempt, "Ada", PROTOCOL, None, PAGES, lambda: seed_payloads(PROTOCOL, record)
        )
        self.recorder = Recorder(self.log, FakePages(), start_clock())
        snapshot = {f"e{n}": (tuple(e.rect), "Text") for n, e in enumerate(ELEMENTS, start=1)}
        self.model = BoxModel({PAGES[1]: snapshot}, HISTORY)
        # Short enough for random sequences to reach its end.
        self._short_history = patch.object(boxes, "MAX_UNDO", HISTORY)
        self._short_history.start()
        self.clients = [Client("a"), Client("b")]
        self.recorder.record(self.context, [Command("open", ev.Opened(session="s"))])
        for client in self.clients:
            client.view = self.log.state(attempt)

    # What a client does goes by what it sees, which may be long out of date.

    @rule(
        client_index=clients,
        page_key=page_keys,
        label=labels,
        x=lengths,
        y=lengths,
        w=lengths,
        h=lengths,
    )
    def draw(
        self,
        client_index: int,
        page_key: PageKey,
        label: str,
        x: float,
        y: float,
        w: float,
        h: float,
    ) -> None:
        """A new box."""
        client = self.clients[client_index]
        rect = [x, y, x + w, y + h]
        box = f"{client.name}-box-{client.count}"
        page_fields = {"document": page_key[0], "page": page_key[1]}
        self.send_or_queue(
            client, "box_drawn", {"box": box, **page_fields, "rect": rect, "label": label}
        )

    @rule(client_index=clients, pick=picks)
    def draw_under_a_known_id(self, client_index: int, pick: int) -> None:
        """Ids are unique over all pages and clients, deleted boxes and given elements included."""
        box = self._visible_box(client_index, pick, deleted=True)
        if box is not None:
            payload = {"box": box.id, "document": "b.pdf", "page": 1, "rect": [1, 1, 20, 20]}
            self.send_or_queue(self.clients[client_index], "box_drawn", payload | {"label": "Text"})

    @rule(client_index=clients, pick=picks, dx=st.integers(-5, 40), dy=st.integers(-5, 40))
    def move(self, client_index: int, pick: int, dx: int, dy: int) -> None:
        """To where it was seen, and on from there."""
        box = self._visible_box(client_index, pick)
        if box is not None:
            x0, y0, x1, y1 = box.rect
            dx, dy = max(dx, -int(x0)), max(dy, -int(y0))
            rect = [x0 + dx, y0 + dy, x1 + dx, y1 + dy]
            self.send_or_queue(
                self.clients[client_index], "box_moved", {"box": box.id, "rect": rect}
            )

    @rule(client_index=clients, pick=picks, w=lengths, h=lengths)
    def resize(self, client_index: int, pick: int, w: float, h: float) -> None:
        """To another width and height."""
        box = self._visible_box(client_index, pick)
        if box is not None:
            rect = [box.rect[0], box.rect[1], box.rect[0] + w, box.rect[1] + h]
            self.send_or_queue(
                self.clients[client_index], "box_resized", {"box": box.id, "rect": rect}
            )

    @rule(client_index=clients, pick=picks, label=labels)
    def label(self, client_index: int, pick: int, label: str) -> None:
        """To another label, or the same."""
        box = self._visible_box(client_index, pick)
        if box is not None:
            self.send_or_queue(
                self.clients[client_index], "box_labelled", {"box": box.id, "label": label}
            )

    @rule(client_index=clients, pick=picks)
    def delete(self, client_index: int, pick: int) -> None:
        """A box that is seen, though it may be gone."""
        box = self._visible_box(client_index, pick)
        if box is not None:
            self.send_or_queue(self.clients[client_index], "box_deleted", {"box": box.id})

    @rule(client_index=clients, page_key=page_keys)
    def undo(self, client_index: int, page_key: PageKey) -> None:
        """The change that the client believes to be the last."""
        change = self.clients[client_index].view.boxes.last("undo", *page_key)
        if change is not None:
            payload = {"document": page_key[0], "page": page_key[1], "change": change.id}
            self.send_or_queue(self.clients[client_index], "undone", payload)

    @rule(client_index=clients, page_key=page_keys)
    def redo(self, client_index: int, page_key: PageKey) -> None:
        """The change that the client believes to have been undone last."""
        change = self.clients[client_index].view.boxes.last("redo", *page_key)
        if change is not None:
            payload = {"document": page_key[0], "page": page_key[1], "change": change.id}
            self.send_or_queue(self.clients[client_index], "redone", payload)

    @rule(client_index=clients)
    def reload(self, client_index: int) -> None:
        """The client sees what is stored; what it has not sent yet stays with it."""
        self.clients[client_index].view = self._state()

    @rule(client_index=clients)
    @precondition(lambda self: any(client.queue for client in self.clients))
    def come_online(self, client_index: int) -> None:
        """Everything that waits is sent in one call, and the client looks again."""
        client = self.clients[client_index]
        waiting, client.queue = client.queue, []
        self._send(client, waiting)
        self.reload(client_index)

    @rule(client_index=clients, pick=picks)
    def send_again(self, client_index: int, pick: int) -> None:
        """What was stored is answered with its receipt; what was refused gets a new judgement."""
        client = self.clients[client_index]
        sent = client.stored + client.refused
        if sent:
            self._send(client, [sent[pick % len(sent)]] * 2)

    @rule(client_index=clients, pick=picks)
    def reuse_an_event_id(self, client_index: int, pick: int) -> None:
        """Another payload under the id of a stored event is not looked at."""
        client = self.clients[client_index]
        if client.stored:
            id_ = client.stored[pick % len(client.stored)].id
            self._send(client, [Message(Command(id_, ev.BoxDeleted(box="e1")), {"box": "e1"})])

    @invariant()
    def stored_boxes_are_the_models(self) -> None:
        """On each page: the same boxes, where they are, and with their labels."""
        if not hasattr(self, "model"):
            return
        state = self._state()
        assert snapshots_of(state) == self.model.snapshots()
        assert {box.id for box in state.boxes.boxes} == set(self.model.homes)

    @invariant()
    def what_can_be_undone_is_the_models(self) -> None:
        """Each page's next undo and redo are those of the snapshots."""
        if not hasattr(self, "model"):
            return
        stacks = self._state().boxes
        for page_key in PAGES:
            undo, redo = (
                [c.id for c in stack if (c.document, c.page) == page_key]
                for stack in (stacks.undo, stacks.redo)
            )
            page = self.model.on(page_key)
            assert (undo, redo) == (page.undo, page.redo)

    def teardown(self) -> None:
        """The log is gapless, holds nothing twice, and folds to the stored state."""
        if not hasattr(self, "model"):
            return
        try:
            self._check_log()
        finally:
            self._short_history.stop()

    def _check_log(self) -> None:
        log = list(self.log.events(self.context.attempt_id))
        assert [e.seq for e in log] == list(range(1, len(log) + 1))
        assert max(Counter(e.client_event_id for e in log).values()) == 1
        sent = {message.id for client in self.clients for message in client.stored}
        assert {e.client_event_id for e in log} == sent | {"open", "open/seed-1"}
        state = self._state()
        assert fold(log) == state
        assert AttemptState.model_validate_json(state.model_dump_json()) == state

    def go(self, steps: int, seed: int) -> None:
        """That many random steps, looking at everything after each."""
        rng = Random(seed)
        self.begin()
        for _ in range(steps):
            self._step(rng)
            self.stored_boxes_are_the_models()
            self.what_can_be_undone_is_the_models()
        self.teardown()

    def _step(self, rng: Random) -> None:
        client_index, pick, page_key = rng.randint(0, 1), rng.randint(0, 1000), rng.choice(PAGES)
        label, across, down = rng.choice(LABELS), rng.randint(-5, 40), rng.randint(-5, 40)
        x, y, w, h = (rng.choice([rng.randint(4, 200), rng.uniform(4, 200)]) for _ in range(4))
        steps: list[tuple[int, Callable[[], None]]] = [
            (3, lambda: self.draw(client_index, page_key, label, x, y, w, h)),
            (1, lambda: self.draw_under_a_known_id(client_index, pick)),
            (3, lambda: self.move(client_index, pick, across, down)),
            (2, lambda: self.resize(client_index, pick, w, h)),
            (2, lambda: self.label(client_index, pick, label)),
            (2, lambda: self.delete(client_index, pick)),
            (5, lambda: self.undo(client_index, page_key)),
            (4, lambda: self.redo(client_index, page_key)),
            (3, lambda: self.reload(client_index)),
            (1, lambda: self.come_online(client_index)),
            (1, lambda: self.send_again(client_index, pick)),
            (1, lambda: self.reuse_an_event_id(client_index, pick)),
        ]
        rng.choices([step for _, step in steps], [weight for weight, _ in steps])[0]()

    def send_or_queue(self, client: Client, type_: str, payload: dict[str, Any]) -> None:
        """Send a command, or queue it after those that wait already (the client is offline)."""
        client.count += 1
        # As it comes over the wire: whole numbers are integers there, and tuples lists.
        values = json.loads(json.dumps(payload))
        command = Message(
            Command(f"{client.name}-{client.count}", parse_payload(type_, values)), values
        )
        if client.queue or client.count % 8 == 0:
            client.queue.append(command)
            if len(client.queue) == 4:
                self.come_online(self.clients.index(client))
        else:
            self._send(client, [command])

    def _send(self, client: Client, messages: list[Message]) -> None:
        stored_ids = {message.id for other in self.clients for message in other.stored}
        recorded = self.recorder.record(self.context, [message.command for message in messages])
        receipts = iter(recorded.receipts)
        for message in messages:
            repeated = message.id in stored_ids
            if repeated or self.model.take(message.id, message.command.payload.type, message.wire):
                receipt = next(receipts)
                assert (receipt.client_event_id, receipt.repeated) == (message.id, repeated)
                stored_ids.add(message.id)
                client.refused = [other for other in client.refused if other is not message]
                if not repeated:
                    client.stored.append(message)
            else:
                assert message.id in recorded.refusals
                client.refused.append(message)
        assert next(receipts, None) is None
        # The second client learns what others did, and how its own work ended, now and then only.
        if client.name == "a" or client.count % 3 == 0:
            client.view = recorded.state

    def _state(self) -> AttemptState:
        return self.log.state(self.context.attempt_id)

    def _visible_box(self, client_index: int, pick: int, *, deleted: bool = False) -> Any:
        visible = [
            b for b in self.clients[client_index].view.boxes.boxes if deleted or not b.deleted
        ]
        return visible[pick % len(visible)] if visible else None
