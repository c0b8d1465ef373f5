"""One batch: its priority, its annotators, and assigning it to others."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import partial

import streamlit as st

from pagetrail.annotation.messages import N_, gettext, ngettext
from pagetrail.app.admin.actions import (
    DialogState,
    current_dialog,
    dialog_button,
    run_supervisor_action,
    show_confirmation,
)
from pagetrail.app.admin.batches.batch_table import batch_choice
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import day_format, format_day, format_number, format_time
from pagetrail.storage.attempts.unsent_work import UnsentEvent, unsent_events
from pagetrail.storage.batches import reassignment as reassignment
from pagetrail.storage.batches.board import STATE_WORDS, BatchRow, Board, Slot
from pagetrail.storage.batches.withdrawal import withdraw_batch
from pagetrail.storage.people.accounts import Person


def batch_panel(app: Services, board: Board, name: str, annotators: list[str]) -> None:
    """Show the batch below the table."""
    batch = next(row for row in board.batches if row.code_name == name)
    with st.container(border=True):
        choice, due, priority = st.columns([5, 4, 4], vertical_alignment="bottom", gap="medium")
        with choice:
            batch_choice(board)
        with due:
            _due_date_input(board, batch)
        with priority:
            _priority_input(board, batch)
        for slot in batch.slots:
            _slot_row(board, slot, annotators)
            unsent_panel(unsent_events(app.workspace.engine, slot.assignment_id), slot.annotator)
        if not batch.slots:
            st.caption(gettext("Nobody has this batch yet."))
        if board.status == "open":
            _assign_to_others(board, batch, annotators)
    _withdraw_dialog(batch)
    _move_dialog(batch, annotators)


def _priority_input(board: Board, batch: BatchRow) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        # The key holds the stored value, so that a change made in another tab shows.
        key = f"priority-{board.campaign}-{batch.code_name}-{batch.priority}"
        st.number_input(
            gettext("Priority"),
            reassignment.LOWEST,
            reassignment.HIGHEST,
            batch.priority,
            key=key,
            width=150,
            help=gettext("Batches of higher priority are assigned and listed first."),
        )
        st.button(
            gettext("Set"),
            key="set-priority",
            on_click=_set_priority,
            args=(board.campaign, batch.code_name, key),
        )


def _due_date_input(board: Board, batch: BatchRow) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        key = f"due-{board.campaign}-{batch.code_name}-{batch.due_on}"
        st.date_input(
            gettext("Due"),
            None if batch.due_on is None else date.fromisoformat(batch.due_on),
            key=key,
            format=day_format(),
            width=150,
            help=gettext(
                "Day by which annotators are to submit the batch. They see it on My batches."
            ),
        )
        st.button(
            gettext("Set"),
            key="set-due",
            on_click=_set_due,
            args=(board.campaign, batch.code_name, key),
        )


def _set_due(campaign: str, batch: str, key: str) -> None:
    day: date | None = st.session_state[key]

    def act(app: Services, person: Person) -> str:
        reassignment.set_due(app.workspace, campaign, batch, day, by=person.name)
        return (
            gettext("Batch {batch} is due on {day}.", batch=batch, day=format_day(day))
            if day
            else gettext("Batch {batch} has no deadline.", batch=batch)
        )

    run_supervisor_action("set a deadline", act)


def _slot_row(board: Board, slot: Slot, annotators: list[str]) -> None:
    name, progress, buttons = st.columns([3, 5, 4], vertical_alignment="center")
    name.markdown(f"**{literal(slot.annotator)}**")
    details = gettext(
        "{state} · {submitted} of {tasks} submitted",
        state=gettext(STATE_WORDS[slot.state]),
        submitted=slot.submitted,
        tasks=slot.tasks,
    )
    if slot.skipped:
        details += " · " + gettext("{number} skipped", number=slot.skipped)
    if not slot.active:
        details = gettext("{details} · inactive account", details=details)
    progress.markdown(f":gray[{details}]")
    with buttons.container(horizontal=True, horizontal_alignment="right", gap="small"):
        if slot.unfinished:
            dialog_button(
                gettext("Withdraw…"),
                f"take-back-{slot.assignment_id}",
                "take_back",
                assignment=slot.assignment_id,
            )
            if board.status == "open" and not board.pilot and len(annotators) > 1:
                dialog_button(
                    gettext("Move…"),
                    f"move-{slot.assignment_id}",
                    "move",
                    assignment=slot.assignment_id,
                )
        elif slot.state == "taken_back" and board.status == "open":
            st.button(
                gettext("Reopen"),
                key=f"give-back-{slot.assignment_id}",
                help=gettext("The same annotator continues where they stopped."),
                on_click=_assign_to,
                args=(board.campaign, slot.batch, slot.annotator),
            )


def _assign_to_others(board: Board, batch: BatchRow, annotators: list[str]) -> None:
    holders = {slot.annotator for slot in batch.slots}
    candidates = [name for name in annotators if name not in holders]
    if not candidates:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.selectbox(gettext("Assign to"), candidates, key="give-to", width=260)
        st.button(
            gettext("Assign"),
            key="give",
            on_click=_assign_to_selected,
            args=(board.campaign, batch.code_name),
        )
        if not batch.free and not board.pilot:
            st.checkbox(
                gettext("As an extra"),
                key="give-extra",
                help=(
                    gettext(
                        "All slots are taken. This adds one annotator more than the campaign asks "
                        "for."
                    )
                ),
            )


def _assign_to_selected(campaign: str, batch: str) -> None:
    extra = bool(st.session_state.get("give-extra", False))
    _assign_to(campaign, batch, st.session_state["give-to"], extra)


def _assign_to(campaign: str, batch: str, annotator: str, extra: bool = False) -> None:
    def act(app: Services, person: Person) -> str:
        assignment = reassignment.assign_batch(
            app.workspace, campaign, batch, annotator, extra=extra, by=person.name
        )
        sentence = (
            N_("{annotator} has batch {batch} again and continues where they stopped.")
            if assignment.reopened
            else N_("{annotator} has batch {batch}.")
        )
        return gettext(sentence, annotator=assignment.annotator, batch=assignment.batch)

    run_supervisor_action("give batch", act)


def _set_priority(campaign: str, batch: str, key: str) -> None:
    value = int(st.session_state[key])

    def act(app: Services, person: Person) -> str:
        reassignment.set_priority(app.workspace, campaign, batch, value, by=person.name)
        return gettext("Batch {batch} has priority {value}.", batch=batch, value=value)

    run_supervisor_action("set priority", act)


def _withdraw_dialog(batch: BatchRow) -> None:
    state = current_dialog("take_back")
    slot = _slot_of_dialog(batch, state)
    if state is None or slot is None:
        return
    sentences = [
        gettext(
            "{annotator} loses batch {batch}; the slot becomes free.",
            annotator=slot.annotator,
            batch=slot.batch,
        )
    ]
    show_confirmation(
        state,
        gettext("Withdraw {batch}?", batch=slot.batch),
        [*sentences, *_work_sentences(slot)],
        gettext("Withdraw"),
        "take-back",
        _withdraw,
        slot.assignment_id,
        slot.state == "begun",
    )


def _move_dialog(batch: BatchRow, annotators: list[str]) -> None:
    state = current_dialog("move")
    slot = _slot_of_dialog(batch, state)
    if state is None or slot is None:
        return
    show_confirmation(
        state,
        gettext("Move {batch}?", batch=slot.batch),
        [],
        gettext("Move"),
        "move",
        _move,
        slot.assignment_id,
        slot.state == "begun",
        body=partial(
            _recipient_choice, slot, [name for name in annotators if name != slot.annotator]
        ),
    )


def _recipient_choice(slot: Slot, candidates: list[str]) -> None:
    to = st.selectbox(gettext("To"), candidates, key=f"move-to-{slot.assignment_id}")
    sentences = [
        gettext(
            "Batch {batch} goes from {annotator} to {to}, who starts at the first task.",
            batch=slot.batch,
            annotator=slot.annotator,
            to=to,
        ),
        *_work_sentences(slot),
    ]
    for sentence in sentences:
        st.markdown(literal(sentence))


def _slot_of_dialog(batch: BatchRow, state: DialogState | None) -> Slot | None:
    if state is None:
        return None
    return next((p for p in batch.slots if p.assignment_id == state.details["assignment"]), None)


def _work_sentences(slot: Slot) -> list[str]:
    if slot.state != "begun":
        return [gettext("No work has been done on it.")]
    return [
        gettext(
            "{annotator} has started {started} of {tasks} tasks, submitted {submitted} and "
            "skipped {skipped}. All of it stays stored, and submitted tasks count.",
            annotator=slot.annotator,
            started=slot.begun,
            tasks=slot.tasks,
            submitted=slot.submitted,
            skipped=slot.skipped,
        ),
        gettext(
            "If you assign it to {annotator} again, they continue where they stopped.",
            annotator=slot.annotator,
        ),
    ]


def _withdraw(assignment: int, started: bool) -> None:
    def act(app: Services, person: Person) -> str:
        withdrawal = withdraw_batch(app.workspace, assignment, started=started, by=person.name)
        return gettext(
            "Batch {batch} was withdrawn from {annotator}.",
            batch=withdrawal.batch,
            annotator=withdrawal.annotator,
        )

    run_supervisor_action("withdraw batch", act)


def _move(assignment: int, started: bool) -> None:
    to = st.session_state[f"move-to-{assignment}"]

    def act(app: Services, person: Person) -> str:
        moved = reassignment.move_batch(
            app.workspace, assignment, to, started=started, by=person.name
        )
        return gettext(
            "Batch {batch} moved to {annotator}.", batch=moved.batch, annotator=moved.annotator
        )

    run_supervisor_action("move batch", act)


def unsent_panel(events: Sequence[UnsentEvent], annotator: str) -> None:
    """Show unsent changes below the annotator's batch, folded."""
    if not events:
        return
    count = ngettext(
        "{number} change", "{number} changes", len(events), number=format_number(len(events))
    )
    with st.expander(
        gettext("{count} not accepted", count=count), icon=":material/inbox_customize:"
    ):
        st.caption(
            gettext(
                "From {annotator}, received after the batch was withdrawn or the campaign "
                "archived. They do not count as work, and exports leave them out.",
                annotator=literal(annotator),
            )
        )
        for event in events:
            time = format_time(event.at)
            sentence = literal(event.payload.sentence())
            st.markdown(
                gettext(
                    "**{task}** · {sentence} :gray[{time}]",
                    task=literal(event.task),
                    sentence=sentence,
                    time=time,
                )
            )
