"""Supervisors' decisions on pilots, and what is stored with them. Rows are only added.

The last row with a decision counts. A row ``regraded`` replaces verdicts on a person's work. A row
``baseline``, which earlier versions wrote, records results without a decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict
from sqlalchemy import ColumnElement, Connection, insert, select

from pagetrail.annotation.attempts.form_state import Feedback
from pagetrail.storage.database.tables import Campaign, QualificationRow, User

Decision = Literal["admit", "retrain", "reset"]
DECISIONS: tuple[Decision, ...] = get_args(Decision)
REGRADED = "regraded"
"""Instead of a decision: verdicts on the person's work were replaced."""

Cause = Literal["judged", "gold_corrected", "compared_again"]
"""Why verdicts were replaced: a supervisor judged undecided parts, corrected gold, or had the work
compared again under the current rule."""


class Grade(BaseModel):
    """A verdict that replaces an earlier one.

    Attributes:
        submission: number of the event that submitted the work; resubmitted work is judged again.
        feedback: the verdict.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")
    submission: int
    feedback: Feedback


class Regrading(BaseModel):
    """Verdicts that replace earlier ones, of one person.

    Attributes:
        cause: why.
        admitted: whether the person was admitted before; nobody is locked out by a regrading.
        grades: attempt → verdict.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")
    cause: Cause
    admitted: bool
    grades: dict[str, Grade]


@dataclass(frozen=True)
class Qualification:
    """One row.

    Attributes:
        decision: ``admit``, ``retrain``, ``reset`` (by the mark alone), ``regraded`` or, of earlier
            versions, ``baseline``.
        by, at: the supervisor's name; ISO-8601 UTC.
        baseline: ``annotation.comparison.pilot_estimates.StoredResult`` as JSON, or empty.
        set_aside: for a retraining: code names of the batches that no longer count.
        regrading: of a row ``regraded``.
    """

    id: int
    campaign: str
    user_id: int
    user_name: str
    decision: str
    reason: str
    by: str
    at: str
    baseline: dict[str, Any]
    set_aside: tuple[str, ...]
    regrading: Regrading | None = None


@dataclass(frozen=True)
class Override:
    """What a person's rows come to.

    Attributes:
        decision: the current one; None where the pass mark decides alone.
        is_kept: whether the person was admitted when verdicts were replaced, or had passed when
            results were stored, and no decision has followed: only a supervisor may withdraw what
            was given.
    """

    decision: Qualification | None = None
    is_kept: bool = False


def qualification_history(
    connection: Connection, campaign_id: int, user_id: int | None = None
) -> list[Qualification]:
    """All rows of a pilot, or one person's, oldest first."""
    conditions = [QualificationRow.campaign_id == campaign_id]
    if user_id is not None:
        conditions.append(QualificationRow.user_id == user_id)
    return _qualifications(connection, *conditions)


def current_overrides(
    connection: Connection, campaign_id: int, user_id: int | None = None
) -> dict[int, Override]:
    """Person → their override; people without any row are left out."""
    return overrides(qualification_history(connection, campaign_id, user_id))


def overrides(rows: Sequence[Qualification]) -> dict[int, Override]:
    """Person → their override, from rows that begin with the oldest."""
    override_by_user: dict[int, Override] = {}
    for row in rows:
        before = override_by_user.get(row.user_id, Override())
        if row.decision in DECISIONS:
            decision = None if row.decision == "reset" else row
            override_by_user[row.user_id] = Override(decision)
        elif row.regrading is not None:
            is_kept = before.is_kept or row.regrading.admitted
            override_by_user[row.user_id] = Override(before.decision, is_kept)
        elif row.baseline.get("passed"):
            override_by_user[row.user_id] = Override(before.decision, is_kept=True)
    return override_by_user


def latest_grades(rows: Sequence[Qualification]) -> dict[str, Grade]:
    """Attempt → the verdict that replaced the others last."""
    return {
        attempt: grade
        for row in rows
        if row.regrading is not None
        for attempt, grade in row.regrading.grades.items()
    }


def judged_grades(rows: Sequence[Qualification]) -> dict[str, Grade]:
    """Attempt → the verdict in which a supervisor judged what the rule leaves undecided.

    Corrected gold ends it: it was a judgement against the gold before.
    """
    judged: dict[str, Grade] = {}
    for row in rows:
        for attempt, grade in (row.regrading.grades if row.regrading else {}).items():
            if row.regrading is not None and row.regrading.cause == "judged":
                judged[attempt] = grade
            elif row.regrading is not None and row.regrading.cause == "gold_corrected":
                judged.pop(attempt, None)
    return judged


def latest_decisions(rows: list[Qualification]) -> dict[int, Qualification]:
    """Person → their last row with a decision, resets included."""
    return {row.user_id: row for row in rows if row.decision in DECISIONS}


def insert_qualification(
    connection: Connection,
    campaign_id: int,
    user_id: int,
    *,
    decision: str,
    reason: str,
    by: str,
    at: str,
    baseline: dict[str, Any] | None,
    set_aside: tuple[str, ...] = (),
    regrading: Regrading | None = None,
) -> Qualification:
    """Insert a row."""
    stored: dict[str, Any] = {"figures": baseline, "set_aside": list(set_aside)}
    if regrading is not None:
        stored["regrading"] = regrading.model_dump(mode="json")
    key = connection.execute(
        insert(QualificationRow).values(
            campaign_id=campaign_id,
            user_id=user_id,
            decision=decision,
            reason=reason,
            by=by,
            at=at,
            baseline=stored,
        )
    ).inserted_primary_key
    assert key is not None
    (added,) = _qualifications(connection, QualificationRow.id == key[0])
    return added


def _qualifications(
    connection: Connection, *conditions: ColumnElement[bool]
) -> list[Qualification]:
    rows = connection.execute(
        select(
            QualificationRow,
            Campaign.name.label("campaign"),
            User.name.label("user_name"),
        )
        .join(Campaign, Campaign.id == QualificationRow.campaign_id)
        .join(User, User.id == QualificationRow.user_id)
        .where(*conditions)
        .order_by(QualificationRow.id)
    )
    return [
        Qualification(
            id=row.id,
            campaign=row.campaign,
            user_id=row.user_id,
            user_name=row.user_name,
            decision=row.decision,
            reason=row.reason,
            by=row.by,
            at=row.at,
            baseline=row.baseline.get("figures") or {},
            set_aside=tuple(row.baseline.get("set_aside") or ()),
            regrading=_regrading(row.baseline),
        )
        for row in rows
    ]


def _regrading(stored: dict[str, Any]) -> Regrading | None:
    regrading = stored.get("regrading")
    return None if regrading is None else Regrading.model_validate(regrading)
