"""Failures of the database: what people and the log are told, without the data in question.

Drivers quote what they could not read, such as a protocol with its settings. Nobody but the
operator needs to know which column it was, and nobody the value.
"""

from __future__ import annotations

import logging
import re
from weakref import WeakSet

from pydantic import ValidationError
from sqlalchemy import Engine

from pagetrail.annotation.errors import StorageError

DAMAGED = (
    "The workspace’s database is damaged. Nothing was stored. Your work is kept in this browser "
    "meanwhile. The operator stops the server, runs `pagetrail verify` and restores a backup."
)
_FAILED = "The database failed. Nothing was stored; the server’s log says more."
_SIGNS = ("malformed", "not a database", "could not decode", "corrupt")
_VALUE = re.compile(r"(with text|:) .*", re.DOTALL)
_MAX_CHARS = 200
_log = logging.getLogger("pagetrail.storage")
_damaged: WeakSet[Engine] = WeakSet()


def storage_failure(
    engine: Engine | None, original: BaseException | None, *, damaged: bool = False
) -> StorageError:
    """The error to raise for one of the driver's, whose message loses the data it quotes.

    The message is changed in place, since the driver's error is part of every trace.

    Args:
        damaged: whether its code says that the database is; otherwise its message is looked at.
    """
    message = str(original).lower()
    damaged = damaged or any(sign in message for sign in _SIGNS)
    plain = plain_message(original)
    if original is not None:
        original.args = (plain,)
    if engine is not None and damaged:
        _damaged.add(engine)
    _log.error("%s: %s", "damaged database" if damaged else "database failed", plain)
    return StorageError(DAMAGED, code="storage_damaged") if damaged else StorageError(_FAILED)


def unreadable(subject: str, error: ValidationError) -> StorageError:
    """The error to raise, ``from None``, for a stored value that its model refuses.

    Pydantic quotes the value, and sentences of our own validators do: what stays is the kind of
    each problem.

    Args:
        subject: names what was read, as "the protocol of a campaign".
    """
    problems = error.errors(include_url=False, include_context=False, include_input=False)
    return damaged(subject, ", ".join(sorted({problem["type"] for problem in problems})))


def damaged(subject: str, kinds: str = "not as it was stored") -> StorageError:
    """The error to raise for a stored value that cannot be read, as ``unreadable``.

    Args:
        kinds: of what is wrong with it.
    """
    _log.error("damaged database: %s cannot be read (%s)", subject, kinds)
    return StorageError(DAMAGED, code="storage_damaged")


def plain_message(original: BaseException | None) -> str:
    """What a driver says, without the value that it quotes."""
    return _VALUE.sub("", str(original))[:_MAX_CHARS]


def is_damaged(engine: Engine) -> bool:
    """Whether a statement of this process has met damage since the workspace was opened."""
    return engine in _damaged
