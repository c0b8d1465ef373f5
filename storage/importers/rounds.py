"""Rounds that an import begins: a model's answers to the work that people submitted.

A row names a task and the SHA-256 of the work that it answers, as an export has them. A round
begins only for submitted work that is still the same, so that nothing a person did is replaced
unseen; other rows are listed with the way out. Importing a file again changes nothing.
"""

from __future__ import annotations

import hashlib
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypedDict

from sqlalchemy import select

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command, Recorder
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.errors import InputFileError, Refusal
from pagetrail.annotation.events.transcripts import MAX_MODEL
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.ports import Clock
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.readable_errors import short_value
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.attempts.queries import AttemptRow, attempt
from pagetrail.storage.campaigns.lookup import get_campaign, protocol_of_campaign
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.storable_text import clean_text, printable
from pagetrail.storage.database.tables import Attempt, Campaign, EventRow, Task, User
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.files.recognition import importer_hint
from pagetrail.storage.importers.files.row_files import RawRow, read_task_file
from pagetrail.storage.people.system_roles import NOT_PEOPLE

_HASH = re.compile(r"[0-9a-f]{64}")


class RoundProblem(NamedTuple):
    """Why a row was not imported, or what was repaired in it."""

    line: int
    task: str | None
    reason: str


@dataclass(frozen=True)
class RoundAnswer:
    """A row: what a model answers to one version of a task's work.

    Attributes:
        sha256: of that version.
        round: of that version, if the row names it.
        proposals: the patches or tables, as they are in the row.
        event_id: of the round's first event; the same for the same answer to the same version.
    """

    line: int
    task: str
    annotator: str | None
    sha256: str
    round: int | None
    model: str | None
    proposals: Any
    event_id: str


class AnsweredWork(NamedTuple):
    """The part of an attempt that rounds are about.

    Attributes:
        is_done: no further round begins.
    """

    round: int
    sha256: str
    is_done: bool


class RoundWording(NamedTuple):
    """How messages name the work and the answers of one kind.

    Attributes:
        answered: what the SHA-256 is of.
        repeated: what another line of the file has for the task.
        missing: why an attempt has no such work.
        accepted: how an attempt was accepted that is done.
        changed: what the attempt has now instead of the answered version.
        way_out: what to do if the work has changed.
        other_protocol: message for a ``{campaign}`` without such work.
        reopening: how an accepted attempt goes on nevertheless; "" if it does not.
    """

    answered: str
    repeated: str
    missing: str
    accepted: str
    changed: str
    way_out: str
    other_protocol: str
    reopening: str = ""


class RoundKind(ABC):
    """One kind of work that goes round between people and models.

    Attributes:
        hash_field: of a row, with the SHA-256 of the work that it answers.
        importer: the command, as ``importer_hint`` has it.
        names_round: whether rows may name the round that they answer.
    """

    hash_field: ClassVar[str]
    importer: ClassVar[str]
    names_round: ClassVar[bool]
    wording: ClassVar[RoundWording]

    @abstractmethod
    def is_asked_by(self, protocol: Protocol) -> bool:
        """Whether tasks of the protocol have such work."""

    @abstractmethod
    def parse_proposals(self, data: Mapping[str, Any]) -> Any:
        """The patches or tables of a row, not yet compared with the work.

        Raises:
            ValueError: there are none.
        """

    @abstractmethod
    def answered_work(self, state: AttemptState) -> AnsweredWork | None:
        """The work that rows answer; None if the attempt has none."""

    @abstractmethod
    def payloads(
        self, state: AttemptState, answer: RoundAnswer, number: int
    ) -> dict[str, ev.Payload]:
        """The events of a round after its start, each with the suffix of its id.

        Raises:
            ValueError: the answer does not fit the work.
        """

    @abstractmethod
    def count(self, answer: RoundAnswer, state: AttemptState) -> None:
        """Count what a round starts with, for the report."""


class RoundOptions(TypedDict, total=False):
    """How rounds begin.

    Attributes:
        model: name of the model, where a row has none.
        actor: the supervisor at work; None records the rounds under the annotators' names, like
            the closing of batches.
    """

    model: str | None
    actor: str | None
    clock: Clock | None


@dataclass
class RoundReport:
    """Outcome of an import of rounds.

    Attributes:
        campaign: its name.
        started: attempts whose next round began, by its number.
        already_there: attempts for which the row was imported before.
        notes: on how the file was read.
    """

    campaign: str
    started: dict[int, int]
    already_there: int
    notes: list[str]

    @property
    def imported(self) -> int:
        """Attempts whose next round began."""
        return sum(self.started.values())


