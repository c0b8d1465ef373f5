"""My batches: batches assigned to the signed-in person, their progress, and taking more."""

import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import gettext, ngettext
from pagetrail.annotation.sentences import join_first
from pagetrail.app.pilots.own_status import pilot_status
from pagetrail.app.practice.start import PracticeOffer, practice_offers, start_practice
from pagetrail.app.services.composition import services
from pagetrail.app.ui.current_user import signed_in
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.page import drop_unavailable_choice
from pagetrail.app.ui.personal_keys import shortcut
from pagetrail.app.workspace.annotator_actions import claim_batch, close_batch, open_assignment
from pagetrail.app.workspace.batch_list import (
    GROUP_LABELS,
    BatchList,
    matches_filter,
    progress_words,
    shown_title,
    task_words,
)
from pagetrail.app.workspace.due_words import deadline_words
from pagetrail.storage.attempts import queries
from pagetrail.storage.batches import my_batches
from pagetrail.storage.batches.my_batches import AssignmentRow
from pagetrail.storage.people.preferences import preferences_of

FILTERED_FROM = 10
ROWS_PER_PAGE = 25
LIST_STYLE = """<style>
  [class*="st-key-next-"] kbd {
    padding: 0 0.4em;
    color: inherit;
    border: 1px solid currentColor;
    border-radius: 4px;
  }
  [class*="st-key-batch-"] { padding: 0.4rem 0; }
  @media (max-width: 48rem) {  /* the button needs a line of its own */
    [class*="st-key-next-"] [data-testid="stHorizontalBlock"] { gap: 0.5rem; }
    [class*="st-key-next-"] [data-testid="stColumn"] { min-width: 100%; }
  }
  .st-key-batches > * + * {
    border-top: 1px solid color-mix(in srgb, currentColor 15%, transparent);
  }
</style>"""

person = signed_in()
app = services()
today = app.clock.now().date()
continue_key = shortcut("Batches", "continue", preferences_of(app.workspace, person.id).keys)


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


def _button(row: AssignmentRow, *, is_next: bool) -> None:
    """What can be done with a batch: open it, or close one that cannot be reopened."""
    is_finished = row.handled == row.tasks
    if is_finished and not row.go_back:
        if row.status == "open":
            st.button(
                gettext("Close"),
                key=f"close-{row.assignment_id}",
                on_click=_close,
                args=(row.assignment_id,),
                width="stretch",
            )
        return
    st.button(
        gettext("See tasks sent back")
        if row.returned
        else gettext("View")
        if row.status == "closed"
        else gettext("Review and close")
        if is_finished
        else gettext("Continue")
        if row.handled or row.opened
        else gettext("Start"),
        key=f"open-{row.assignment_id}",
        type="primary" if is_next else "secondary",
        shortcut=continue_key if is_next else None,
        on_click=_open,
        args=(row.assignment_id,),
        width="stretch",
    )


def _batch(row: AssignmentRow, *, is_next: bool = False) -> None:
    """One line of the list, or the batch to continue, which names the task as well."""
    with st.container(border=is_next, key=f"{'next' if is_next else 'batch'}-{row.assignment_id}"):
        name, progress, button = st.columns([5, 4, 3], vertical_alignment="center", gap="medium")
        if is_next:
            tasks = queries.batch_tasks(app.workspace.engine, row.assignment_id)
            details = [task_words(row, tasks)]
        else:
            count = ngettext("{number} task", "{number} tasks", row.tasks)
            details = [count if row.shows_progress else "", shown_title(row)]
        words = [
            f":gray[{literal(' · '.join(filter(None, details)))}]" if any(details) else "",
            *deadline_words(row, today),
        ]
        title = f"**{literal(row.campaign)}** · {literal(row.code_name)}"
        name.markdown(f"{title}  \n{' · '.join(filter(None, words))}")
        if is_next and row.next_round:
            name.caption(
                gettext(
                    "A model has answered what you submitted, and the next round begins: check "
                    "what it changed or proposes, then submit again."
                )
            )
        if row.shows_progress:
            done = row.handled / row.tasks if row.tasks else 0.0
            progress.progress(done, text=progress_words(row))
        elif row.returned:
            progress.markdown(gettext("**Sent back to you**"))
        elif row.next_round:
            progress.markdown(gettext("**Back from a model**"))
        with button:
            _button(row, is_next=is_next)


