"""Rebalancing a campaign's open work: a plan to preview, then all of its moves or none.

A person's open work is their batches of the campaign with tasks not submitted yet. Only batches
that nobody has started are moved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from sqlalchemy import Connection

from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.errors import ConflictError
from pagetrail.annotation.messages import N_, gettext, ngettext
from pagetrail.annotation.tasks.rebalancing import Move, rebalance
from pagetrail.storage.batches.annotators import chosen_annotators
from pagetrail.storage.batches.assignments import batches_in_order, insert_assignment
from pagetrail.storage.batches.board import Board, board_in
from pagetrail.storage.batches.withdrawal import withdraw_in
from pagetrail.storage.campaigns.hidden_gold import barred_names
from pagetrail.storage.campaigns.lookup import get_open_campaign
from pagetrail.storage.campaigns.own_answers import names_barred_by_own_answers
from pagetrail.storage.campaigns.variants import (
    batch_names_with_variants,
    names_barred_by_variants,
)
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.json_cache import stored_protocol
from pagetrail.storage.database.tables import Campaign
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import Person, people_by_name
from pagetrail.storage.people.audit import PersonName, audit_in, joined
from pagetrail.storage.qualification.gate import closed_reason

_MAX_LISTED = 5


@dataclass(frozen=True)
class RebalancePlan:
    """The moves of a rebalancing and their effect.

    Attributes:
        annotators: whose work is rebalanced.
        moves: sorted by batch, giver and taker.
        before, after: annotator → open batches.
        not_open: annotator → why they get no batches of this campaign.
        basis: (batch, annotator, state) of every slot when the plan was made.
    """

    campaign: str
    annotators: tuple[str, ...]
    moves: tuple[Move, ...]
    before: dict[str, int]
    after: dict[str, int]
    not_open: dict[str, str]
    basis: frozenset[tuple[str, str, str]]


def plan_rebalance(
    workspace: Workspace, campaign: str, annotators: Sequence[str] | None = None
) -> RebalancePlan:
    """Find moves that balance the work; nothing is changed.

    They are the fewest, unless variants of one question would meet: then a move that brings them
    together is ruled out and the plan made again, which can take more moves than needed.

    Args:
        annotators: names; all active annotators by default.

    Raises:
        NotFoundError: no such campaign or person.
        ConflictError: the campaign is closed or a pilot, or a named person takes no batches.
    """
    with workspace.engine.connect() as connection:
        row = get_open_campaign(connection, campaign)
        return _plan(connection, row, chosen_annotators(connection, annotators))


def carry_out(
    workspace: Workspace,
    plan: RebalancePlan,
    *,
    by: str | None = None,
) -> None:
    """Carry out a plan, all in one transaction.

    Args:
        by: who rebalances; recorded in the audit log in the same transaction.

    Raises:
        ConflictError: something changed since the plan was made; the message says what, and
            nothing is moved.
        NotFoundError: the campaign or a person is gone.
    """
    with write_transaction(workspace.engine) as connection:
        row = get_open_campaign(connection, plan.campaign)
        people = people_by_name(connection, plan.annotators)
        now = _plan_basis(connection, row, people)
        # The moves depend on this alone, so they are not computed under the lock.
        if now.of_plan != (plan.basis, plan.before.keys(), plan.not_open.keys()):
            raise ConflictError(
                gettext(
                    "{changes} Nothing was moved. Look at the new plan, then decide again.",
                    changes=_what_changed(plan, now, people),
                )
            )
        by_name = {person.name: person for person in people}
        assignments = {(p.batch, p.annotator): p.assignment_id for p in now.board.slots}
        batches = {batch.code_name: batch for batch in batches_in_order(connection, row.id)}
        # All are withdrawn first, since somebody may lose one batch and get another.
        for move in plan.moves:
            withdraw_in(connection, assignments[move.batch, move.giver], started=False)
        for move in plan.moves:
            batch, taker = batches[move.batch], by_name[move.taker]
            insert_assignment(connection, row, batch.id, batch.code_name, taker, SystemClock())
        if by is not None and plan.moves:
            moves = (
                [f"{move.batch} from ", PersonName(move.giver), " to ", PersonName(move.taker)]
                for move in plan.moves
            )
            detail = [f"{row.name}: ", *joined("; ", moves)]
            audit_in(connection, by, "batches_rebalanced", detail)


@dataclass(frozen=True)
class _PlanBasis:
    """The data that a plan is computed from."""

    board: Board
    names: frozenset[str]
    not_open: dict[str, str]
    kept_from: frozenset[tuple[str, str]]
    apart: Mapping[str, frozenset[str]]

    @property
    def basis(self) -> frozenset[tuple[str, str, str]]:
        return frozenset((p.batch, p.annotator, p.state) for p in self.board.slots)

    @property
    def of_plan(self) -> tuple[frozenset[tuple[str, str, str]], Set[str], Set[str]]:
        return self.basis, self.names, self.not_open.keys()


def _plan_basis(connection: Connection, campaign: Campaign, people: Sequence[Person]) -> _PlanBasis:
    protocol = stored_protocol(campaign.protocol)
    if protocol.pilot.enabled:
        raise ConflictError(
            gettext(
                "Campaign {campaign} is a pilot, which everybody takes. There is "
                "nothing to rebalance.",
                campaign=campaign.name,
            )
        )
    return _PlanBasis(
        board_in(connection, campaign),
        frozenset(p.name for p in people if p.active and p.role == "annotator"),
        {
            person.name: reason.message
            for person in people
            if (reason := closed_reason(connection, protocol, person.id))
        },
        frozenset(
            barred_names(connection, campaign.id, people)
            | names_barred_by_variants(connection, campaign, people)
            | names_barred_by_own_answers(connection, campaign.id, people)
        ),
        batch_names_with_variants(connection, campaign),
    )


def _plan(connection: Connection, campaign: Campaign, people: Sequence[Person]) -> RebalancePlan:
    basis = _plan_basis(connection, campaign, people)
    by_state = _by_state(basis.board)
    barred = {
        *by_state["done"],
        *by_state["closed"],
        *by_state["taken_back"],
        *basis.kept_from,
    }
    # Ends: each round rules out a pair of batch and person that was still allowed.
    while True:
        result = rebalance(
            basis.names,
            [pair for pair in by_state["untouched"] if pair[1] in basis.names],
            by_state["begun"],
            barred,
            receivers=basis.names - basis.not_open.keys(),
        )
        too_many = _moves_of_variants(result.moves, basis.apart)
        if not too_many:
            break
        barred |= too_many
    return RebalancePlan(
        campaign=campaign.name,
        annotators=tuple(person.name for person in people),
        moves=result.moves,
        before=result.before,
        after=result.after,
        not_open=basis.not_open,
        basis=basis.basis,
    )


def _moves_of_variants(
    moves: Sequence[Move], apart: Mapping[str, frozenset[str]]
) -> set[tuple[str, str]]:
    """(Batch, taker) of moves that bring a variant of a question which another move brings."""
    taken: dict[str, set[str]] = {}
    too_many = set()
    for move in moves:
        batches = taken.setdefault(move.taker, set())
        if batches & apart.get(move.batch, frozenset()):
            too_many.add((move.batch, move.taker))
        else:
            batches.add(move.batch)
    return too_many


def _by_state(board: Board) -> dict[str, list[tuple[str, str]]]:
    pairs: dict[str, list[tuple[str, str]]] = {
        state: [] for state in ("untouched", "begun", "done", "closed", "taken_back")
    }
    for slot in board.slots:
        pairs[slot.state].append((slot.batch, slot.annotator))
    return pairs


_CHANGES = {
    "begun": N_("{name} has started {batch}"),
    "done": N_("{name} has submitted {batch}"),
    "closed": N_("{name} has closed {batch}"),
    "taken_back": N_("{batch} was withdrawn from {name}"),
    "untouched": N_("{batch} was assigned to {name}"),
}


def _what_changed(old: RebalancePlan, new: _PlanBasis, people: Sequence[Person]) -> str:
    states = {(batch, name): state for batch, name, state in new.basis}
    changes = [
        gettext(_CHANGES[state], name=name, batch=batch)
        for batch, name, state in sorted(new.basis - old.basis)
    ]
    changes += [
        gettext("{batch} was withdrawn from {name}", batch=batch, name=name)
        for batch, name, _ in sorted(old.basis)
        if (batch, name) not in states
    ]
    for person in people:
        if person.name in old.before and person.name not in new.names:
            changes.append(gettext("{person} no longer takes batches", person=person.name))
        elif person.name in new.names and person.name not in old.before:
            changes.append(gettext("{person} takes batches again", person=person.name))
        elif (person.name in old.not_open) != (person.name in new.not_open):
            changes.append(gettext("the pilot result of {person} changed", person=person.name))
    listed_changes = "; ".join(changes[:_MAX_LISTED]) or gettext("the campaign was changed")
    more = len(changes) - _MAX_LISTED
    if more <= 0:
        return gettext("Meanwhile {changes}.", changes=listed_changes)
    return ngettext(
        "Meanwhile {changes}; and {number} more change.",
        "Meanwhile {changes}; and {number} more changes.",
        more,
        changes=listed_changes,
    )
