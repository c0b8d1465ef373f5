"""The pilot gate: who has passed a pilot, and who may take which batches.

Each batch of a pilot campaign is a pilot: everybody takes the first, and those who do not reach the
pass mark may take the next. Nobody takes a batch twice. People who have taken all can be
retrained: a supervisor's decision adds a batch of the same tasks.

A supervisor's decision overrides the pass mark (``storage.qualification.records``): people who are
admitted need no mark, and people to be retrained must reach it in a batch taken after the decision.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from sqlalchemy import Connection, Engine, select

from pagetrail.annotation.errors import ConflictError, NotFoundError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.storage.attempts.queries import AttemptRow
from pagetrail.storage.campaigns.batch_slots import BATCH_ORDER
from pagetrail.storage.campaigns.hidden_gold import barred_pairs
from pagetrail.storage.campaigns.own_answers import barred_by_own_answers
from pagetrail.storage.database.json_cache import stored_protocol
from pagetrail.storage.database.tables import Assignment, Batch, Campaign
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.qualification.records import Override, current_overrides
from pagetrail.storage.qualification.submissions import (
    HeldBatch,
    SubmittedTask,
    read_held_batches,
    read_submitted_tasks,
)

_ROUNDING = 1e-9


class ClosedReason(NamedTuple):
    """Why a person cannot get batches of a campaign that requires a pilot.

    Attributes:
        code: ``pilot_not_passed``, or ``pilot_missing`` if the pilot no longer exists.
        message: for the person.
    """

    code: Literal["pilot_not_passed", "pilot_missing"]
    message: str


@dataclass(frozen=True)
class PilotResult:
    """One person's result in a pilot: of the batch that was passed, or else of the last one taken.

    Attributes:
        code_name: of the batch.
        total: number of its tasks.
        done: tasks that are submitted or skipped.
        judged: those of them whose comparison with the gold is final: feedback was given, or the
            batch is closed.
        right: those of the judged tasks in which everything is right.
        undecided: those of the judged tasks that are right if their undecided answers are.
        score: mean score of the decided tasks; None if none is decided.
        passed: whether the pass mark was reached; None until all tasks are judged, and where the
            undecided answers decide it.
        decision: a supervisor's decision that overrides the mark (``admit``, ``retrain``), or None.
        set_aside: whether this batch led to a retraining and no other was taken since.
        is_kept: whether the person was admitted before verdicts were replaced; see ``Override``.
    """

    campaign: str
    user_id: int
    user_name: str
    code_name: str
    total: int
    done: int
    judged: int
    right: int
    undecided: int
    score: float | None
    pass_mark: float
    passed: bool | None
    decision: str | None = None
    set_aside: bool = False
    is_kept: bool = False

    @property
    def is_waiting(self) -> bool:
        """Whether everything is judged, and a supervisor has to judge the undecided answers."""
        return self.passed is None and self.judged == self.total

    @property
    def admitted(self) -> bool:
        """Whether the person may take batches of the campaigns that require the pilot."""
        if self.decision == "admit" or self.is_kept:
            return True
        return self.passed is True and not self.set_aside

    @property
    def needs_decision(self) -> bool:
        """Whether a supervisor has to decide: nothing else settles what becomes of the person."""
        if self.decision == "admit" or self.set_aside or self.passed:
            return False
        return self.is_kept or self.is_waiting


def pilot_results(engine: Engine, campaign: str) -> list[PilotResult]:
    """The results of everybody who has a batch of the pilot, by name.

    Raises:
        NotFoundError: no such campaign.
        ConflictError: it is not a pilot.
    """
    with engine.connect() as connection:
        row = pilot_campaign(connection, campaign)
        result_by_user = current_results(
            row,
            read_held_batches(connection, row.id),
            read_submitted_tasks(connection, row.id, stored_protocol(row.protocol)),
            current_overrides(connection, row.id),
        )
    return sorted(result_by_user.values(), key=lambda result: result.user_name)


def pilot_result(connection: Connection, campaign: str, user_id: int) -> PilotResult | None:
    """One person's result; None without a batch of the pilot.

    Raises:
        NotFoundError, ConflictError: as ``pilot_results``.
    """
    row = pilot_campaign(connection, campaign)
    override = _override(connection, row.id, user_id)
    return current_result(_results_of_person(connection, row, user_id), override)


def batch_result(connection: Connection, row: AttemptRow) -> PilotResult | None:
    """The result of an attempt's person in the attempt's batch."""
    campaign = pilot_campaign(connection, row.campaign)
    results = _results_of_person(connection, campaign, row.user_id)
    return next((result for result in results if result.code_name == row.code_name), None)


def require_open_to(connection: Connection, campaign: Campaign, person: Person) -> None:
    """Refuse work of a campaign for people who have not passed the pilot that it requires.

    Raises:
        ConflictError: with the reason.
    """
    reason = closed_reason(connection, stored_protocol(campaign.protocol), person.id)
    if reason is not None:
        raise ConflictError(
            gettext(
                "{person} cannot be assigned work in {campaign}: {reason}",
                person=person.name,
                campaign=campaign.name,
                reason=reason.message,
            )
        )


def closed_reason(connection: Connection, protocol: Protocol, user_id: int) -> ClosedReason | None:
    """Why a person cannot get a batch of a campaign; None if they can."""
    name = protocol.requires
    if name is None:
        return None
    try:
        campaign = pilot_campaign(connection, name)
    except (NotFoundError, ConflictError):
        return ClosedReason(
            "pilot_missing",
            gettext("The pilot “{name}” no longer exists. Ask your supervisor.", name=name),
        )
    override = _override(connection, campaign.id, user_id)
    if override.decision is not None and override.decision.decision == "admit":
        return None
    result = current_result(_results_of_person(connection, campaign, user_id), override)
    if result is not None and result.admitted:
        return None
    return ClosedReason("pilot_not_passed", _opening_condition(name, result))


def _opening_condition(pilot: str, result: PilotResult | None) -> str:
    if result is not None and result.set_aside:
        return gettext(
            "Opens when you have passed the pilot “{pilot}” again: a supervisor decided this.",
            pilot=pilot,
        )
    if result is not None and result.is_waiting:
        return gettext(
            "Opens when you have passed the pilot “{pilot}”. You have finished it, and it waits "
            "for review: your supervisor looks at the answers that no rule can decide.",
            pilot=pilot,
        )
    if result is None or result.passed is None:
        return gettext("Opens when you have passed the pilot “{pilot}”.", pilot=pilot)
    return gettext(
        "Opens when you have passed the pilot “{pilot}”: {right} of {total} were right and {mark} "
        "is needed. Ask your supervisor to take it again.",
        pilot=pilot,
        right=result.right,
        total=result.total,
        mark=percent(result.pass_mark),
    )


def next_pilot_batch(connection: Connection, campaign_id: int, user_id: int) -> int | None:
    """Id of the next pilot batch for a person; None if none is left.

    Batches with hidden gold of the person are skipped.

    Raises:
        ConflictError: the person has passed or was admitted, or has an unfinished batch of it.
    """
    row = connection.execute(select(Campaign).where(Campaign.id == campaign_id)).one()
    campaign = Campaign.from_row(row)
    override = _override(connection, campaign_id, user_id)
    decision = override.decision
    if decision is not None and decision.decision == "admit":
        raise ConflictError(
            gettext(
                "{person} was admitted by a supervisor and needs no more of the pilot "
                "“{campaign}”.",
                person=decision.user_name,
                campaign=campaign.name,
            )
        )
    result = current_result(_results_of_person(connection, campaign, user_id), override)
    if result is not None and not result.set_aside:
        _require_may_take_next(result)
    own_batches = select(Assignment.batch_id).where(Assignment.user_id == user_id)
    barred_by_content = barred_pairs(connection, campaign_id, user_id)
    barred_by_content |= barred_by_own_answers(connection, campaign_id, user_id)
    barred = [batch for batch, _ in barred_by_content]
    return connection.execute(
        select(Batch.id)
        .where(Batch.campaign_id == campaign_id, Batch.id.not_in(own_batches))
        .where(Batch.id.not_in(barred))
        .order_by(*BATCH_ORDER)
        .limit(1)
    ).scalar_one_or_none()


def _require_may_take_next(result: PilotResult) -> None:
    name, pilot = result.user_name, f"the pilot “{result.campaign}”"
    if result.passed:
        raise ConflictError(gettext("{name} has already passed {pilot}.", name=name, pilot=pilot))
    if result.is_kept:
        raise ConflictError(
            gettext(
                "{name} had passed {pilot} before its answers were graded again. Decide on the "
                "person under Pilots first.",
                name=name,
                pilot=pilot,
            )
        )
    if result.is_waiting:
        raise ConflictError(
            gettext(
                "{name} has finished batch {code_name} of {pilot}, and it waits for review: judge "
                "the undecided answers under Pilots, or decide on the person.",
                name=name,
                code_name=result.code_name,
                pilot=pilot,
            )
        )
    if result.passed is None:
        raise ConflictError(
            gettext(
                "{name} is still working on batch {code_name} of {pilot}. It must be "
                "finished and closed first.",
                name=name,
                code_name=result.code_name,
                pilot=pilot,
            )
        )


def no_batch_left(campaign: str) -> str:
    """The message for people who have taken every batch of a pilot and may take more."""
    return gettext(
        "Every batch of the pilot “{pilot}” has already been taken. To have it taken again, decide "
        "on a retraining under Pilots, or import more tasks with gold and assign.",
        pilot=campaign,
    )


def percent(share: float) -> str:
    """``80 %``."""
    return f"{share * 100:.4g} %"


def pilot_campaign(connection: Connection, name: str) -> Campaign:
    """The campaign's row.

    Raises:
        NotFoundError: no such campaign.
        ConflictError: it is not a pilot.
    """
    row = connection.execute(select(Campaign).where(Campaign.name == name)).one_or_none()
    if row is None:
        raise NotFoundError(gettext("There is no campaign {name!r}.", name=name))
    campaign = Campaign.from_row(row)
    if not stored_protocol(campaign.protocol).pilot.enabled:
        raise ConflictError(gettext("Campaign {name} is not a pilot.", name=name))
    return campaign


def current_results(
    campaign: Campaign,
    batches: Sequence[HeldBatch],
    tasks: Sequence[SubmittedTask],
    override_by_user: Mapping[int, Override],
) -> dict[int, PilotResult]:
    """Person → their result, from all the batches and work of the pilot."""
    results_by_user: dict[int, list[PilotResult]] = {}
    for result in _batch_results(campaign, batches, tasks):
        results_by_user.setdefault(result.user_id, []).append(result)
    result_by_user = {
        user: current_result(own_results, override_by_user.get(user, Override()))
        for user, own_results in results_by_user.items()
    }
    return {user: result for user, result in result_by_user.items() if result is not None}


def current_result(results: Sequence[PilotResult], override: Override) -> PilotResult | None:
    """The result that counts: of the batch passed, or else of the last one; None without any."""
    if not results:
        return None
    qualification = override.decision
    decision = None if qualification is None else qualification.decision
    aside = qualification.set_aside if qualification and decision == "retrain" else ()
    counting = [result for result in results if result.code_name not in aside]
    candidates = counting or results
    result = next((result for result in candidates if result.passed), candidates[-1])
    return replace(result, decision=decision, set_aside=not counting, is_kept=override.is_kept)


def _override(connection: Connection, campaign_id: int, user_id: int) -> Override:
    return current_overrides(connection, campaign_id, user_id).get(user_id, Override())


def _results_of_person(
    connection: Connection, campaign: Campaign, user_id: int
) -> list[PilotResult]:
    """The person's result in each batch, in the order they were taken."""
    protocol = stored_protocol(campaign.protocol)
    batches = read_held_batches(connection, campaign.id, user_id)
    if not batches:
        return []
    return _batch_results(
        campaign, batches, read_submitted_tasks(connection, campaign.id, protocol, user_id)
    )


