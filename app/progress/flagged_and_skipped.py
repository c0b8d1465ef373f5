"""Flagged and skipped attempts: the comments, whether somebody has dealt with them, and where."""

from __future__ import annotations

import math
from collections.abc import Callable
from uuid import uuid4

import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.app.progress.data import notable_of
from pagetrail.app.progress.report_computation import Shown
from pagetrail.app.services.composition import Services
from pagetrail.app.services.supervisor_rights import overseeing
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_number, format_time
from pagetrail.storage.batches.single_tasks import free_annotators, give_task
from pagetrail.storage.people.accounts import Person, find_person
from pagetrail.storage.progress.flagged_attempts import HandledFilter, Notable

AT_ONCE = 5
_NOTICE, _PROBLEM = "notable-notice", "notable-problem"
_CHECKS = {"gold": "hidden gold", "repeat": "repeated task"}
_WHICH: dict[HandledFilter, str] = {"open": "Open", "handled": "Handled", "all": "All"}


@st.fragment
def show_notable(app: Services, wanted: Shown, person: Person) -> None:
    """A few of them at a time, the latest first."""
    problem, notice = (st.session_state.pop(key, None) for key in (_PROBLEM, _NOTICE))
    if problem:
        st.error(literal(problem))
    if notice:
        st.success(literal(notice))
    key = f"notable-page-{wanted.campaign.id}-{wanted.batch}-{wanted.person}"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        head = st.container(gap=None, width="stretch")
        wrong = st.toggle(
            "Wrong only",
            key="notable-wrong",
            help="Answers that do not match the task’s gold answers.",
        )
        which = st.segmented_control(
            "Show", list(_WHICH), format_func=_WHICH.__getitem__, default="open", required=True,
            key="notable-which", label_visibility="collapsed",
            help="Handled: marked so here or in review, or decided in review.",
        )  # fmt: skip
        below = st.container(width="content")
    chosen: HandledFilter = which or "open"
    page = int(st.session_state.get(key, 1))
    rows, total = notable_of(app, wanted, chosen, wrong, AT_ONCE, page)
    if not rows and page > 1:
        page = 1
        st.session_state[key] = 1
        rows, total = notable_of(app, wanted, chosen, wrong, AT_ONCE, page)
    with head:
        st.header("Flagged and skipped", anchor=False)
        st.caption(_said(chosen, total))
    if total > AT_ONCE:
        below.number_input(
            "Page",
            min_value=1,
            max_value=math.ceil(total / AT_ONCE),
            value=page,
            key=key,
            width=130,
            help=f"{AT_ONCE} on a page.",
        )
    for row in rows:
        _show_row(app, person, wanted.campaign.name, row)


def _said(which: HandledFilter, total: int) -> str:
    if total:
        tasks = "1 task" if total == 1 else f"{format_number(total)} tasks"
        return f"What needs a look? {tasks}, the latest first."
    return {
        "open": "No flag or skip is waiting for a supervisor.",
        "handled": "No flag or skip has been handled yet.",
        "all": "Nothing is flagged or skipped.",
    }[which]


def _show_row(app: Services, person: Person, campaign: str, row: Notable) -> None:
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            what = "flagged, " if row.flagged else ""
            done = ", handled" if row.handled else ""
            check = f" · {_CHECKS[row.check]}" if row.check else ""
            st.markdown(
                f"**{literal(row.code_name)} · {literal(row.user_name)}** · "
                f"{what}{literal(row.status)}{done} · "
                f"{format_time(row.updated_at)}{check}",
                width="stretch",
            )
            st.button(
                "Not handled" if row.handled else "Mark as handled",
                key=f"handle-{row.attempt_id}",
                on_click=_handle,
                args=(app, person, row.task_id, row.attempt_id, not row.handled),
            )
            if row.check is None:
                _ways_on(app, person, campaign, row)
            st.page_link(
                "views/trajectory.py",
                label="Replay",
                icon=":material/timeline:",
                query_params={"attempt": row.attempt_id},
            )
        st.text(row.question)
        st.text(row.remark)


def _ways_on(app: Services, person: Person, campaign: str, row: Notable) -> None:
    """To another annotator or to review; hidden checks have neither."""
    give = st.popover(
        "Give to…",
        icon=":material/person_add:",
        key=f"open-give-{row.attempt_id}",
        on_change="rerun",
    )
    if give.open:
        with give:
            _give_to(app, person, campaign, row)
    st.page_link(
        "views/reviewing.py",
        label="Review",
        icon=":material/rule:",
        query_params={"task": str(row.task_id)},
    )


def _give_to(app: Services, person: Person, campaign: str, row: Notable) -> None:
    """One more annotator for the task."""
    others = free_annotators(app.workspace, campaign, row.task_key)
    if not others:
        st.caption("Nobody else can get it: all active annotators have or had this task.")
        return
    st.caption(
        "One more annotator gets this task, as a batch of its own. What is done so far stays."
    )
    key = f"give-to-{row.attempt_id}"
    st.selectbox("Give it to", others, key=key)
    st.button(
        "Give the task", type="primary", key=f"give-{row.attempt_id}", on_click=_give,
        args=(app, person, campaign, row.task_key, key),
    )  # fmt: skip


def _give(app: Services, person: Person, campaign: str, task: str, key: str) -> None:
    """Callback: give the task to the chosen annotator."""
    name = st.session_state[key]

    def do(now: Person) -> str:
        given = give_task(app.workspace, campaign, task, name, by=now.name, clock=app.clock)
        return f"{given.annotator} has task {given.task}: batch {given.batch}."

    _do(app, person, f"task {task}", do)


def _handle(app: Services, person: Person, task: int, attempt: str, handled: bool) -> None:
    """Callback: mark it as handled, or not."""

    def do(now: Person) -> None:
        app.reviews.handle(task, now.name, attempt, f"handle-{uuid4().hex}", handled=handled)

    _do(app, person, f"flag of {attempt}", do)


def _do(app: Services, person: Person, what: str, act: Callable[[Person], str | None]) -> None:
    try:
        # Checked again: the role may have changed since the screen was drawn.
        now = find_person(app.workspace, person.name)
        overseeing(app, now, what)
        said = act(now)
    except PagetrailError as error:
        st.session_state[_PROBLEM] = error.message
        return
    if said:
        st.session_state[_NOTICE] = said
