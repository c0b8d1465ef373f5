"""Assigning batches: filling a campaign's overlap."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection, and_, func, insert, select, update

from pagetrail.annotation.clock import SystemClock, iso
from pagetrail.annotation.errors import ConflictError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.ports import Clock
from pagetrail.annotation.sentences import join_first
from pagetrail.annotation.tasks.batches import Distribution, distribute, order_seed
from pagetrail.storage.batches.annotators import active_annotators, chosen_annotators
from pagetrail.storage.batches.checks import n_checks_to_plan
from pagetrail.storage.batches.withdrawal import mark_skipped_tasks
from pagetrail.storage.campaigns.batch_slots import BATCH_ORDER, taken_slots
from pagetrail.storage.campaigns.counting_tasks import IN_BATCH
from pagetrail.storage.campaigns.hidden_gold import barred_names, require_no_check_in
from pagetrail.storage.campaigns.lookup import get_open_campaign
from pagetrail.storage.campaigns.own_answers import (
    names_barred_by_own_answers,
    require_no_own_answer_in,
)
from pagetrail.storage.campaigns.variants import (
    batch_names_with_variants,
    names_barred_by_variants,
    require_no_variant_in,
)
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.json_cache import stored_protocol
from pagetrail.storage.database.statuses import WITHDRAWN
from pagetrail.storage.database.tables import Assignment, Batch, Campaign, Task, User
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.absences import away_on
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.audit import PersonName, audit_in, joined
from pagetrail.storage.people.profiles import NO_REQUIREMENTS, StaffingRequirements
from pagetrail.storage.qualification.gate import (
    ClosedReason,
    closed_reason,
    next_pilot_batch,
    no_batch_left,
)

_MAX_LISTED = 5


@dataclass(frozen=True)
class AssignReport:
    """The result of an assignment run.

    Attributes:
        created: new (batch code name, annotator name) pairs.
        shortfall: batch code name → annotators it still needs.
        loads: annotator name → batches of this campaign they now have.
        passed_over: annotator name → reason why they get no batch.
        waiting_for_pilot: those of them who can get batches once they have passed the pilot.
        kept_from: (batch code name, annotator name) pairs ruled out because a task of the batch is
            hidden gold of the person.
        own_answers: those ruled out because the person would judge an answer of their own.
        variants_apart: whether batches have variants of questions, which one person never gets.
    """

    campaign: str
    created: list[tuple[str, str]] = field(default_factory=list)
    shortfall: dict[str, int] = field(default_factory=dict)
    loads: dict[str, int] = field(default_factory=dict)
    passed_over: dict[str, str] = field(default_factory=dict)
    waiting_for_pilot: list[str] = field(default_factory=list)
    kept_from: list[tuple[str, str]] = field(default_factory=list)
    own_answers: list[tuple[str, str]] = field(default_factory=list)
    variants_apart: bool = False


def kept_from_sentences(report: AssignReport) -> list[str]:
    """Which batches people do not get because of what is in them, and why."""
    sentences = []
    if report.kept_from:
        sentences.append(
            gettext(
                "Kept from people whose hidden checks are in them: batch {batches}. Others can "
                "have these batches.",
                batches=_pairs_shown(report.kept_from),
            )
        )
    if report.own_answers:
        sentences.append(
            gettext(
                "Kept from people whose own answers are in them: batch {batches}. Others can judge "
                "these batches.",
                batches=_pairs_shown(report.own_answers),
            )
        )
    return sentences


def _pairs_shown(pairs: Sequence[tuple[str, str]]) -> str:
    shown = [gettext("{batch} from {person}", batch=batch, person=name) for batch, name in pairs]
    return join_first(shown, _MAX_LISTED)


def variants_sentence(report: AssignReport) -> str:
    """Why a campaign with variants needs more people; empty if it does not."""
    if not (report.shortfall and report.variants_apart):
        return ""
    return gettext(
        "Variants of one question go to different people. In a new campaign with the setting "
        "“variants” on “together”, one person can do them."
    )


def assign(
    workspace: Workspace,
    campaign: str,
    annotators: Sequence[str] | None = None,
    *,
    requirements: StaffingRequirements = NO_REQUIREMENTS,
    most_tasks: int | None = None,
    by: str | None = None,
    clock: Clock | None = None,
) -> AssignReport:
    """Fill the campaign's overlap with the named annotators, or with all active ones.

    In a pilot, everybody gets one batch; see ``storage.qualification.gate``. Batches of a campaign
    that requires a pilot go only to those who have passed it.

    Args:
        requirements: languages, skills and groups that annotators must have.
        most_tasks: maximum number of the campaign's tasks per person; None means no limit. If no
            annotators are named, requirements and maximum also apply to batches that people claim
            from then on.
        by: who assigns; recorded in the audit log in the same transaction.

    Raises:
        NotFoundError: no such campaign or user.
        ConflictError: the campaign is closed, or a named user is inactive or not an annotator; or
            nobody meets the requirements; or a limit is given for a pilot.
    """
    with write_transaction(workspace.engine) as connection:
        row = get_open_campaign(connection, campaign)
        people = chosen_annotators(connection, annotators, requirements)
        report = assign_in(connection, row, people, clock or SystemClock(), most_tasks)
        if annotators is None:
            _keep_for_claims(connection, row, requirements, most_tasks)
        if by is not None and report.created:
            pairs = joined(
                "; ", ([f"{batch} to ", PersonName(name)] for batch, name in report.created)
            )
            audit_in(connection, by, "batches_assigned", [f"{row.name}: ", *pairs])
        return report


def assign_in(
    connection: Connection,
    campaign: Campaign,
    people: Sequence[Person],
    clock: Clock,
    most_tasks: int | None = None,
) -> AssignReport:
    """``assign`` inside a transaction that holds the write lock."""
    report = _planned(connection, campaign, people, clock, most_tasks)
    ids = {batch.code_name: batch.id for batch in batches_in_order(connection, campaign.id)}
    by_name = {person.name: person for person in people}
    for batch, name in report.created:
        insert_assignment(connection, campaign, ids[batch], batch, by_name[name], clock)
    return report


def planned_assignments(
    workspace: Workspace, campaign: str, *, clock: Clock | None = None
) -> AssignReport:
    """What ``assign`` would do for all active annotators; stores nothing.

    Raises:
        NotFoundError, ConflictError: as ``assign``.
    """
    with workspace.engine.connect() as connection:
        row = get_open_campaign(connection, campaign)
        return _planned(connection, row, active_annotators(connection), clock or SystemClock())


def _planned(
    connection: Connection,
    campaign: Campaign,
    people: Sequence[Person],
    clock: Clock,
    most_tasks: int | None = None,
) -> AssignReport:
    """The report of an assignment, before anything is stored."""
    batches = batches_in_order(connection, campaign.id)
    protocol = stored_protocol(campaign.protocol)
    by_name = {person.name: person for person in people}
    away_reasons = _away_reasons(connection, people, clock)
    closed_reasons: dict[str, ClosedReason] = {}
    kept_from = barred_names(connection, campaign.id, people)
    own_answers = names_barred_by_own_answers(connection, campaign.id, people)
    apart = batch_names_with_variants(connection, campaign)
    if protocol.pilot.enabled:
        if most_tasks is not None:
            raise ConflictError(
                gettext(
                    "{campaign} is a pilot: everybody takes one batch after another until "
                    "they pass. It takes no limit of tasks per person.",
                    campaign=campaign.name,
                )
            )
        present = [person for person in people if person.name not in away_reasons]
        result, pilot_reasons = _pilot_batches(connection, campaign, batches, present)
        passed_over = away_reasons | pilot_reasons
    else:
        closed_reasons = {
            name: reason
            for name, person in by_name.items()
            if (reason := closed_reason(connection, protocol, person.id))
        }
        messages = {name: reason.message for name, reason in closed_reasons.items()}
        passed_over = messages | away_reasons
        sizes = batch_sizes(connection, campaign.id)
        result = distribute(
            [batch.code_name for batch in batches if sizes.get(batch.code_name)],
            [name for name in by_name if name not in passed_over],
            protocol.overlap,
            taken_slots(connection, campaign.id),
            barred=[
                *_withdrawn_pairs(connection, campaign.id),
                *kept_from,
                *own_answers,
                *names_barred_by_variants(connection, campaign, people),
            ],
            kept_apart=apart,
            sizes=sizes,
            capacity=None
            if most_tasks is None
            else room_for(connection, campaign.id, by_name, most_tasks),
            seed=campaign.seed,
        )
    loads = Counter(
        name for _, name, status in _all_pairs(connection, campaign.id) if status != WITHDRAWN
    )
    loads.update(name for _, name in result.pairs)
    return AssignReport(
        campaign=campaign.name,
        created=result.pairs,
        shortfall=result.shortfall,
        loads={name: loads[name] for name in by_name},
        passed_over=passed_over,
        waiting_for_pilot=[
            name
            for name, reason in closed_reasons.items()
            if reason.code == "pilot_not_passed" and name not in away_reasons
        ],
        kept_from=sorted(kept_from),
        own_answers=sorted(own_answers),
        variants_apart=bool(apart),
    )


def _away_reasons(connection: Connection, people: Sequence[Person], clock: Clock) -> dict[str, str]:
    """Name → until when they are away, of those who are away today."""
    last_days_away = away_on(connection, clock.now().date())
    return {
        person.name: gettext("away until {day}.", day=last_days_away[person.id])
        for person in people
        if person.id in last_days_away
    }


def _keep_for_claims(
    connection: Connection,
    campaign: Campaign,
    requirements: StaffingRequirements,
    most_tasks: int | None,
) -> None:
    """Store the conditions for batches that people claim."""
    rule = {
        "languages": list(requirements.languages),
        "skills": list(requirements.skills),
        "groups": list(requirements.groups),
        "most_tasks": most_tasks,
    }
    claim_rule = {name: value for name, value in rule.items() if value}
    connection.execute(update(Campaign).where(Campaign.id == campaign.id).values(claims=claim_rule))


def room_for(
    connection: Connection, campaign_id: int, names: Iterable[str], most_tasks: int
) -> dict[str, int]:
    """Name → number of the campaign's tasks the person may still get."""
    sizes, n_tasks = batch_sizes(connection, campaign_id), Counter[str]()
    for batch, name, status in _all_pairs(connection, campaign_id):
        n_tasks[name] += 0 if status == WITHDRAWN else sizes[batch]
    return {name: most_tasks - n_tasks[name] for name in names}


