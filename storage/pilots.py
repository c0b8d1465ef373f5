"""Who has passed a pilot, and which campaigns wait for it.

A pilot campaign's batches are pilots of their own: everybody takes the first one, and whoever does
not reach the pass mark in it may take the next. Nobody takes a batch twice, since its gold has
been shown; so a failed pilot can be taken again only with new tasks.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, func, select

from annotation import events as ev
from annotation.errors import ConflictError, NotFoundError
from annotation.pilot import compare
from annotation.protocol import Protocol
from annotation.recorder import Command
from annotation.response import Feedback, Response
from storage.queries import AttemptRow, attempt_in
from storage.tables import ASSIGNMENTS, ATTEMPTS, BATCHES, CAMPAIGNS, RESPONSES, TASKS, USERS

FEEDBACK_EVENT = "/feedback"
"""Id of the feedback event. The slash keeps it apart from every id that a browser may send."""

_ROUNDING = 1e-9


@dataclass(frozen=True)
class PilotResult:
    """How one person stands in a pilot: the batch that was passed, or else the last one taken.

    Attributes:
        code_name: the batch.
        total: its tasks.
        done: tasks that are submitted or skipped.
        judged: of these, those whose comparison with the gold stands: feedback was given, or the
            batch is closed.
        right: of these, those in which everything is right.
        score: mean of their scores; None where none is judged.
        passed: None until all are judged.
    """

    campaign: str
    user_id: int
    user_name: str
    code_name: str
    total: int
    done: int
    judged: int
    right: int
    score: float | None
    pass_mark: float
    passed: bool | None


def results(engine: Engine, campaign: str) -> list[PilotResult]:
    """How everybody who has a batch of the pilot stands, by name.

    Raises:
        NotFoundError: no such campaign.
        ConflictError: it is no pilot.
    """
    with engine.connect() as connection:
        found = _standings(connection, _pilot(connection, campaign))
    return sorted(map(_standing, found.values()), key=lambda result: result.user_name)


def result_of(connection: Connection, campaign: str, user_id: int) -> PilotResult | None:
    """How one person stands; None without a batch of the pilot.

    Raises:
        NotFoundError, ConflictError: as ``results``.
    """
    taken = _standings(connection, _pilot(connection, campaign), user_id).get(user_id)
    return None if taken is None else _standing(taken)


def passed(engine: Engine, campaign: str, user_id: int) -> bool:
    """Whether a person has passed the pilot of that name.

    Raises:
        NotFoundError, ConflictError: as ``results``.
    """
    with engine.connect() as connection:
        result = result_of(connection, campaign, user_id)
    return result is not None and result.passed is True


def batch_result(connection: Connection, row: AttemptRow) -> PilotResult | None:
    """How the person of an attempt stands in that attempt's own batch."""
    campaign = _pilot(connection, row.campaign)
    taken = _standings(connection, campaign, row.user_id).get(row.user_id, [])
    return next((result for result in taken if result.code_name == row.code_name), None)


def why_closed(connection: Connection, protocol: Protocol, user_id: int) -> str | None:
    """Why a person gets no batch of a campaign that requires a pilot; None where they may."""
    name = protocol.requires
    if name is None:
        return None
    try:
        result = result_of(connection, name, user_id)
    except (NotFoundError, ConflictError):
        return f"The pilot “{name}” does not exist any more. Ask your supervisor."
    opens = f"Opens when you have passed the pilot “{name}”"
    if result is None or result.passed is None:
        return f"{opens}."
    if result.passed:
        return None
    return (
        f"{opens}: {result.right} of {result.total} were right and "
        f"{percent(result.pass_mark)} is needed. It can be taken again with new tasks only."
    )


def next_batch(connection: Connection, campaign_id: int, user_id: int) -> int | None:
    """Id of the pilot batch that a person takes next; None where there is none left.

    Raises:
        ConflictError: the person has passed, or is still at a batch of it.
    """
    campaign = connection.execute(select(CAMPAIGNS).where(CAMPAIGNS.c.id == campaign_id)).one()
    result = result_of(connection, campaign.name, user_id)
    if result is not None and result.passed:
        raise ConflictError(f"{result.user_name} has passed the pilot “{campaign.name}” already.")
    if result is not None and result.passed is None:
        raise ConflictError(
            f"{result.user_name} is still at batch {result.code_name} of the pilot "
            f"“{campaign.name}”. It has to be finished and closed first."
        )
    own = select(ASSIGNMENTS.c.batch_id).where(ASSIGNMENTS.c.user_id == user_id)
    return connection.execute(
        select(BATCHES.c.id)
        .where(BATCHES.c.campaign_id == campaign_id, BATCHES.c.id.not_in(own))
        .order_by(BATCHES.c.position)
        .limit(1)
    ).scalar_one_or_none()


