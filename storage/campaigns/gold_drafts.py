"""Reads models' drafts of gold."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, func, select

from pagetrail.annotation.review.drafts import Draft
from pagetrail.storage.database.base import AnyRow
from pagetrail.storage.database.tables import Campaign, GoldDraft, Task

_COLUMNS = (
    GoldDraft.id,
    GoldDraft.model,
    GoldDraft.version,
    GoldDraft.record,
    GoldDraft.reasons,
    GoldDraft.scores,
    GoldDraft.correctness,
    GoldDraft.sources,
    GoldDraft.at,
)


def drafts_of_task(connection: Connection, task_id: int) -> list[Draft]:
    """All drafts of a task, superseded ones too, in the order of their import."""
    rows = connection.execute(
        select(*_COLUMNS).where(GoldDraft.task_id == task_id).order_by(GoldDraft.id)
    )
    return [_draft(row) for row in rows]


def drafts_of_campaign(connection: Connection, campaign_id: int) -> dict[str, list[Draft]]:
    """Task → all its drafts, superseded ones too, in the order of their import."""
    drafts: dict[str, list[Draft]] = {}
    rows = connection.execute(
        select(Task.key, *_COLUMNS)
        .join(Task, Task.id == GoldDraft.task_id)
        .where(GoldDraft.campaign_id == campaign_id)
        .order_by(GoldDraft.id)
    )
    for row in rows:
        drafts.setdefault(row.key, []).append(_draft(row))
    return drafts


def last_draft(connection: Connection, campaign: str) -> int:
    """The id of a campaign's last draft, 0 without one; it grows with every import."""
    last = (
        select(func.max(GoldDraft.id))
        .join(Campaign, Campaign.id == GoldDraft.campaign_id)
        .where(Campaign.name == campaign)
    )
    return int(connection.execute(last).scalar() or 0)


def current_drafts(drafts: Iterable[Draft]) -> list[Draft]:
    """Each model's last draft, by model."""
    last = {draft.model: draft for draft in sorted(drafts, key=lambda draft: draft.id)}
    return [last[model] for model in sorted(last)]


def _draft(row: AnyRow) -> Draft:
    return Draft(
        id=row.id,
        model=row.model,
        version=row.version,
        record=row.record,
        reasons=row.reasons,
        scores=row.scores,
        correctness=row.correctness,
        sources=row.sources,
        at=row.at,
    )
