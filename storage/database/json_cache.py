"""Protocols and task records, parsed once per text: every event needs both.

The text itself is the key, so a changed campaign or task is parsed again. Callers share the
returned objects and must not change them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from pydantic import ValidationError
from sqlalchemy import Cast, SQLColumnExpression, Text, cast

from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.storage.database.damage import unreadable

PROTOCOLS = 64
RECORDS = 64
RECORD_CHARS = 250_000
"""Longer records are parsed each time: caching many of them would fill the memory."""


def as_text(column: SQLColumnExpression[Any]) -> Cast[str]:
    """A JSON column as stored text, to select instead of the column."""
    return cast(column, Text)


def stored_protocol(values: Mapping[str, Any]) -> Protocol:
    """The protocol in a campaign's row.

    Raises:
        StorageError: it is not one; the database is damaged.
    """
    try:
        return Protocol.model_validate(values)
    except ValidationError as error:
        raise unreadable("the protocol of a campaign", error) from None


@lru_cache(PROTOCOLS)
def protocol_of(text: str) -> Protocol:
    """``stored_protocol`` of a column selected with ``as_text``."""
    return stored_protocol(json.loads(text))


def record_of(text: str) -> dict[str, Any]:
    """The record in a task's row."""
    return _cached_record(text) if len(text) <= RECORD_CHARS else _parse_record(text)


def _parse_record(text: str) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(text)
    return record


_cached_record = lru_cache(RECORDS)(_parse_record)
