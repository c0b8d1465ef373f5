"""How often reviewers took models' drafts unchanged, edited or rejected them, and whether seeing
them made a difference (docs/metrics.md, Drafts)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pagetrail.annotation import events as ev
from pagetrail.annotation.statistics.clustered_mean import Mean, clustered_mean

KINDS: tuple[ev.DraftItemKind, ...] = ("answer", "page", "field", "box", "text", "table")
USES: tuple[ev.DraftUse, ...] = ("unchanged", "edited", "rejected")


@dataclass(frozen=True)
class DecidedDraft:
    """A model's draft of a task in one decision.

    Attributes:
        seq: of the decision in the gold stream.
        is_valid: whether the decision was not undone.
    """

    task: str
    seq: int
    is_valid: bool
    decision: ev.DraftDecision


class UsedItem(NamedTuple):
    """Something that a draft proposed, with the task that it belongs to."""

    task: str
    item: ev.DraftItem


def decided_drafts(task: str, events: Iterable[ev.Event]) -> list[DecidedDraft]:
    """Every draft of every decision in a task's gold stream, in order, undone decisions too."""
    event_list = list(events)
    undone = {e.payload.decision for e in event_list if isinstance(e.payload, ev.DecisionUndone)}
    return [
        DecidedDraft(task, event.seq, event.seq not in undone, decision)
        for event in event_list
        if isinstance(event.payload, ev.Adjudicated)
        for decision in event.payload.drafts
    ]


def first_decisions(
    drafts: Iterable[DecidedDraft], visibility: ev.DraftVisibility
) -> list[DecidedDraft]:
    """Each task's first decision with a draft, where drafts were shown or hidden in it.

    An undone one counts: a decision made blind is often undone after the draft was seen.
    """
    first: dict[tuple[str, str], DecidedDraft] = {}
    for draft in drafts:
        first.setdefault((draft.task, draft.decision.model), draft)
    return [draft for draft in first.values() if draft.decision.visibility == visibility]


def last_decisions(drafts: Iterable[DecidedDraft]) -> list[DecidedDraft]:
    """Each task's last decision with a draft that was not undone."""
    return list({(d.task, d.decision.model): d for d in drafts if d.is_valid}.values())


def after_revealing(drafts: Sequence[DecidedDraft]) -> list[DecidedDraft]:
    """The last decisions on tasks whose drafts were hidden at first, revised or not."""
    hidden = {(d.task, d.decision.model) for d in first_decisions(drafts, "hidden")}
    return [d for d in last_decisions(drafts) if (d.task, d.decision.model) in hidden]


def items_of(drafts: Iterable[DecidedDraft], model: str, kind: ev.DraftItemKind) -> list[UsedItem]:
    """What a model's drafts of these decisions proposed."""
    return [
        UsedItem(draft.task, item)
        for draft in drafts
        if draft.decision.model == model
        for item in draft.decision.items
        if item.kind == kind
    ]


def use_rate(items: Sequence[UsedItem], use: ev.DraftUse) -> Mean:
    """The share of items with this use; intervals take the items of a task together."""
    numbers = {task: number for number, task in enumerate(dict.fromkeys(i.task for i in items))}
    return clustered_mean(
        np.array([float(item.use == use) for _, item in items]),
        np.array([numbers[task] for task, _ in items], dtype=np.intp),
        share=True,
    )


def difference(first: Mean, second: Mean) -> tuple[float | None, tuple[float, float] | None]:
    """The difference of two independent shares, and its 95 % interval.

    The interval recovers variances from those of the shares (MOVER: Zou and Donner 2008,
    *Statistics in Medicine* 27; with Wilson intervals it is method 10 of Newcombe 1998).
    """
    if first.value is None or second.value is None:
        return None, None
    gap = first.value - second.value
    if None in (first.low, first.high, second.low, second.high):
        return gap, None
    assert first.low is not None and first.high is not None
    assert second.low is not None and second.high is not None
    low = math.hypot(first.value - first.low, second.high - second.value)
    high = math.hypot(first.high - first.value, second.value - second.low)
    return gap, (max(-1.0, gap - low), min(1.0, gap + high))


def moved_to_draft(drafts: Sequence[DecidedDraft], model: str, kind: ev.DraftItemKind) -> int:
    """Items that a decision without drafts differed from, and the last decision has."""
    before = {
        (task, item.part, item.document, item.page, item.box, item.table): item.use
        for task, item in items_of(first_decisions(drafts, "hidden"), model, kind)
    }
    after = items_of(after_revealing(drafts), model, kind)
    return sum(
        before.get((task, item.part, item.document, item.page, item.box, item.table)) == "rejected"
        and item.use != "rejected"
        for task, item in after
    )


def revised_tasks(drafts: Sequence[DecidedDraft], model: str) -> set[str]:
    """Tasks that were decided without the model's draft, and again with it."""
    return {
        d.task
        for d in after_revealing(drafts)
        if d.decision.model == model and d.decision.visibility == "revealed"
    }
