"""Rebalancing the remaining work: the moves are shown first, then made, all or none."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from pagetrail.app.admin.actions import act, ask, asked, confirm, say
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.storage.batches.board import Board
from pagetrail.storage.batches.rebalancing import RebalancePlan, carry_out, plan_rebalance
from pagetrail.storage.people.accounts import Person


def even_button(found: Board, annotators: list[str]) -> None:
    """The button that plans the moves."""
    st.button(
        "Rebalance…",
        key="even",
        icon=":material/balance:",
        disabled=found.pilot or len(annotators) < 2,
        help="Move batches that are not started, so that everybody has about as much left to do.",
        on_click=_look,
        args=(found.campaign,),
    )


def even_dialog(found: Board) -> None:
    """The plan, before it is carried out."""
    open_ = asked("even")
    if open_ is None or open_.details["plan"].campaign != found.campaign:
        return
    plan: RebalancePlan = open_.details["plan"]
    count = "1 batch" if len(plan.moves) == 1 else f"{len(plan.moves)} batches"
    confirm(
        open_,
        "Rebalance the work?",
        [f"{count} will be reassigned; none is started. Either all moves are made or none."],
        f"Move {count}",
        "even",
        partial(_carry_out_plan, plan),
        body=partial(_tables, plan),
        wide=True,
    )


def _look(campaign: str) -> None:
    def do(app: Services, _person: Person) -> str | None:
        plan = plan_rebalance(app.workspace, campaign)
        if plan.moves:
            ask("even", plan=plan)
        else:
            say("info", "The work is already balanced. Nothing has to move.")
        return None

    act("rebalance", do)


def _tables(plan: RebalancePlan) -> None:
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
    st.markdown("Batches left")
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
    def do(app: Services, person: Person) -> str:
        carry_out(app.workspace, plan, by=person.name)
        count = "1 batch" if len(plan.moves) == 1 else f"{len(plan.moves)} batches"
        return f"{count} moved."

    act("rebalance", do)
