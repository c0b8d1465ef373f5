"""Administration of batches: who has which, and assigning them."""

from __future__ import annotations

from datetime import date

import streamlit as st

from pagetrail.app.admin.actions import show_said
from pagetrail.app.admin.batches.assigning import assign_button, assign_dialog
from pagetrail.app.admin.batches.batch_table import batch_table
from pagetrail.app.admin.batches.batch_view import batch_panel
from pagetrail.app.admin.batches.rebalancing import even_button, even_dialog
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_number
from pagetrail.app.ui.widget_state import forget_stranger
from pagetrail.storage.batches.board import Board, board
from pagetrail.storage.campaigns.lookup import list_campaigns
from pagetrail.storage.people.accounts import Person, list_people


def show(app: Services, _person: Person) -> None:
    """Draw this part of the screen."""
    show_said(toasts=True)
    names = [campaign.name for campaign in list_campaigns(app.workspace)]
    if not names:
        st.info("There is no campaign yet. Create one under Campaigns.", icon=":material/inbox:")
        return
    choice, acts = st.columns([5, 6], vertical_alignment="bottom", gap="medium")
    forget_stranger("campaign", names)
    campaign = choice.selectbox("Campaign", names, key="campaign", bind="query-params")
    found = board(app.workspace, campaign)
    people = [p for p in list_people(app.workspace) if p.active and p.role == "annotator"]
    annotators = [person.name for person in people]
    with acts.container(horizontal=True, horizontal_alignment="right"):
        if found.status == "open":
            assign_button(annotators)
            even_button(found, annotators)
    st.caption(literal(_summary(found)))
    late = late_batches(found, app.clock.now().date())
    if late:
        st.warning(literal(late), icon=":material/event_busy:")
    if not annotators:
        st.info(
            "There are no active annotators. Add them under People, then assign batches here.",
            icon=":material/group_add:",
        )
    chosen = batch_table(found)
    if chosen is not None:
        batch_panel(app, found, chosen, annotators)
    assign_dialog(app, found, annotators)
    even_dialog(found)


def late_batches(found: Board, today: date) -> str:
    """The unfinished batches that are overdue or due today, with who has them; empty for none."""
    said = []
    due = [batch for batch in found.batches if batch.due_on and batch.unfinished()]
    for what, batches in (
        ("overdue", [batch for batch in due if str(batch.due_on) < today.isoformat()]),
        ("due today", [batch for batch in due if batch.due_on == today.isoformat()]),
    ):
        if batches:
            slots = [slot for batch in batches for slot in batch.places]
            people = sorted({p.annotator for p in slots if p.unfinished})
            names = ", ".join(batch.code_name for batch in batches[:6])
            names += " …" if len(batches) > 6 else ""
            count = _count(len(batches), "batch", "es")
            said.append(f"{count} {what}: {names} ({', '.join(people)})")
    return ". ".join([*said, ""]).strip()


def _summary(found: Board) -> str:
    tasks = sum(batch.tasks for batch in found.batches)
    parts = [f"{_count(len(found.batches), 'batch', 'es')} with {_count(tasks, 'task')}"]
    if found.pilot:
        parts.append("a pilot: annotators take one batch after another until they pass")
    else:
        parts.append(f"{_count(found.overlap, 'annotator')} each")
        free = sum(batch.free for batch in found.batches)
        parts.append(f"{_count(free, 'slot')} free" if free else "no free slot")
    if found.status != "open":
        parts.append(f"the campaign is {found.status}: nothing can be assigned")
    return " · ".join(parts)


def _count(number: int, noun: str, plural: str = "s", *, people: bool = False) -> str:
    if number == 1:
        return f"1 {noun}"
    return (
        f"{format_number(number)} people" if people else f"{format_number(number)} {noun}{plural}"
    )
