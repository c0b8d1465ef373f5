"""Tasks whose gold is probably wrong, mixed with a random control sample of the other tasks.

A supervisor checks both without being told which is which. Errors found in the control sample
estimate the errors that remain in the tasks that nobody suspected (docs/metrics.md, Suspect gold).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from hashlib import sha256
from typing import Literal, NamedTuple

from pagetrail.annotation.metrics.dawid_skene import LabelledItem, dawid_skene
from pagetrail.annotation.statistics.wilson import wilson

LOW_POSTERIOR = 0.5
"""Gold is suspect if the model gives it a lower probability than this."""
MIN_PARTICIPANTS = 2
"""Participants who must have worked on a task before "nobody solved it" makes it suspect."""
MIN_AGREEING = 2
"""Annotators who must agree with each other against gold."""

Reason = Literal["nobody_solved", "annotators_agree", "judge_differs", "low_posterior"]
Decision = Literal["confirmed", "corrected", "dropped"]


class Label(NamedTuple):
    """What a participant says of a part of a task.

    Attributes:
        participant: a person's or a system's name.
        person: False for a system.
        label: None for a participant who says nothing, such as "not found".
    """

    participant: str
    person: bool
    label: str | None


@dataclass(frozen=True)
class LabelledPart:
    """A part of a task that has gold, with everybody's labels.

    Attributes:
        part: ``answer``, or the name of a field.
        gold: its label.
        labels: of people and systems.
        classes: names a set of labels that tasks share, with all of them; None for free text.
    """

    part: str
    gold: str
    labels: Sequence[Label]
    classes: tuple[str, tuple[str, ...]] | None = None


@dataclass(frozen=True)
class LabelledTask:
    """A task that has gold, with the labels of its parts.

    Attributes:
        judge_differs: whether a judge and people differ on an answer to it.
    """

    task: str
    parts: Sequence[LabelledPart]
    judge_differs: bool = False


@dataclass(frozen=True)
class AssessedTask:
    """A task with what speaks against its gold.

    Attributes:
        posterior: the lowest probability of the gold of a part.
        reasons: why its gold is suspect; none if it is not.
    """

    task: str
    posterior: float
    reasons: tuple[Reason, ...]


class ModelAccuracy(NamedTuple):
    """How far the model trusts a participant.

    Attributes:
        participant: a person's or a system's name, or that of a family.
        person: False for a system or a family.
        accuracy: share of right labels.
    """

    participant: str
    person: bool
    accuracy: float


@dataclass(frozen=True)
class CheckSample:
    """The tasks whose gold should be checked.

    Attributes:
        queue: keys of tasks in the order in which to check them.
        suspects: those that are suspect.
        controls: those drawn at random from the tasks that are not.
        unsuspected: all tasks that are not suspect.
        without_labels: tasks that have gold, but on which nobody has worked, or of whose work the
            rule decides nothing.
        assessed: task → what speaks against its gold.
        accuracies: of people, then of systems and families, by name.
    """

    queue: Sequence[str]
    suspects: frozenset[str]
    controls: frozenset[str]
    unsuspected: frozenset[str]
    without_labels: frozenset[str]
    assessed: Mapping[str, AssessedTask]
    accuracies: Sequence[ModelAccuracy]


@dataclass(frozen=True)
class RemainingError:
    """How much of the gold is still wrong, as far as the checks tell.

    A correction and a drop count as wrong gold.

    Attributes:
        checked, wrong: tasks of the control sample.
        share: of wrong gold among unsuspected tasks, by the control sample; None before a check.
        share_interval: Wilson 95 %.
        tasks: expected number of tasks whose wrong gold remains: those unsuspected and unchecked
            by that share, suspects that are unchecked by 1 − posterior.
        tasks_interval: with the ends of the share's interval; from no unchecked suspect to all.
        unchecked_suspects: their number.
        unchecked: all unchecked tasks, of those that somebody has worked on.
    """

    checked: int
    wrong: int
    share: float | None
    share_interval: tuple[float, float] | None
    tasks: float | None
    tasks_interval: tuple[float, float] | None
    unchecked_suspects: int
    unchecked: int


def family_of(system: str, families: Mapping[str, Sequence[str]]) -> str:
    """The first family with a pattern that fits the system's name; its own name without one.

    >>> family_of("gpt-5-mini", {"GPT": ["gpt-*"]})
    'GPT'
    """
    for family, patterns in families.items():
        if any(fnmatchcase(system, pattern) for pattern in patterns):
            return family
    return system


def draw_check_sample(
    tasks: Sequence[LabelledTask],
    *,
    control_share: float,
    seed: int,
    families: Mapping[str, Sequence[str]] | None = None,
) -> CheckSample:
    """Find suspect gold, and draw the control sample from the other tasks.

    Suspects are sorted by posterior, and control tasks are inserted at random positions. All draws
    depend on seed and task alone, so they do not change when work arrives or tasks are checked.

    Args:
        control_share: of the unsuspected tasks, rounded up.
        seed: of the campaign.
        families: family → patterns of names of systems (``*`` for any text); the systems of a
            family count as one participant.
    """
    labelled = [task for task in tasks if _participants(task)]
    assessed, accuracies = _assess(labelled, families or {})
    suspects = sorted(
        (task for task in assessed.values() if task.reasons),
        key=lambda task: (task.posterior, -len(task.reasons), _random(seed, "order", task.task)),
    )
    unsuspected = [task.task for task in assessed.values() if not task.reasons]
    by_chance = sorted(unsuspected, key=lambda task: _random(seed, "control", task))
    controls = by_chance[: math.ceil(control_share * len(unsuspected))]
    positions = {task.task: (n + 0.5) / len(suspects) for n, task in enumerate(suspects)}
    positions |= {task: _random(seed, "position", task) for task in controls}
    return CheckSample(
        queue=sorted(positions, key=lambda task: (positions[task], task)),
        suspects=frozenset(task.task for task in suspects),
        controls=frozenset(controls),
        unsuspected=frozenset(unsuspected),
        without_labels=frozenset(task.task for task in tasks) - assessed.keys(),
        assessed=assessed,
        accuracies=accuracies,
    )


def remaining_error(sample: CheckSample, decisions: Mapping[str, Decision]) -> RemainingError:
    """Estimate the wrong gold that remains after the decisions (task → decision)."""
    checked = sorted(sample.controls & decisions.keys())
    wrong = sum(decisions[task] != "confirmed" for task in checked)
    interval = wilson(wrong, len(checked))
    unchecked_suspects = sorted(sample.suspects - decisions.keys())
    unchecked_others = len(sample.unsuspected - decisions.keys())
    share = wrong / len(checked) if checked else None
    expected = math.fsum(1 - sample.assessed[task].posterior for task in unchecked_suspects)
    tasks, tasks_interval = None, None
    if not unchecked_others:
        tasks, tasks_interval = expected, (0.0, float(len(unchecked_suspects)))
    elif share is not None and interval is not None:
        low, high = interval
        tasks = share * unchecked_others + expected
        tasks_interval = (
            low * unchecked_others,
            high * unchecked_others + len(unchecked_suspects),
        )
    return RemainingError(
        checked=len(checked),
        wrong=wrong,
        share=share,
        share_interval=interval,
        tasks=tasks,
        tasks_interval=tasks_interval,
        unchecked_suspects=len(unchecked_suspects),
        unchecked=unchecked_others + len(unchecked_suspects),
    )


def _assess(
    tasks: Sequence[LabelledTask], families: Mapping[str, Sequence[str]]
) -> tuple[dict[str, AssessedTask], list[ModelAccuracy]]:
    labelled_parts = [(task, part) for task in tasks for part in task.parts if _votes(part)]
    model = dawid_skene([_item(part, families) for _, part in labelled_parts])
    posteriors: dict[str, float] = {}
    for (task, part), of_labels in zip(labelled_parts, model.posteriors, strict=True):
        posteriors[task.task] = min(posteriors.get(task.task, 1.0), of_labels[part.gold])
    # Where everybody abstained, nothing speaks for or against the gold.
    assessed = {
        task.task: AssessedTask(
            task.task,
            posteriors.get(task.task, LOW_POSTERIOR),
            _reasons(task, posteriors.get(task.task, LOW_POSTERIOR)),
        )
        for task in tasks
    }
    accuracies = [
        ModelAccuracy(key.removeprefix(kind), kind == _PERSON, accuracy)
        for kind in (_PERSON, _SYSTEM)
        for key, accuracy in model.accuracies.items()
        if key.startswith(kind)
    ]
    return assessed, accuracies


_PERSON, _SYSTEM = "person: ", "system: "
"""Prefixes in the model: a person may have the name of a family."""


def _item(part: LabelledPart, families: Mapping[str, Sequence[str]]) -> LabelledItem:
    votes = [
        (
            f"{_PERSON}{label.participant}"
            if label.person
            else f"{_SYSTEM}{family_of(label.participant, families)}",
            label.label,
        )
        for label in part.labels
        if label.label is not None
    ]
    name, classes = part.classes or (None, ())
    candidates = dict.fromkeys([*classes, part.gold, *sorted(label for _, label in votes)])
    return LabelledItem(tuple(candidates), votes, name)


def _votes(part: LabelledPart) -> list[Label]:
    return [label for label in part.labels if label.label is not None]


def _reasons(task: LabelledTask, posterior: float) -> tuple[Reason, ...]:
    holds: dict[Reason, bool] = {
        "nobody_solved": any(map(_nobody_solved, task.parts)),
        "annotators_agree": any(map(_annotators_agree, task.parts)),
        "judge_differs": task.judge_differs,
        "low_posterior": posterior < LOW_POSTERIOR,
    }
    return tuple(reason for reason, is_given in holds.items() if is_given)


def _nobody_solved(part: LabelledPart) -> bool:
    """Whether several participants worked on it, and none has the label of the gold."""
    participants = {(label.person, label.participant) for label in part.labels}
    solved = any(label.label == part.gold for label in part.labels)
    return len(participants) >= MIN_PARTICIPANTS and not solved


def _annotators_agree(part: LabelledPart) -> bool:
    """Whether more than half of the annotators, and several, agree on a label that is not gold."""
    by_person = {label.participant: label.label for label in part.labels if label.person}
    counts = Counter(label for label in by_person.values() if label is not None)
    label, agreeing = counts.most_common(1)[0] if counts else (part.gold, 0)
    return label != part.gold and agreeing >= MIN_AGREEING and 2 * agreeing > len(by_person)


def _participants(task: LabelledTask) -> set[tuple[bool, str]]:
    return {(label.person, label.participant) for part in task.parts for label in part.labels}


def _random(seed: int, purpose: str, task: str) -> float:
    """A number in [0, 1) that depends on nothing else."""
    digest = sha256(f"gold {purpose}:{seed}:{task}".encode()).digest()
    return int.from_bytes(digest[:8]) / 2**64
