"""Rebalances the remaining work: shows the moves first, then makes all or none of them."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from pagetrail.annotation.messages import N_, gettext
from pagetrail.app.admin.actions import (
    current_dialog,
    open_dialog,
    queue_message,
    run_supervisor_action,
    show_confirmation,
)
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_count
from pagetrail.app.ui.tables import show_table
from pagetrail.storage.batches.board import Board
from pagetrail.storage.batches.rebalancing import RebalancePlan, carry_out, plan_rebalance
from pagetrail.storage.people.accounts import Person


def rebalance_button(board: Board, annotators: list[str]) -> None:
    """The button that plans the moves."""
    st.button(
        gettext("Rebalance…"),
        key="even",
        icon=":material/balance:",
        disabled=board.pilot or len(annotators) < 2,
        help=gettext(
            "Move batches that are not started, so that everybody has about the same amount left."
        ),
        on_click=_plan_moves,
        args=(board.campaign,),
    )


def rebalance_dialog(board: Board) -> None:
    """The plan, before it is carried out."""
    state = current_dialog("even")
    if state is None or state.details["plan"].campaign != board.campaign:
        return
    plan: RebalancePlan = state.details["plan"]
    show_confirmation(
        state,
        gettext("Rebalance the work?"),
        [
            format_count(
                "{number} batch will be reassigned; it is not started.",
                "{number} batches will be reassigned; none is started. Either all moves are made "
                "or none.",
                len(plan.moves),
            )
        ],
        format_count("Move {number} batch", "Move {number} batches", len(plan.moves)),
        "even",
        partial(_carry_out_plan, plan),
        body=partial(_plan_tables, plan),
        wide=True,
    )


def _plan_moves(campaign: str) -> None:
    def act(app: Services, _person: Person) -> str | None:
        plan = plan_rebalance(app.workspace, campaign)
        if plan.moves:
            open_dialog("even", plan=plan)
        else:
            queue_message("info", gettext("The work is already balanced. Nothing has to move."))
        return None

    run_supervisor_action("rebalance", act)


def _plan_tables(plan: RebalancePlan) -> None:
    show_table(
        pd.DataFrame(
            {
                N_("Batch"): [step.batch for step in plan.moves],
                N_("From"): [step.giver for step in plan.moves],
                N_("To"): [step.taker for step in plan.moves],
            }
        ),
        width="stretch",
        max_height=260,
    )
    st.markdown(gettext("Batches left"))
    show_table(
        pd.DataFrame(
            {
                N_("Annotator"): list(plan.before),
                N_("Now"): list(plan.before.values()),
                N_("Then"): [plan.after[name] for name in plan.before],
            }
        ),
        width="stretch",
        max_height=260,
    )
    for name, reason in plan.not_open.items():
        st.caption(literal(gettext("{name} gets nothing: {reason}", name=name, reason=reason)))


def _carry_out_plan(plan: RebalancePlan) -> None:
    def act(app: Services, person: Person) -> str:
        carry_out(app.workspace, plan, by=person.name)
        return format_count("{number} batch moved.", "{number} batches moved.", len(plan.moves))

    run_supervisor_action("rebalance", act)
