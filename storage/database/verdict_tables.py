"""Decisions on answers: verdicts given elsewhere, and withdrawn runs; what runs were read from.

See ``tables``.
"""

from __future__ import annotations

from sqlalchemy import Column, LargeBinary, Text, UniqueConstraint
from sqlmodel import Field

from pagetrail.storage.database.base import Base


class OutsideVerdict(Base, table=True):
    """One verdict of the set ``name``: 1 right, 0.5 partly, 0 wrong; rows are only added.

    ``system``: who answered: a system's name or a person's pseudonym. ``answer``: that was judged;
    None: whatever was submitted. ``confidence`` and ``rationale``: of whoever judged, as the file
    has them; None: not given.
    """

    __tablename__ = "verdict"
    __table_args__ = (UniqueConstraint("campaign_id", "name", "task", "system"),)
    id: int | None = Field(default=None, primary_key=True)
    campaign_id: int = Field(foreign_key="campaign.id", index=True)
    name: str
    task: str
    system: str
    answer: str | None = Field(default=None, sa_column=Column(Text, nullable=True))
    value: float
    at: str
    confidence: float | None = None
    rationale: str | None = Field(default=None, sa_column=Column(Text, nullable=True))


class RunDecision(Base, table=True):
    """Whether a system's run of a campaign is withdrawn; rows are only added, the last counts."""

    __tablename__ = "run_decision"
    id: int | None = Field(default=None, primary_key=True)
    campaign_id: int = Field(foreign_key="campaign.id", index=True)
    user_id: int = Field(foreign_key="user_account.id")
    withdrawn: bool
    reason: str = Field(sa_column=Column(Text, nullable=False))
    at: str


class OriginalContent(Base, table=True):
    """The bytes of a row, a sample or a log's header, compressed; see ``storage.run_originals``.

    ``sha256`` and ``size`` are of the bytes before they were compressed.
    """

    __tablename__ = "original_content"
    sha256: str = Field(primary_key=True)
    size: int
    content: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class RunOriginal(Base, table=True):
    """What an attempt of an imported run was read from; several may share one content.

    ``part``: ``row``, or ``header`` for what a log says of all its samples. ``deleted_at``: when
    the content was deleted, which only happens to withdrawn runs.
    """

    __tablename__ = "run_original"
    __table_args__ = (UniqueConstraint("attempt_id", "part"),)
    id: int | None = Field(default=None, primary_key=True)
    attempt_id: str = Field(foreign_key="attempt.id")
    part: str
    sha256: str = Field(index=True)
    deleted_at: str | None = None
