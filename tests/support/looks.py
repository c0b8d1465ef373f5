"""Payloads as a screen sends them: verdicts say how long their unit was seen."""

from __future__ import annotations

from typing import Any

from pagetrail.annotation import events as ev

SEEN_MS = 900


def as_on_screen(type_: str, payload: dict[str, Any]) -> dict[str, Any]:
    """The payload; of a verdict with ``seen_ms``, unless it has one or undoes another."""
    is_verdict = issubclass(ev.EVENT_TYPES.get(type_, ev.Opened), ev.VerdictEvent)
    return {"seen_ms": SEEN_MS, **payload} if is_verdict and "undoes" not in payload else payload
