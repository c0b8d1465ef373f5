"""Rebuilding projections: the event log is the truth, projections cache its fold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Engine, delete, func, insert, select

from pagetrail.annotation.attempts.state import AttemptState, fold
from pagetrail.annotation.errors import StorageError
from pagetrail.annotation.events import Event
from pagetrail.storage.attempts.event_log import projection_row
from pagetrail.storage.attempts.event_rows import event_row, payload_chars, read_events
from pagetrail.storage.attempts.stored_states import current_state
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import AttemptStateRow, EventRow
from pagetrail.storage.people.people_by_id import People
from pagetrail.storage.review.rebuild import rebuild_reviews

ATTEMPTS_AT_ONCE = 50


@dataclass(frozen=True)
class RebuildReport:
    """The result of a rebuild; ids of attempts, sorted.

    Attributes:
        attempts: number of attempts with events.
        differed: attempts whose stored projection was not the fold of the events.
        missing: attempts with events and no projection.
        orphaned: attempts with a projection and no event.
        tasks_differed: keys of tasks whose review projection differed.
        rewritten: whether the projections were rebuilt, or only compared.
    """

    attempts: int
    differed: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    orphaned: list[str] = field(default_factory=list)
    tasks_differed: list[str] = field(default_factory=list)
    rewritten: bool = False

    @property
    def clean(self) -> bool:
        """Whether every stored projection was what the log says."""
        return not (self.differed or self.missing or self.orphaned or self.tasks_differed)


def rebuild(
    engine: Engine, *, check: bool = False, progress: Callable[[int, int], None] | None = None
) -> RebuildReport:
    """Rebuild every projection from the log, or only compare if ``check``.

    A few attempts share each transaction, so that a running server is delayed by milliseconds
    only. ``progress`` is called with (attempts done, attempts in all).
    """
    with engine.connect() as connection:
        attempts = (
            connection.execute(
                select(EventRow.attempt_id)
                .group_by(EventRow.attempt_id)
                .order_by(EventRow.attempt_id)
            )
            .scalars()
            .all()
        )
    report = RebuildReport(len(attempts), rewritten=not check)
    for start in range(0, len(attempts), ATTEMPTS_AT_ONCE):
        chunk = attempts[start : start + ATTEMPTS_AT_ONCE]
        if check:
            with engine.connect() as connection, connection.begin():
                _rebuild_some(connection, chunk, report)
        else:
            with write_transaction(engine) as connection:
                _rebuild_some(connection, chunk, report)
        if progress is not None:
            progress(start + len(chunk), len(attempts))
    _orphans(engine, report)
    report.tasks_differed.extend(rebuild_reviews(engine, check=check))
    return report


def _rebuild_some(connection: Connection, attempts: Sequence[str], report: RebuildReport) -> None:
    for attempt_id in attempts:
        expected = _projection(connection, attempt_id)
        stored = (
            connection.execute(
                select(AttemptStateRow).where(AttemptStateRow.attempt_id == attempt_id)
            )
            .mappings()
            .one_or_none()
        )
        if stored is None:
            report.missing.append(attempt_id)
        elif _values(connection, dict(stored)) != _values(connection, expected):
            report.differed.append(attempt_id)
        if report.rewritten:
            connection.execute(
                delete(AttemptStateRow).where(AttemptStateRow.attempt_id == attempt_id)
            )
            connection.execute(insert(AttemptStateRow), expected)


def _projection(connection: Connection, attempt_id: str) -> dict[str, Any]:
    log_chars = 0
    people = People(connection)

    def measured(events: Iterable[Event]) -> Iterator[Event]:
        nonlocal log_chars
        for event in events:
            log_chars += payload_chars(event_row(event, people))
            yield event

    state = fold(measured(read_events(connection, attempt_id)))
    return projection_row(attempt_id, state, log_chars, people)


def _values(connection: Connection, row: dict[str, Any]) -> dict[str, Any]:
    """The columns, with the state parsed and brought up to the last event.

    An earlier version stored other parts of the state, and a large one may be some events behind.
    ``log_chars`` is left out: a new name of a person changes what is in the log by some characters.
    """
    return {**row, "state": _parsed_state(connection, row), "log_chars": None}


def _parsed_state(connection: Connection, row: dict[str, Any]) -> AttemptState | str:
    try:
        return current_state(connection, row["attempt_id"], row["state"], row["last_seq"])
    except StorageError:  # what is stored is no state
        return str(row["state"])


def _orphans(engine: Engine, report: RebuildReport) -> None:
    has_events = (
        select(func.count())
        .where(EventRow.attempt_id == AttemptStateRow.attempt_id)
        .scalar_subquery()
    )
    orphans = (
        select(AttemptStateRow.attempt_id)
        .where(has_events == 0)
        .order_by(AttemptStateRow.attempt_id)
    )
    with write_transaction(engine) as connection:
        report.orphaned.extend(connection.execute(orphans).scalars())
        if report.rewritten and report.orphaned:
            connection.execute(
                delete(AttemptStateRow).where(AttemptStateRow.attempt_id.in_(report.orphaned))
            )
