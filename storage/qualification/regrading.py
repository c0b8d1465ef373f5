"""Replaces verdicts on people's pilot tasks: judged by a supervisor, or compared again.

Work is compared again with corrected gold, or under a newer rule of correctness. Everything
replaced is stored with who did it; earlier verdicts stay in the log. Whoever was admitted stays
admitted until a supervisor decides on them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from pagetrail.annotation.attempts.form_state import Feedback
from pagetrail.annotation.comparison.against_gold import compare
from pagetrail.annotation.events.forms import PartScore
from pagetrail.storage.database.json_cache import stored_protocol
from pagetrail.storage.database.tables import Campaign
from pagetrail.storage.qualification.gate import PilotResult, current_results
from pagetrail.storage.qualification.records import (
    REGRADED,
    Cause,
    Grade,
    Regrading,
    current_overrides,
    insert_qualification,
    judged_grades,
    qualification_history,
)
from pagetrail.storage.qualification.submissions import (
    SubmittedTask,
    forms_of,
    last_submissions,
    read_held_batches,
    read_submitted_tasks,
)


@dataclass(frozen=True)
class GradedWork:
    """The verdicts of a pilot and everybody's results, as they are before something changes."""

    tasks: Sequence[SubmittedTask]
    results: Mapping[int, PilotResult]

    @classmethod
    def read(cls, connection: Connection, campaign: Campaign) -> GradedWork:
        """The current ones."""
        batches = read_held_batches(connection, campaign.id)
        tasks = read_submitted_tasks(connection, campaign.id, stored_protocol(campaign.protocol))
        overrides = current_overrides(connection, campaign.id)
        return cls(tasks, current_results(campaign, batches, tasks, overrides))


@dataclass(frozen=True)
class RegradedPerson:
    """A person of whose work a verdict changed, with the results before and after."""

    before: PilotResult
    after: PilotResult

    @property
    def name(self) -> str:
        """The person's name."""
        return self.after.user_name


def compare_again(
    connection: Connection,
    campaign: Campaign,
    cause: Cause,
    before: GradedWork,
    *,
    tasks: Collection[int] | None = None,
    reason: str,
    by: str,
    at: str,
) -> list[RegradedPerson]:
    """Compare judged work with the current gold under the current rule, and store what differs.

    What a supervisor has judged stays judged as long as the rule leaves it undecided, unless the
    gold was corrected.

    Args:
        before: read before the gold was corrected.
        tasks: ids of the tasks whose work is compared; None for all of them.

    Returns:
        Everybody of whose work a verdict changed, by name.
    """
    protocol = stored_protocol(campaign.protocol)
    judged_tasks = [
        task
        for task in before.tasks
        if task.verdict is not None and (tasks is None or task.task_id in tasks)
    ]
    rows = qualification_history(connection, campaign.id)
    judged = {} if cause == "gold_corrected" else judged_grades(rows)
    verdicts = {}
    for attempt_form in forms_of(connection, protocol, [task.attempt_id for task in judged_tasks]):
        verdict = compare(attempt_form.form, attempt_form.record)
        earlier = judged.get(attempt_form.attempt_id)
        if verdict is not None:
            verdicts[attempt_form.attempt_id] = (
                verdict if earlier is None else _with_judgements(verdict, earlier.feedback)
            )
    changed = {
        task.attempt_id: verdicts[task.attempt_id]
        for task in judged_tasks
        if verdicts.get(task.attempt_id, task.verdict) != task.verdict
    }
    return store_grades(connection, campaign, cause, before, changed, reason=reason, by=by, at=at)


def _with_judgements(verdict: Feedback, judged: Feedback) -> Feedback:
    judged_parts = {part.part: part for part in judged.parts if not part.undecided}
    return Feedback.of_parts(
        [judged_parts.get(part.part, part) if part.undecided else part for part in verdict.parts]
    )


def judged_verdict(verdict: Feedback, *, is_right: bool) -> Feedback:
    """A verdict whose undecided parts a supervisor has judged."""
    return Feedback.of_parts(
        [
            PartScore(part=part.part, right=is_right, score=float(is_right))
            if part.undecided
            else part
            for part in verdict.parts
        ]
    )


def store_grades(
    connection: Connection,
    campaign: Campaign,
    cause: Cause,
    before: GradedWork,
    verdicts: dict[str, Feedback],
    *,
    reason: str,
    by: str,
    at: str,
) -> list[RegradedPerson]:
    """Store verdicts (attempt → verdict) that replace earlier ones.

    Returns:
        The people whose work it is, by name.
    """
    if not verdicts:
        return []
    user_of_assignment = {
        batch.assignment_id: batch.user_id for batch in read_held_batches(connection, campaign.id)
    }
    attempts_by_user: dict[int, list[str]] = {}
    for task in before.tasks:
        if task.attempt_id in verdicts and task.assignment_id in user_of_assignment:
            user = user_of_assignment[task.assignment_id]
            attempts_by_user.setdefault(user, []).append(task.attempt_id)
    submissions = last_submissions(connection, list(verdicts))
    for user, attempts in attempts_by_user.items():
        insert_qualification(
            connection,
            campaign.id,
            user,
            decision=REGRADED,
            reason=reason,
            by=by,
            at=at,
            baseline=None,
            regrading=Regrading(
                cause=cause,
                admitted=before.results[user].admitted,
                grades={
                    attempt: Grade(submission=submissions[attempt], feedback=verdicts[attempt])
                    for attempt in attempts
                },
            ),
        )
    after = GradedWork.read(connection, campaign).results
    people = [RegradedPerson(before.results[user], after[user]) for user in attempts_by_user]
    return sorted(people, key=lambda person: person.name)
