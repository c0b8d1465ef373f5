"""Preview of a change of the hidden checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select

from pagetrail.annotation.messages import gettext, ngettext
from pagetrail.annotation.protocols.protocol import with_overrides
from pagetrail.storage.batches.changeable_settings import check_changeable
from pagetrail.storage.batches.checks import (
    count_usable_gold,
    n_checks_by_rates,
    require_usable_gold_source,
)
from pagetrail.storage.campaigns.hidden_gold import unsafe_source
from pagetrail.storage.campaigns.lookup import get_campaign
from pagetrail.storage.database.json_cache import stored_protocol
from pagetrail.storage.database.statuses import WITHDRAWN
from pagetrail.storage.database.tables import Assignment, Batch, Campaign, Task
from pagetrail.storage.database.workspace import Workspace


@dataclass(frozen=True)
class QualityPreview:
    """Effects of a change of the hidden checks.

    Attributes:
        sizes: (tasks in a batch, checks before, checks after), largest batches first.
        slots: batch slots still to be assigned, to which the change applies.
        assigned: assigned batches, which keep their checks.
        gold: number of tasks that can be hidden gold.
        first_is_smaller: whether a person's first batch has fewer checks, since nothing can be
            repeated yet and there is no hidden gold.
    """

    sizes: tuple[tuple[int, int, int], ...]
    slots: int
    assigned: int
    gold: int
    first_is_smaller: bool

    @property
    def sentences(self) -> list[str]:
        """The preview in words."""
        sentences = [_size_sentence(*size) for size in self.sizes]
        sentences.append(
            ngettext(
                "It holds for {number:,} batch still to be assigned.",
                "It holds for {number:,} batches still to be assigned.",
                self.slots,
            )
            + " "
            + ngettext(
                "{number:,} batch already assigned keeps the number of checks.",
                "{number:,} batches already assigned keep the number of checks.",
                self.assigned,
            )
        )
        largest_batch = max((after for _, _, after in self.sizes), default=0)
        if self.gold and largest_batch:
            sentences.append(
                ngettext(
                    "{tasks} can be hidden gold, enough for at least {number:,} batch per "
                    "annotator. Repeats make it last longer; where both are used up, batches are "
                    "smaller.",
                    "{tasks} can be hidden gold, enough for at least {number:,} batches per "
                    "annotator. Repeats make it last longer; where both are used up, batches are "
                    "smaller.",
                    self.gold // largest_batch,
                    tasks=ngettext("{number:,} task", "{number:,} tasks", self.gold),
                )
            )
        if self.first_is_smaller:
            sentences.append(
                gettext(
                    "Each annotator’s first batch is smaller, since nothing can be repeated yet: "
                    "that shows that later ones have checks. Hidden gold fills it up."
                )
            )
        return sentences


def _size_sentence(tasks: int, before: int, after: int) -> str:
    """The number of hidden checks in a batch of that many tasks."""
    numbers = {
        "tasks": ngettext("{number:,} task", "{number:,} tasks", tasks),
        "before": before,
    }
    if after == before:
        return ngettext(
            "A batch of {tasks}: {number:,} hidden check, as now.",
            "A batch of {tasks}: {number:,} hidden checks, as now.",
            after,
            **numbers,
        )
    return ngettext(
        "A batch of {tasks}: {number:,} hidden check, {before:,} now.",
        "A batch of {tasks}: {number:,} hidden checks, {before:,} now.",
        after,
        **numbers,
    )


def quality_preview(
    workspace: Workspace, campaign: str, changes: Mapping[str, Any]
) -> QualityPreview:
    """Preview ``change_settings`` with these changes.

    Raises:
        NotFoundError: no such campaign.
        ConflictError: the source of hidden gold has no gold.
        ProtocolError: a key that cannot be changed, or a value that is not allowed.
    """
    check_changeable(changes)
    with workspace.engine.connect() as connection:
        row = get_campaign(connection, campaign)
        protocol = stored_protocol(row.protocol)
        changed = with_overrides(protocol, dict(changes))
        require_usable_gold_source(connection, row.name, changed)
        sizes = connection.execute(
            select(Task.batch_id, func.count())
            .where(Task.campaign_id == row.id)
            .group_by(Task.batch_id)
        )
        tasks: dict[int, int] = {batch: n for batch, n in sizes}
        rows = connection.execute(
            select(Assignment.batch_id, func.count())
            .join(Batch, Batch.id == Assignment.batch_id)
            .where(Batch.campaign_id == row.id, Assignment.status != WITHDRAWN)
            .group_by(Assignment.batch_id)
        )
        n_assigned: dict[int, int] = {batch: n for batch, n in rows}
        new = changed.quality
        gold = count_usable_gold(connection, changed, new.gold_from) if new.gold_from else 0
    return QualityPreview(
        sizes=tuple(
            (size, n_checks_by_rates(protocol.quality, size), n_checks_by_rates(new, size))
            for size in sorted(set(tasks.values()), reverse=True)
        ),
        slots=sum(max(0, changed.overlap - n_assigned.get(batch, 0)) for batch in tasks),
        assigned=sum(n_assigned.values()),
        gold=gold,
        first_is_smaller=bool(new.repeat_rate and not new.gold_rate),
    )


@dataclass(frozen=True)
class GoldSources:
    """Campaigns with gold for a protocol: name → number of their tasks with gold.

    Attributes:
        usable: hidden gold may come from them.
        unsafe: hidden gold may not come from them, since people can get their tasks; they can be
            copied.
    """

    usable: dict[str, int]
    unsafe: dict[str, int]


def gold_sources(workspace: Workspace, campaign: str) -> GoldSources:
    """Possible sources of a campaign's hidden gold.

    Raises:
        NotFoundError: no such campaign.
    """
    sources = GoldSources({}, {})
    with workspace.engine.connect() as connection:
        row = get_campaign(connection, campaign)
        protocol = stored_protocol(row.protocol)
        names = connection.execute(
            select(Campaign.name)
            .where(Campaign.checks_of.is_(None), Campaign.id != row.id)
            .order_by(Campaign.id)
        ).scalars()
        for name in names.all():
            if count := count_usable_gold(connection, protocol, name):
                among = sources.unsafe if unsafe_source(connection, name) else sources.usable
                among[name] = count
    return sources


def safe_sources(workspace: Workspace) -> list[str]:
    """Possible sources of hidden gold for a new campaign, oldest first."""
    with workspace.engine.connect() as connection:
        names = connection.execute(
            select(Campaign.name).where(Campaign.checks_of.is_(None)).order_by(Campaign.id)
        ).scalars()
        return [name for name in names.all() if not unsafe_source(connection, name)]
