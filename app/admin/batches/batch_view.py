"""One batch: its priority, its annotators, and assigning it to others."""

from __future__ import annotations

from functools import partial

import streamlit as st

from pagetrail.app.admin.actions import Asked, act, ask, asked, confirm
from pagetrail.app.admin.batches.batch_table import STATES, batch_choice
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.storage.batches import reassignment as handing
from pagetrail.storage.batches.board import BatchRow, Board, Place
from pagetrail.storage.batches.withdrawal import take_back
from pagetrail.storage.people.accounts import Person


def batch_panel(app: Services, found: Board, name: str, annotators: list[str]) -> None:
    """Draw the batch below the table."""
    batch = next(row for row in found.batches if row.code_name == name)
    with st.container(border=True):
        choice, priority = st.columns([7, 4], vertical_alignment="bottom", gap="large")
        with choice:
            batch_choice(found)
        with priority:
            _priority(found, batch)
        for place in batch.places:
            _place(found, place, annotators)
        if not batch.places:
            st.caption("Nobody has this batch yet.")
        if found.status == "open":
            _give(found, batch, annotators)
    _take_back_dialog(batch)
    _move_dialog(batch, annotators)


def _priority(found: Board, batch: BatchRow) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        # The key holds the stored value, so that a change made in another tab shows.
        key = f"priority-{found.campaign}-{batch.code_name}-{batch.priority}"
        st.number_input(
            "Priority",
            handing.LOWEST,
            handing.HIGHEST,
            batch.priority,
            key=key,
            width=150,
            help="Batches of higher priority are assigned and listed first.",
        )
        st.button(
            "Set",
            key="set-priority",
            on_click=_set_priority,
            args=(found.campaign, batch.code_name, key),
        )


def _place(found: Board, place: Place, annotators: list[str]) -> None:
    who, how, acts = st.columns([3, 5, 4], vertical_alignment="center")
    who.markdown(f"**{literal(place.annotator)}**")
    details = f"{STATES[place.state]} · {place.handed_in} of {place.tasks} submitted"
    how.markdown(f":gray[{details}{'' if place.active else ' · inactive account'}]")
    with acts.container(horizontal=True, horizontal_alignment="right", gap="small"):
        if place.state in ("untouched", "begun"):
            st.button(
                "Withdraw…",
                key=f"take-back-{place.assignment_id}",
                on_click=ask,
                args=("take_back",),
                kwargs={"assignment": place.assignment_id},
            )
            if found.status == "open" and not found.pilot and len(annotators) > 1:
                st.button(
                    "Move…",
                    key=f"move-{place.assignment_id}",
                    on_click=ask,
                    args=("move",),
                    kwargs={"assignment": place.assignment_id},
                )
        elif place.state == "taken_back" and found.status == "open":
            st.button(
                "Reopen",
                key=f"give-back-{place.assignment_id}",
                help="The same annotator continues where they stopped.",
                on_click=_do_give,
                args=(found.campaign, place.batch, place.annotator),
            )


def _give(found: Board, batch: BatchRow, annotators: list[str]) -> None:
    having = {place.annotator for place in batch.places}
    others = [name for name in annotators if name not in having]
    if not others:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.selectbox("Assign to", others, key="give-to", width=260)
        st.button(
            "Assign",
            key="give",
            on_click=_give_chosen,
            args=(found.campaign, batch.code_name),
        )
        if not batch.free and not found.pilot:
            st.checkbox(
                "As an extra",
                key="give-extra",
                help="Every slot is taken: this is one annotator more than the campaign asks for.",
            )


def _give_chosen(campaign: str, batch: str) -> None:
    extra = bool(st.session_state.get("give-extra", False))
    _do_give(campaign, batch, st.session_state["give-to"], extra)


def _do_give(campaign: str, batch: str, annotator: str, extra: bool = False) -> None:
    def do(app: Services, person: Person) -> str:
        given = handing.give(app.workspace, campaign, batch, annotator, extra=extra, by=person.name)
        again = " again and continues where they stopped" if given.reopened else ""
        return f"{given.annotator} has batch {given.batch}{again}."

    act("give batch", do)


def _set_priority(campaign: str, batch: str, key: str) -> None:
    value = int(st.session_state[key])

    def do(app: Services, person: Person) -> str:
        handing.set_priority(app.workspace, campaign, batch, value, by=person.name)
        return f"Batch {batch} has priority {value}."

    act("set priority", do)


def _take_back_dialog(batch: BatchRow) -> None:
    open_ = asked("take_back")
    place = _asked_place(batch, open_)
    if open_ is None or place is None:
        return
    sentences = [f"{place.annotator} loses batch {place.batch}; the slot becomes free."]
    confirm(
        open_,
        f"Withdraw {place.batch}?",
        [*sentences, *_work(place)],
        "Withdraw",
        "take-back",
        _do_take_back,
        place.assignment_id,
        place.state == "begun",
    )


def _move_dialog(batch: BatchRow, annotators: list[str]) -> None:
    open_ = asked("move")
    place = _asked_place(batch, open_)
    if open_ is None or place is None:
        return
    confirm(
        open_,
        f"Move {place.batch}?",
        [],
        "Move",
        "move",
        _do_move,
        place.assignment_id,
        place.state == "begun",
        body=partial(_to_whom, place, [name for name in annotators if name != place.annotator]),
    )


def _to_whom(place: Place, others: list[str]) -> None:
    to = st.selectbox("To", others, key=f"move-to-{place.assignment_id}")
    sentences = [
        f"Batch {place.batch} goes from {place.annotator} to {to}, who starts at the first task.",
        *_work(place),
    ]
    for sentence in sentences:
        st.markdown(literal(sentence))


def _asked_place(batch: BatchRow, open_: Asked | None) -> Place | None:
    if open_ is None:
        return None
    return next((p for p in batch.places if p.assignment_id == open_.details["assignment"]), None)


def _work(place: Place) -> list[str]:
    if place.state != "begun":
        return ["No work has been done on it."]
    return [
        f"{place.annotator} has started {place.begun} of {place.tasks} tasks and submitted "
        f"{place.handed_in}. All of it stays stored, and submitted tasks count.",
        f"If you assign it to {place.annotator} again, they continue where they stopped.",
    ]


def _do_take_back(assignment: int, begun: bool) -> None:
    def do(app: Services, person: Person) -> str:
        taken = take_back(app.workspace, assignment, begun=begun, by=person.name)
        return f"Batch {taken.batch} was withdrawn from {taken.annotator}."

    act("withdraw batch", do)


def _do_move(assignment: int, begun: bool) -> None:
    to = st.session_state[f"move-to-{assignment}"]

    def do(app: Services, person: Person) -> str:
        given = handing.move(app.workspace, assignment, to, begun=begun, by=person.name)
        return f"Batch {given.batch} moved to {given.annotator}."

    act("move batch", do)
