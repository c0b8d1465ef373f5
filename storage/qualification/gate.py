"""Who has passed a pilot, and which campaigns wait for it.

A pilot campaign's batches are pilots of their own: everybody takes the first one, and whoever does
not reach the pass mark in it may take the next. Nobody takes a batch twice, since its gold has
been shown; so a failed pilot can be taken again only with new tasks.

A supervisor's decision goes before the mark (``storage.qualification.records``): who is admitted
needs no mark, and who is to be retrained needs it in a batch that was not decided on yet.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, Engine, select

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command
from pagetrail.annotation.attempts.state import Response
from pagetrail.annotation.comparison.against_gold import compare
from pagetrail.annotation.errors import ConflictError, NotFoundError
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.storage.attempts.queries import AttemptRow
from pagetrail.storage.database.tables import ASSIGNMENTS, BATCHES, CAMPAIGNS
from pagetrail.storage.qualification.records import Qualification, in_force
from pagetrail.storage.qualification.submissions import (
    FEEDBACK_EVENT,
    HandedIn,
    Taken,
    batches_taken,
    handed_in,
)

OPENS = "Opens when you have passed the pilot"
"""How every reason begins that passing, or a supervisor's decision, takes away."""

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
        passed: by the mark; None until all are judged.
        decision: a supervisor's that goes before the mark, ``admit`` or ``retrain``; None without.
        set_aside: a retraining was decided on this batch, and no other was taken since.
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
    decision: str | None = None
    set_aside: bool = False

    @property
    def admitted(self) -> bool:
        """Whether the person may take batches of the campaigns that wait for the pilot."""
        return self.decision == "admit" or (self.passed is True and not self.set_aside)


def results(engine: Engine, campaign: str) -> list[PilotResult]:
    """How everybody who has a batch of the pilot stands, by name.

    Raises:
        NotFoundError: no such campaign.
        ConflictError: it is no pilot.
    """
    with engine.connect() as connection:
        row = pilot_campaign(connection, campaign)
        found = standings(
            row,
            batches_taken(connection, row.id),
            handed_in(connection, row.id, Protocol.model_validate(row.protocol)),
            in_force(connection, row.id),
        )
    return sorted(found.values(), key=lambda result: result.user_name)


def result_of(connection: Connection, campaign: str, user_id: int) -> PilotResult | None:
    """How one person stands; None without a batch of the pilot.

    Raises:
        NotFoundError, ConflictError: as ``results``.
    """
    row = pilot_campaign(connection, campaign)
    decided = in_force(connection, row.id, user_id)
    return standing(_of_person(connection, row, user_id), decided.get(user_id))


def batch_result(connection: Connection, row: AttemptRow) -> PilotResult | None:
    """How the person of an attempt stands in that attempt's own batch."""
    campaign = pilot_campaign(connection, row.campaign)
    taken = _of_person(connection, campaign, row.user_id)
    return next((result for result in taken if result.code_name == row.code_name), None)