def batch_sizes(connection: Connection, campaign_id: int) -> dict[str, int]:
    """Batch → number of its tasks, without excluded ones."""
    rows = connection.execute(
        select(Batch.code_name, func.count(Task.id))
        .outerjoin(Task, and_(Task.batch_id == Batch.id, IN_BATCH))
        .where(Batch.campaign_id == campaign_id)
        .group_by(Batch.id)
    )
    return {name: int(count) for name, count in rows}


def _pilot_batches(
    connection: Connection,
    campaign: Campaign,
    batches: Sequence[Batch],
    people: Sequence[Person],
) -> tuple[Distribution, dict[str, str]]:
    """Each person's next pilot batch, and the reasons why others get none."""
    names = {batch.id: batch.code_name for batch in batches}
    distribution = Distribution()
    reasons = {}
    for person in people:
        try:
            batch = next_pilot_batch(connection, campaign.id, person.id)
        except ConflictError as reason:
            reasons[person.name] = reason.message
            continue
        if batch is None:
            reasons[person.name] = no_batch_left(campaign.name)
        else:
            distribution.pairs.append((names[batch], person.name))
    return distribution, reasons


def batches_in_order(connection: Connection, campaign_id: int) -> list[Batch]:
    """The campaign's batches in the order they are assigned (``BATCH_ORDER``)."""
    rows = connection.execute(
        select(Batch).where(Batch.campaign_id == campaign_id).order_by(*BATCH_ORDER)
    )
    return [Batch.from_row(row) for row in rows]


