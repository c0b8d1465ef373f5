"""Flagged and skipped attempts with their comments, to be handled or reassigned."""

from __future__ import annotations

import math
from collections.abc import Callable
from uuid import uuid4

import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import N_, gettext
from pagetrail.app.progress.data import flagged_and_skipped
from pagetrail.app.progress.report_computation import DashboardView
from pagetrail.app.services.composition import Services
from pagetrail.app.services.supervisor_rights import require_supervisor
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_count, format_time
from pagetrail.storage.batches.single_tasks import free_annotators, give_task
from pagetrail.storage.people.accounts import Person, find_person
from pagetrail.storage.progress.flagged_attempts import FlaggedAttempt, HandledFilter

PAGE_SIZE = 5
_NOTICE, _PROBLEM = "notable-notice", "notable-problem"
_CHECKS = {"gold": N_("hidden gold"), "repeat": N_("repeated task")}
_HANDLED_LABELS: dict[HandledFilter, str] = {
    "open": N_("Open"),
    "handled": N_("Handled"),
    "all": N_("All"),
}


@st.fragment
def show_flagged_and_skipped(app: Services, view: DashboardView, person: Person) -> None:
    """Show one page of them, the latest first."""
    problem, notice = (st.session_state.pop(key, None) for key in (_PROBLEM, _NOTICE))
    if problem:
        st.error(literal(problem))
    if notice:
        st.success(literal(notice))
    key = f"notable-page-{view.campaign.id}-{view.batch}-{view.person}"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        head = st.container(gap=None, width="stretch")
        wrong = st.toggle(
            gettext("Wrong only"),
            key="notable-wrong",
            help=gettext("Answers that do not match the task’s gold answers."),
        )
        selected = st.segmented_control(
            gettext("Show"),
            list(_HANDLED_LABELS),
            format_func=lambda choice: gettext(_HANDLED_LABELS[choice]),
            default="open",
            required=True,
            key="notable-which",
            label_visibility="collapsed",
            help=gettext("Handled: marked so here or in review, or decided in review."),
        )
        page_column = st.container(width="content")
    handled: HandledFilter = selected or "open"
    page = int(st.session_state.get(key, 1))
    rows, total = flagged_and_skipped(app, view, handled, wrong, PAGE_SIZE, page)
    if not rows and page > 1:
        page = 1
        st.session_state[key] = 1
        rows, total = flagged_and_skipped(app, view, handled, wrong, PAGE_SIZE, page)
    with head:
        st.header(gettext("Flagged and skipped"), anchor=False)
        st.caption(_summary(handled, total))
    if total > PAGE_SIZE:
        page_column.number_input(
            gettext("Page"),
            min_value=1,
            max_value=math.ceil(total / PAGE_SIZE),
            value=page,
            key=key,
            width=130,
            help=gettext("{number} on a page.", number=PAGE_SIZE),
        )
    for row in rows:
        _show_row(app, person, view.campaign.name, row)


def _summary(handled: HandledFilter, total: int) -> str:
    if total:
        return format_count(
            "{number} task, the latest first.", "{number} tasks, the latest first.", total
        )
    return {
        "open": gettext("No flag or skip is waiting for a supervisor."),
        "handled": gettext("No flag or skip has been handled yet."),
        "all": gettext("Nothing is flagged or skipped."),
    }[handled]


def _show_row(app: Services, person: Person, campaign: str, row: FlaggedAttempt) -> None:
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center"):
            details = " · ".join(
                filter(
                    None,
                    (
                        ", ".join(_states(row)),
                        format_time(row.updated_at),
                        gettext(_CHECKS[row.check]) if row.check else "",
                    ),
                )
            )
            st.markdown(
                f"**{literal(row.code_name)} · {literal(row.user_name)}** · {literal(details)}",
                width="stretch",
            )
            st.button(
                gettext("Not handled") if row.handled else gettext("Mark as handled"),
                key=f"handle-{row.attempt_id}",
                on_click=_handle,
                args=(app, person, row.task_id, row.attempt_id, not row.handled),
            )
            if row.check is None:
                _next_steps(app, person, campaign, row)
            st.page_link(
                "views/trajectory.py",
                label=gettext("Replay"),
                icon=":material/timeline:",
                query_params={"attempt": row.attempt_id},
            )
        st.text(row.question)
        st.text(row.remark)


def _states(row: FlaggedAttempt) -> list[str]:
    states = [gettext("flagged")] if row.flagged else []
    states.append(gettext(row.status))
    return [*states, gettext("handled")] if row.handled else states


def _next_steps(app: Services, person: Person, campaign: str, row: FlaggedAttempt) -> None:
    """Buttons for another annotator and for review; hidden checks have neither."""
    give = st.popover(
        gettext("Give to…"),
        icon=":material/person_add:",
        key=f"open-give-{row.attempt_id}",
        on_change="rerun",
    )
    if give.open:
        with give:
            _assignment_form(app, person, campaign, row)
    st.page_link(
        "views/reviewing.py",
        label=gettext("Review"),
        icon=":material/rule:",
        query_params={"task": str(row.task_id)},
    )


def _assignment_form(app: Services, person: Person, campaign: str, row: FlaggedAttempt) -> None:
    """Assign the task to one more annotator."""
    annotators = free_annotators(app.workspace, campaign, row.task_key)
    if not annotators:
        st.caption(gettext("Nobody is left: all active annotators have or had this task."))
        return
    st.caption(
        gettext("One more annotator gets this task in a separate batch. Existing work is kept.")
    )
    key = f"give-to-{row.attempt_id}"
    st.selectbox(gettext("Give it to"), annotators, key=key)
    st.button(
        gettext("Give the task"), type="primary", key=f"give-{row.attempt_id}", on_click=_assign,
        args=(app, person, campaign, row.task_key, key),
    )  # fmt: skip


def _assign(app: Services, person: Person, campaign: str, task: str, key: str) -> None:
    """Callback: assign the task to the selected annotator."""
    name = st.session_state[key]

    def assign(supervisor: Person) -> str:
        assignment = give_task(
            app.workspace, campaign, task, name, by=supervisor.name, clock=app.clock
        )
        return gettext(
            "{annotator} has task {task}: batch {batch}.",
            annotator=assignment.annotator,
            task=assignment.task,
            batch=assignment.batch,
        )

    _run_action(app, person, f"task {task}", assign)


def _handle(app: Services, person: Person, task: int, attempt: str, handled: bool) -> None:
    """Callback: mark the attempt as handled or not handled."""

    def mark(supervisor: Person) -> None:
        app.reviews.handle(task, supervisor.name, attempt, f"handle-{uuid4().hex}", handled=handled)

    _run_action(app, person, f"flag of {attempt}", mark)


def _run_action(
    app: Services, person: Person, subject: str, action: Callable[[Person], str | None]
) -> None:
    try:
        # Checked again: the role may have changed since the screen was shown.
        supervisor = find_person(app.workspace, person.name)
        require_supervisor(app, supervisor, subject)
        notice = action(supervisor)
    except PagetrailError as error:
        st.session_state[_PROBLEM] = error.message
        return
    if notice:
        st.session_state[_NOTICE] = notice
