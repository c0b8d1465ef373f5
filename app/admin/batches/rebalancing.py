"""Rebalances the remaining work: shows the moves first, then makes all or none of them."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from pagetrail.annotation.messages import gettext
from pagetrail.app.admin.actions import (
    current_dialog,
    open_dialog,
    queue_message,
    run_supervisor_action,
    show_confirmation,
)
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
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
    count = "1 batch" if len(plan.moves) == 1 else f"{len(plan.moves)} batches"
    show_confirmation(
        state,
        "Rebalance the work?",
        [f"{count} will be reassigned; none is started. Either all moves are made or none."],
        f"Move {count}",
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
            queue_message("info", "The work is already balanced. Nothing has to move.")
        return None

    run_supervisor_action("rebalance", act)


def _plan_tables(plan: RebalancePlan) -> None:
    st.dataframe(
        pd.DataFrame(
            {
                "Batch": [step.batch for step in plan.moves],
                "From": [step.giver for step in plan.moves],
                "To": [step.taker for step in plan.moves],
            }
        ),
        hide_index=True,
        width="stretch",
        height=min(260, 35 * (len(plan.moves) + 1) + 3),
    )
    st.markdown(gettext("Batches left"))
    st.dataframe(
        pd.DataFrame(
            {
                "Annotator": list(plan.before),
                "Now": list(plan.before.values()),
                "Then": [plan.after[name] for name in plan.before],
            }
        ),
        hide_index=True,
        width="stretch",
        height=min(260, 35 * (len(plan.before) + 1) + 3),
    )
    for name, reason in plan.not_open.items():
        st.caption(literal(f"{name} gets nothing: {reason}"))


def _carry_out_plan(plan: RebalancePlan) -> None:
    def act(app: Services, person: Person) -> str:
        carry_out(app.workspace, plan, by=person.name)
        count = "1 batch" if len(plan.moves) == 1 else f"{len(plan.moves)} batches"
        return f"{count} moved."

    run_supervisor_action("rebalance", act)
