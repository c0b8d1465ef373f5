"""What refers to a document: tasks, gold, drafts and work, of each campaign.

The stored JSON is searched for the document's names as whole strings, so nothing that names it is
overlooked, wherever it does.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, Connection, Text, cast, or_, select
from sqlalchemy.orm import InstrumentedAttribute

from pagetrail.annotation.errors import NotFoundError
from pagetrail.annotation.messages import gettext, ngettext
from pagetrail.storage.database.portable_sql import position_of
from pagetrail.storage.database.tables import (
    Attempt,
    Campaign,
    Document,
    DocumentAlias,
    EventRow,
    GoldDraft,
    PageScores,
    Task,
    UnsentEventRow,
    User,
)
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.system_roles import REVIEW, SYSTEM


@dataclass
class CampaignUses:
    """What of one campaign refers to a document.

    Attributes:
        tasks: tasks that name it, in this number of ``batches``.
        gold: those of them with gold on it.
        elements: a model's elements on it.
        work: people's attempts with events that name it.
        runs: systems' attempts.
        decisions: tasks whose decided or edited gold names it.
        events: of all these attempts; also changes that came too late for the log.
        drafts: a model's drafts of gold that name it.
        scores: tasks with a model's scores of its pages.
        pages: page number → number of tasks, drafts and events that name it.
    """

    campaign: str
    tasks: int = 0
    batches: int = 0
    gold: int = 0
    elements: int = 0
    work: int = 0
    runs: int = 0
    decisions: int = 0
    events: int = 0
    drafts: int = 0
    scores: int = 0
    pages: dict[int, int] = field(default_factory=dict)

    def sentence(self) -> str:
        """``baseline: 3 tasks in 1 batch, 2 attempts``."""
        parts = [
            ngettext("{number:,} task", "{number:,} tasks", self.tasks),
            ngettext("in {number:,} batch", "in {number:,} batches", self.batches),
            ngettext("{number:,} with gold on it", "{number:,} with gold on it", self.gold),
            ngettext("{number:,} element", "{number:,} elements", self.elements),
            ngettext("{number:,} draft", "{number:,} drafts", self.drafts),
            ngettext("scores in {number:,} task", "scores in {number:,} tasks", self.scores),
            ngettext("{number:,} attempt", "{number:,} attempts", self.work),
            ngettext("{number:,} run of a task", "{number:,} runs of tasks", self.runs),
            ngettext("decided gold of {number:,} task", "decided gold of {number:,} tasks",
                     self.decisions),
            ngettext("{number:,} event", "{number:,} events", self.events),
        ]  # fmt: skip
        counts = (
            self.tasks, self.batches, self.gold, self.elements, self.drafts, self.scores,
            self.work, self.runs, self.decisions, self.events,
        )  # fmt: skip
        named = ", ".join(part for part, count in zip(parts, counts, strict=True) if count)
        return f"{self.campaign}: {named}"


def document_uses(workspace: Workspace, name: str) -> list[CampaignUses]:
    """What refers to a document, by campaign; empty if nothing does.

    Raises:
        NotFoundError: no such document.
    """
    with workspace.engine.connect() as connection:
        return uses_in(connection, *require_document(connection, name))


def require_document(connection: Connection, name: str) -> tuple[int, str]:
    """Id and name of a document.

    Raises:
        NotFoundError: there is none.
    """
    row = connection.execute(
        select(Document.id, Document.name).where(Document.name == name)
    ).one_or_none()
    if row is None:
        raise NotFoundError(
            gettext("There is no document {name!r} in this workspace.", name=name[:200])
        )
    return row.id, row.name


def uses_in(connection: Connection, document_id: int, name: str) -> list[CampaignUses]:
    """``document_uses`` in a transaction."""
    aliases = select(DocumentAlias.name).where(DocumentAlias.document_id == document_id)
    names = {name, *connection.execute(aliases).scalars()}
    names |= {unicodedata.normalize(form, each) for each in names for form in ("NFC", "NFD")}
    uses: dict[str, CampaignUses] = {}
    for step in (_tasks, _drafts, _scores, _events):
        for campaign, counts, page_numbers in step(connection, names):
            of_campaign = uses.setdefault(campaign, CampaignUses(campaign))
            for attribute, count in counts.items():
                setattr(of_campaign, attribute, getattr(of_campaign, attribute) + count)
            for page in page_numbers:
                of_campaign.pages[page] = of_campaign.pages.get(page, 0) + 1
    return [uses[campaign] for campaign in sorted(uses)]


_Step = Iterator[tuple[str, dict[str, int], Set[int]]]
"""Campaign, what is to be added to its counts, and the page numbers that one thing names."""


def _tasks(connection: Connection, names: Set[str]) -> _Step:
    statement = (
        select(Campaign.name, Task.batch_id, Task.record)
        .join(Campaign, Campaign.id == Task.campaign_id)
        .where(_names_any(Task.record, names))
    )
    batches: set[int] = set()
    for campaign, batch, record in connection.execute(statement):
        gold = {part: record.get(part) for part in ("evidence", "gold")}
        counts = {
            "tasks": 1,
            "batches": int(batch not in batches),
            "gold": int(any(True for _ in _references(gold, names))),
            "elements": sum(1 for _ in _references(record.get("elements"), names)),
        }
        batches.add(batch)
        yield campaign, counts, _page_numbers(record, names)


def _drafts(connection: Connection, names: Set[str]) -> _Step:
    statement = (
        select(Campaign.name, GoldDraft.record)
        .join(Campaign, Campaign.id == GoldDraft.campaign_id)
        .where(_names_any(GoldDraft.record, names))
    )
    for campaign, record in connection.execute(statement):
        yield campaign, {"drafts": 1}, _page_numbers(record, names)


def _scores(connection: Connection, names: Set[str]) -> _Step:
    statement = (
        select(Campaign.name, PageScores.scores)
        .join(Task, Task.id == PageScores.task_id)
        .join(Campaign, Campaign.id == Task.campaign_id)
        .where(_names_any(PageScores.scores, names))
    )
    for campaign, scores in connection.execute(statement):
        yield campaign, {"scores": 1}, {page for document, page, *_ in scores if document in names}


def _events(connection: Connection, names: Set[str]) -> _Step:
    attempts: set[str] = set()
    for table in (EventRow, UnsentEventRow):
        statement = (
            select(Campaign.name, User.role, table.attempt_id, table.payload)
            .select_from(table)
            .join(Attempt, Attempt.id == table.attempt_id)
            .join(User, User.id == Attempt.user_id)
            .join(Task, Task.id == Attempt.task_id)
            .join(Campaign, Campaign.id == Task.campaign_id)
            .where(_names_any(table.payload, names))
        )
        for campaign, role, attempt, payload in connection.execute(statement):
            kind = {SYSTEM: "runs", REVIEW: "decisions"}.get(role, "work")
            counts = {"events": 1, kind: int(attempt not in attempts)}
            attempts.add(attempt)
            yield campaign, counts, _page_numbers(payload, names)


def _names_any(column: InstrumentedAttribute[Any], names: Iterable[str]) -> ColumnElement[bool]:
    """Whether a column of JSON has one of the names as a whole string."""
    text = cast(column, Text)
    return or_(*(position_of(text, json.dumps(name)) > 0 for name in sorted(names)))


def _references(value: Any, names: Set[str]) -> Iterator[Any]:
    """For each place that names the document: the object that has its name, or None."""
    if isinstance(value, dict):
        if any(isinstance(item, str) and item in names for item in value.values()):
            yield value
        for item in value.values():
            if isinstance(item, dict | list):
                yield from _references(item, names)
    elif isinstance(value, list | tuple):
        for item in value:
            if isinstance(item, str) and item in names:
                yield None
            else:
                yield from _references(item, names)


def _page_numbers(value: Any, names: Set[str]) -> Set[int]:
    return {
        reference["page"]
        for reference in _references(value, names)
        if reference is not None and isinstance(reference.get("page"), int)
    }
