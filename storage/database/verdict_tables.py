"""Decisions on answers: verdicts given elsewhere, and withdrawn runs; see ``tables``."""

from __future__ import annotations

from sqlalchemy import Column, Text, UniqueConstraint
from sqlmodel import Field

from pagetrail.storage.database.base import Base


class OutsideVerdict(Base, table=True):
    """One verdict of the set ``name``: 1 right, 0.5 partly, 0 wrong; rows are only added.

    ``system``: who answered: a system's name or a person's pseudonym. ``answer``: that was judged;
    None: whatever was submitted.
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


class RunDecision(Base, table=True):
    """Whether a system's run of a campaign is withdrawn; rows are only added, the last counts."""

    __tablename__ = "run_decision"
    id: int | None = Field(default=None, primary_key=True)
    campaign_id: int = Field(foreign_key="campaign.id", index=True)
    user_id: int = Field(foreign_key="user_account.id")
    withdrawn: bool
    reason: str = Field(sa_column=Column(Text, nullable=False))
    at: str
