"""Computes the queue of suspect gold in a worker process, without Streamlit.

Which tasks are the control sample stays in that process: the screen gets one list.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pagetrail.annotation.messages import N_
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.tasks.batches import order_for
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.suspects.reading import (
    ParticipantEvidence,
    TaskEvidence,
    read_suspect_gold,
)
from pagetrail.exports.reports.suspects.reasons import shown_reasons
from pagetrail.storage.campaigns.verdict_sets import StoredVerdictSet
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.progress.campaign_state import WorkspaceVersion
from pagetrail.storage.workers.worker_main import send_progress

COMPUTE = f"{__name__}:compute"
_MESSAGE_INTERVAL, _TOLERANCE = 50, 4


@dataclass(frozen=True)
class QueueRequest:
    """A request for a queue; equal requests give equal queues.

    Attributes:
        versions: the states of the campaign and of the campaign of judges.
        verdicts: an imported set of verdicts.
        verdict_sets: all of them, which may be imported again.
        judgements: a campaign of judges.
    """

    root: Path
    campaign: str
    versions: tuple[WorkspaceVersion, ...]
    verdicts: str | None = None
    verdict_sets: tuple[StoredVerdictSet, ...] = ()
    judgements: str | None = None


@dataclass(frozen=True)
class QueuedTask:
    """A task in the queue.

    Attributes:
        reasons: why it is there, as sentences.
    """

    evidence: TaskEvidence
    reasons: Sequence[str]

    @property
    def task(self) -> str:
        """Its key."""
        return self.evidence.task

    @property
    def question(self) -> str:
        return str(self.evidence.record.get("question") or self.task)

    @property
    def seq(self) -> int:
        """Last event of its gold stream; 0 without one."""
        return self.evidence.checked.seq if self.evidence.checked is not None else 0


@dataclass(frozen=True)
class CheckQueue:
    """The tasks to check, in order; ``with_gold`` counts all tasks of the campaign with gold."""

    protocol: Protocol
    tasks: Sequence[QueuedTask]
    with_gold: int


def compute(workspace: Workspace, request: QueueRequest) -> CheckQueue:
    """The queue of a campaign.

    Raises:
        PagetrailError: it cannot be computed.
    """
    with open_source(workspace, request.campaign, progress=_report_attempts) as source:
        suspect_gold = read_suspect_gold(
            replace(source, verdicts=request.verdicts), judgements=request.judgements
        )
        protocol, seed = source.campaign.protocol, source.campaign.seed
    tasks = []
    for task in suspect_gold.sample.queue:
        evidence = suspect_gold.tasks[task]
        if protocol.review.hide_names:
            evidence = _with_letters(evidence, seed)
        tasks.append(QueuedTask(evidence, shown_reasons(suspect_gold.sample.assessed[task])))
    return CheckQueue(protocol, tasks, len(suspect_gold.tasks))


def _with_letters(evidence: TaskEvidence, seed: int) -> TaskEvidence:
    """The evidence with letters in place of annotators' names, other ones in each task."""
    names = {p.name for p in evidence.participants if p.person}
    keys = {f"{evidence.task}:{name}": name for name in sorted(names)}
    letters = {keys[key]: _letter(n) for n, key in enumerate(order_for(list(keys), seed))}
    participants = [
        replace(p, name=letters[p.name]) if p.person else p for p in evidence.participants
    ]
    return replace(evidence, participants=sorted(participants, key=_by_kind_and_name))


def _by_kind_and_name(participant: ParticipantEvidence) -> tuple[bool, str]:
    return not participant.person, participant.name


def _letter(number: int) -> str:
    return chr(ord("A") + number) if number < 26 else str(number + 1)


def _report_attempts(completed: int, total: int) -> None:
    if total and (completed % _MESSAGE_INTERVAL < _TOLERANCE or completed == total):
        send_progress((completed, total, N_("attempts read")))