def _batch_results(
    campaign: Campaign, batches: Sequence[HeldBatch], tasks: Sequence[SubmittedTask]
) -> list[PilotResult]:
    """The result of each batch, in the order they were taken."""
    mark = stored_protocol(campaign.protocol).pilot.pass_mark
    tasks_by_assignment: dict[int, list[SubmittedTask]] = {}
    for task in tasks:
        tasks_by_assignment.setdefault(task.assignment_id, []).append(task)
    batch_results = []
    for batch in batches:
        batch_tasks = tasks_by_assignment.get(batch.assignment_id, [])
        verdicts = [task.verdict for task in batch_tasks if task.verdict is not None]
        right = sum(verdict.right for verdict in verdicts)
        undecided = sum(verdict.is_undecided for verdict in verdicts)
        batch_results.append(
            PilotResult(
                campaign=campaign.name,
                user_id=batch.user_id,
                user_name=batch.user_name,
                code_name=batch.code_name,
                total=batch.tasks,
                done=len(batch_tasks),
                judged=len(verdicts),
                right=right,
                undecided=undecided,
                score=_mean(
                    verdict.decided_score
                    for verdict in verdicts
                    if verdict.decided_score is not None
                ),
                pass_mark=mark,
                passed=_is_passed(batch.tasks, len(verdicts), right, undecided, mark),
            )
        )
    return batch_results


def _is_passed(total: int, judged: int, right: int, undecided: int, mark: float) -> bool | None:
    """Passed with all undecided answers wrong, failed with all of them right; else None."""
    needed = mark * total - _ROUNDING
    if judged < total or right < needed <= right + undecided:
        return None
    return right >= needed


def complete_batches(connection: Connection, campaign: Campaign, user_id: int) -> tuple[str, ...]:
    """Code names of a person's batches in which every task is judged."""
    results = _results_of_person(connection, campaign, user_id)
    return tuple(result.code_name for result in results if result.judged == result.total)


def _mean(scores: Iterable[float]) -> float | None:
    values = list(scores)
    return sum(values) / len(values) if values else None