def import_rounds(
    workspace: Workspace, path: Path, campaign: str, kind: RoundKind, options: RoundOptions
) -> tuple[RoundReport, list[RoundProblem]]:
    """Begin the next round of the submitted attempts that the file's rows answer.

    Each attempt is one transaction; an import that was interrupted is completed by repeating it.

    Raises:
        NotFoundError: no such campaign.
        InputFileError: the file cannot be used as a whole, or the campaign has no such work.
    """
    with workspace.engine.connect() as connection:
        row = get_campaign(connection, campaign)
    if not kind.is_asked_by(protocol_of_campaign(workspace, row.name)):
        raise InputFileError(gettext(kind.wording.other_protocol, campaign=row.name))
    try:
        file = read_task_file(path, "task")
    except InputFileError as error:
        raise InputFileError(error.message + importer_hint(path, kind.importer)) from error
    left_out = [RoundProblem(e.line, None, e.reason) for e in file.errors]
    rounds = _RoundImport(workspace, row, kind, options)
    for raw in file.rows:
        task = raw.data.get("task")
        task_id = clean_text(str(task))[0] if isinstance(task, str | int) else None
        try:
            rounds.add(_parse_answer(raw, kind, options.get("model")))
        except (ValueError, Refusal) as error:
            left_out.append(RoundProblem(raw.line, task_id, str(error)))
    rounds.report.notes += file.notes
    left_out.sort(key=lambda entry: entry.line)
    return rounds.report, left_out


def _parse_answer(row: RawRow, kind: RoundKind, default_model: str | None) -> RoundAnswer:
    """The answer in a row.

    Raises:
        ValueError: a field is missing or invalid.
    """
    task = row.data.get("task")
    if isinstance(task, bool) or not isinstance(task, str | int):
        raise ValueError("task: must be the task’s id, as the export has it")
    annotator, model = (row.data.get(name) or None for name in ("annotator", "model"))
    for name, value in (("annotator", annotator), ("model", model)):
        if value is not None and (not isinstance(value, str) or len(value) > MAX_MODEL):
            raise ValueError(f"{name}: must be a name of at most {MAX_MODEL} characters")
    sha256 = row.data.get(kind.hash_field)
    if not isinstance(sha256, str) or not _HASH.fullmatch(sha256.lower()):
        raise ValueError(
            f"{kind.hash_field}: must be the SHA-256 of {kind.wording.answered}, as the export "
            "has it"
        )
    sha256, model = sha256.lower(), model or default_model
    number = _parse_round(row.data) if kind.names_round else None
    proposals = kind.parse_proposals(row.data)
    # Imports of earlier versions are recognised by this digest: its parts and their order stay.
    identity = (sha256, *([number] if kind.names_round else []), model, proposals)
    digest = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()
    return RoundAnswer(
        row.line,
        clean_text(str(task))[0],
        annotator,
        sha256,
        number,
        model,
        proposals,
        f"round-{digest[:40]}",
    )


def _parse_round(data: Mapping[str, Any]) -> int | None:
    number = data.get("round")
    if number is None:
        return None
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise ValueError("round: must be the round of the text that the patches are for")
    return number


class _Candidate(NamedTuple):
    """An attempt of the task that a row names."""

    attempt: str
    user: str
    pseudonym: str