def why_closed(connection: Connection, protocol: Protocol, user_id: int) -> str | None:
    """Why a person gets no batch of a campaign that requires a pilot; None where they may."""
    name = protocol.requires
    if name is None:
        return None
    try:
        campaign = pilot_campaign(connection, name)
    except (NotFoundError, ConflictError):
        return f"The pilot “{name}” does not exist any more. Ask your supervisor."
    decided = in_force(connection, campaign.id, user_id).get(user_id)
    if decided is not None and decided.decision == "admit":
        return None
    result = standing(_of_person(connection, campaign, user_id), decided)
    opens = f"{OPENS} “{name}”"
    if result is not None and result.set_aside:
        return f"{opens} again, with new tasks: a supervisor has decided so."
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
        ConflictError: the person has passed or was admitted, or is still at a batch of it.
    """
    campaign = connection.execute(select(CAMPAIGNS).where(CAMPAIGNS.c.id == campaign_id)).one()
    decided = in_force(connection, campaign_id, user_id).get(user_id)
    if decided is not None and decided.decision == "admit":
        raise ConflictError(
            f"{decided.user_name} was admitted by a supervisor and needs no more of the pilot "
            f"“{campaign.name}”."
        )
    result = standing(_of_person(connection, campaign, user_id), decided)
    if result is not None and not result.set_aside:
        _check_next(result)
    own = select(ASSIGNMENTS.c.batch_id).where(ASSIGNMENTS.c.user_id == user_id)
    return connection.execute(
        select(BATCHES.c.id)
        .where(BATCHES.c.campaign_id == campaign_id, BATCHES.c.id.not_in(own))
        .order_by(BATCHES.c.priority.desc(), BATCHES.c.position)
        .limit(1)
    ).scalar_one_or_none()


def _check_next(result: PilotResult) -> None:
    who, pilot = result.user_name, f"the pilot “{result.campaign}”"
    if result.passed:
        raise ConflictError(f"{who} has passed {pilot} already.")
    if result.passed is None:
        raise ConflictError(
            f"{who} is still at batch {result.code_name} of {pilot}. It has to be finished and "
            "closed first."
        )


def no_batch_left(campaign: str) -> str:
    """The sentence for somebody who has taken all of a pilot and may take more of it."""
    return (
        f"Every batch of the pilot “{campaign}” was taken already. It can be taken again with new "
        "tasks only: import tasks with gold into the same campaign, then assign."
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


def pilot_campaign(connection: Connection, name: str) -> Any:
    """The campaign's row.

    Raises:
        NotFoundError: no such campaign.
        ConflictError: it is no pilot.
    """
    campaign = connection.execute(select(CAMPAIGNS).where(CAMPAIGNS.c.name == name)).one_or_none()
    if campaign is None:
        raise NotFoundError(f"There is no campaign {name!r}.")
    if not Protocol.model_validate(campaign.protocol).pilot.enabled:
        raise ConflictError(f"Campaign {name} is no pilot.")
    return campaign


def standings(
    campaign: Any,
    taken: Sequence[Taken],
    handed: Sequence[HandedIn],
    decided: dict[int, Qualification],
) -> dict[int, PilotResult]:
    """Person → how they stand, from all that was read of the pilot."""
    found: dict[int, list[PilotResult]] = {}
    for result in _batch_results(campaign, taken, handed):
        found.setdefault(result.user_id, []).append(result)
    standing_of = {user: standing(own, decided.get(user)) for user, own in found.items()}
    return {user: result for user, result in standing_of.items() if result is not None}


def standing(taken: Sequence[PilotResult], decided: Qualification | None) -> PilotResult | None:
    """The batch that counts: the one that was passed, or else the last one; None without any."""
    if not taken:
        return None
    aside = decided.set_aside if decided is not None and decided.decision == "retrain" else ()
    counting = [result for result in taken if result.code_name not in aside]
    among = counting or taken
    result = next((result for result in among if result.passed), among[-1])
    decision = None if decided is None else decided.decision
    return replace(result, decision=decision, set_aside=not counting)


def _of_person(connection: Connection, campaign: Any, user_id: int) -> list[PilotResult]:
    protocol = Protocol.model_validate(campaign.protocol)
    taken = batches_taken(connection, campaign.id, user_id)
    if not taken:
        return []
    return _batch_results(campaign, taken, handed_in(connection, campaign.id, protocol, user_id))


def _batch_results(
    campaign: Any, taken: Sequence[Taken], handed: Sequence[HandedIn]
) -> list[PilotResult]:
    """The result of each batch, in the order in which they were taken."""
    mark = Protocol.model_validate(campaign.protocol).pilot.pass_mark
    work: dict[int, list[HandedIn]] = {}
    for task in handed:
        work.setdefault(task.assignment_id, []).append(task)
    found = []
    for batch in taken:
        done = work.get(batch.assignment_id, [])
        verdicts = [task.verdict for task in done if task.verdict is not None]
        right = sum(verdict.right for verdict in verdicts)
        reached = right >= mark * batch.tasks - _ROUNDING
        found.append(
            PilotResult(
                campaign=campaign.name,
                user_id=batch.user_id,
                user_name=batch.user_name,
                code_name=batch.code_name,
                total=batch.tasks,
                done=len(done),
                judged=len(verdicts),
                right=right,
                score=_mean(verdict.score for verdict in verdicts),
                pass_mark=mark,
                passed=reached if len(verdicts) == batch.tasks else None,
            )
        )
    return found


def complete_batches(connection: Connection, campaign: Any, user_id: int) -> tuple[str, ...]:
    """Code names of a person's batches of which every task is judged."""
    taken = _of_person(connection, campaign, user_id)
    return tuple(result.code_name for result in taken if result.judged == result.total)


def _mean(scores: Iterable[float]) -> float | None:
    values = list(scores)
    return sum(values) / len(values) if values else None
