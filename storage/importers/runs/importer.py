"""``import-run``: a file of an agent's results becomes attempts of a system user, one per task."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from sqlalchemy import select

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command, Recorder
from pagetrail.annotation.attempts.submission import answers_in
from pagetrail.annotation.clock import SystemClock, iso
from pagetrail.annotation.metrics.madqa_convention import RowPart, differing_parts
from pagetrail.annotation.ports import Clock
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.runs.record import RunRecord, answer_text, payloads, with_main_names
from pagetrail.annotation.runs.timestamps import TimeLine
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.attempts.run_originals import store_originals
from pagetrail.storage.attempts.system_attempts import ensure_attempt, ensure_system
from pagetrail.storage.campaigns.lookup import known_campaign
from pagetrail.storage.corpus.aliases import aliases_in
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.storable_text import clean_text, printable
from pagetrail.storage.database.tables import ATTEMPTS, DOCUMENTS, TASKS, USERS
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.runs.checks import RunChecker
from pagetrail.storage.importers.runs.formats import FoundRun, RunFile, open_runs
from pagetrail.storage.importers.runs.report import RunImportReport, RunNote
from pagetrail.storage.people.accounts import Person, find_user
from pagetrail.storage.people.credentials import check_name

__all__ = ["RunImportReport", "RunNote", "import_run"]

Progress = Callable[[int], None]
"""Called with the number of runs stored so far."""


@dataclass(frozen=True)
class _Run:
    """A run that can be imported, as the commands that record it."""

    found: FoundRun
    record: RunRecord
    times: TimeLine
    commands: tuple[Command, ...]
    notes: tuple[str, ...]


def import_run(
    workspace: Workspace,
    path: Path,
    *,
    campaign: str,
    system: str,
    format: str | None = None,
    strict: bool = False,
    progress: Progress | None = None,
    clock: Clock | None = None,
) -> RunImportReport:
    """Import a run into a campaign, under a system's name.

    Each attempt is one transaction, under ids that are the same each time: an import that was
    interrupted is completed by running it again, and importing twice changes nothing.

    Args:
        format: ``madqa``, ``inspect`` or ``atif``; by default told by the content.
        strict: import nothing where anything would be left out.

    Raises:
        NotFoundError: no such campaign or format.
        InputFileError: the file cannot be used as a whole.
        ConflictError: the system's name is a person's.
        PagetrailError: a name that is not allowed (code ``invalid_name``); a package that reads
            the format is missing (code ``missing_extra``).
    """
    system = check_name(system)
    importer = _Importer(workspace, campaign, system, clock or SystemClock())
    file = open_runs(path, format)
    report = RunImportReport(campaign, importer.system, file.format, printable(path.resolve().name))
    if strict:
        for _ in importer.wanted(file, report):
            pass
        if report.left_out:
            report.warnings.clear()
            report.already_there = 0
            report.stopped = True
            return report
        report = RunImportReport(campaign, importer.system, file.format, report.file)
    for done, run in enumerate(importer.wanted(file, report), start=1):
        importer.store(run, report)
        if progress is not None:
            progress(done)
    return report


class _Importer:
    def __init__(self, workspace: Workspace, campaign: str, system: str, clock: Clock) -> None:
        self._workspace = workspace
        self._campaign = campaign
        self._clock = clock
        self._log = SqlEventLog(workspace.engine)
        self._recorder = Recorder(self._log, Corpus(workspace), clock)
        with workspace.engine.connect() as connection:
            row = known_campaign(connection, campaign)
            account = find_user(connection, system)
            self._campaign_id = row.id
            self._aliases = aliases_in(connection)
            keys = connection.execute(
                select(TASKS.c.key).where(TASKS.c.campaign_id == row.id)
            ).scalars()
            documents = connection.execute(select(DOCUMENTS.c.name, DOCUMENTS.c.n_pages))
            self._checker = RunChecker(
                campaign, keys.all(), {row.name: row.n_pages for row in documents}
            )
        # The system is made when there is something to be stored for it, not before.
        self._person: Person | None = None
        if account is not None:
            self._person = ensure_system(workspace, system, clock=clock)
        self.system = system if self._person is None else self._person.name
        self._answer_kind = Protocol.model_validate(row.protocol).answer.kind
        self._prose = self._answer_kind == "text"

    def wanted(self, file: RunFile, report: RunImportReport) -> Iterator[_Run]:
        """The runs that are to be stored; the others go into the report."""
        stored = self._attempts()
        first: dict[str, FoundRun] = {}
        for found in file.runs():
            try:
                run = self._run(file, found)
                self._checker.check_task(run.record.task)
                earlier = first.setdefault(run.record.task, found)
                if earlier is not found:
                    raise ValueError(
                        f"the task is there twice; the run of {_place(earlier, found)} counts"
                    )
            except ValueError as error:
                report.left_out.append(_note(found, str(error)))
                continue
            events = list(self._log.events(stored.get(run.record.task, "")))
            if events:
                self._compare(run, events, report)
                if _same(run, events):
                    # Versions before 0022 kept no originals.
                    store_originals(self._workspace.engine, events[0].attempt_id, found.originals)
            else:
                yield run

    def store(self, run: _Run, report: RunImportReport) -> None:
        """Store a run as an attempt, unless somebody else has just done so."""
        if self._person is None:
            self._person = ensure_system(self._workspace, self.system, clock=self._clock)
        row = ensure_attempt(
            self._workspace,
            self._campaign,
            run.record.task,
            self._person,
            finished=True,
            clock=self._clock,
        )
        store_originals(self._workspace.engine, row.attempt_id, run.found.originals)
        # What a model gave to be verified was not before the agent.
        context = replace(row.context(), imported=True, seeds=None)
        recorded = self._recorder.record(context, run.commands)
        if recorded.refusals or any(receipt.repeated for receipt in recorded.receipts):
            self._compare(run, list(self._log.events(row.attempt_id)), report)
            return
        report.imported += 1
        report.searches += run.record.searches
        report.steps += run.record.other_steps
        report.count_not_kept(run.record.not_kept)
        report.unanswered += not run.record.answer
        report.failed += run.record.failed is not None
        report.untimed += not run.times.timed
        report.results_unknown += not run.record.results_known
        asked = self._checker.question_note(run.record, row.record)
        for reason in (*run.notes, *asked):
            report.warnings.append(_note(run.found, reason))

    def _attempts(self) -> dict[str, str]:
        """The system's attempts: task → attempt."""
        statement = (
            select(TASKS.c.key, ATTEMPTS.c.id)
            .join(TASKS, TASKS.c.id == ATTEMPTS.c.task_id)
            .join(USERS, USERS.c.id == ATTEMPTS.c.user_id)
            .where(TASKS.c.campaign_id == self._campaign_id, USERS.c.name == self.system)
        )
        with self._workspace.engine.connect() as connection:
            return {row.key: row.id for row in connection.execute(statement)}

    def _run(self, file: RunFile, found: FoundRun) -> _Run:
        if found.record is None:
            raise ValueError(found.reason)
        record = with_main_names(found.record, self._aliases)
        times = record.times()
        about = record.about
        imported = ev.RunImported(
            format=file.format,
            file=found.file,
            sha256=found.sha256,
            record=found.line,
            model=record.model,
            iterations=record.iterations,
            timed=times.timed,
            results_known=record.results_known,
            agent=about.agent,
            agent_version=about.agent_version,
            parameters=dict(about.parameters),
            tools=about.tools,
            system_prompt=about.system_prompt,
            prompt=about.prompt,
            ids=dict(about.ids),
            totals=about.totals,
            error=clean_text(record.failed or "")[0],
            details=dict(about.details),
            original=next((o.sha256 for o in found.originals if o.part == "row"), None),
            repaired=self._repaired_parts(record),
        )
        made = payloads(record, imported, prose=self._prose)
        notes = (*record.notes, *times.notes, *self._checker.notes(record, self._clock.now()))
        return _Run(found, record, times, _commands(record, times, made), notes)

    def _repaired_parts(self, record: RunRecord) -> tuple[RowPart, ...] | None:
        """The parts of a row of MADQA results that its evaluator reads differently as stored."""
        if record.madqa_row is None:
            return None
        text = answer_text(record.answer, prose=self._prose)
        searches = sum(isinstance(step.payload, ev.Searched) for step in record.steps)
        stored = {
            "answer": answers_in(text, self._answer_kind),
            "citations": [{"file": name, "page": page} for name, page in record.citations],
            "search_history": [None] * searches,
            "iterations": max(1, searches) if record.iterations is None else record.iterations,
        }
        return differing_parts(record.madqa_row, stored)

    def _compare(self, run: _Run, events: list[ev.Event], report: RunImportReport) -> None:
        if _same(run, events):
            report.already_there += 1
            return
        there = events[0].payload
        if isinstance(there, ev.RunImported):
            what = f"another run of this task, record {there.record:,} of {printable(there.file)}"
        else:
            what = "worked on this task here"
        report.left_out.append(
            _note(
                run.found,
                f"{self.system} has {what}, which stays; this is record {run.found.line:,} of "
                f"{printable(run.found.file)}. Give the run another system name",
            )
        )


