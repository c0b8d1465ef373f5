"""``import-run``: stores the runs in a result file as attempts of a system, one per task."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from sqlalchemy import select

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command, Recorder
from pagetrail.annotation.attempts.submission import answers_in
from pagetrail.annotation.clock import SystemClock, iso
from pagetrail.annotation.metrics.madqa_convention import RowPart, differing_parts
from pagetrail.annotation.ports import Clock
from pagetrail.annotation.runs.names import SIGN
from pagetrail.annotation.runs.record import RunRecord, answer_text, payloads, with_stored_names
from pagetrail.annotation.runs.timestamps import TimeLine
from pagetrail.annotation.tasks.identity import matching_id
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.attempts.run_originals import store_originals
from pagetrail.storage.attempts.system_attempts import ensure_attempt, ensure_system
from pagetrail.storage.campaigns.counting_tasks import excluded_tasks
from pagetrail.storage.campaigns.lookup import get_campaign
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.json_cache import stored_protocol
from pagetrail.storage.database.storable_text import clean_text, printable
from pagetrail.storage.database.tables import Attempt, Task, User
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.files.recognition import IMPORT_RUN, refuse_if_other_kind
from pagetrail.storage.importers.runs.checks import RunChecker
from pagetrail.storage.importers.runs.formats import ReadRun, RunFile, open_runs
from pagetrail.storage.importers.runs.question_matching import (
    AmbiguousMatch,
    NoMatch,
    QuestionMatcher,
)
from pagetrail.storage.importers.runs.report import RunImportReport, RunNote
from pagetrail.storage.importers.runs.search_tools import SearchTools
from pagetrail.storage.people.accounts import Person, find_user
from pagetrail.storage.people.credentials import check_name

__all__ = ["RunImportReport", "RunNote", "import_run"]

Progress = Callable[[int], None]
"""Called with the number of runs stored so far."""


@dataclass(frozen=True)
class _ImportableRun:
    """A run that can be imported, with the commands that record it."""

    source: ReadRun
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
    tools: SearchTools | None = None,
    without_documents: bool = False,
    progress: Progress | None = None,
    clock: Clock | None = None,
) -> RunImportReport:
    """Import a run into a campaign under a system's name.

    Each attempt is one transaction with deterministic ids: running an interrupted import again
    completes it, and importing twice changes nothing.

    Args:
        format: one of ``RunFormat``; by default recognised by the content.
        strict: import nothing if anything would be left out.
        tools: which tools of the agent search the collection, and which only look like it.
        without_documents: whether the model was given the questions alone.

    Raises:
        NotFoundError: no such campaign or format.
        InputFileError: the file cannot be used as a whole.
        ConflictError: the system's name is a person's.
        PagetrailError: an invalid name (code ``invalid_name``); the package for the format is
            missing (code ``missing_extra``); an unnamed tool looks like a search (code
            ``unknown_search_tool``).
    """
    system = check_name(system.strip())
    importer = _Importer(workspace, campaign, system, clock or SystemClock())
    file = open_runs(path, format)
    tools = tools or SearchTools()
    name = printable(path.resolve().name)
    # The file is read once before anything is stored, to find unknown tools and count the epochs.
    survey = _survey(file, tools)
    if not survey.epochs and survey.unreadable:
        refuse_if_other_kind(path, IMPORT_RUN, len(survey.unreadable), survey.unreadable[0])
    tools.require_known(name)
    importer.by_epoch = len(survey.epochs) > 1
    importer.without_documents = without_documents
    report = RunImportReport(campaign, importer.system, file.format, name)
    if strict:
        for _ in importer.new_runs(file, tools, report, restores_originals=False):
            pass
        if report.left_out:
            report.warnings.clear()
            report.already_there = 0
            report.stopped = True
            return report
        report = RunImportReport(campaign, importer.system, file.format, report.file)
    if survey.planned is not None and survey.n_runs < survey.planned:
        report.warnings.append(
            RunNote(
                1,
                None,
                f"the log holds {survey.n_runs:,} of its {survey.planned:,} samples; the others "
                "were not run or not written, and are no attempts",
                name,
            )
        )
    for runs_stored, run in enumerate(importer.new_runs(file, tools, report), start=1):
        importer.store(run, report)
        if progress is not None:
            progress(runs_stored)
    return report


@dataclass
class _Survey:
    """What a file holds.

    Attributes:
        unreadable: why runs cannot be read.
        planned: as in ``ReadRun``.
    """

    epochs: set[int | None] = field(default_factory=set)
    unreadable: list[str] = field(default_factory=list)
    n_runs: int = 0
    planned: int | None = None


def _survey(file: RunFile, tools: SearchTools) -> _Survey:
    """Read the file without storing anything; ``tools`` counts the calls."""
    survey = _Survey()
    for read_run in file.runs(tools):
        survey.n_runs += 1
        survey.planned = read_run.planned
        if read_run.record is None:
            survey.unreadable.append(read_run.reason)
        else:
            survey.epochs.add(read_run.record.epoch)
    return survey


@dataclass
class _Participant:
    """A system that gets attempts: the named one, or one per epoch.

    Attributes:
        account: None until the first attempt is stored.
        stored: task → its attempt.
        runs_by_task: task → the run in this file that counts.
    """

    name: str
    account: Person | None
    stored: dict[str, str]
    runs_by_task: dict[str, ReadRun] = field(default_factory=dict)


class _Importer:
    """Imports the runs of one file.

    Attributes:
        system: the system's name.
        by_epoch: whether each epoch of a log is a separate run, ``SYSTEM#EPOCH``.
        without_documents: whether the model was given the questions alone.
    """

    def __init__(self, workspace: Workspace, campaign: str, system: str, clock: Clock) -> None:
        self._workspace = workspace
        self._campaign = campaign
        self._clock = clock
        self._log = SqlEventLog(workspace.engine)
        corpus = Corpus(workspace)
        self._recorder = Recorder(self._log, corpus, clock)
        self._documents = corpus.document_names()
        with workspace.engine.connect() as connection:
            row = get_campaign(connection, campaign)
            self._campaign_id = row.id
            task_keys = connection.execute(
                select(Task.key).where(Task.campaign_id == row.id)
            ).scalars()
            self._keys = frozenset(task_keys)
            self._excluded = excluded_tasks(connection, row.id)
        self._checker = RunChecker(campaign, sorted(self._keys), self._documents)
        self._participants: dict[str, _Participant] = {}
        self._questions: QuestionMatcher | None = None
        self.by_epoch = False
        self.without_documents = False
        self.system = self._participant(system).name
        self._answer_kind = stored_protocol(row.protocol).answer.kind
        self._is_prose = self._answer_kind == "text"

    def new_runs(
        self,
        file: RunFile,
        tools: SearchTools,
        report: RunImportReport,
        *,
        restores_originals: bool = True,
    ) -> Iterator[_ImportableRun]:
        """The runs to store; adds all others to the report.

        Args:
            restores_originals: store the originals of runs that are stored already; they may have
                been deleted since.
        """
        for participant in self._participants.values():
            participant.runs_by_task.clear()
        for read_run in file.runs(tools):
            try:
                run = self._importable_run(file, read_run)
                record = self._with_task(run.record, report)
                run = replace(run, record=record)
                participant = self._participant_of(record)
                earlier = participant.runs_by_task.setdefault(record.task, read_run)
                if earlier is not read_run:
                    raise ValueError(
                        f"the task occurs twice; the run in {_line_reference(earlier, read_run)} "
                        "counts"
                    )
            except ValueError as error:
                report.ambiguous += isinstance(error, AmbiguousMatch)
                report.unmatched += isinstance(error, NoMatch)
                report.left_out.append(_note(read_run, str(error)))
                continue
            report.excluded += record.task in self._excluded
            events = list(self._log.events(participant.stored.get(record.task, "")))
            if events:
                self._compare(run, events, report)
                if restores_originals and _is_same_run(run, events):
                    store_originals(
                        self._workspace.engine, events[0].attempt_id, read_run.originals
                    )
            else:
                yield run

    def store(self, run: _ImportableRun, report: RunImportReport) -> None:
        """Store a run as an attempt, unless another import has just done so."""
        participant = self._participant_of(run.record)
        # The system's account is created with its first attempt, not before.
        if participant.account is None:
            participant.account = ensure_system(
                self._workspace, participant.name, clock=self._clock
            )
        row = ensure_attempt(
            self._workspace,
            self._campaign,
            run.record.task,
            participant.account,
            finished=True,
            clock=self._clock,
        )
        store_originals(self._workspace.engine, row.attempt_id, run.source.originals)
        # The agent was not shown pre-annotations.
        context = replace(row.context(), imported=True, seeds=None)
        recorded = self._recorder.record(context, run.commands)
        if recorded.refusals or any(receipt.repeated for receipt in recorded.receipts):
            self._compare(run, list(self._log.events(row.attempt_id)), report)
            return
        report.imported += 1
        if self.by_epoch and participant.name not in report.runs:
            report.runs.append(participant.name)
        report.searches += run.record.searches
        report.steps += run.record.other_steps
        report.count_not_kept(run.record.not_kept)
        report.unanswered += not run.record.answer
        report.failed += run.record.failed is not None
        report.untimed += not run.times.timed
        report.results_unknown += not run.record.results_known
        question_notes = self._checker.question_note(run.record, row.record)
        for reason in (*run.notes, *question_notes):
            report.warnings.append(_note(run.source, reason))

    def _participant_of(self, record: RunRecord) -> _Participant:
        if not self.by_epoch or record.epoch is None:
            return self._participant(self.system)
        sign = "-" if SIGN in self.system else SIGN
        return self._participant(check_name(f"{self.system}{sign}{record.epoch}"))

    def _participant(self, name: str) -> _Participant:
        if name not in self._participants:
            with self._workspace.engine.connect() as connection:
                exists = find_user(connection, name) is not None
            account = ensure_system(self._workspace, name, clock=self._clock) if exists else None
            stored_name = name if account is None else account.name
            self._participants[name] = _Participant(
                stored_name, account, self._attempts_by_task(stored_name)
            )
        return self._participants[name]

    def _with_task(self, record: RunRecord, report: RunImportReport) -> RunRecord:
        """The record with a task of the campaign, found by id or by question.

        Raises:
            ValueError: the campaign has no such task.
        """
        if record.task and (record.task in self._keys or not record.weak_id):
            self._checker.check_task(record.task)
            report.matched_by_id += 1
            return record
        if self._questions is None:
            self._questions = self._question_matcher()
        key = self._questions.task_of(record.question, record.about.prompt)
        report.matched_by_text += 1
        return replace(record, task=key)

    def _question_matcher(self) -> QuestionMatcher:
        statement = select(Task.key, Task.record).where(Task.campaign_id == self._campaign_id)
        with self._workspace.engine.connect() as connection:
            rows = connection.execute(statement)
            return QuestionMatcher({row.key: str(row.record["question"]) for row in rows})

    def _attempts_by_task(self, system: str) -> dict[str, str]:
        """Task → attempt of a system."""
        statement = (
            select(Task.key, Attempt.id)
            .join(Task, Task.id == Attempt.task_id)
            .join(User, User.id == Attempt.user_id)
            .where(Task.campaign_id == self._campaign_id, User.name == system)
        )
        with self._workspace.engine.connect() as connection:
            return {row.key: row.id for row in connection.execute(statement)}

    def _importable_run(self, file: RunFile, read_run: ReadRun) -> _ImportableRun:
        if read_run.record is None:
            raise ValueError(read_run.reason)
        record = with_stored_names(read_run.record, self._documents)
        task = matching_id(record.task, self._keys)
        if task != record.task and task in self._keys:
            note = "the white space around the id of its task was removed"
            record = replace(record, task=task, notes=(*record.notes, note))
        if self.without_documents and any(
            isinstance(step.payload, ev.Searched) for step in record.steps
        ):
            raise ValueError(
                "it searched the collection, so it is no run without documents; import it without "
                "that option"
            )
        times = record.times()
        details = record.about
        imported = ev.RunImported(
            format=file.format,
            file=read_run.file,
            sha256=read_run.sha256,
            record=read_run.line,
            model=record.model,
            iterations=record.iterations,
            confidence=record.confidence,
            timed=times.timed,
            results_known=record.results_known,
            agent=details.agent,
            agent_version=details.agent_version,
            parameters=dict(details.parameters),
            tools=details.tools,
            system_prompt=details.system_prompt,
            prompt=details.prompt,
            ids=dict(details.ids),
            totals=details.totals,
            error=clean_text(record.failed or "")[0],
            details=dict(details.details),
            original=next((o.sha256 for o in read_run.originals if o.part == "row"), None),
            repaired=self._repaired_parts(record),
            without_documents=self.without_documents,
        )
        events = payloads(record, imported, prose=self._is_prose)
        notes = (*record.notes, *times.notes, *self._checker.notes(record, self._clock.now()))
        return _ImportableRun(read_run, record, times, _commands(record, times, events), notes)

    def _repaired_parts(self, record: RunRecord) -> tuple[RowPart | Literal["none"], ...]:
        """Parts of a MADQA row that its evaluator would read differently from the stored run.

        Returns:
            ``none`` alone if there are no such parts; empty for other formats.
        """
        if record.madqa_row is None:
            return ()
        text = answer_text(record.answer, prose=self._is_prose)
        searches = sum(isinstance(step.payload, ev.Searched) for step in record.steps)
        stored = {
            "answer": answers_in(text, self._answer_kind),
            "citations": [{"file": name, "page": page} for name, page in record.citations],
            "search_history": [None] * searches,
            "iterations": max(1, searches) if record.iterations is None else record.iterations,
        }
        return differing_parts(record.madqa_row, stored) or ("none",)

    def _compare(
        self, run: _ImportableRun, events: list[ev.Event], report: RunImportReport
    ) -> None:
        if _is_same_run(run, events):
            report.already_there += 1
            return
        first_payload, system = events[0].payload, self._participant_of(run.record).name
        if isinstance(first_payload, ev.RunImported):
            file = printable(first_payload.file)
            conflict = f"another run of this task, record {first_payload.record:,} of {file}"
        else:
            conflict = "worked on this task here"
        report.left_out.append(
            _note(
                run.source,
                f"{system} has {conflict}, which stays; this is record {run.source.line:,} of "
                f"{printable(run.source.file)}. Give the run another system name",
            )
        )


def _commands(
    record: RunRecord, times: TimeLine, payloads: list[ev.Payload]
) -> tuple[Command, ...]:
    """Commands of a run, each with its timestamp in the file and its age at the end of the run."""
    n_after_steps = len(payloads) - 1 - len(record.steps)
    elapsed = (0, *times.steps, *(times.end for _ in range(n_after_steps)))
    timestamps = (
        record.started or (times.start if times.timed else None),
        *(step.at for step in record.steps),
        *(record.finished for _ in range(n_after_steps)),
    )
    return tuple(
        Command(
            client_event_id=f"run/{number}",
            payload=payload,
            client_ts=None if timestamp is None else iso(timestamp),
            age_ms=times.end - elapsed_ms,
        )
        for number, (payload, timestamp, elapsed_ms) in enumerate(
            zip(payloads, timestamps, elapsed, strict=True), 1
        )
    )


def _is_same_run(run: _ImportableRun, events: list[ev.Event]) -> bool:
    """Whether the stored events are those of this run, from the same or another file."""
    stored, imported = events[0].payload, run.commands[0].payload
    if not isinstance(stored, ev.RunImported) or not isinstance(imported, ev.RunImported):
        return False
    if stored.without_documents != imported.without_documents:
        return False
    if (stored.sha256, stored.record, stored.file) == (
        imported.sha256,
        imported.record,
        imported.file,
    ):
        return True
    expected_origin: dict[str, object] = {
        "file": imported.file,
        "sha256": imported.sha256,
        "record": imported.record,
        "original": imported.original,
    }
    if not stored.repaired:  # stored before rows were compared
        expected_origin["repaired"] = imported.repaired
    if stored.confidence is None:  # stored before it was kept
        expected_origin["confidence"] = imported.confidence
    if stored.model_copy(update=expected_origin) != imported or len(events) != len(run.commands):
        return False
    return all(
        (event.payload, event.client_ts, event.elapsed_ms)
        == (command.payload, command.client_ts, run.times.end - command.age_ms)
        for event, command in zip(events[1:], run.commands[1:], strict=True)
    )


def _line_reference(earlier: ReadRun, current: ReadRun) -> str:
    line = f"line {earlier.line:,}"
    return line if earlier.file == current.file else f"{line} of {printable(earlier.file)}"


def _note(read_run: ReadRun, reason: str) -> RunNote:
    return RunNote(read_run.line, read_run.id, reason, printable(read_run.file))
