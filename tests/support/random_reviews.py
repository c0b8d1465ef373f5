"""Random campaigns for review: what a protocol asks, what annotators submit, and their events.

A ``PlainAttempt`` holds an attempt as plain values; ``events_of`` turns them into events, some of
which are overwritten before the end. The reference in ``review_reference`` reads only the plain
values.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from pagetrail.annotation import events as ev
from pagetrail.annotation.protocols.protocol import Protocol

DOCUMENT = "b.pdf"
PAGES = (1, 2, 3)
LABELS = ("Table", "Chart")
FIELDS = (
    "quality", "kind", "why", "level", "tags", "count", "sure", "title", "remark", "table",
    "relevance", "modality", "readable",
)  # fmt: skip
# Texts that say the same share a class; one of nothing but space is none.
TEXTS = {"Blue whale": 1, " blue  WHALE.": 1, "“Blue whale”": 1, "1,000": 2, "1000.0": 2, "?": 3,
         "whale": 4, "": None, "  ": None}  # fmt: skip
CELLS = {"4.50": 1, "4.5": 1, "x": 2, "X.": 2, "y": 3, "": 0}
ANSWERS = ("blue whale", "Blue whale", "blue wale", "1000", "42", "grey seal, male")
ELEMENTS = (
    {"id": "m1", "rect": (0, 0, 4, 4), "label": "Table", "content": "x", "order": 1},
    {"id": "m2", "rect": (4, 0, 8, 4), "label": "Chart", "content": "y", "order": 2},
    {"id": "m3", "rect": (0, 4, 4, 8), "label": "Table", "content": "", "order": None},
)
_SCALE = 10
"""Points of one step of the boxes' grid."""

Rect = tuple[int, int, int, int]


@dataclass(frozen=True)
class Setup:
    """What a campaign asks.

    Attributes:
        boxes: ``off``, ``drawn`` or ``verified``, where a model's elements are given.
        rule: the table ``[review]``.
    """

    pages: str
    answer: str
    evidence: bool
    boxes: str
    fields: frozenset[str]
    overlap: int
    rule: dict[str, Any]

    @property
    def verified(self) -> bool:
        """Whether a model's elements are given."""
        return self.boxes == "verified"


@dataclass(frozen=True)
class PlainBox:
    """A box that the annotator drew on ``page`` of the only document."""

    page: int
    rect: Rect
    label: str
    deleted: bool = False
    readable: str | None = None


@dataclass(frozen=True)
class CheckedElement:
    """Changes to a model's element; None leaves a value unchanged."""

    deleted: bool = False
    rect: Rect | None = None
    label: str | None = None
    content: str | None = None
    order: int | None = None
    readable: str | None = None


@dataclass(frozen=True)
class PlainAttempt:
    """One person's attempt; ``dropped`` pages were cited, then removed."""

    poor: bool = False
    outcome: str = "answered"
    answer: tuple[str, ...] = ("42",)
    cited: frozenset[int] = frozenset()
    dropped: frozenset[int] = frozenset()
    values: dict[str, Any] = field(default_factory=dict)
    pages: dict[int, dict[str, Any]] = field(default_factory=dict)
    rows: tuple[tuple[str, str, bool], ...] = ()
    drawn_boxes: tuple[PlainBox, ...] = ()
    checked: tuple[CheckedElement, ...] = (CheckedElement(),) * len(ELEMENTS)
    flagged: bool = False
    skipped: bool = False


def setups() -> st.SearchStrategy[Setup]:
    """Campaigns of every shape."""
    share = st.sampled_from([0.0, 1 / 3, 0.5, 2 / 3, 1.0])
    rule = st.fixed_dictionaries(
        {
            "accept": st.sampled_from(["agreed", "agreed", "majority", "majority", "off"]),
            "people": st.integers(1, 3),
            "answer": share,
            "pages": share,
            "boxes": share,
            "steps": st.integers(0, 2),
            "keep": st.integers(1, 3),
            "check_share": st.sampled_from([0.0, 0.5, 1.0]),
        }
    )
    return st.builds(
        Setup,
        pages=st.sampled_from(["search", "given"]),
        answer=st.sampled_from(["list", "list", "off"]),
        evidence=st.booleans(),
        boxes=st.sampled_from(["off", "drawn", "verified"]),
        fields=st.frozensets(st.sampled_from(FIELDS), max_size=6),
        overlap=st.integers(1, 4),
        rule=rule,
    )


