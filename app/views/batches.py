"""My batches: batches assigned to the signed-in person, their progress, and taking more."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import gettext, ngettext
from pagetrail.app.pilots.own_status import pilot_status
from pagetrail.app.practice.start import PracticeOffer, practice_offers, start_practice
from pagetrail.app.services.composition import services
from pagetrail.app.ui.current_user import signed_in
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.workspace.annotator_actions import claim_batch, close_batch, open_assignment
from pagetrail.app.workspace.due_words import deadline_words
from pagetrail.storage.batches import my_batches
from pagetrail.storage.batches.my_batches import AssignmentRow

person = signed_in()
app = services()


def _switch_to_task(attempt_id: str) -> None:
    st.switch_page("views/task.py", query_params={"attempt": attempt_id})


def _open(assignment_id: int) -> None:
    """Callback: remember the attempt to open; the next run switches the page."""
    try:
        st.session_state["go_to"] = open_assignment(app, person, assignment_id)
    except PagetrailError as error:
        st.session_state["problem"] = error.message


def _close(assignment_id: int) -> None:
    try:
        close_batch(app, person, assignment_id)
    except PagetrailError as error:
        st.session_state["problem"] = error.message


def _claim(campaign: str) -> None:
    try:
        st.session_state["go_to"] = claim_batch(app, person, campaign)
    except PagetrailError as error:
        st.session_state["problem"] = error.message


def _progress(bar: DeltaGenerator, row: AssignmentRow) -> None:
    details = []
    if row.returned:
        details.append(gettext("**{number} returned**", number=row.returned))
    details.append(gettext("{number} submitted", number=row.submitted))
    if row.skipped:
        details.append(gettext("{number} skipped", number=row.skipped))
    if row.opened > row.returned:
        details.append(gettext("{number} started", number=row.opened - row.returned))
    if row.flagged:
        details.append(gettext("{number} flagged", number=row.flagged))
    if row.unanswered:
        details.append(ngettext("{number} comment", "{number} comments", row.unanswered))
    bar.progress(row.handled / row.tasks if row.tasks else 0.0, text=" · ".join(details))


def _batch_card(row: AssignmentRow, *, is_next: bool) -> None:
    with st.container(border=True, key=f"batch-{row.assignment_id}"):
        count = ngettext("{number} task", "{number} tasks", row.tasks)
        name, bar, button = st.columns([3, 5, 2], vertical_alignment="center", gap="medium")
        details = f"{count} · {row.title}" if row.shows_progress else row.title
        due = "".join(f"  \n{words}" for words in deadline_words(row, app.clock.now().date()))
        name.markdown(f"**{literal(row.code_name)}**  \n:gray[{literal(details)}]{due}")
        if row.shows_progress:
            _progress(bar, row)
        elif row.returned:
            bar.markdown(gettext("**Returned to you**"))
        is_finished = row.handled == row.tasks
        label = (
            gettext("See returned tasks")
            if row.returned
            else gettext("View")
            if row.status == "closed"
            else gettext("Review and close")
            if is_finished
            else gettext("Continue")
            if row.handled or row.opened
            else gettext("Start")
        )
        if is_finished and not row.go_back:
            if row.status == "open":
                button.button(
                    gettext("Close"),
                    key=f"close-{row.assignment_id}",
                    on_click=_close,
                    args=(row.assignment_id,),
                    width="stretch",
                )
            return
        button.button(
            label,
            key=f"open-{row.assignment_id}",
            type="primary" if is_next else "secondary",
            on_click=_open,
            args=(row.assignment_id,),
            width="stretch",
        )


def _practise(preset: str, campaign: str) -> None:
    """Start a practice task; the first one has to build the practice workspace."""
    try:
        with st.spinner(gettext("Preparing the practice task…")):
            attempt_id = start_practice(app, person, preset, campaign)
    except PagetrailError as error:
        st.error(literal(error.message))
        return
    st.switch_page("views/task.py", query_params={"attempt": attempt_id, "practice": "1"})


def _offer_practice(offers: list[PracticeOffer]) -> None:
    with st.container(horizontal=True):
        pressed = [
            offer
            for offer in offers
            if st.button(
                literal(gettext("Try a practice task: {title}", title=offer.title)),
                key=f"practise-{offer.preset}-{offer.campaign}",
                icon=":material/school:",
            )
        ]
    for offer in pressed:
        _practise(offer.preset, offer.campaign)


if "go_to" in st.session_state:
    _switch_to_task(st.session_state.pop("go_to"))

st.title(gettext("My batches"))
if "problem" in st.session_state:
    st.error(literal(st.session_state.pop("problem")))

rows = my_batches.assignments(app.workspace.engine, person.id)
open_rows = [row for row in rows if row.status == "open"]
closed_rows = [row for row in rows if row.status != "open"]
remaining = sum(row.tasks - row.handled for row in open_rows)
if open_rows and all(row.shows_progress for row in open_rows):
    st.caption(
        ngettext(
            "{tasks} left in {number} open batch.",
            "{tasks} left in {number} open batches.",
            len(open_rows),
            tasks=ngettext("{number} task", "{number} tasks", remaining),
        )
        if remaining
        else gettext("All done.")
    )
due_batches = [row.code_name for row in open_rows if row.is_due(app.clock.now().date())]
if due_batches:
    st.warning(
        literal(
            ngettext(
                "{number} batch is due today or overdue: {batches}.",
                "{number} batches are due today or overdue: {batches}.",
                len(due_batches),
                batches=", ".join(due_batches),
            )
        ),
        icon=":material/event_busy:",
    )

# One button is primary: returned tasks, else the batch in progress, else the first unfinished.
to_do = [row for row in open_rows if row.handled < row.tasks]
returned_rows = [row for row in to_do if row.returned]
started_rows = [row for row in to_do if row.handled or row.opened]
next_row = next(iter(returned_rows or started_rows or to_do or open_rows), None)
claimable = my_batches.claimable_campaigns(app.workspace.engine, person.id)
practice = practice_offers(
    app,
    person,
    list(dict.fromkeys([*(row.campaign for row in open_rows), *claimable])),
    {row.campaign for row in rows if row.handled},
)
if new_offers := [offer for offer in practice if offer.new]:
    with st.container(border=True, key="practice-first"):
        st.markdown(
            gettext(
                "**New to you: practise for two minutes**  \n:gray[A practice task with feedback. "
                "It isn't recorded or shown to anyone.]"
            )
        )
        _offer_practice(new_offers)
pilots = my_batches.pilot_status(app.workspace.engine, person.id)
for campaign in dict.fromkeys(row.campaign for row in open_rows):
    st.header(literal(campaign))
    if campaign in pilots.results:
        st.caption(pilot_status(pilots.results[campaign]))
    for row in open_rows:
        if row.campaign == campaign:
            _batch_card(row, is_next=row is next_row)

if claimable and person.role == "annotator":
    st.header(gettext("Take more work"))
    for campaign, free in claimable.items():
        st.button(
            literal(gettext("Take the next batch of “{campaign}”", campaign=campaign)),
            help=ngettext(
                "{number} batch has a free slot.", "{number} batches have a free slot.", free
            ),
            key=f"take-{campaign}",
            icon=":material/add:",
            on_click=_claim,
            args=(campaign,),
        )
if pilots.closed and person.role == "annotator":
    st.header(gettext("Not open yet"))
    for campaign, reason in pilots.closed.items():
        st.text(f"{campaign}: {reason[:1].lower()}{reason[1:]}")
if not rows and not claimable and not pilots.closed:
    st.info(
        gettext("You have no batches yet. Your supervisor assigns them; reload this page later.")
        if person.role == "annotator"
        else gettext(
            "You have no batches. Batches are for annotators; assign them under Administration."
        ),
        icon=":material/inbox:",
    )

if repeat_offers := [offer for offer in practice if not offer.new]:
    st.header(gettext("Practice"))
    st.caption(gettext("Practice tasks with feedback. They aren't recorded or shown to anyone."))
    _offer_practice(repeat_offers)

if closed_rows:
    st.header(gettext("Closed batches"))
    for row in closed_rows:
        _batch_card(row, is_next=False)