def _batch_list(listed: BatchList, next_row: AssignmentRow | None) -> None:
    """The batches but for the one to continue, of one group and with a filter if they are many."""
    others = BatchList([row for row in listed.rows if row is not next_row])
    groups = [group for group in GROUP_LABELS if others.in_group(group)]
    if not groups:
        return
    st.header(gettext("Other batches") if next_row else gettext("Batches"))
    filter_text = ""
    with st.container(horizontal=True, vertical_alignment="center"):
        if len(others.rows) >= FILTERED_FROM:
            filter_text = st.text_input(
                gettext("Filter by campaign or batch"),
                key="batch-filter",
                icon=":material/search:",
                placeholder=gettext("Filter by campaign or batch"),
                label_visibility="collapsed",
                live="200ms",
                width=320,
            )
        chosen = groups[0]
        if len(groups) > 1:
            drop_unavailable_choice("batch-group", groups)
            chosen = (
                st.segmented_control(
                    gettext("Show"),
                    groups,
                    default=groups[0],
                    required=True,
                    format_func=lambda group: (
                        f"{gettext(GROUP_LABELS[group])} ({len(others.in_group(group))})"
                    ),
                    key="batch-group",
                    label_visibility="collapsed",
                )
                or groups[0]
            )
    matches = [row for row in others.in_group(chosen) if matches_filter(row, filter_text)]
    if not matches:
        st.caption(literal(gettext("No batch here matches “{text}”.", text=filter_text)))
    n_pages = -(-len(matches) // ROWS_PER_PAGE)
    below = st.container()
    page = st.pagination(n_pages, key=f"batch-page-{chosen}-{filter_text}") if n_pages > 1 else 1
    with below.container(key="batches", gap=None):
        for row in matches[(page - 1) * ROWS_PER_PAGE : page * ROWS_PER_PAGE]:
            _batch(row)


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

st.html(LIST_STYLE)
st.title(gettext("My batches"))
if "problem" in st.session_state:
    st.error(literal(st.session_state.pop("problem")))

batch_list = BatchList.in_order(my_batches.assignments(app.workspace.engine, person.id))
open_rows = [row for row in batch_list.rows if row.status == "open"]
claimable = my_batches.claimable_campaigns(app.workspace.engine, person.id)
pilots = my_batches.pilot_status(app.workspace.engine, person.id)
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

next_row = batch_list.next
if next_row is not None:
    _batch(next_row, is_next=True)
due_batches = [f"{row.campaign} · {row.code_name}" for row in open_rows if row.is_due(today)]
if due_batches and not (len(due_batches) == 1 and next_row and next_row.is_due(today)):
    st.warning(
        literal(
            ngettext(
                "{number} batch is due today or overdue: {batches}.",
                "{number} batches are due today or overdue: {batches}.",
                len(due_batches),
                batches=join_first(due_batches, 5),
            )
        ),
        icon=":material/event_busy:",
    )
practice = practice_offers(
    app,
    person,
    list(dict.fromkeys([*(row.campaign for row in open_rows), *claimable])),
    {row.campaign for row in batch_list.rows if row.handled},
)
if new_offers := [offer for offer in practice if offer.new]:
    with st.container(
        border=True, horizontal=True, vertical_alignment="center", key="practice-first"
    ):
        st.markdown(
            gettext(
                "**New to you: practise for two minutes**  \n:gray[A practice task with feedback. "
                "It isn't recorded or shown to anyone.]"
            ),
            width="content",
        )
        _offer_practice(new_offers)
for campaign in dict.fromkeys(row.campaign for row in open_rows):
    if campaign in pilots.results:
        result = pilot_status(pilots.results[campaign])
        st.markdown(f"**{literal(campaign)}**  \n:gray[{literal(result)}]")

if claimable and person.role == "annotator":
    if next_row is not None:
        st.header(gettext("Take more work"))
    for n, (campaign, free) in enumerate(claimable.items()):
        is_first_step = next_row is None and n == 0
        st.button(
            literal(gettext("Take the next batch of “{campaign}”", campaign=campaign)),
            help=ngettext(
                "{number} batch has a free slot.", "{number} batches have a free slot.", free
            ),
            key=f"take-{campaign}",
            icon=":material/add:",
            type="primary" if is_first_step else "secondary",
            shortcut=continue_key if is_first_step else None,
            on_click=_claim,
            args=(campaign,),
        )
if not batch_list.rows and not claimable and not pilots.closed:
    st.info(
        gettext("You have no batches yet. Your supervisor assigns them; reload this page later.")
        if person.role == "annotator"
        else gettext(
            "You have no batches. Batches are for annotators; assign them under Administration."
        ),
        icon=":material/inbox:",
    )
elif person.role == "annotator" and not remaining and not claimable:
    st.info(
        gettext("Nothing left to do. New batches appear here when your supervisor assigns them."),
        icon=":material/inbox:",
    )

_batch_list(batch_list, next_row)

if pilots.closed and person.role == "annotator":
    st.header(gettext("Not open yet"))
    for campaign, reason in pilots.closed.items():
        st.text(f"{campaign}: {reason}")

if repeat_offers := [offer for offer in practice if not offer.new]:
    st.header(gettext("Practice"))
    st.caption(gettext("Practice tasks with feedback. They aren't recorded or shown to anyone."))
    _offer_practice(repeat_offers)
