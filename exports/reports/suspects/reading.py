"""The tasks of a campaign whose gold is checked, with everybody's labels and the decisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pagetrail.annotation.metrics.correctness import JUDGED_CORRECT_FROM, Rule
from pagetrail.annotation.review.suspect_gold import (
    MIN_AGREEING,
    CheckSample,
    Label,
    LabelledPart,
    LabelledTask,
    draw_check_sample,
)
from pagetrail.exports.gold.gold_checks import CheckedGold, CheckedTask, read_checked_gold
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.reading.task_results import TaskComputation, task_results
from pagetrail.exports.reports.metrics.input_rows import verdict_on
from pagetrail.exports.reports.metrics.judging.judge_verdicts import (
    Verdicts,
    read_outside_verdicts,
    read_verdicts,
)
from pagetrail.exports.reports.per_task.gold_labels import (
    ANSWER,
    GOLD,
    AttemptLabels,
    GoldLabels,
    GoldPart,
    gold_labels,
    wrong_answer_label,
)
from pagetrail.storage.people.system_roles import SYSTEM
from pagetrail.storage.snapshot.rows import AttemptHead


@dataclass(frozen=True)
class ParticipantEvidence:
    """What one participant says of a task.

    Attributes:
        name: a person's pseudonym, or name if people are identified; or a system's name.
        labels: part → label.
        judge: verdict of the imported judge on the answer, 1, 0.5 or 0; None without one.
        people: likewise of the people who judged it.
    """

    attempt: str
    name: str
    person: bool
    work: AttemptLabels
    labels: Mapping[str, str | None]
    judge: float | None
    people: float | None


@dataclass(frozen=True)
class TaskEvidence:
    """A task that has gold, with the evidence on it.

    Attributes:
        record: with the gold before any check.
        judge_differs: whether a judge and people differ on an answer.
        checked: its gold stream; None without one.
    """

    task: str
    batch: str
    record: dict[str, Any]
    parts: Sequence[GoldPart]
    participants: Sequence[ParticipantEvidence]
    judge_differs: bool
    checked: CheckedTask | None


@dataclass(frozen=True)
class SuspectGold:
    """The gold of a campaign, and what is to be checked.

    Attributes:
        tasks: task → evidence, of the tasks that have gold.
        sample: suspects and control sample.
        gold: before and after checks.
    """

    tasks: Mapping[str, TaskEvidence]
    sample: CheckSample
    gold: CheckedGold


def read_suspect_gold(
    source: Source,
    *,
    rule: Rule = "first",
    judgements: str | None = None,
    also_compute: Sequence[TaskComputation[Any]] = (),
) -> SuspectGold:
    """Read the labels of a campaign and draw the sample to check; see ``draw_check_sample``.

    Args:
        rule: what decides whether two answers are the same.
        judgements: campaign whose verdicts are people's; the source names imported verdicts.
        also_compute: what else to compute of the attempts that are read.

    Raises:
        NotFoundError: no such campaign of judges or imported verdicts.
        PagetrailError: the campaign of judges gives no verdicts.
    """
    protocol = source.campaign.protocol
    checked = read_checked_gold(source)
    by_people = None if judgements is None else read_verdicts(source, judgements, WrittenFiles())
    by_judge = None if source.verdicts is None else read_outside_verdicts(source, source.verdicts)
    withdrawn = source.database.withdrawn_runs(source.campaign.id)

    def record_of(head: AttemptHead) -> dict[str, Any] | None:
        return checked.before(head.task, head.record)

    evidence: dict[str, TaskEvidence] = {}
    labels = gold_labels(source, rule, record_of)
    for heads, result in task_results(source, labels, also_compute=also_compute):
        record = record_of(heads[0])
        if record is None or not result.parts:
            continue
        participants = [
            _participant(source, head, work, by_judge, by_people)
            for head, work in zip(heads, result.attempts, strict=True)
            if work.status == "submitted"
            and not work.is_guess
            and not (head.role == SYSTEM and head.user in withdrawn)
        ]
        evidence[heads[0].task] = TaskEvidence(
            task=heads[0].task,
            batch=heads[0].batch,
            record=record,
            parts=result.parts,
            participants=participants,
            judge_differs=_judge_differs(participants),
            checked=checked.tasks.get(heads[0].task),
        )
    nobody = GoldLabels((), ())
    for task in replace(source, progress=None).tasks():
        record = checked.before(task.key, task.record)
        if task.key not in evidence and record is not None:
            evidence[task.key] = TaskEvidence(
                task.key, task.batch, record, nobody.parts, (), False, checked.tasks.get(task.key)
            )
    sample = draw_check_sample(
        [_labelled_task(task) for task in evidence.values()],
        control_share=protocol.review.control_share,
        seed=source.campaign.seed,
        families=protocol.review.families,
    )
    return SuspectGold(evidence, sample, checked)


def _participant(
    source: Source,
    head: AttemptHead,
    work: AttemptLabels,
    by_judge: Verdicts | None,
    by_people: Verdicts | None,
) -> ParticipantEvidence:
    judge = None if by_judge is None else verdict_on(head, work.answer, by_judge)
    people = None if by_people is None else verdict_on(head, work.answer, by_people)
    judge_value = None if judge is None else judge.judgement
    people_value = None if people is None else people.judgement
    labels = dict(work.labels)
    verdict = people_value if people_value is not None else judge_value
    if verdict is not None and work.answer and labels.get(ANSWER, GOLD) is not None:
        if verdict >= JUDGED_CORRECT_FROM:
            labels[ANSWER] = GOLD
        elif labels.get(ANSWER, GOLD) == GOLD:  # or undecided
            labels[ANSWER] = wrong_answer_label(work.answer)
    return ParticipantEvidence(
        attempt=head.id,
        name=source.name(head.user),
        person=head.role != SYSTEM,
        work=work,
        labels=labels,
        judge=judge_value,
        people=people_value,
    )


def _judge_differs(participants: Sequence[ParticipantEvidence]) -> bool:
    """Whether the judge and people differ on an answer.

    People say of an answer whether it is right by judging it, or by giving one: an answer on which
    several annotators, and more than half of them, agree.
    """
    own = [p.work.labels.get(ANSWER) for p in participants if p.person]
    counts = Counter(label for label in own if label is not None)
    label, agreeing = counts.most_common(1)[0] if counts else (None, 0)
    agreed = label if agreeing >= MIN_AGREEING and 2 * agreeing > len(own) else None
    for participant in participants:
        if participant.judge is None:
            continue
        is_right = participant.judge >= JUDGED_CORRECT_FROM
        if participant.people is not None:
            if is_right != (participant.people >= JUDGED_CORRECT_FROM):
                return True
        elif ANSWER not in participant.work.labels:
            continue  # undecided
        elif agreed is not None and is_right != (participant.work.labels.get(ANSWER) == agreed):
            return True
    return False


def _labelled_task(task: TaskEvidence) -> LabelledTask:
    return LabelledTask(
        task.task,
        [
            LabelledPart(
                part.part,
                part.label,
                [
                    Label(participant.name, participant.person, participant.labels[part.part])
                    for participant in task.participants
                    if part.part in participant.labels
                ],
                (part.field or ANSWER, part.options) if part.options else None,
            )
            for part in task.parts
        ],
        task.judge_differs,
    )
