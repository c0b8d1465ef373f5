"""The tables of projections: what follows from the log. ``pagetrail rebuild`` makes them again."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Index, Text, false
from sqlmodel import Field

from pagetrail.storage.database.base import Base


class ResponseRow(Base, table=True):
    """Projection: the fold of one attempt's events. ``pagetrail rebuild`` makes it again.

    ``log_chars`` is the length of its events' payloads as JSON, for the limit on it.
    """

    __tablename__ = "response"
    __table_args__ = (Index("ix_response_status", "status"),)
    attempt_id: str = Field(primary_key=True, foreign_key="attempt.id")
    last_seq: int
    status: str
    outcome: str | None = None
    flagged: bool = False
    n_searches: int = 0
    n_citations: int = 0
    updated_at: str
    log_chars: int = 0
    state: str = Field(sa_column=Column(Text, nullable=False))


class AttemptSummary(Base, table=True):
    """Projection: the data of a submitted attempt that dashboards and agreement need.

    ``ratings`` has the answers as ``storage.review.projection`` reads them, so that agreement over
    a campaign does not parse whole states.
    """

    __tablename__ = "attempt_summary"
    attempt_id: str = Field(primary_key=True, foreign_key="attempt.id")
    task_id: int = Field(foreign_key="task.id", index=True)
    user_id: int = Field(foreign_key="user_account.id", index=True)
    campaign_id: int = Field(foreign_key="campaign.id", index=True)
    handed_seq: int
    last_seq: int
    status: str
    outcome: str | None = None
    handed_at: str
    wall_ms: int
    active_ms: int
    n_searches: int
    first_query_hit: bool | None = None
    ratings: str = Field(sa_column=Column(Text, nullable=False))


class ReviewTask(Base, table=True):
    """Projection: how a task's annotators differ, and the decision on its gold.

    ``stale`` is set in the transaction that changes an attempt of the task; everything else is
    computed from the attempts' states and the task's gold stream afterwards. Of a task with
    ``contradicts_dataset`` all annotators agree, on something else than the dataset.
    """

    __tablename__ = "review_task"
    __table_args__ = (Index("ix_review_task_queue", "campaign_id", "status", "score"),)
    task_id: int = Field(primary_key=True, foreign_key="task.id")
    campaign_id: int = Field(foreign_key="campaign.id", index=True)
    stale: bool = True
    status: str = "waiting"
    score: float = 0.0
    n_handed: int = 0
    flagged: bool = False
    drawn: bool = False
    gold_version: int = 0
    decided_by: str | None = None
    decided_at: str | None = None
    automatic: bool = False
    holder: str | None = None
    held_at: str | None = None
    parts: str = Field(default="[]", sa_column=Column(Text, nullable=False))
    sources: str = Field(default="[]", sa_column=Column(Text, nullable=False))
    handled: str = Field(default="[]", sa_column=Column(Text, nullable=False, server_default="[]"))
    contradicts_dataset: bool = Field(
        default=False, sa_column=Column(Boolean, nullable=False, server_default=false())
    )