def _rects() -> st.SearchStrategy[Rect]:
    def rect(x: int, y: int, w: int, h: int) -> Rect:
        return x, y, x + w, y + h

    low, size = st.integers(0, 5), st.integers(1, 4)
    return st.builds(rect, low, low, size, size)


def _maybe(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(st.none(), strategy)


def plain_attempts() -> st.SearchStrategy[PlainAttempt]:
    """Attempts from small pools of values, so that people often agree on some parts."""
    pages = st.frozensets(st.sampled_from(PAGES), max_size=3)
    yes_no = _maybe(st.sampled_from(["y", "n"]))
    values = st.fixed_dictionaries(
        {
            "kind": _maybe(st.sampled_from("ab")),
            "why": _maybe(st.sampled_from("pq")),
            "level": _maybe(st.sampled_from(["low", "mid", "high"])),
            "tags": _maybe(st.lists(st.sampled_from("xyz"), unique=True).map(tuple)),
            "count": _maybe(st.sampled_from([0, 1, 1.0, 1.5, 1_000_000_000_000])),
            "sure": _maybe(st.booleans()),
            "title": st.sampled_from([text for text, text_class in TEXTS.items() if text_class]),
            "remark": _maybe(st.sampled_from(list(TEXTS))),
        }
    )
    page = st.fixed_dictionaries(
        {
            "relevance": _maybe(st.sampled_from("012")),
            "modality": _maybe(st.sampled_from([("T",), ("C",), ("T", "C")])),
        }
    )
    checked = st.builds(
        CheckedElement,
        deleted=st.sampled_from([False, False, True]),
        rect=_maybe(_rects()),
        label=_maybe(st.sampled_from(LABELS)),
        content=_maybe(st.sampled_from(list(CELLS))),
        order=_maybe(st.integers(1, 2)),
        readable=yes_no,
    )
    drawn_box = st.builds(
        PlainBox,
        page=st.sampled_from(PAGES[:2]),
        rect=_rects(),
        label=st.sampled_from(LABELS),
        deleted=st.sampled_from([False, False, False, True]),
        readable=yes_no,
    )
    cell = st.sampled_from(list(CELLS))
    return st.builds(
        PlainAttempt,
        poor=st.sampled_from([False] * 5 + [True]),
        outcome=st.sampled_from(["answered"] * 4 + ["not_found", "unanswerable"]),
        answer=st.lists(st.sampled_from(ANSWERS), min_size=1, max_size=3).map(tuple),
        cited=pages,
        dropped=pages,
        values=values,
        pages=st.fixed_dictionaries(dict.fromkeys(PAGES, page)),
        rows=st.lists(st.tuples(cell, cell, st.sampled_from([False, False, True])), max_size=3).map(
            tuple
        ),
        drawn_boxes=st.lists(drawn_box, max_size=3).map(tuple),
        checked=st.tuples(*[checked] * len(ELEMENTS)),
        flagged=st.sampled_from([False] * 5 + [True]),
        skipped=st.sampled_from([False] * 7 + [True]),
    )


def attempts_at_one_task(largest: int = 4) -> st.SearchStrategy[list[PlainAttempt]]:
    """Several people's attempts at a task, often the same one with a few differences."""
    different = st.lists(plain_attempts(), min_size=1, max_size=largest)
    identical = st.tuples(plain_attempts(), st.integers(1, largest)).map(
        lambda pair: [pair[0]] * pair[1]
    )

    def some_alike(pair: tuple[list[PlainAttempt], list[bool]]) -> list[PlainAttempt]:
        attempts, repeat = pair
        return [
            attempts[0] if repeats_first else attempt
            for attempt, repeats_first in zip(attempts, repeat, strict=False)
        ]

    mixed = st.tuples(different, st.lists(st.booleans(), min_size=largest, max_size=largest)).map(
        some_alike
    )
    return st.one_of(different, identical, mixed)


def protocol_of(setup: Setup) -> Protocol:
    """The protocol of a campaign."""
    options = {
        "quality": [("good", None), ("poor", None)],
        "kind": [("a", None), ("b", None)],
        "why": [("p", None), ("q", None)],
        "level": [("low", 1), ("mid", 2), ("high", 5)],
        "tags": [("x", None), ("y", None), ("z", None)],
        "relevance": [("0", 0), ("1", 1), ("2", 2)],
        "modality": [("T", None), ("C", None)],
        "readable": [("y", None), ("n", None)],
    }
    kinds = {"level": "ordinal", "relevance": "ordinal", "tags": "multi", "modality": "multi",
             "count": "number", "sure": "boolean", "title": "text", "remark": "text",
             "table": "records"}  # fmt: skip
    conditions = {
        "why": {"field": "kind", "values": ["a"]},
        "modality": {"field": "relevance", "values": ["1", "2"]},
    }
    fields = []
    for name in FIELDS:
        if name not in _asked_fields(setup):
            continue
        spec: dict[str, Any] = {
            "name": name,
            "label": name.title(),
            "kind": kinds.get(name, "choice"),
            "scope": {"relevance": "page", "modality": "page", "readable": "box"}.get(name, "task"),
            "required": name == "title",
        }
        if name in options:
            spec["options"] = [
                {"value": value, "label": value.upper(), "code": code}
                for value, code in options[name]
            ]
        if name == "table":
            spec["columns"] = [{"name": c, "label": c} for c in ("one", "two")]
        if name in conditions:
            spec["when"] = conditions[name]
        fields.append(spec)
    data: dict[str, Any] = {
        "name": "random",
        "title": "Random",
        "pages": setup.pages,
        "overlap": setup.overlap,
        "batch_size": 2,
        "answer": {"kind": setup.answer, "unanswerable": True},
        "evidence": {"enabled": setup.evidence, "required": False},
        "review": setup.rule,
        "fields": fields,
    }
    if "quality" in setup.fields:
        data["ends"] = {"field": "quality", "values": ["poor"]}
    if setup.boxes != "off":
        data["boxes"] = {
            "enabled": True,
            "labels": [{"name": name} for name in LABELS],
            "seed": setup.verified,
            "content": setup.verified,
            "order": setup.verified,
            "attributes": False,
        }
    return Protocol.model_validate(data)


def _asked_fields(setup: Setup) -> set[str]:
    """The fields, with those that others depend on, without those that there is nothing for."""
    names = set(setup.fields)
    names |= {"kind"} if "why" in names else set()
    names |= {"relevance"} if "modality" in names else set()
    return names - ({"readable"} if setup.boxes == "off" else set())


def record_of(setup: Setup, number: int = 1) -> dict[str, Any]:
    """The record of a task."""
    record: dict[str, Any] = {"id": f"t/{number}", "question": f"Question {number}?"}
    if setup.pages == "given":
        record["candidates"] = [{"document": DOCUMENT, "page": page} for page in PAGES]
    if setup.verified:
        record["elements"] = [
            {**e, "document": DOCUMENT, "page": 1, "rect": _points(e["rect"])} for e in ELEMENTS
        ]
    return record


def _points(rect: Any) -> tuple[float, ...]:
    return tuple(float(coordinate * _SCALE) for coordinate in rect)


def events_of(setup: Setup, attempt: PlainAttempt) -> list[ev.Payload]:
    """What somebody does to submit this."""
    fields = _asked_fields(setup)
    events: list[ev.Payload] = [ev.Opened(session="tab")]

    def set_field(name: str, value: Any, **at: Any) -> None:
        events.append(ev.FieldSet(field=name, value=value, **at))

    if setup.evidence:
        for page in sorted(attempt.cited | attempt.dropped):
            events.append(ev.CitationAdded(document=DOCUMENT, page=page))
    for name, value in attempt.values.items():
        if name == "why" and "why" in fields and value is not None:
            set_field("kind", "a")
            set_field("why", value)
    for name, value in attempt.values.items():
        if name in fields and name != "why" and (value is not None or name == "kind"):
            set_field(name, value)
    for page, values in attempt.pages.items():
        page_fields = {"document": DOCUMENT, "page": page}
        if setup.pages == "search" and not (
            setup.evidence and page in attempt.cited | attempt.dropped
        ):
            continue
        if "modality" in fields and values["modality"] is not None:
            set_field("relevance", "1", **page_fields)
            set_field("modality", values["modality"], **page_fields)
        if "relevance" in fields:
            set_field("relevance", values["relevance"], **page_fields)
    if "table" in fields:
        for number, (first, second, deleted) in enumerate(attempt.rows):
            cells = {"one": first, "two": second}
            events.append(ev.RowSet(field="table", row=f"r{number}", values=cells))
            if deleted:
                events.append(ev.RowDeleted(field="table", row=f"r{number}"))
    events += _box_events(setup, attempt, "readable" in fields)
    if setup.evidence:
        for page in sorted(attempt.dropped - attempt.cited):
            events.append(ev.CitationRemoved(document=DOCUMENT, page=page))
    if setup.answer != "off":
        events.append(ev.AnswerEdited(text="\n".join(attempt.answer)))
    if "quality" in fields and attempt.poor:
        set_field("quality", "poor")
    if attempt.flagged:
        events.append(ev.Flagged(comment="look"))
    if attempt.skipped:
        events.append(ev.Skipped(reason="no"))
    else:
        events.append(ev.Submitted.model_validate({"outcome": outcome_of(setup, attempt)}))
    return events


def outcome_of(setup: Setup, attempt: PlainAttempt) -> str:
    """The outcome that the work is submitted with."""
    ended = attempt.poor and "quality" in setup.fields
    if setup.answer == "off" or ended:
        return "completed"
    contradicts = attempt.outcome == "unanswerable" and setup.evidence and attempt.cited
    return "not_found" if contradicts else attempt.outcome


def _box_events(setup: Setup, attempt: PlainAttempt, readable: bool) -> list[ev.Payload]:
    events: list[ev.Payload] = []
    if setup.boxes == "off":
        return events
    for number, box in enumerate(attempt.drawn_boxes):
        # Two people's boxes may well have the same id.
        id_ = f"b{number}"
        events.append(
            ev.BoxDrawn.model_validate(
                {"box": id_, "document": DOCUMENT, "page": box.page, "rect": _points(box.rect),
                 "label": box.label}
            )
        )  # fmt: skip
        if readable and box.readable is not None:
            events.append(ev.FieldSet(field="readable", box=id_, value=box.readable))
        if box.deleted:
            events.append(ev.BoxDeleted(box=id_))
    if not setup.verified:
        return events
    for number, checked in enumerate(attempt.checked, start=1):
        id_ = f"e{number}"
        if checked.rect is not None:
            rect = _points(checked.rect)
            events.append(ev.BoxResized.model_validate({"box": id_, "rect": rect}))
        if checked.label is not None:
            events.append(ev.BoxLabelled(box=id_, label=checked.label))
        if checked.content is not None:
            events.append(ev.BoxContentEdited(box=id_, content=checked.content))
        if checked.order is not None:
            events.append(ev.BoxOrdered(box=id_, order=checked.order))
        if readable and checked.readable is not None:
            events.append(ev.FieldSet(field="readable", box=id_, value=checked.readable))
        if checked.deleted:
            events.append(ev.BoxDeleted(box=id_))
    return events
