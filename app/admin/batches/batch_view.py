"""One batch: its priority, its annotators, and assigning it to others."""

from __future__ import annotations

from datetime import date
from functools import partial

import streamlit as st

from pagetrail.app.admin.actions import Asked, act, ask, asked, confirm
from pagetrail.app.admin.batches.batch_table import batch_choice
from pagetrail.app.admin.batches.unsent_panel import unsent_panel
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import day_format
from pagetrail.storage.attempts.unsent_work import unsent_events
from pagetrail.storage.batches import reassignment as reassignment
from pagetrail.storage.batches.board import STATE_WORDS, BatchRow, Board, Slot
from pagetrail.storage.batches.withdrawal import withdraw
from pagetrail.storage.people.accounts import Person


def batch_panel(app: Services, found: Board, name: str, annotators: list[str]) -> None:
    """Draw the batch below the table."""
    batch = next(row for row in found.batches if row.code_name == name)
    with st.container(border=True):
        choice, due, priority = st.columns([5, 4, 4], vertical_alignment="bottom", gap="medium")
        with choice:
            batch_choice(found)
        with due:
            _due(found, batch)
        with priority:
            _priority(found, batch)
        for slot in batch.places:
            _slot(found, slot, annotators)
            unsent_panel(unsent_events(app.workspace.engine, slot.assignment_id), slot.annotator)
        if not batch.places:
            st.caption("Nobody has this batch yet.")
        if found.status == "open":
            _give(found, batch, annotators)
    _withdraw_dialog(batch)
    _move_dialog(batch, annotators)


def _priority(found: Board, batch: BatchRow) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        # The key holds the stored value, so that a change made in another tab shows.
        key = f"priority-{found.campaign}-{batch.code_name}-{batch.priority}"
        st.number_input(
            "Priority",
            reassignment.LOWEST,
            reassignment.HIGHEST,
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


def _due(found: Board, batch: BatchRow) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        key = f"due-{found.campaign}-{batch.code_name}-{batch.due_on}"
        st.date_input(
            "Due",
            None if batch.due_on is None else date.fromisoformat(batch.due_on),
            key=key,
            format=day_format(),
            width=150,
            help="Day by which annotators are to submit the batch. They see it on My batches.",
        )
        st.button(
            "Set",
            key="set-due",
            on_click=_set_due,
            args=(found.campaign, batch.code_name, key),
        )


def _set_due(campaign: str, batch: str, key: str) -> None:
    day: date | None = st.session_state[key]

    def do(app: Services, person: Person) -> str:
        reassignment.set_due(app.workspace, campaign, batch, day, by=person.name)
        return f"Batch {batch} is due on {day}." if day else f"Batch {batch} has no deadline."

    act("set a deadline", do)


def _slot(found: Board, slot: Slot, annotators: list[str]) -> None:
    who, how, acts = st.columns([3, 5, 4], vertical_alignment="center")
    who.markdown(f"**{literal(slot.annotator)}**")
    details = f"{STATE_WORDS[slot.state]} · {slot.finished} of {slot.tasks} submitted"
    how.markdown(f":gray[{details}{'' if slot.active else ' · inactive account'}]")
    with acts.container(horizontal=True, horizontal_alignment="right", gap="small"):
        if slot.unfinished:
            st.button(
                "Withdraw…",
                key=f"take-back-{slot.assignment_id}",
                on_click=ask,
                args=("take_back",),
                kwargs={"assignment": slot.assignment_id},
            )
            if found.status == "open" and not found.pilot and len(annotators) > 1:
                st.button(
                    "Move…",
                    key=f"move-{slot.assignment_id}",
                    on_click=ask,
                    args=("move",),
                    kwargs={"assignment": slot.assignment_id},
                )
        elif slot.state == "taken_back" and found.status == "open":
            st.button(
                "Reopen",
                key=f"give-back-{slot.assignment_id}",
                help="The same annotator continues where they stopped.",
                on_click=_do_give,
                args=(found.campaign, slot.batch, slot.annotator),
            )


def _give(found: Board, batch: BatchRow, annotators: list[str]) -> None:
    having = {slot.annotator for slot in batch.places}
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
        given = reassignment.give(
            app.workspace, campaign, batch, annotator, extra=extra, by=person.name
        )
        again = " again and continues where they stopped" if given.reopened else ""
        return f"{given.annotator} has batch {given.batch}{again}."

    act("give batch", do)


def _set_priority(campaign: str, batch: str, key: str) -> None:
    value = int(st.session_state[key])

    def do(app: Services, person: Person) -> str:
        reassignment.set_priority(app.workspace, campaign, batch, value, by=person.name)
        return f"Batch {batch} has priority {value}."

    act("set priority", do)


def _withdraw_dialog(batch: BatchRow) -> None:
    open_ = asked("take_back")
    slot = _asked_slot(batch, open_)
    if open_ is None or slot is None:
        return
    sentences = [f"{slot.annotator} loses batch {slot.batch}; the slot becomes free."]
    confirm(
        open_,
        f"Withdraw {slot.batch}?",
        [*sentences, *_work(slot)],
        "Withdraw",
        "take-back",
        _do_withdraw,
        slot.assignment_id,
        slot.state == "begun",
    )


def _move_dialog(batch: BatchRow, annotators: list[str]) -> None:
    open_ = asked("move")
    slot = _asked_slot(batch, open_)
    if open_ is None or slot is None:
        return
    confirm(
        open_,
        f"Move {slot.batch}?",
        [],
        "Move",
        "move",
        _do_move,
        slot.assignment_id,
        slot.state == "begun",
        body=partial(_to_whom, slot, [name for name in annotators if name != slot.annotator]),
    )


def _to_whom(slot: Slot, others: list[str]) -> None:
    to = st.selectbox("To", others, key=f"move-to-{slot.assignment_id}")
    sentences = [
        f"Batch {slot.batch} goes from {slot.annotator} to {to}, who starts at the first task.",
        *_work(slot),
    ]
    for sentence in sentences:
        st.markdown(literal(sentence))


def _asked_slot(batch: BatchRow, open_: Asked | None) -> Slot | None:
    if open_ is None:
        return None
    return next((p for p in batch.places if p.assignment_id == open_.details["assignment"]), None)


def _work(slot: Slot) -> list[str]:
    if slot.state != "begun":
        return ["No work has been done on it."]
    return [
        f"{slot.annotator} has started {slot.begun} of {slot.tasks} tasks and submitted "
        f"{slot.finished}. All of it stays stored, and submitted tasks count.",
        f"If you assign it to {slot.annotator} again, they continue where they stopped.",
    ]


def _do_withdraw(assignment: int, started: bool) -> None:
    def do(app: Services, person: Person) -> str:
        taken = withdraw(app.workspace, assignment, started=started, by=person.name)
        return f"Batch {taken.batch} was withdrawn from {taken.annotator}."

    act("withdraw batch", do)


def _do_move(assignment: int, started: bool) -> None:
    to = st.session_state[f"move-to-{assignment}"]

    def do(app: Services, person: Person) -> str:
        given = reassignment.move(app.workspace, assignment, to, started=started, by=person.name)
        return f"Batch {given.batch} moved to {given.annotator}."

    act("move batch", do)
