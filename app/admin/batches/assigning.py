"""Assigning a campaign's batches to all annotators, or to chosen ones."""

from __future__ import annotations

from collections import Counter
from functools import partial

import streamlit as st

from pagetrail.app.admin.actions import act, ask, asked, confirm, say
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.storage.batches.assignments import AssignReport, assign
from pagetrail.storage.batches.board import Board
from pagetrail.storage.people.accounts import Person

_LISTED = 6


def assign_button(annotators: list[str]) -> None:
    """The button that opens the dialog."""
    st.button(
        "Assign…",
        key="assign",
        icon=":material/assignment_ind:",
        disabled=not annotators,
        help="Assign batches until each has as many annotators as the campaign asks for.",
        on_click=ask,
        args=("assign",),
    )


def assign_dialog(found: Board, annotators: list[str]) -> None:
    """The dialog: assign to whom, and what will happen."""
    open_ = asked("assign")
    if open_ is None:
        return
    confirm(
        open_,
        "Assign batches?",
        [],
        "Assign",
        "assign",
        _assign,
        found.campaign,
        body=partial(_to_whom, found, annotators),
    )


def _to_whom(found: Board, annotators: list[str]) -> None:
    names = st.multiselect(
        "Assign to", annotators, key="assign-to", placeholder="All active annotators"
    )
    who = ", ".join(names) if names else "all active annotators"
    free = sum(batch.free for batch in found.batches)
    if found.pilot:
        what = f"The next pilot batch goes to {who}."
    elif free == 1:
        what = f"1 free slot goes to {who}."
    else:
        what = f"{free:,} free slots go to {who}."
    st.markdown(literal(what))
    st.markdown("Work is spread evenly. Existing assignments stay; nobody gets a batch twice.")


def _assign(campaign: str) -> None:
    names: list[str] = st.session_state.get("assign-to", [])

    def do(app: Services, person: Person) -> str | None:
        report = assign(app.workspace, campaign, names or None, by=person.name)
        _tell(report)
        return None

    act("assign batches", do)


def _tell(report: AssignReport) -> None:
    new = Counter(name for _, name in report.created)
    if new:
        given = ", ".join(f"{name} {count}" for name, count in sorted(new.items()))
        total = "1 batch" if len(report.created) == 1 else f"{len(report.created):,} batches"
        say("success", f"{total} assigned: {given}.")
    else:
        say("info", "Nothing was assigned: nobody can take a batch that still has a free slot.")
    for name, reason in report.passed_over.items():
        say("info", f"{name} gets no batch: {reason}")
    if report.shortfall:
        most = max(report.shortfall.values())
        names = list(report.shortfall)
        listed = ", ".join(names[:_LISTED]) + (", …" if len(names) > _LISTED else "")
        people = "1 more person" if most == 1 else f"up to {most} more people"
        say("warning", f"Still needed: {people} for {listed}. Add annotators, then assign again.")