class _RoundImport:
    """Begins rounds for one file."""

    def __init__(
        self,
        workspace: Workspace,
        campaign: Campaign,
        kind: RoundKind,
        options: RoundOptions,
    ) -> None:
        clock = options.get("clock") or SystemClock()
        self._workspace = workspace
        self._log = SqlEventLog(workspace.engine)
        self._recorder = Recorder(self._log, Corpus(workspace), clock)
        self._campaign = campaign
        self._kind = kind
        self._actor = options.get("actor")
        self._lines: dict[str, int] = {}  # of the attempts that a row was used for
        self.report = RoundReport(campaign.name, {}, 0, [])

    def add(self, answer: RoundAnswer) -> None:
        """Begin the round of the attempts that the row answers.

        Raises:
            ValueError: there are none; the message says why.
            Refusal: the work changed at this moment, or its campaign is archived.
        """
        problems: dict[str, str] = {}
        is_used = False
        for candidate in self._candidates(answer):
            if self._is_recorded(candidate.attempt, answer):
                self.report.already_there += 1
                is_used = True
                continue
            state = self._log.state(candidate.attempt)
            row = attempt(self._workspace.engine, candidate.attempt)
            work = self._kind.answered_work(state)
            problem = self._problem(row, state, work, answer)
            if problem is None and work is not None:
                self._begin(row, state, work.round + 1, answer)
                self._lines[candidate.attempt] = answer.line
                is_used = True
            elif problem is not None:
                problems[candidate.pseudonym] = problem
        if not is_used:
            raise ValueError(_joined(problems))

    def _candidates(self, answer: RoundAnswer) -> list[_Candidate]:
        with self._workspace.engine.connect() as connection:
            rows = connection.execute(
                select(Attempt.id, User.name, User.pseudonym)
                .join(Task, Task.id == Attempt.task_id)
                .join(User, User.id == Attempt.user_id)
                .where(Task.campaign_id == self._campaign.id)
                .where(Task.key.in_({answer.task, answer.task.strip()}))
                .where(User.role.not_in(NOT_PEOPLE))
                .order_by(Attempt.id)
            ).all()
        candidates = [_Candidate(*row) for row in rows]
        if not candidates:
            raise ValueError(
                f"campaign {self._campaign.name} has no task {short_value(answer.task)} that "
                "anybody opened"
            )
        if answer.annotator is None:
            return candidates
        named_candidates = [c for c in candidates if answer.annotator in (c.user, c.pseudonym)]
        if not named_candidates:
            raise ValueError(f"annotator: {printable(answer.annotator)} has not opened this task")
        return named_candidates

    def _is_recorded(self, attempt_id: str, answer: RoundAnswer) -> bool:
        statement = select(EventRow.seq).where(
            EventRow.attempt_id == attempt_id, EventRow.client_event_id == answer.event_id
        )
        with self._workspace.engine.connect() as connection:
            return connection.execute(statement).first() is not None

    def _problem(
        self, row: AttemptRow, state: AttemptState, work: AnsweredWork | None, answer: RoundAnswer
    ) -> str | None:
        """Why the attempt does not go into its next round, or None."""
        wording = self._kind.wording
        line = self._lines.get(row.attempt_id)
        if line is not None:
            return f"line {line} has {wording.repeated}"
        if work is None:
            return wording.missing
        if row.decisions.withdrawn:
            return "is in a batch that was withdrawn"
        if state.status == "skipped":
            return "was skipped; its annotator can reopen and submit it"
        if state.status != "submitted":
            return f"is in work in round {work.round}; wait until it is submitted"
        if work.is_done:
            return (
                f"was accepted {wording.accepted} in round {work.round}, so it is done"
                f"{wording.reopening}"
            )
        if answer.round is not None and answer.round != work.round:
            return f"is in round {work.round}, not {answer.round}; {wording.way_out}"
        if work.sha256 != answer.sha256:
            return (
                f"has {wording.changed} by now, SHA-256 {work.sha256[:12]}…, not "
                f"{answer.sha256[:12]}…; {wording.way_out}"
            )
        return None

    def _begin(
        self, row: AttemptRow, state: AttemptState, number: int, answer: RoundAnswer
    ) -> None:
        payloads = self._kind.payloads(state, answer, number)
        row.require_changeable()
        start = Command(answer.event_id, ev.RoundStarted(number=number, model=answer.model))
        commands = [
            Command(f"{answer.event_id}-{suffix}", payload) for suffix, payload in payloads.items()
        ]
        next_state = self._record(row, state, [start, *commands])
        started = self.report.started
        started[number] = started.get(number, 0) + 1
        self._kind.count(answer, next_state)

    def _record(
        self, row: AttemptRow, state: AttemptState, commands: Sequence[Command]
    ) -> AttemptState:
        """The state after the commands; nothing is recorded if the work has changed."""
        way_out = self._kind.wording.way_out

        def require_unchanged(current: AttemptState) -> None:
            if current.last_seq != state.last_seq:
                raise Refusal(f"was changed at this moment; {way_out}", code="outdated")

        context = row.context()
        if self._actor is not None:
            context = replace(context, actor=self._actor)
        recorded = self._recorder.record(context, commands, require_unchanged)
        for refusal in recorded.refusals.values():
            raise refusal
        return recorded.state


def _joined(problems: Mapping[str, str]) -> str:
    """The reasons, once each; with code names where they differ."""
    reasons = list(dict.fromkeys(problems.values()))
    if len(reasons) == 1:
        return reasons[0]
    return "; ".join(f"{name}: {reason}" for name, reason in problems.items())