def no_batch_left(campaign: str) -> str:
    """The sentence for somebody who has taken all of a pilot without passing."""
    return (
        f"Every batch of the pilot “{campaign}” was taken without passing. It can be taken again "
        "with new tasks only: import them into it."
    )


def feedback_command(row: AttemptRow, response: Response) -> Command | None:
    """What stores the comparison of a handed-in pilot task with its gold.

    None where there is nothing to store: no pilot with feedback, not handed in, no gold, or stored
    already.
    """
    pilot = row.protocol.pilot
    handed_in = response.status in ("submitted", "skipped")
    if not (pilot.enabled and pilot.feedback and handed_in) or response.feedback is not None:
        return None
    feedback = compare(row.context().form(response), row.record)
    if feedback is None:
        return None
    payload = ev.FeedbackGiven(right=feedback.right, score=feedback.score, parts=feedback.parts)
    # What is stored must be what was handed in, also where another tab reopens the task just now.
    return Command(FEEDBACK_EVENT, payload, based_on=response.last_seq)


def percent(share: float) -> str:
    """``80 %``."""
    return f"{share * 100:.4g} %"


def _pilot(connection: Connection, name: str) -> Any:
    campaign = connection.execute(select(CAMPAIGNS).where(CAMPAIGNS.c.name == name)).one_or_none()
    if campaign is None:
        raise NotFoundError(f"There is no campaign {name!r}.")
    if not Protocol.model_validate(campaign.protocol).pilot.enabled:
        raise ConflictError(f"Campaign {name} is no pilot.")
    return campaign


def _standings(
    connection: Connection, campaign: Any, user_id: int | None = None
) -> dict[int, list[PilotResult]]:
    """Person → the results of their batches, in the order they were taken."""
    mark = Protocol.model_validate(campaign.protocol).pilot.pass_mark
    n_tasks = (
        select(func.count())
        .select_from(TASKS)
        .where(TASKS.c.batch_id == BATCHES.c.id)
        .scalar_subquery()
    )
    taken = (
        select(
            ASSIGNMENTS.c.id, ASSIGNMENTS.c.user_id, USERS.c.name, BATCHES.c.code_name,
            n_tasks.label("tasks"),
        )
        .join(BATCHES, BATCHES.c.id == ASSIGNMENTS.c.batch_id)
        .join(USERS, USERS.c.id == ASSIGNMENTS.c.user_id)
        .where(BATCHES.c.campaign_id == campaign.id)
        .order_by(ASSIGNMENTS.c.id)
    )  # fmt: skip
    handed_in = (
        select(ATTEMPTS.c.assignment_id, ATTEMPTS.c.id, RESPONSES.c.state)
        .join(RESPONSES, RESPONSES.c.attempt_id == ATTEMPTS.c.id)
        .join(ASSIGNMENTS, ASSIGNMENTS.c.id == ATTEMPTS.c.assignment_id)
        .join(BATCHES, BATCHES.c.id == ASSIGNMENTS.c.batch_id)
        .where(
            BATCHES.c.campaign_id == campaign.id,
            RESPONSES.c.status.in_(("submitted", "skipped")),
        )
    )
    if user_id is not None:
        taken = taken.where(ASSIGNMENTS.c.user_id == user_id)
        handed_in = handed_in.where(ASSIGNMENTS.c.user_id == user_id)
    work: dict[int, list[Feedback | None]] = {}
    for row in connection.execute(handed_in):
        judged = _judged(connection, row.id, Response.model_validate_json(row.state))
        work.setdefault(row.assignment_id, []).append(judged)
    found: dict[int, list[PilotResult]] = {}
    for batch in connection.execute(taken):
        done = work.get(batch.id, [])
        stands = [feedback for feedback in done if feedback is not None]
        right = sum(feedback.right for feedback in stands)
        reached = right >= mark * batch.tasks - _ROUNDING
        result = PilotResult(
            campaign=campaign.name,
            user_id=batch.user_id,
            user_name=batch.name,
            code_name=batch.code_name,
            total=batch.tasks,
            done=len(done),
            judged=len(stands),
            right=right,
            score=_mean(feedback.score for feedback in stands),
            pass_mark=mark,
            passed=reached if len(stands) == batch.tasks else None,
        )
        found.setdefault(batch.user_id, []).append(result)
    return found


def _judged(connection: Connection, attempt_id: str, response: Response) -> Feedback | None:
    """The comparison that stands; None while the task can still be reopened.

    An early verdict would tell right from wrong while the answer can still be changed.
    """
    if response.feedback is not None or not response.closed:
        return response.feedback
    row = attempt_in(connection, attempt_id)
    nothing = Feedback(right=False, score=0, parts=())
    return compare(row.context().form(response), row.record) or nothing


def _standing(taken: list[PilotResult]) -> PilotResult:
    return next((result for result in taken if result.passed), taken[-1])


def _mean(scores: Iterable[float]) -> float | None:
    values = list(scores)
    return sum(values) / len(values) if values else None
