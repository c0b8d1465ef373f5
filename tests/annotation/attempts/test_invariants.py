"""Random work on boxes, fields, rows and submissions: what holds in every state it can reach."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.completeness import missing
from pagetrail.annotation.attempts.forms import Form, Target
from pagetrail.annotation.attempts.state import AttemptState, fold
from pagetrail.annotation.protocols.fields import check_value
from pagetrail.annotation.protocols.protocol import parse, preset, with_overrides
from tests.annotation.attempts.test_forms import CHAIN
from tests.annotation.events.elements import element
from tests.annotation.given_pages import GIVEN_PAGES, TOML, given_driver, on_page
from tests.support.factory import AttemptDriver
from tests.support.randomness import examples

SEEDED = with_overrides(
    preset("relevance"), {"boxes.seed": True, "boxes.max_per_page": 3, "boxes.required": False}
)
OWN_PROTOCOL = with_overrides(
    parse(TOML + CHAIN, source="own.toml"),
    {"boxes.when": {"field": "kinds", "values": ("a",)}, "boxes.max_per_page": 3},
)
PROTOCOLS = {
    "relevance": preset("relevance"),
    "seeded": SEEDED,
    "verify": preset("verify"),
    "chart": preset("verify_chart"),
    "pairs": preset("qa_review"),
    "own": OWN_PROTOCOL,
}
RECORD = {
    "elements": [element(n).model_dump(mode="json") for n in (1, 2)],
    "data_points": [{"labels": "2019", "value": 4}, {"labels": "2020"}],
}
NAMES = ("gone", "e1", "e2")


class Worker:
    """Somebody who mostly does what the screen offers, and now and then what it does not."""

    def __init__(self, driver: AttemptDriver, seed: int) -> None:
        self.driver = driver
        self.rng = Random(seed)

    def step(self) -> None:
        """One command, stored or refused."""
        rng = self.rng
        weighted: list[tuple[int, Callable[[], ev.Payload | None]]] = [
            (6, self._drawing),
            (5, self._changing),
            (4, lambda: self._turning("undo", ev.Undone)),
            (3, lambda: self._turning("redo", ev.Redone)),
            (12, self._field),
            (3, self._row),
            (1, lambda: ev.AnswerEdited(text=rng.choice(["", "42"]))),
            (2, self._end),
        ]
        choices, weights = [make for _, make in weighted], [weight for weight, _ in weighted]
        payload = rng.choices(choices, weights)[0]()
        if payload is not None:
            self.driver.do(payload)

    @property
    def _location(self) -> dict[str, Any]:
        return on_page(self.rng.choice(GIVEN_PAGES[:2]))

    def _rect(self) -> tuple[float, float, float, float]:
        x, y, w, h = (
            self.rng.randint(low, high) for low, high in ((0, 560), (0, 760), *[(2, 60)] * 2)
        )
        return float(x), float(y), float(x + w), float(y + h)

    def _label(self) -> str:
        labels = [label.name for label in self.driver.context.protocol.boxes.labels]
        return self.rng.choice([*labels * 3, "Blob"])

    def _box(self) -> str:
        box_ids = [box.id for box in self.driver.state.boxes.boxes if not box.deleted]
        return self.rng.choice(box_ids if box_ids and self.rng.random() < 0.9 else [*NAMES])

    def _drawing(self) -> ev.Payload:
        name = f"b-{self.driver.sent}" if self.rng.random() < 0.9 else self.rng.choice(NAMES)
        return ev.BoxDrawn(box=name, **self._location, rect=self._rect(), label=self._label())

    def _changing(self) -> ev.Payload:
        box, rng = self._box(), self.rng
        return rng.choice(
            [
                ev.BoxMoved(box=box, rect=self._rect()),
                ev.BoxResized(box=box, rect=self._rect()),
                ev.BoxLabelled(box=box, label=self._label()),
                ev.BoxAccepted(box=box, accepted=rng.random() < 0.8),
                ev.BoxContentEdited(box=box, content=rng.choice(["", "text"])),
                ev.BoxDeleted(box=box),
                ev.BoxDeleted(box=box),
            ]
        )

    def _turning(
        self, stack: Literal["undo", "redo"], kind: type[ev.Undone] | type[ev.Redone]
    ) -> ev.Payload:
        location = self._location
        change = self.driver.state.boxes.last(stack, location["document"], location["page"])
        return kind(**location, change=change.id if change else "none")

    def _field(self) -> ev.Payload | None:
        fields = [f for f in self.driver.context.protocol.fields if f.kind != "records"]
        if not fields:
            return None
        spec = self.rng.choice(fields)
        options = [option.value for option in spec.options]
        location: dict[str, Any] = {}
        if spec.scope != "task":
            location = self._location if spec.scope == "page" else {"box": self._box()}
        value: Any = self.rng.choice([True, True, False, None, "x"])
        if spec.kind == "multi":
            value = self.rng.sample(options, self.rng.randint(0, min(2, len(options))))
        elif options:
            value = self.rng.choice([*options * 3, None, "other"])
        return ev.FieldSet.model_validate({"field": spec.name, "value": value, **location})

    def _row(self) -> ev.Payload | None:
        tables = [f.name for f in self.driver.context.protocol.fields if f.kind == "records"]
        if not tables:
            return None
        field, row = self.rng.choice(tables), self.rng.choice(("r1", "r2", "r-1", "r-2"))
        if self.rng.random() < 0.3:
            return ev.RowDeleted(field=field, row=row)
        cells = {"labels": "2019", "value": "4", "verdict": "right", "tolerance": "x"}
        cell_names = self.rng.sample(sorted(cells), self.rng.randint(0, 3))
        return ev.RowSet(field=field, row=row, values={name: cells[name] for name in cell_names})

    def _end(self) -> ev.Payload:
        outcomes = ("answered", "completed", "completed", "unanswerable")
        return ev.Submitted.model_validate({"outcome": self.rng.choice(outcomes)})


def _check(driver: AttemptDriver) -> None:
    """What holds in every state."""
    state, protocol = driver.state, driver.context.protocol
    form = driver.context.form(state)
    boxed = {page: state.boxes.on(*page) for page in GIVEN_PAGES}
    model_box_ids = {box.id for box in state.boxes.boxes if box.model is not None}
    for page, boxes in boxed.items():
        _check_page(form, page, [box.id for box in boxes if box.id not in model_box_ids])
        assert len(boxes) <= max(protocol.boxes.max_per_page, 2)
    ids = [box.id for box in state.boxes.boxes]
    assert len(set(ids)) == len(ids)
    labels = {label.name for label in protocol.boxes.labels}
    assert {box.label for box in state.boxes.boxes} <= labels
    targets = [(v.field, v.document, v.page, v.box) for v in state.fields]
    assert len(set(targets)) == len(targets)
    for value in state.fields:
        spec = protocol.field(value.field)
        assert spec is not None
        check_value(spec, value.value)
    if state.status == "submitted":
        assert state.outcome is not None
        assert missing(form, state.outcome) == {}
        assert (state.outcome == "completed") == (protocol.answer.kind == "off" or form.ended)


def _check_page(form: Form, page: tuple[str, int], drawn_box_ids: list[str]) -> None:
    """Where no box is allowed there is none, unless a model's own or a task that has ended."""
    if drawn_box_ids and form.protocol.boxes.when is not None and not form.ended:
        assert form.may_have_boxes(*page), (page, drawn_box_ids)
    for spec in form.protocol.scoped("page"):
        value = form.value(spec, Target(*page))
        if value is None or not spec.rules.takes_options:
            continue
        option_values = {option.value for option in form.options(spec, Target(*page))}
        assert set(value if isinstance(value, tuple) else [value]) <= option_values


