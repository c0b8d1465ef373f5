"""Protocols and task records, parsed once for each text: every event of a person needs both.

The text itself is the key, so that a changed campaign or task is parsed anew. What is returned is
shared by all callers and must not be changed.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from sqlalchemy import Cast, Column, Text, cast

from pagetrail.annotation.protocols.protocol import Protocol

PROTOCOLS = 64
RECORDS = 64
RECORD_CHARS = 250_000
"""A longer record is parsed each time: many of them would fill the memory."""


def as_text(column: Column[Any]) -> Cast[str]:
    """A JSON column as it is stored, to be selected in the column's place."""
    return cast(column, Text)


@lru_cache(PROTOCOLS)
def protocol_of(text: str) -> Protocol:
    """The protocol in a campaign's row."""
    return Protocol.model_validate(json.loads(text))


def record_of(text: str) -> dict[str, Any]:
    """The record in a task's row."""
    return _kept_record(text) if len(text) <= RECORD_CHARS else _record(text)


def _record(text: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(text)
    return record


_kept_record = lru_cache(RECORDS)(_record)
