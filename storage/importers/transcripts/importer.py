"""``import-patches``: a model's patches begin the next round of the transcriptions they are for.

A row names a task and the SHA-256 of the text that it answers, as the export ``transcripts`` has
them. A round begins only for submitted work with that text, so that nothing a person did is
replaced unseen; other rows are listed with the way out. Importing a file again changes nothing.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import select

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.proposed_patches import ParsedPatches, parse_patches
from pagetrail.annotation.attempts.recorder import Command, Recorder
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.attempts.transcript_rounds import page_stage
from pagetrail.annotation.attempts.transcript_state import Transcript
from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.errors import InputFileError, Refusal
from pagetrail.annotation.events.transcripts import MAX_MODEL
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.ports import Clock
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.attempts.queries import AttemptRow, attempt
from pagetrail.storage.campaigns.lookup import known_campaign, protocol_of_campaign
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.tables import Attempt, EventRow, Task, User
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.files.recognition import IMPORT_PATCHES, importer_hint
from pagetrail.storage.importers.files.row_files import read_task_file
from pagetrail.storage.people.system_roles import NOT_PEOPLE

_HASH = re.compile(r"[0-9a-f]{64}")
_EXPORT = "export the transcripts again and answer the current text"


class LeftOutPatches(NamedTuple):
    """A row, or one patch of a row, that was not imported.

    Attributes:
        patch: name and position of the patch in its row; None where it is the whole row.
    """

    line: int
    task: str | None
    patch: str | None
    reason: str


@dataclass
class PatchReport:
    """Outcome of an import of patches.

    Attributes:
        pages: pages whose next round began, by its number.
        patches: that were given with them.
        already_there: rows that were imported before.
    """

    campaign: str
    pages: dict[int, int] = field(default_factory=dict)
    patches: int = 0
    already_there: int = 0
    left_out: list[LeftOutPatches] = field(default_factory=list)

    @property
    def imported(self) -> int:
        """Pages whose next round began."""
        return sum(self.pages.values())


@dataclass(frozen=True)
class _Answer:
    """A row: what a model answers to one text."""

    line: int
    task: str
    annotator: str | None
    text_sha256: str
    round: int | None
    model: str | None
    patches: list[Any]

    @property
    def event_id(self) -> str:
        """The same for the same answer to the same text."""
        content = (self.text_sha256, self.round, self.model, self.patches)
        digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
        return f"round-{digest[:40]}"


@dataclass(frozen=True)
class _Options:
    """How rounds begin, as ``import_patches`` says."""

    actor: str | None
    reopen_accepted: bool


class _Candidate(NamedTuple):
    """An attempt of the task that a row names."""

    attempt: str
    user: str
    pseudonym: str


def import_patches(
    workspace: Workspace,
    path: Path,
    *,
    campaign: str,
    model: str | None = None,
    reopen_accepted: bool = False,
    actor: str | None = None,
    clock: Clock | None = None,
) -> PatchReport:
    """Begin the next round of the submitted transcriptions that the file's rows answer.

    Each page is one transaction; an import that was interrupted is completed by repeating it.

    Args:
        model: name of the model, where a row has none.
        reopen_accepted: whether a round may begin for pages that were accepted without an edit.
        actor: the supervisor at work; None records the rounds under the annotators' names, like
            the closing of batches.

    Raises:
        NotFoundError: no such campaign.
        InputFileError: the file cannot be used as a whole, or the campaign has no transcriptions.
    """
    with workspace.engine.connect() as connection:
        row = known_campaign(connection, campaign)
    if not protocol_of_campaign(workspace, row.name).transcript.enabled:
        raise InputFileError(
            gettext(
                "The tasks of {campaign} have no text to correct. Patches are for campaigns of "
                "the protocol transcribe.",
                campaign=row.name,
            )
        )
    try:
        file = read_task_file(path, "task")
    except InputFileError as error:
        raise InputFileError(error.message + importer_hint(path, IMPORT_PATCHES)) from error
    report = PatchReport(row.name)
    report.left_out += [LeftOutPatches(e.line, None, None, e.reason) for e in file.errors]
    rounds = _RoundImport(
        workspace, row.id, _Options(actor, reopen_accepted), clock or SystemClock(), report
    )
    for raw in file.rows:
        task = raw.data.get("task")
        task_id = str(task) if isinstance(task, str | int) else None
        try:
            rounds.add(_parse_answer(raw.line, raw.data, model))
        except (ValueError, Refusal) as error:
            report.left_out.append(LeftOutPatches(raw.line, task_id, None, str(error)))
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
    text_sha256 = data.get("text_sha256")
    if not isinstance(text_sha256, str) or not _HASH.fullmatch(text_sha256.lower()):
        raise ValueError(
            "text_sha256: must be the SHA-256 of the text that the patches are for, as the export "
            "has it"
        )
    round_number = data.get("round")
    if round_number is not None and (
        isinstance(round_number, bool) or not isinstance(round_number, int) or round_number < 1
    ):
        raise ValueError("round: must be the round of the text that the patches are for")
    patches = data.get("patches")
    if not isinstance(patches, list):
        raise ValueError("patches: must be a list; it is empty where nothing is proposed")
    return _Answer(
        line, str(task), annotator, text_sha256.lower(), round_number,
        model or default_model, patches,
    )  # fmt: skip


class _RoundImport:
    """Begins rounds for one file."""

    def __init__(
        self,
        workspace: Workspace,
        campaign_id: int,
        options: _Options,
        clock: Clock,
        report: PatchReport,
    ) -> None:
        self._workspace = workspace
        self._log = SqlEventLog(workspace.engine)
        self._recorder = Recorder(self._log, Corpus(workspace), clock)
        self._campaign_id = campaign_id
        self._options = options
        self._report = report
        self._lines: dict[str, int] = {}  # of the attempts that a row was used for

    def add(self, answer: _Answer) -> None:
        """Begin the round of the attempts that the row answers.

        Raises:
            ValueError: there are none; the message says why.
            Refusal: the work changed at this moment, or its campaign is archived.
        """
        candidates = self._candidates(answer)
        problems: dict[str, str] = {}
        is_used = False
        for candidate in candidates:
            state = self._log.state(candidate.attempt)
            if self._is_recorded(candidate.attempt, answer):
                self._report.already_there += 1
                is_used = True
                continue
            row = attempt(self._workspace.engine, candidate.attempt)
            problem = self._problem(candidate, row, state, answer)
            if problem is None and state.transcript is not None:
                self._begin(row, state, state.transcript, answer)
                self._lines[candidate.attempt] = answer.line
                is_used = True
            elif problem is not None:
                problems[candidate.pseudonym] = problem
        if not is_used:
            raise ValueError(_joined(problems))

    def _candidates(self, answer: _Answer) -> list[_Candidate]:
        with self._workspace.engine.connect() as connection:
            rows = connection.execute(
                select(Attempt.id, User.name, User.pseudonym)
                .join(Task, Task.id == Attempt.task_id)
                .join(User, User.id == Attempt.user_id)
                .where(Task.campaign_id == self._campaign_id, Task.key == answer.task)
                .where(User.role.not_in(NOT_PEOPLE))
                .order_by(Attempt.id)
            ).all()
        candidates = [_Candidate(*row) for row in rows]
        if not candidates:
            raise ValueError(
                f"campaign {self._report.campaign} has no task {answer.task!r} that anybody opened"
            )
        if answer.annotator is None:
            return candidates
        named_candidates = [c for c in candidates if answer.annotator in (c.user, c.pseudonym)]
        if not named_candidates:
            raise ValueError(f"annotator: {answer.annotator} has not opened this task")
        return named_candidates

    def _is_recorded(self, attempt_id: str, answer: _Answer) -> bool:
        statement = select(EventRow.seq).where(
            EventRow.attempt_id == attempt_id, EventRow.client_event_id == answer.event_id
        )
        with self._workspace.engine.connect() as connection:
            return connection.execute(statement).first() is not None

    def _problem(
        self, candidate: _Candidate, row: AttemptRow, state: AttemptState, answer: _Answer
    ) -> str | None:
        """Why the attempt does not go into its next round, or None."""
        line = self._lines.get(candidate.attempt)
        if line is not None:
            return f"line {line} has patches for this page already; a page gets one set a round"
        transcript = state.transcript
        if transcript is None:
            return "has not been opened yet; its first patches come with import-tasks"
        if row.decisions.withdrawn:
            return "is in a batch that was withdrawn"
        if state.status == "skipped":
            return "was skipped; its annotator can reopen and submit it"
        if state.status != "submitted":
            return f"is in work in round {transcript.round}; wait until it is submitted"
        if page_stage(state) == "accepted" and not self._options.reopen_accepted:
            return (
                f"was accepted without an edit in round {transcript.round}, so it is done; "
                "--reopen-accepted begins another round nevertheless"
            )
        if answer.round is not None and answer.round != transcript.round:
            return f"is in round {transcript.round}, not {answer.round}; {_EXPORT}"
        if transcript.text_sha256 != answer.text_sha256:
            return (
                f"has another text by now, SHA-256 {transcript.text_sha256[:12]}…, not "
                f"{answer.text_sha256[:12]}…; {_EXPORT}"
            )
        return None

    def _begin(
        self, row: AttemptRow, state: AttemptState, transcript: Transcript, answer: _Answer
    ) -> None:
        parsed = parse_patches(transcript.text, answer.patches)
        self._report_unusable(answer, parsed)
        if answer.patches and not parsed.patches:
            raise ValueError(
                f"none of its {len(answer.patches):,} patches applies, so the round was not started"
            )
        row.require_changeable()
        number = transcript.round + 1
        # Ids of earlier rounds may come again; a browser that was offline must not decide these.
        patches = tuple(
            patch.model_copy(update={"id": f"r{number}-{patch.id}"[:100]})
            for patch in parsed.patches
        )
        commands = [
            Command(answer.event_id, ev.RoundStarted(number=number, model=answer.model)),
            Command(
                f"{answer.event_id}-patches",
                ev.PatchesGiven(
                    document=transcript.document,
                    page=transcript.page,
                    round=number,
                    text_sha256=answer.text_sha256,
                    patches=patches,
                ),
            ),
        ]
        self._record(row, state, commands)
        self._report.pages[number] = self._report.pages.get(number, 0) + 1
        self._report.patches += len(patches)

    def _record(self, row: AttemptRow, state: AttemptState, commands: Sequence[Command]) -> None:
        def require_unchanged(current: AttemptState) -> None:
            if current.last_seq != state.last_seq:
                raise Refusal(f"was changed at this moment; {_EXPORT}", code="outdated")

        context = row.context()
        if self._options.actor is not None:
            context = replace(context, actor=self._options.actor)
        recorded = self._recorder.record(context, commands, require_unchanged)
        for refusal in recorded.refusals.values():
            raise refusal

    def _report_unusable(self, answer: _Answer, parsed: ParsedPatches) -> None:
        for problem in parsed.problems:
            name = f"patches[{problem.row}]" + (f" ({problem.id})" if problem.id else "")
            self._report.left_out.append(
                LeftOutPatches(answer.line, answer.task, name, problem.reason)
            )


def _joined(problems: dict[str, str]) -> str:
    """The reasons, once each; with code names where they differ."""
    reasons = list(dict.fromkeys(problems.values()))
    if len(reasons) == 1:
        return reasons[0]
    return "; ".join(f"{name}: {reason}" for name, reason in problems.items())
