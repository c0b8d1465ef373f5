"""The examples that every event type has."""

from __future__ import annotations

from pagetrail.annotation import events as ev

EXAMPLES: list[tuple[ev.Payload, str]] = [
    (ev.parse_payload(type_, dict(fields)), sentence)
    for type_, payload_class in ev.EVENT_TYPES.items()
    for sentence, fields in payload_class.examples.items()
]
"""Payloads with their sentences."""