def _withdrawn_pairs(connection: Connection, campaign_id: int) -> list[tuple[str, str]]:
    return [
        (batch, name)
        for batch, name, status in _all_pairs(connection, campaign_id)
        if status == WITHDRAWN
    ]


def assigned_pairs(connection: Connection, campaign_id: int) -> list[tuple[str, str]]:
    """All (batch code name, annotator name) pairs of the campaign, withdrawn ones included."""
    return [(batch, name) for batch, name, _ in _all_pairs(connection, campaign_id)]


def _all_pairs(connection: Connection, campaign_id: int) -> list[tuple[str, str, str]]:
    rows = connection.execute(
        select(Batch.code_name, User.name, Assignment.status)
        .select_from(Assignment)
        .join(User, User.id == Assignment.user_id)
        .join(Batch, Batch.id == Assignment.batch_id)
        .where(Batch.campaign_id == campaign_id)
        .order_by(Assignment.id)
    )
    return [(row.code_name, row.name, row.status) for row in rows]


def insert_assignment(
    connection: Connection,
    campaign: Campaign,
    batch_id: int,
    code_name: str,
    person: Person,
    clock: Clock,
) -> int:
    """Insert a new assignment; returns its id.

    Raises:
        ConflictError: a task of the batch is hidden gold of the person, or the person has had
            another variant of a question in it, or answered one of its tasks.
    """
    require_no_check_in(connection, campaign, batch_id, person)
    require_no_variant_in(connection, campaign, batch_id, person)
    require_no_own_answer_in(connection, campaign, batch_id, person)
    mark_skipped_tasks(connection, batch_id)
    key = connection.execute(
        insert(Assignment).values(
            batch_id=batch_id,
            user_id=person.id,
            seed=order_seed(campaign.seed, code_name, person.name),
            status="open",
            created_at=iso(clock.now()),
            checks=n_checks_to_plan(connection, campaign, batch_id, person.id),
        )
    ).inserted_primary_key
    assert key is not None
    return int(key[0])
