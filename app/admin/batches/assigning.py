"""Assigning a campaign's batches to all annotators, or to chosen ones."""

from __future__ import annotations

from functools import partial

import streamlit as st

from pagetrail.annotation.messages import N_, gettext
from pagetrail.app.admin.actions import (
    current_dialog,
    dialog_button,
    run_supervisor_action,
    show_confirmation,
)
from pagetrail.app.admin.assignment_report import report_assignment
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_count
from pagetrail.storage.batches.assignments import (
    assign,
)
from pagetrail.storage.batches.board import Board
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.profiles import (
    NO_REQUIREMENTS,
    StaffingRequirements,
    all_profiles,
    tags_in_use,
)

_CRITERIA_KEY = "assign-wanted"
_CRITERIA = (
    ("languages", N_("Languages"), N_("One of these is enough.")),
    ("skills", N_("Skills"), N_("Annotators must have all of these.")),
    ("groups", N_("Groups"), N_("Annotators of any of these.")),
)


def assign_button(annotators: list[str]) -> None:
    """The button that opens the dialog."""
    dialog_button(
        gettext("Assign…"),
        "assign",
        "assign",
        icon=":material/assignment_ind:",
        disabled=not annotators,
        help=gettext("Assign batches until each has as many annotators as the campaign asks for."),
    )


def assign_dialog(app: Services, board: Board, annotators: list[str]) -> None:
    """Choose annotators and a limit, and see what will happen."""
    state = current_dialog("assign")
    if state is None:
        return
    show_confirmation(
        state,
        gettext("Assign batches?"),
        [],
        gettext("Assign"),
        "assign",
        _assign,
        board.campaign,
        body=partial(_assignment_form, app, board, annotators),
    )


def _assignment_form(app: Services, board: Board, annotators: list[str]) -> None:
    profiles = all_profiles(app.workspace)
    criteria = _criteria_form(tags_in_use(profiles[name] for name in annotators))
    matching_names = [name for name in annotators if criteria.fits(profiles[name])]
    names = st.multiselect(
        gettext("Assign to"),
        matching_names,
        key="assign-to",
        placeholder=gettext("All active annotators")
        if criteria == NO_REQUIREMENTS
        else gettext("All who match"),
    )
    if not board.pilot:
        st.number_input(
            gettext("Tasks per annotator at most"), 1, 1_000_000, None, key="assign-most",
            placeholder=gettext("No limit"),
            help=gettext("Tasks of this campaign, those assigned earlier included."),
        )  # fmt: skip
    st.session_state[_CRITERIA_KEY] = criteria
    matching = (
        gettext("all active annotators")
        if criteria == NO_REQUIREMENTS
        else ", ".join(matching_names) or gettext("nobody")
    )
    assignees = ", ".join(names) or matching
    free = sum(batch.free for batch in board.batches)
    sentence = (
        gettext("The next pilot batch goes to {people}.", people=assignees)
        if board.pilot
        else format_count(
            "{number} free slot goes to {people}.",
            "{number} free slots go to {people}.",
            free,
            people=assignees,
        )
    )
    st.markdown(literal(sentence))
    st.markdown(
        gettext("Work is spread evenly. Existing assignments stay; nobody gets a batch twice.")
    )
    if not board.pilot and not names:
        st.caption(
            gettext(
                "Until you assign again, the same conditions apply to free batches that annotators "
                "take themselves."
            )
        )


def _criteria_form(tags: StaffingRequirements) -> StaffingRequirements:
    """Tags to choose from; nothing is drawn if annotators have none."""
    if tags == NO_REQUIREMENTS:
        return NO_REQUIREMENTS
    criteria = {
        name: tuple(
            column.multiselect(
                gettext(label),
                getattr(tags, name),
                key=f"assign-{name}",
                placeholder=gettext("Any"),
                help=gettext(rule),
            )
        )
        for column, (name, label, rule) in zip(st.columns(3), _CRITERIA, strict=True)
    }
    return StaffingRequirements(**criteria)


def _assign(campaign: str) -> None:
    names: list[str] = st.session_state.get("assign-to", [])
    criteria: StaffingRequirements = st.session_state.get(_CRITERIA_KEY, NO_REQUIREMENTS)
    max_tasks: int | None = st.session_state.get("assign-most")

    def act(app: Services, person: Person) -> str | None:
        report = assign(
            app.workspace,
            campaign,
            names or None,
            requirements=criteria,
            most_tasks=max_tasks,
            by=person.name,
        )
        report_assignment(report)
        return None

    run_supervisor_action("assign batches", act)
