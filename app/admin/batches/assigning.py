"""Assigning a campaign's batches to all annotators, or to chosen ones."""

from __future__ import annotations

from collections import Counter
from functools import partial

import streamlit as st

from pagetrail.app.admin.actions import act, ask, asked, confirm, say
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_number
from pagetrail.storage.batches.assignments import AssignReport, assign, kept_from_sentence
from pagetrail.storage.batches.board import Board
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.profiles import EVERYBODY, Wanted, all_profiles, tags_in_use

_LISTED = 6
_WANTED = "assign-wanted"


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


def assign_dialog(app: Services, found: Board, annotators: list[str]) -> None:
    """The dialog: assign to whom, at most how much, and what will happen."""
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
        body=partial(_to_whom, app, found, annotators),
    )


def _to_whom(app: Services, found: Board, annotators: list[str]) -> None:
    known = all_profiles(app.workspace)
    wanted = _wanted(tags_in_use(known[name] for name in annotators))
    fitting = [name for name in annotators if wanted.fits(known[name])]
    names = st.multiselect(
        "Assign to", fitting, key="assign-to",
        placeholder="All active annotators" if wanted == EVERYBODY else "All who match",
    )  # fmt: skip
    if not found.pilot:
        st.number_input(
            "Tasks per annotator at most", 1, 1_000_000, None, key="assign-most",
            placeholder="No limit",
            help="Tasks of this campaign, those assigned earlier included.",
        )  # fmt: skip
    st.session_state[_WANTED] = wanted
    matching = "all active annotators" if wanted == EVERYBODY else ", ".join(fitting) or "nobody"
    who = ", ".join(names) or matching
    free = sum(batch.free for batch in found.batches)
    if found.pilot:
        what = f"The next pilot batch goes to {who}."
    elif free == 1:
        what = f"1 free slot goes to {who}."
    else:
        what = f"{format_number(free)} free slots go to {who}."
    st.markdown(literal(what))
    st.markdown("Work is spread evenly. Existing assignments stay; nobody gets a batch twice.")
    if not found.pilot and not names:
        st.caption(
            "The same conditions then hold for free batches that annotators take themselves, until "
            "you assign again."
        )


def _wanted(tags: Wanted) -> Wanted:
    """Choices among the tags that annotators have; without any, nothing is drawn."""
    if tags == EVERYBODY:
        return EVERYBODY
    languages, skills, groups = st.columns(3)
    return Wanted(
        tuple(languages.multiselect("Languages", tags.languages, key="assign-languages",
                                    placeholder="Any", help="One of these is enough.")),
        tuple(skills.multiselect("Skills", tags.skills, key="assign-skills", placeholder="Any",
                                 help="Annotators must have all of these.")),
        tuple(groups.multiselect("Groups", tags.groups, key="assign-groups", placeholder="Any",
                                 help="Annotators of any of these.")),
    )  # fmt: skip


def _assign(campaign: str) -> None:
    names: list[str] = st.session_state.get("assign-to", [])
    wanted: Wanted = st.session_state.get(_WANTED, EVERYBODY)
    most: int | None = st.session_state.get("assign-most")

    def do(app: Services, person: Person) -> str | None:
        report = assign(
            app.workspace, campaign, names or None, wanted=wanted, most_tasks=most, by=person.name
        )
        _tell(report)
        return None

    act("assign batches", do)


def _tell(report: AssignReport) -> None:
    new = Counter(name for _, name in report.created)
    if new:
        given = ", ".join(f"{name} {count}" for name, count in sorted(new.items()))
        total = (
            "1 batch"
            if len(report.created) == 1
            else f"{format_number(len(report.created))} batches"
        )
        say("success", f"{total} assigned: {given}.")
    else:
        say("info", "Nothing was assigned: nobody can take a batch that still has a free slot.")
    for name, reason in report.passed_over.items():
        say("info", f"{name} gets no batch: {reason}")
    if kept := kept_from_sentence(report.kept_from):
        say("info", kept)
    if report.shortfall:
        most = max(report.shortfall.values())
        names = list(report.shortfall)
        listed = ", ".join(names[:_LISTED]) + (", …" if len(names) > _LISTED else "")
        people = "1 more person" if most == 1 else f"up to {most} more people"
        say("warning", f"Still needed: {people} for {listed}. Add annotators, then assign again.")
