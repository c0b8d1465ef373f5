"""Campaigns in memory, for reports that only read: the state of each attempt is a list of events.

Nothing here goes through the recorder, so that a table of ratings from a paper becomes a campaign
in a line; the tests that need the real way use ``tests.exports.campaigns``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from pagetrail.annotation import events as ev
from pagetrail.annotation.costs.pay_rate import PayRate
from pagetrail.annotation.geometry.box import PageSize
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.exports.reading.source import Source
from pagetrail.exports.reports.agreement.report import AgreementOptions, agreement
from pagetrail.exports.reports.charts.style import unchecked
from pagetrail.exports.reports.model import Cell, Report, Row, Table
from pagetrail.storage.campaigns.verdict_sets import StoredVerdictSet
from pagetrail.storage.people.profiles import Profile
from pagetrail.storage.snapshot.rows import (
    AttemptEvents,
    AttemptHead,
    CampaignInfo,
    TaskAttempts,
    TaskRow,
)

DOC = "report.pdf"
SIZE = PageSize(width=600, height=800)
GOOD = ev.FieldSet(field="query_quality", value="good")
POOR = ev.FieldSet(field="query_quality", value="poor")


@dataclass
class People:
    """A campaign and what was done in it.

    Attributes:
        records: the task's record by key, in the campaign's order.
        attempts: (task, person, role, setting) → events; any order, as they come.
        n_pages: pages of every document but ``missing.pdf``, which does not exist.
        withdrawn: systems whose runs were withdrawn.
    """

    protocol: Protocol
    records: dict[str, dict[str, Any]] = field(default_factory=dict)
    attempts: dict[tuple[str, str, str, str], list[ev.Payload]] = field(default_factory=dict)
    batches: dict[str, str] = field(default_factory=dict)
    n_pages: int = 40
    profiles: dict[str, Profile] = field(default_factory=dict)
    withdrawn: set[str] = field(default_factory=set)

    def task(self, key: str, pages: Iterable[int] = (), batch: str = "Aries", **more: Any) -> None:
        """A task over these pages of one document."""
        record = {"id": key, "question": f"What of {key}?", **more}
        refs = [{"document": DOC, "page": page} for page in pages]
        self.records[key] = {"candidates": refs, "evidence": refs} | record
        self.batches[key] = batch

    def did(
        self,
        key: str,
        person: str,
        *payloads: ev.Payload,
        outcome: ev.Outcome | None = "completed",
        role: str = "annotator",
        setting: str = "",
    ) -> None:
        """Somebody did this and submitted it; without an outcome they did not."""
        if key not in self.records:
            self.task(key)
        submission = [] if outcome is None else [ev.Submitted(outcome=outcome)]
        events = [ev.Opened(session="tab-1"), *payloads, *submission]
        self.attempts[key, person, role, setting or self.protocol.name] = events

    def source(self) -> Source:
        """The campaign as reports read it."""
        info = CampaignInfo(
            id=1,
            name="Work",
            status="open",
            seed=7,
            protocol=self.protocol,
            guidelines_sha256="0" * 64,
            tasks=len(self.records),
            attempts=len(self.attempts),
            opened=len(self.attempts),
            excluded={},
        )
        names = {person: person for _, person, *_ in self.attempts}
        return Source(_Database(self), info, identify=False, pseudonyms=names)  # type: ignore[arg-type]

    def report(self, **options: Any) -> Report:
        """The agreement report, with few draws unless asked for more.

        Its charts are not validated, which takes most of the time: those of worked campaigns are.
        """
        with unchecked():
            return agreement(self.source(), AgreementOptions(**{"replicates": 50, **options}))


class _Database:
    """What ``storage.snapshot.snapshot.Snapshot`` gives, from memory."""

    def __init__(self, people: People) -> None:
        self._people = people
        self.pages = self

    def lengths(self) -> dict[str, int]:
        return {DOC: self._people.n_pages}

    def attempts(self, campaign_id: int) -> Iterator[AttemptEvents]:
        for task in self.task_attempts(campaign_id):
            yield from self.with_events(task.heads)

    def gold_streams(self, campaign_id: int) -> Iterator[AttemptEvents]:
        return iter(())

    def profiles(self) -> dict[str, Profile]:
        return self._people.profiles

    def size(self, name: str, page: int) -> PageSize | None:
        return SIZE if name != "missing.pdf" and 1 <= page <= self._people.n_pages else None

    def verdict_sets(self, campaign_id: int) -> list[StoredVerdictSet]:
        return []

    def pay_rates(self, campaign_id: int) -> dict[str | None, PayRate]:
        return {}

    def withdrawn_runs(self, campaign_id: int) -> frozenset[str]:
        return frozenset(self._people.withdrawn)

    def tasks(self, campaign_id: int) -> Iterator[TaskRow]:
        for key, record in self._people.records.items():
            yield TaskRow(key, self._people.batches[key], record)

    def task_attempts(self, campaign_id: int, *, gold: bool = False) -> Iterator[TaskAttempts]:
        order = {key: position for position, key in enumerate(self._people.records)}
        keys = sorted(self._people.attempts, key=lambda key: (order[key[0]], *key[1:]))
        for task, group in groupby(keys, key=lambda key: key[0]):
            heads = tuple(
                AttemptHead(
                    id=f"{task}/{person}/{setting}",
                    task=task,
                    record=self._people.records[task],
                    user=person,
                    pseudonym=person,
                    role=role,
                    batch=self._people.batches[task],
                    setting=setting,
                )
                for _, person, role, setting in group
            )
            yield TaskAttempts(heads, version=b"")

    def with_events(self, heads: Sequence[AttemptHead]) -> Iterator[AttemptEvents]:
        for head in heads:
            payloads = self._people.attempts[head.task, head.user, head.role, head.setting]
            yield AttemptEvents(head, _events(head.id, payloads))


def _events(attempt: str, payloads: Sequence[ev.Payload]) -> list[ev.Event]:
    return [
        ev.Event(
            attempt_id=attempt,
            seq=seq,
            server_ts=f"2026-03-02T09:00:00.{seq:06}Z",
            client_ts=None,
            elapsed_ms=seq * 1000,
            actor="someone",
            client_event_id=f"c{seq}",
            payload=payload,
        )
        for seq, payload in enumerate(payloads, start=1)
    ]


def on(page: int, document: str = DOC) -> dict[str, Any]:
    """Document and page of a payload."""
    return {"document": document, "page": page}


def graded(page: int, grade: int | str) -> ev.FieldSet:
    """A page gets a grade."""
    return ev.FieldSet(field="relevance", value=str(grade), **on(page))


def drew(page: int, *rect: float, box: str = "b-1", document: str = DOC) -> ev.BoxDrawn:
    """A box is drawn."""
    return ev.BoxDrawn.model_validate(
        {"box": box, **on(page, document), "rect": rect, "label": "Text"}
    )


def table(report: Report, key: str) -> Table:
    """The table of that key."""
    (match,) = [table for table in report.tables if table.key == key]
    return match


def lines(report: Report, key: str) -> dict[str, Mapping[str, Cell]]:
    """Cells by the first column's text."""
    report_table = table(report, key)
    first = report_table.columns[0].key
    return {str(row.cells[first].value): row.cells for row in report_table.rows}


def rows_of_kind(report: Report, key: str, kind: str) -> list[Row]:
    """The rows of that kind."""
    return [row for row in table(report, key).rows if row.kind == kind]


def cell_values(cells: Mapping[str, Cell], *keys: str) -> list[Any]:
    """Values of these columns."""
    return [cells[key].value for key in keys]