def _commands(record: RunRecord, times: TimeLine, made: list[ev.AnyPayload]) -> tuple[Command, ...]:
    """The commands of a run, each with the run's own stamp and how long before its end it was."""
    after = len(made) - 1 - len(record.steps)
    elapsed = (0, *times.steps, *(times.end for _ in range(after)))
    stamps = (
        record.started or (times.start if times.timed else None),
        *(step.at for step in record.steps),
        *(record.finished for _ in range(after)),
    )
    return tuple(
        Command(
            client_event_id=f"run/{number}",
            payload=payload,
            client_ts=None if at is None else iso(at),
            age_ms=times.end - ms,
        )
        for number, (payload, at, ms) in enumerate(zip(made, stamps, elapsed, strict=True), 1)
    )


def _same(run: _Run, events: list[ev.Event]) -> bool:
    """Whether the stored events are this run's, be it from the same file or a longer one."""
    there, here = events[0].payload, run.commands[0].payload
    if not isinstance(there, ev.RunImported) or not isinstance(here, ev.RunImported):
        return False
    if (there.sha256, there.record, there.file) == (here.sha256, here.record, here.file):
        return True
    source: dict[str, object] = {
        "file": here.file,
        "sha256": here.sha256,
        "record": here.record,
        "original": here.original,
    }
    if there.repaired is None:  # stored before rows were compared
        source["repaired"] = here.repaired
    if there.model_copy(update=source) != here or len(events) != len(run.commands):
        return False
    return all(
        (event.payload, event.client_ts, event.elapsed_ms)
        == (command.payload, command.client_ts, run.times.end - command.age_ms)
        for event, command in zip(events[1:], run.commands[1:], strict=True)
    )


def _place(earlier: FoundRun, found: FoundRun) -> str:
    where = f"line {earlier.line:,}"
    return where if earlier.file == found.file else f"{where} of {printable(earlier.file)}"


def _note(found: FoundRun, reason: str) -> RunNote:
    return RunNote(found.line, found.id, reason, printable(found.file))
