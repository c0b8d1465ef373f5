"""The event types as a schema: what is accepted, what is refused, what comes back from storage."""

from __future__ import annotations

import json
from typing import Any, Literal

import pytest
from pydantic import ValidationError

from pagetrail.annotation import events as ev
from tests.annotation.events.examples import EXAMPLES
from tests.support.factory import events_at


@pytest.mark.parametrize("payload", [p for p, _ in EXAMPLES], ids=lambda p: p.type)
def test_storage_form_round_trips(payload: ev.Payload) -> None:
    """Type and fields, as the log stores them, give the same payload back."""
    event = events_at((0, payload))[0]
    assert ev.parse_payload(event.type, event.fields()) == payload
    assert ev.read_payload(event.type, json.dumps(event.fields())) == payload
    assert "type" not in event.fields()


@pytest.mark.parametrize(("payload", "sentence"), EXAMPLES, ids=lambda v: getattr(v, "type", ""))
def test_every_event_in_words(payload: ev.Payload, sentence: str) -> None:
    """Each example has the sentence it is declared with."""
    assert payload.sentence() == sentence


def test_every_type_has_an_example() -> None:
    """No type is without an example, so none is without a sentence."""
    assert {payload.type for payload, _ in EXAMPLES} == set(ev.EVENT_TYPES)


@pytest.mark.parametrize("model", ev.EVENT_TYPES.values(), ids=lambda m: m.__name__)
def test_every_payload_is_documented_versioned_and_strict(model: type[ev.Payload]) -> None:
    """Each kind has a sentence, a version, a literal tag, described fields, and no others."""
    assert model.__doc__
    assert model.VERSION >= 1
    assert model.model_config["extra"] == "forbid"
    assert model.model_config["frozen"]
    for name, field in model.model_fields.items():
        assert name == "type" or field.description, f"{model.__name__}.{name}"


def test_tags_are_unique() -> None:
    """A second class with the same tag is refused, and the first keeps the tag."""
    with pytest.raises(ValueError, match="Paused has the type 'paused' already"):

        class PausedAgain(ev.Payload):
            """A tag that is taken."""

            type: Literal["paused"] = "paused"

    assert ev.EVENT_TYPES["paused"] is ev.Paused


VERDICTS = [p for p, _ in EXAMPLES if isinstance(p, ev.VerdictEvent)]


@pytest.mark.parametrize("payload", VERDICTS, ids=lambda p: p.type)
def test_verdicts_say_how_long_their_unit_was_seen(payload: ev.VerdictEvent) -> None:
    """Between nothing and a day; without it, as in older events, the stored form is as before."""
    plain = payload.model_copy(update={"seen_ms": None}).model_dump(mode="json")
    assert not {"seen_ms", "bulk"} & plain.keys()
    for seen_ms in (0, ev.MAX_SEEN_MS):
        fields = plain | {"seen_ms": seen_ms}
        stored = ev.parse_payload(payload.type, fields).model_dump(mode="json")
        assert stored == fields
    for wrong in (-1, ev.MAX_SEEN_MS + 1, 1.5, "soon"):
        with pytest.raises(ValidationError, match="seen_ms"):
            ev.parse_payload(payload.type, plain | {"seen_ms": wrong})


def test_bulk_verdicts_are_marked() -> None:
    """A verdict that one press gave to all that was left says so; any other is stored as before."""
    marked = ev.BoxAccepted(box="e1", bulk=True, seen_ms=500)
    fields = marked.model_dump(mode="json", exclude={"type"})
    assert fields == {"box": "e1", "accepted": True, "bulk": True, "seen_ms": 500}


VIEW = {"document": "a.pdf", "page": 1, "via": "next"}


@pytest.mark.parametrize(
    ("type_", "fields"),
    [
        ("no_such_type", {}),
        ("page_viewed", {**VIEW, "page": 0}),
        ("page_viewed", {**VIEW, "page": -3}),
        ("page_viewed", {**VIEW, "page": 10**9}),
        ("page_viewed", {**VIEW, "page": 1.5}),
        ("page_viewed", {**VIEW, "via": "teleport"}),
        ("page_viewed", {**VIEW, "document": ""}),
        ("page_viewed", {**VIEW, "document": "x" * 1_001}),
        ("page_viewed", {**VIEW, "rank": 0}),
        ("page_viewed", {**VIEW, "zoom": 2}),
        ("page_viewed", {"document": "a.pdf", "via": "next"}),
        ("answer_edited", {"text": "x" * (ev.MAX_TEXT + 1)}),
        ("answer_edited", {"text": "half a pair \ud800"}),
        ("answer_edited", {"text": None}),
        ("answer_edited", {"text": ["42"]}),
        ("note_edited", {"text": 7}),
        ("submitted", {"outcome": "maybe"}),
        ("skipped", {"reason": ""}),
        ("view_changed", {"fit": "width", "zoom": float("nan"), "rotation": 0}),
        ("view_changed", {"fit": "width", "zoom": 100, "rotation": 45}),
        ("view_changed", {"fit": "width", "zoom": 1e9, "rotation": 0}),
        ("reconnected", {"offline_ms": -1}),
        ("opened", {"session": ""}),
    ],
)
def test_malformed_payloads_are_refused(type_: str, fields: dict[str, Any]) -> None:
    """What is not of the schema never becomes an event."""
    with pytest.raises(ValidationError):
        ev.parse_payload(type_, fields)
    with pytest.raises(ValidationError):
        ev.read_payload(type_, json.dumps(fields))


def test_a_field_named_type_cannot_change_the_type() -> None:
    """The tag is the one the caller names, not one smuggled in among the fields."""
    payload = ev.parse_payload("paused", {"type": "submitted"})
    assert payload == ev.Paused()


def test_text_is_kept_as_it_is() -> None:
    """Markup, NUL, emoji and line ends are data: nothing is stripped or escaped."""
    text = "<script>alert(1)</script>\x00\r\n🦦\u2028"
    payload = ev.parse_payload("answer_edited", {"text": text})
    assert isinstance(payload, ev.AnswerEdited)
    assert payload.text == text


def test_events_are_immutable() -> None:
    """An event in hand cannot be altered."""
    event = events_at((0, ev.Paused()))[0]
    with pytest.raises(ValidationError):
        event.seq = 7  # type: ignore[misc]
    with pytest.raises(ValidationError):
        event.payload.type = "resumed"  # type: ignore[misc]
