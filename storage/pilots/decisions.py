"""Supervisors' decisions on people's pilots."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from pagetrail.annotation.clock import SystemClock, iso
from pagetrail.annotation.errors import ConflictError, PagetrailError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.ports import Clock
from pagetrail.storage.batches.assignments import assign_in
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Campaign
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import Person, people_by_name
from pagetrail.storage.people.audit import PersonName, audit_in
from pagetrail.storage.pilots.person_tasks import stored_result_of
from pagetrail.storage.pilots.retakes import add_retake_batch
from pagetrail.storage.qualification.gate import (
    PilotResult,
    complete_batches,
    pilot_campaign,
    pilot_result,
)
from pagetrail.storage.qualification.records import (
    DECISIONS,
    Qualification,
    insert_qualification,
    latest_decisions,
    qualification_history,
)

MOST_CHARS = 2_000


@dataclass(frozen=True)
class ReviewedResult:
    """The results that a supervisor saw when deciding.

    Attributes:
        judged, right: counts of the person's result; 0 if there is none.
        decision: id of the last decision, or None.
    """

    judged: int
    right: int
    decision: int | None


@dataclass(frozen=True)
class Decided:
    """A decision that was stored.

    Attributes:
        gave: code name of the pilot batch assigned by a retraining, or None.
        remark: a sentence on what to do next, or empty.
    """

    row: Qualification
    gave: str | None = None
    remark: str = ""


def decide(
    workspace: Workspace,
    campaign: str,
    user_name: str,
    decision: str,
    reason: str,
    *,
    by: str,
    reviewed: ReviewedResult | None = None,
    clock: Clock | None = None,
) -> Decided:
    """Admit or retrain a person, or return to the pass mark; the last decision counts.

    The person's current results are stored with it. A retraining assigns the next pilot batch, or
    the same tasks again if there is none, and earlier batches no longer count.

    Args:
        by: name of the supervisor.
        reviewed: the results the decision is based on; None if none were shown.

    Raises:
        NotFoundError: no such campaign or user.
        ConflictError: it is not a pilot, the person is not an annotator, the decision does not
            apply to them, or the results have changed since they were shown.
        PagetrailError: no such decision, or no reason given (codes ``unknown_decision``,
            ``no_reason``).
    """
    if decision not in DECISIONS:
        raise PagetrailError(
            gettext(
                "There is no decision {decision!r}. Decisions: {decisions}.",
                decision=decision,
                decisions=", ".join(DECISIONS),
            ),
            code="unknown_decision",
        )
    words = " ".join(reason.split())[:MOST_CHARS]
    if not words:
        raise PagetrailError(
            gettext("A decision needs a reason: state in a sentence what it is based on."),
            code="no_reason",
        )
    clock = clock or SystemClock()
    with write_transaction(workspace.engine) as connection:
        row = pilot_campaign(connection, campaign)
        (person,) = people_by_name(connection, [user_name])
        if person.role != "annotator":
            raise ConflictError(
                gettext(
                    "{person} has the role {role} and takes no pilot.",
                    person=person.name,
                    role=gettext(person.role),
                )
            )
        result = pilot_result(connection, row.name, person.id)
        last = latest_decisions(qualification_history(connection, row.id, person.id)).get(person.id)
        _check_seen(person, result, last, reviewed)
        _check_sense(decision, person, row.name, result, last)
        stored = insert_qualification(
            connection,
            row.id,
            person.id,
            decision=decision,
            reason=words,
            by=by,
            at=iso(clock.now()),
            baseline=(
                stored_result_of(connection, row, result).model_dump(mode="json")
                if result is not None and result.judged
                else None
            ),
            set_aside=(
                complete_batches(connection, row, person.id) if decision == "retrain" else ()
            ),
        )
        detail = [f"{row.name}: ", PersonName(person.name), f": {words}"]
        audit_in(connection, by, f"pilot_{decision}", detail)
        if decision != "retrain":
            return Decided(stored)
        gave, remark = _give_next(connection, row, person, clock)
        return Decided(stored, gave, remark)


def _check_seen(
    person: Person,
    result: PilotResult | None,
    last: Qualification | None,
    reviewed: ReviewedResult | None,
) -> None:
    if reviewed is None:
        return
    n_judged, right = (result.judged, result.right) if result is not None else (0, 0)
    if (n_judged, right) != (reviewed.judged, reviewed.right):
        raise ConflictError(
            gettext(
                "{person}'s results have changed since they were shown: {right} of "
                "{n_judged} judged tasks are now right, not {reviewed_right} of "
                "{judged}. Look again, then decide.",
                person=person.name,
                right=right,
                n_judged=n_judged,
                reviewed_right=reviewed.right,
                judged=reviewed.judged,
            ),
            code="stale",
        )
    if (last.id if last else None) != reviewed.decision:
        raise ConflictError(
            gettext(
                "Somebody else has decided on {person}. Look again, then decide.",
                person=person.name,
            )
            if last is None
            else gettext(
                "Somebody else has decided on {person}. {by} chose “{decision}”: {reason} Look "
                "again, then decide.",
                person=person.name,
                by=last.by,
                decision=last.decision,
                reason=last.reason,
            ),
            code="stale",
        )


def _check_sense(
    decision: str,
    person: Person,
    campaign: str,
    result: PilotResult | None,
    last: Qualification | None,
) -> None:
    if decision == "retrain" and result is None:
        raise ConflictError(
            gettext(
                "{person} has no batch of the pilot “{campaign}” yet. Assign the first one.",
                person=person.name,
                campaign=campaign,
            )
        )
    if decision == "reset" and (last is None or last.decision == "reset"):
        raise ConflictError(
            gettext(
                "There is no decision on {person} to reset: the pass mark already counts alone.",
                person=person.name,
            )
        )


def _give_next(
    connection: Connection, campaign: Campaign, person: Person, clock: Clock
) -> tuple[str | None, str]:
    """The batch assigned by a retraining, or a sentence on what to do if there is none."""
    if campaign.status != "open":
        return None, gettext(
            "No batch was assigned: campaign {campaign} is {status}.",
            campaign=campaign.name,
            status=gettext(campaign.status),
        )
    if not person.active:
        return None, gettext("No batch was assigned: {person} is inactive.", person=person.name)
    add_retake_batch(connection, campaign.id, person.id)
    report = assign_in(connection, campaign, [person], clock)
    if report.created:
        return report.created[0][0], ""
    reason = report.passed_over.get(person.name) or gettext("there is none")
    return None, gettext("No batch was assigned: {reason}", reason=reason)
