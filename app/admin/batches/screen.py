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
from pagetrail.app.ui.notation import format_count
from pagetrail.app.ui.page import drop_unavailable_choice, note_no_campaign
from pagetrail.storage.batches.board import BatchRow, Board, board
from pagetrail.storage.campaigns.lookup import list_campaigns
from pagetrail.storage.database.statuses import OPEN
from pagetrail.storage.people.accounts import Person, list_people


def show(app: Services, _person: Person) -> None:
    """Show this section of the screen."""
    show_messages(toasts=True)
    names = [campaign.name for campaign in list_campaigns(app.workspace)]
    if not names:
        note_no_campaign()
        return
    choice, buttons = st.columns([5, 6], vertical_alignment="bottom", gap="medium")
    drop_unavailable_choice("campaign", names)
    campaign = choice.selectbox(gettext("Campaign"), names, key="campaign", bind="query-params")
    campaign_board = board(app.workspace, campaign)
    people = [p for p in list_people(app.workspace) if p.active and p.role == "annotator"]
    annotators = [person.name for person in people]
    with buttons.container(horizontal=True, horizontal_alignment="right"):
        if campaign_board.status == OPEN:
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
    due = [batch for batch in campaign_board.batches if batch.due_on and batch.unfinished()]
    overdue = [batch for batch in due if str(batch.due_on) < today.isoformat()]
    due_today = [batch for batch in due if batch.due_on == today.isoformat()]
    sentences = []
    if overdue:
        sentences.append(
            format_count(
                "{number} batch overdue: {batches} ({people}).",
                "{number} batches overdue: {batches} ({people}).",
                len(overdue),
                **_names(overdue),
            )
        )
    if due_today:
        sentences.append(
            format_count(
                "{number} batch due today: {batches} ({people}).",
                "{number} batches due today: {batches} ({people}).",
                len(due_today),
                **_names(due_today),
            )
        )
    return " ".join(sentences)


def _names(batches: list[BatchRow]) -> dict[str, str]:
    """Names of the batches, and of the annotators who have not finished them."""
    people = {slot.annotator for batch in batches for slot in batch.slots if slot.unfinished}
    names = ", ".join(batch.code_name for batch in batches[:6])
    return {
        "batches": names + (" …" if len(batches) > 6 else ""),
        "people": ", ".join(sorted(people)),
    }


def _summary(campaign_board: Board) -> str:
    tasks = sum(batch.tasks for batch in campaign_board.batches)
    parts = [
        format_count(
            "{batches} with {number} task",
            "{batches} with {number} tasks",
            tasks,
            batches=format_count("{number} batch", "{number} batches", len(campaign_board.batches)),
        )
    ]
    if campaign_board.pilot:
        parts.append(gettext("a pilot: annotators take one batch after another until they pass"))
    else:
        parts.append(
            format_count(
                "{number} annotator each", "{number} annotators each", campaign_board.overlap
            )
        )
        free = sum(batch.free for batch in campaign_board.batches)
        parts.append(
            format_count("{number} slot free", "{number} slots free", free)
            if free
            else gettext("no free slot")
        )
    if campaign_board.status != OPEN:
        parts.append(
            gettext(
                "the campaign is {status}: nothing can be assigned",
                status=gettext(campaign_board.status),
            )
        )
    return " · ".join(parts)