@pytest.mark.parametrize("name", sorted(PROTOCOLS))
@examples(4)
@given(seed=st.integers(0, 10**6))
def test_what_holds_in_every_state(name: str, seed: int) -> None:
    """After each of 120 steps, stored or refused, and after a round trip through storage."""
    driver = given_driver(PROTOCOLS[name], RECORD)
    worker = Worker(driver, seed)
    for _ in range(120):
        worker.step()
        _check(driver)
        if driver.state.status != "open":
            driver.do(ev.Reopened())
    state = driver.state
    assert AttemptState.model_validate_json(state.model_dump_json()) == state == fold(driver.events)


def test_a_page_graded_0_never_has_a_given_element_either() -> None:
    """The grade is refused while elements are there, whatever order the work comes in."""
    driver = given_driver(SEEDED, RECORD)
    zero = ev.FieldSet(field="relevance", **on_page(GIVEN_PAGES[1]), value="0")
    for step in (
        ev.FieldSet(field="query_quality", value="good"),
        zero,
        ev.BoxDeleted(box="e1"),
        zero,
        ev.BoxDeleted(box="e2"),
        zero,
        "undo",
    ):
        if step == "undo":
            change = driver.state.boxes.undo[-1].id
            step = ev.Undone(**on_page(GIVEN_PAGES[1]), change=change)
        assert not isinstance(step, str)
        driver.do(step)
        graded = driver.state.value("relevance", *GIVEN_PAGES[1]) == "0"
        assert not (graded and driver.state.boxes.on(*GIVEN_PAGES[1]))
    assert driver.state.value("relevance", *GIVEN_PAGES[1]) == "0"
