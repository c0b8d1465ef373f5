"""Administration of batches: who has which, and assigning them."""

from __future__ import annotations

from datetime import date

import streamlit as st

from pagetrail.annotation.messages import gettext
from pagetrail.app.admin.actions import show_messages
from pagetrail.app.admin.batches.assigning import assign_button, assign_dialog
from pagetrail.app.admin.batches.batch_table import batch_table
from pagetrail.app.admin.batches.batch_view import batch_panel
from pagetrail.app.admin.batches.rebalancing import rebalance_button, rebalance_dialog
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_number
from pagetrail.app.ui.page import drop_unavailable_choice
from pagetrail.storage.batches.board import Board, board
from pagetrail.storage.campaigns.lookup import list_campaigns
from pagetrail.storage.people.accounts import Person, list_people


def show(app: Services, _person: Person) -> None:
    """Draw this part of the screen."""
    show_messages(toasts=True)
    names = [campaign.name for campaign in list_campaigns(app.workspace)]
    if not names:
        st.info(
            gettext("There is no campaign yet. Create one under Campaigns."),
            icon=":material/inbox:",
        )
        return
    choice, buttons = st.columns([5, 6], vertical_alignment="bottom", gap="medium")
    drop_unavailable_choice("campaign", names)
    campaign = choice.selectbox(gettext("Campaign"), names, key="campaign", bind="query-params")
    campaign_board = board(app.workspace, campaign)
    people = [p for p in list_people(app.workspace) if p.active and p.role == "annotator"]
    annotators = [person.name for person in people]
    with buttons.container(horizontal=True, horizontal_alignment="right"):
        if campaign_board.status == "open":
            assign_button(annotators)
            rebalance_button(campaign_board, annotators)
    st.caption(literal(_summary(campaign_board)))
    deadlines = deadline_warning(campaign_board, app.clock.now().date())
    if deadlines:
        st.warning(literal(deadlines), icon=":material/event_busy:")
    if not annotators:
        st.info(
            gettext(
                "There are no active annotators. Add them under People, then assign batches here."
            ),
            icon=":material/group_add:",
        )
    batch_name = batch_table(campaign_board)
    if batch_name is not None:
        batch_panel(app, campaign_board, batch_name, annotators)
    assign_dialog(app, campaign_board, annotators)
    rebalance_dialog(campaign_board)


def deadline_warning(campaign_board: Board, today: date) -> str:
    """Unfinished batches that are overdue or due today, and their annotators; may be empty."""
    clauses = []
    due = [batch for batch in campaign_board.batches if batch.due_on and batch.unfinished()]
    for deadline, batches in (
        ("overdue", [batch for batch in due if str(batch.due_on) < today.isoformat()]),
        ("due today", [batch for batch in due if batch.due_on == today.isoformat()]),
    ):
        if batches:
            slots = [slot for batch in batches for slot in batch.slots]
            people = sorted({p.annotator for p in slots if p.unfinished})
            names = ", ".join(batch.code_name for batch in batches[:6])
            names += " …" if len(batches) > 6 else ""
            count = _count(len(batches), "batch", "es")
            clauses.append(f"{count} {deadline}: {names} ({', '.join(people)})")
    return ". ".join([*clauses, ""]).strip()


def _summary(campaign_board: Board) -> str:
    tasks = sum(batch.tasks for batch in campaign_board.batches)
    parts = [f"{_count(len(campaign_board.batches), 'batch', 'es')} with {_count(tasks, 'task')}"]
    if campaign_board.pilot:
        parts.append("a pilot: annotators take one batch after another until they pass")
    else:
        parts.append(f"{_count(campaign_board.overlap, 'annotator')} each")
        free = sum(batch.free for batch in campaign_board.batches)
        parts.append(f"{_count(free, 'slot')} free" if free else "no free slot")
    if campaign_board.status != "open":
        parts.append(f"the campaign is {campaign_board.status}: nothing can be assigned")
    return " · ".join(parts)


def _count(number: int, noun: str, plural: str = "s", *, people: bool = False) -> str:
    if number == 1:
        return f"1 {noun}"
    return (
        f"{format_number(number)} people" if people else f"{format_number(number)} {noun}{plural}"
    )
