"""Supervisors judge undecided answers of a pilot, and have its work compared again."""

from __future__ import annotations

from pagetrail.annotation.clock import SystemClock, iso
from pagetrail.annotation.comparison.against_gold import compare
from pagetrail.annotation.errors import ConflictError, NotFoundError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.ports import Clock
from pagetrail.annotation.sentences import count_noun
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.json_cache import stored_protocol
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.audit import PersonName, audit_in, joined
from pagetrail.storage.qualification.gate import pilot_campaign
from pagetrail.storage.qualification.regrading import (
    GradedWork,
    RegradedPerson,
    compare_again,
    judged_verdict,
    store_grades,
)
from pagetrail.storage.qualification.submissions import forms_of

COMPARED_AGAIN = "Compared again with the current gold, under the current rule."


def judge_answer(
    workspace: Workspace,
    campaign: str,
    attempt_id: str,
    *,
    is_right: bool,
    by: str,
    clock: Clock | None = None,
) -> RegradedPerson:
    """Judge what the rule leaves undecided in one person's task; it can be judged again.

    Args:
        by: name of the supervisor.

    Raises:
        NotFoundError: no such campaign, or no work of that id in it.
        ConflictError: it is not a pilot, the work has no verdict yet, or nothing is undecided.
    """
    clock = clock or SystemClock()
    with write_transaction(workspace.engine) as connection:
        row = pilot_campaign(connection, campaign)
        protocol = stored_protocol(row.protocol)
        work = GradedWork.read(connection, row)
        task = next((task for task in work.tasks if task.attempt_id == attempt_id), None)
        if task is None:
            raise NotFoundError(gettext("There is no such work in this pilot."))
        (attempt_form,) = forms_of(connection, protocol, [attempt_id])
        by_rule = compare(attempt_form.form, attempt_form.record)
        if task.verdict is None:
            raise ConflictError(gettext("This work can still be changed. Judge it later."))
        if by_rule is None or not any(part.undecided for part in by_rule.parts):
            raise ConflictError(gettext("Nothing is undecided in this work. Look again."))
        words = "right" if is_right else "wrong"
        people = store_grades(
            connection,
            row,
            "judged",
            work,
            {attempt_id: judged_verdict(by_rule, is_right=is_right)},
            reason=f"{task.key}: {words}",
            by=by,
            at=iso(clock.now()),
        )
        if not people:  # of a batch that was withdrawn
            raise NotFoundError(gettext("There is no such work in this pilot."))
        detail = [f"{row.name}: ", PersonName(people[0].name), f": {task.key}: {words}"]
        audit_in(connection, by, "pilot_judged", detail, clock=clock)
    return people[0]


def regrade(
    workspace: Workspace, campaign: str, *, by: str, clock: Clock | None = None
) -> list[RegradedPerson]:
    """Compare all judged work of a pilot again; results given before count until then.

    Returns:
        Everybody of whose work a verdict changed, by name.

    Raises:
        NotFoundError: no such campaign.
        ConflictError: it is not a pilot.
    """
    clock = clock or SystemClock()
    with write_transaction(workspace.engine) as connection:
        row = pilot_campaign(connection, campaign)
        people = compare_again(
            connection,
            row,
            "compared_again",
            GradedWork.read(connection, row),
            reason=COMPARED_AGAIN,
            by=by,
            at=iso(clock.now()),
        )
        names = joined(", ", ([PersonName(person.name)] for person in people))
        detail = [f"{row.name}: {count_noun(len(people), 'person', 'people')} ", *names]
        audit_in(connection, by, "pilot_regraded", detail, clock=clock)
    return people
