"""Rows for exports and replays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pagetrail.annotation.events import Event
from pagetrail.annotation.protocols.protocol import Protocol


@dataclass(frozen=True)
class CampaignInfo:
    """A campaign with the totals that an export must account for, without excluded tasks.

    Attributes:
        guidelines_sha256: of the guidelines' UTF-8 text.
        attempts: all attempts of the campaign.
        opened: attempts that have events.
        excluded: key of each excluded task → the reason.
    """

    id: int
    name: str
    status: str
    seed: int
    protocol: Protocol
    guidelines_sha256: str
    tasks: int
    attempts: int
    opened: int
    excluded: Mapping[str, str]


@dataclass(frozen=True)
class CorpusInfo:
    """The collection's identity in exports.

    Attributes:
        sha256: over one line per document, ``<sha256 of the file>  <name>``, sorted by name.
    """

    documents: int
    pages: int
    sha256: str


@dataclass(frozen=True)
class TaskRow:
    """A task with its record, gold included."""

    key: str
    batch: str
    record: dict[str, Any]


@dataclass(frozen=True)
class AttemptHead:
    """An attempt without its events.

    Attributes:
        task: the task's key.
        record: the task's record, gold included.
        user, role: who made it; the name leaves the workspace only on request.
        batch: the batch's code name.
        setting: the name of the protocol it was made under.
    """

    id: str
    task: str
    record: dict[str, Any]
    user: str
    pseudonym: str
    role: str
    batch: str
    setting: str


@dataclass(frozen=True)
class AttemptEvents:
    """An attempt with all its events, in order; there is at least one."""

    head: AttemptHead
    events: list[Event]


@dataclass(frozen=True)
class TaskAttempts:
    """The attempts at a task that have events; the events are not included.

    Attributes:
        heads: at least one, in the order of ``Snapshot.attempts``.
        version: a digest of the task's record and each attempt's last event; everything computed
            from them is equal for equal versions, except names.
    """

    heads: tuple[AttemptHead, ...]
    version: bytes

    @property
    def task(self) -> str:
        """The task's key."""
        return self.heads[0].task


@dataclass(frozen=True)
class AttemptSummary:
    """A row of a list of attempts."""

    id: str
    campaign: str
    task: str
    user: str
    status: str
    events: int
    updated_at: str
