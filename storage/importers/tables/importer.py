"""``import-tables``: the tables that a model fixed begin the next round of the tasks they are for.

A row names a task and the SHA-256 of the tables that it answers, as the export ``table-fixes`` has
them. A round begins only for submitted work with these tables, so that nothing a person did is
replaced unseen; other rows are listed with the way out. Importing a file again changes nothing.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import select

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.preannotations import given_table
from pagetrail.annotation.attempts.recorder import Command, Recorder
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.attempts.table_rounds import tables_stage
from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.errors import InputFileError, Refusal
from pagetrail.annotation.events.transcripts import MAX_MODEL
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.ports import Clock
from pagetrail.annotation.tables.parsing import REPAIRS
from pagetrail.annotation.tables.sources import TableSource, read_table_sources
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.attempts.queries import AttemptRow, attempt
from pagetrail.storage.campaigns.lookup import known_campaign, protocol_of_campaign
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.tables import Attempt, EventRow, Task, User
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.files.recognition import IMPORT_TABLES, importer_hint
from pagetrail.storage.importers.files.row_files import read_task_file
from pagetrail.storage.people.system_roles import NOT_PEOPLE

_HASH = re.compile(r"[0-9a-f]{64}")
_EXPORT = "export the fixes again and answer the current tables"


class LeftOutTables(NamedTuple):
    """A row that was not imported, or what was repaired in a table of an imported one."""

    line: int
    task: str | None
    reason: str


@dataclass
class TableReport:
    """Outcome of an import of fixed tables.

    Attributes:
        tasks: whose next round began, by its number.
        changes: that ask for confirmation.
        already_there: rows that were imported before.
        repaired: tables that were not well-formed, and are read in their nearest meaning.
    """

    campaign: str
    tasks: dict[int, int] = field(default_factory=dict)
    changes: int = 0
    already_there: int = 0
    repaired: list[LeftOutTables] = field(default_factory=list)
    left_out: list[LeftOutTables] = field(default_factory=list)

    @property
    def imported(self) -> int:
        """Tasks whose next round began."""
        return sum(self.tasks.values())


@dataclass(frozen=True)
class _Answer:
    """A row: the tables that a model fixed."""

    line: int
    task: str
    annotator: str | None
    tables_sha256: str
    model: str | None
    tables: Any

    @property
    def event_id(self) -> str:
        """The same for the same answer to the same tables."""
        content = (self.tables_sha256, self.model, self.tables)
        digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
        return f"round-{digest[:40]}"


def import_tables(
    workspace: Workspace,
    path: Path,
    *,
    campaign: str,
    model: str | None = None,
    actor: str | None = None,
    clock: Clock | None = None,
) -> TableReport:
    """Begin the next round of the submitted tasks whose tables the file's rows have fixed.

    Each task is one transaction; an import that was interrupted is completed by repeating it.

    Args:
        model: name of the model, where a row has none.
        actor: the supervisor at work; None records the rounds under the annotators' names, like
            the closing of batches.

    Raises:
        NotFoundError: no such campaign.
        InputFileError: the file cannot be used as a whole, or the campaign has no tables.
    """
    with workspace.engine.connect() as connection:
        row = known_campaign(connection, campaign)
    if not protocol_of_campaign(workspace, row.name).tables.enabled:
        raise InputFileError(
            gettext(
                "The tasks of {campaign} have no tables to verify. Fixed tables are for campaigns "
                "of the protocol verify_table.",
                campaign=row.name,
            )
        )
    try:
        file = read_task_file(path, "task")
    except InputFileError as error:
        raise InputFileError(error.message + importer_hint(path, IMPORT_TABLES)) from error
    report = TableReport(row.name)
    report.left_out += [LeftOutTables(e.line, None, e.reason) for e in file.errors]
    rounds = _RoundImport(workspace, row.id, actor, clock or SystemClock(), report)
    for raw in file.rows:
        task = raw.data.get("task")
        task_id = str(task) if isinstance(task, str | int) else None
        try:
            rounds.add(_parse_answer(raw.line, raw.data, model))
        except (ValueError, Refusal) as error:
            report.left_out.append(LeftOutTables(raw.line, task_id, str(error)))
    report.left_out.sort(key=lambda entry: entry.line)
    return report


def _parse_answer(line: int, data: dict[str, Any], default_model: str | None) -> _Answer:
    """The answer in a row.

    Raises:
        ValueError: a field is missing or invalid.
    """
    task = data.get("task")
    if isinstance(task, bool) or not isinstance(task, str | int):
        raise ValueError("task: must be the task’s id, as the export has it")
    annotator, model = (data.get(name) or None for name in ("annotator", "model"))
    for name, value in (("annotator", annotator), ("model", model)):
        if value is not None and (not isinstance(value, str) or len(value) > MAX_MODEL):
            raise ValueError(f"{name}: must be a name of at most {MAX_MODEL} characters")
    tables_sha256 = data.get("tables_sha256")
    if not isinstance(tables_sha256, str) or not _HASH.fullmatch(tables_sha256.lower()):
        raise ValueError(
            "tables_sha256: must be the SHA-256 of the tables that were fixed, as the export has it"
        )
    if data.get("tables") is None:
        raise ValueError("tables: must be a list of objects with id and html or markdown")
    return _Answer(
        line, str(task), annotator, tables_sha256.lower(), model or default_model, data["tables"]
    )


class _RoundImport:
    """Begins rounds for one file."""

    def __init__(
        self,
        workspace: Workspace,
        campaign_id: int,
        actor: str | None,
        clock: Clock,
        report: TableReport,
    ) -> None:
        self._workspace = workspace
        self._log = SqlEventLog(workspace.engine)
        self._recorder = Recorder(self._log, Corpus(workspace), clock)
        self._campaign_id = campaign_id
        self._actor = actor
        self._report = report
        self._lines: dict[str, int] = {}  # of the attempts that a row was used for

    def add(self, answer: _Answer) -> None:
        """Begin the round of the attempts that the row answers.

        Raises:
            ValueError: there are none; the message says why.
            Refusal: the work changed at this moment, or its campaign is archived.
        """
        problems: dict[str, str] = {}
        is_used = False
        for attempt_id, pseudonym in self._candidates(answer):
            if self._is_recorded(attempt_id, answer):
                self._report.already_there += 1
                is_used = True
                continue
            state = self._log.state(attempt_id)
            row = attempt(self._workspace.engine, attempt_id)
            problem = self._problem(attempt_id, row, state, answer)
            if problem is not None:
                problems[pseudonym] = problem
                continue
            self._begin(row, state, answer)
            self._lines[attempt_id] = answer.line
            is_used = True
        if not is_used:
            reasons = list(dict.fromkeys(problems.values()))
            raise ValueError(
                reasons[0]
                if len(reasons) == 1
                else "; ".join(f"{name}: {reason}" for name, reason in problems.items())
            )

    def _candidates(self, answer: _Answer) -> list[tuple[str, str]]:
        """Attempt and pseudonym of the people whose work the row may be for."""
        with self._workspace.engine.connect() as connection:
            rows = connection.execute(
                select(Attempt.id, User.name, User.pseudonym)
                .join(Task, Task.id == Attempt.task_id)
                .join(User, User.id == Attempt.user_id)
                .where(Task.campaign_id == self._campaign_id, Task.key == answer.task)
                .where(User.role.not_in(NOT_PEOPLE))
                .order_by(Attempt.id)
            ).all()
        if not rows:
            raise ValueError(
                f"campaign {self._report.campaign} has no task {answer.task!r} that anybody opened"
            )
        candidates = [
            (attempt_id, pseudonym)
            for attempt_id, name, pseudonym in rows
            if answer.annotator in (None, name, pseudonym)
        ]
        if not candidates:
            raise ValueError(f"annotator: {answer.annotator} has not opened this task")
        return candidates

    def _is_recorded(self, attempt_id: str, answer: _Answer) -> bool:
        statement = select(EventRow.seq).where(
            EventRow.attempt_id == attempt_id, EventRow.client_event_id == answer.event_id
        )
        with self._workspace.engine.connect() as connection:
            return connection.execute(statement).first() is not None

    def _problem(
        self, attempt_id: str, row: AttemptRow, state: AttemptState, answer: _Answer
    ) -> str | None:
        """Why the attempt does not go into its next round, or None."""
        line = self._lines.get(attempt_id)
        tables = state.tables
        if line is not None:
            return f"line {line} has tables for this task already"
        if not tables.tables:
            return "has no tables, or has not been opened yet"
        if row.decisions.withdrawn:
            return "is in a batch that was withdrawn"
        if state.status == "skipped":
            return "was skipped; its annotator can reopen and submit it"
        if state.status != "submitted":
            return f"is in work in round {tables.round}; wait until it is submitted"
        if tables_stage(state) == "accepted":
            return f"was accepted without a flag in round {tables.round}, so it is done"
        if tables.sha256 != answer.tables_sha256:
            return (
                f"has other tables by now, SHA-256 {tables.sha256[:12]}…, not "
                f"{answer.tables_sha256[:12]}…; {_EXPORT}"
            )
        return None

    def _begin(self, row: AttemptRow, state: AttemptState, answer: _Answer) -> None:
        pages = [(table.document, table.page) for table in state.tables.tables]
        sources = read_table_sources(answer.tables, list(dict.fromkeys(pages)))
        unknown_ids = [s.id for s in sources if state.tables.table(s.id) is None]
        if unknown_ids:
            table_ids = ", ".join(table.id for table in state.tables.tables)
            raise ValueError(f"tables: there is no table {unknown_ids[0]!r}; tables: {table_ids}")
        row.require_changeable()
        number = state.tables.round + 1
        commands = [
            Command(answer.event_id, ev.RoundStarted(number=number, model=answer.model)),
            *(
                Command(f"{answer.event_id}-tables{index}", payload)
                for index, payload in enumerate(_payloads(state, sources, number, answer.model))
            ),
        ]
        self._record(row, state, commands)
        self._report.tasks[number] = self._report.tasks.get(number, 0) + 1
        tables = self._log.state(row.attempt_id).tables.tables
        self._report.changes += sum(table.n_unconfirmed for table in tables)
        for source in sources:
            if source.repairs:
                repairs = "; ".join(gettext(REPAIRS[repair]) for repair in source.repairs)
                reason = f"table {source.id}: {repairs}"
                self._report.repaired.append(LeftOutTables(answer.line, answer.task, reason))

    def _record(self, row: AttemptRow, state: AttemptState, commands: Sequence[Command]) -> None:
        def require_unchanged(current: AttemptState) -> None:
            if current.last_seq != state.last_seq:
                raise Refusal(f"was changed at this moment; {_EXPORT}", code="outdated")

        context = row.context()
        if self._actor is not None:
            context = replace(context, actor=self._actor)
        recorded = self._recorder.record(context, commands, require_unchanged)
        for refusal in recorded.refusals.values():
            raise refusal


def _payloads(
    state: AttemptState, sources: Sequence[TableSource], number: int, model: str | None
) -> Iterator[ev.TablesGiven]:
    """All tables of the task by page: the fixed ones, and the others as they are.

    Flags of a table that a model has not returned are answered by the table as it is.
    """
    fixed_grids = {source.id: source.grid for source in sources}
    for (document, page), group in groupby(
        state.tables.tables, key=lambda table: (table.document, table.page)
    ):
        tables = tuple(
            given_table(table.id, fixed_grids.get(table.id, table.grid), table) for table in group
        )
        yield ev.TablesGiven(document=document, page=page, round=number, model=model, tables=tables)
