"""The screen of suspect gold: the queue, the chosen task, and the three decisions on it."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pagetrail.annotation.attempts.recorder import Recorded
from pagetrail.annotation.errors import PagetrailError, Refusal
from pagetrail.annotation.messages import N_, gettext
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.app.reviewing.gold_correction_form import read_correction, show_correction_fields
from pagetrail.app.reviewing.gold_evidence import evidence_frame, show_evidence_pages
from pagetrail.app.reviewing.suspect_computation import CheckQueue, QueuedTask, QueueRequest
from pagetrail.app.reviewing.wording import shorten
from pagetrail.app.services.addresses import review_url
from pagetrail.app.services.composition import Services
from pagetrail.app.services.supervisor_rights import require_supervisor
from pagetrail.app.ui.current_user import signed_in
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_number
from pagetrail.app.ui.tables import show_table
from pagetrail.storage.campaigns.lookup import list_campaigns
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.progress.campaign_state import campaign_state
from pagetrail.storage.review.gold_checks import GoldChecks, task_id_of

DECISION_WORDS = {
    "confirmed": N_("Confirmed"),
    "corrected": N_("Corrected"),
    "dropped": N_("Dropped"),
}
_TABLE, _TASK, _MESSAGE = "gold-table", "gold-task", "gold-message"
_QUESTION_CHARS = 90


def choose_verdicts(
    judge_place: DeltaGenerator, people_place: DeltaGenerator, workspace: Workspace, campaign: str
) -> QueueRequest:
    """Show the choice of a judge and of people's judgements; returns the requested queue."""
    state = campaign_state(workspace, campaign)
    sets = [stored.name for stored in state.verdicts]
    judging = [row.name for row in list_campaigns(workspace) if row.protocol == "judge"]
    verdicts = judgements = None
    if sets:
        verdicts = judge_place.selectbox(
            gettext("Judge"),
            [None, *sets],
            index=1,
            format_func=lambda name: name or gettext("none"),
            key=f"gold-judge-{campaign}",
            help=gettext("Imported verdicts on the answers."),
        )
    if judging and state.protocol != "judge":
        judgements = people_place.selectbox(
            gettext("Judged by people"),
            [None, *judging],
            format_func=lambda name: name or gettext("none"),
            key=f"gold-people-{campaign}",
            help=gettext("A campaign in which people judged the answers."),
        )
    versions = [state.version]
    if judgements is not None:
        versions.append(campaign_state(workspace, judgements).version)
    return QueueRequest(
        root=workspace.root,
        campaign=campaign,
        versions=tuple(versions),
        verdicts=verdicts,
        verdict_sets=state.verdicts,
        judgements=judgements,
    )


def show_check_queue(app: Services, campaign: str, queue: CheckQueue) -> None:
    """Show the queue next to the chosen task."""
    _show_message()
    if not queue.tasks:
        st.info(
            gettext(
                "No task of this campaign has both gold and answers: there is nothing to check."
            )
            if not queue.with_gold
            else gettext("Nobody has answered a task that has gold: there is nothing to check."),
            icon=":material/inbox:",
        )
        return
    checked = sum(_decision(task) is not None for task in queue.tasks)
    st.caption(
        gettext(
            "{checked} of {number} tasks checked, the most suspicious first. Tasks drawn at random "
            "are among them and not marked; they show how much of the other gold is wrong.",
            checked=format_number(checked),
            number=format_number(len(queue.tasks)),
        )
        + " "
        + gettext(
            "Decisions count in results of the gold “Checked and corrected”; the command "
            "`pagetrail suspects` reports their numbers, and every score before and after."
        )
    )
    list_column, task_column = st.columns([3, 7])
    with list_column:
        _show_list(queue)
    current = _current(queue)
    with task_column:
        if current is None:
            st.success(gettext("All tasks are checked."), icon=":material/task_alt:")
            st.page_link(
                "views/results.py", label=gettext("Results"), icon=":material/query_stats:"
            )
            return
        _show_task(app, campaign, queue, current)


def _show_list(queue: CheckQueue) -> None:
    event = show_table(
        pd.DataFrame(
            {
                N_("Question"): [shorten(task.question, _QUESTION_CHARS) for task in queue.tasks],
                N_("Decision"): [_decision_words(task) for task in queue.tasks],
                N_("Why"): ["; ".join(map(gettext, task.reasons)) for task in queue.tasks],
            }
        ),
        width="stretch",
        max_height=640,
        placeholder="",
        on_select=_choose_row,
        selection_mode="single-row",
        key=_TABLE,
        column_config={
            "Question": st.column_config.TextColumn(width=150),
            "Decision": st.column_config.TextColumn(width=85),
        },
    )
    rows = event.selection.rows
    if rows and rows[0] < len(queue.tasks) and st.session_state.pop(f"{_TASK}-clicked", False):
        st.session_state[_TASK] = queue.tasks[rows[0]].task


def _choose_row() -> None:
    st.session_state[f"{_TASK}-clicked"] = True


def _current(queue: CheckQueue) -> QueuedTask | None:
    """The chosen task, or else the first one that is not checked."""
    chosen = st.session_state.get(_TASK)
    by_key = {task.task: task for task in queue.tasks}
    if chosen in by_key:
        return by_key[chosen]
    return next((task for task in queue.tasks if _decision(task) is None), None)


def _decision(task: QueuedTask) -> str | None:
    checked = task.evidence.checked
    return checked.check.decision if checked is not None and checked.check is not None else None


def _decision_words(task: QueuedTask) -> str:
    decision = _decision(task)
    return gettext(DECISION_WORDS[decision]) if decision is not None else ""


def _show_task(app: Services, campaign: str, queue: CheckQueue, task: QueuedTask) -> None:
    evidence = task.evidence
    st.subheader(literal(task.question))
    task_id = task_id_of(app.workspace.engine, campaign, task.task)
    st.caption(
        gettext("Task {key}, batch {batch}", key=literal(task.task), batch=literal(evidence.batch))
    )
    for reason in task.reasons:
        st.markdown(f":material/flag: {literal(gettext(reason))}")
    st.dataframe(
        evidence_frame(queue.protocol, evidence),
        hide_index=True,
        width="stretch",
        key=f"gold-evidence-{task.task}",
        column_config={
            gettext("Counts as correct"): st.column_config.TextColumn(
                help=gettext(
                    "Compared with the gold before checks: by people’s verdict, else by the "
                    "judge’s, even if the answer equals the gold; without a verdict by the answer "
                    "rule."
                )
            )
        },
    )
    if _decision(task) is not None and st.session_state.get(f"{_TASK}-again") != task.task:
        _show_decision(task)
    else:
        _show_actions(app, queue.protocol, task, task_id)
    show_evidence_pages(app, evidence)
    st.link_button(gettext("Open in review"), review_url(task_id), icon=":material/rule:")


def _show_decision(task: QueuedTask) -> None:
    checked = task.evidence.checked
    assert checked is not None and checked.check is not None
    decision = gettext(DECISION_WORDS[checked.check.decision])
    reason = f": {checked.check.reason}" if checked.check.reason else ""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(gettext("Next task"), key="gold-next", type="primary", on_click=_next_task)
        st.button(
            gettext("Decide again"),
            key=f"gold-again-{task.task}",
            on_click=_decide_again,
            args=(task.task,),
        )
        st.markdown(f"**{literal(decision)}**{literal(reason)}")


def _next_task() -> None:
    st.session_state.pop(_TASK, None)
    st.session_state.pop(f"{_TASK}-again", None)


def _decide_again(task: str) -> None:
    st.session_state[_TASK] = task
    st.session_state[f"{_TASK}-again"] = task


def _show_actions(app: Services, protocol: Protocol, task: QueuedTask, task_id: int) -> None:
    """Show the three actions; a second click on one repeats the same request."""
    key = f"gold-{task.task}-{task.seq}"
    request_id = st.session_state.setdefault(f"{key}-request", f"gold/{uuid4().hex}")
    checks = GoldChecks(app.reviews.streams)
    confirm, correct, drop = st.tabs(
        [gettext("Confirm"), gettext("Correct it"), gettext("Drop")], key=f"{key}-tabs"
    )
    with confirm:
        st.caption(gettext("The gold stays as it is, and counts as checked."))
        st.button(
            gettext("The gold is right"),
            key=f"{key}-confirm",
            type="primary",
            icon=":material/check:",
            on_click=_decide,
            args=(
                app,
                task.task,
                lambda name: checks.confirm(task_id, name, task.seq, f"{request_id}/confirm"),
            ),
        )
    with correct:
        _show_correction(app, protocol, task, task_id, checks, key, request_id)
    with drop:
        st.caption(gettext("Nobody can say what is right: in results, the task has no gold."))
        st.text_input(
            gettext("Reason"),
            key=f"{key}-drop-reason",
            max_chars=500,
            placeholder=gettext("Why nobody can say what is right; needed"),
        )
        st.button(
            gettext("Leave the task out of results"),
            key=f"{key}-drop",
            icon=":material/delete:",
            on_click=_decide,
            args=(
                app,
                task.task,
                lambda name: checks.drop(
                    task_id,
                    name,
                    _drop_reason(key),
                    task.seq,
                    f"{request_id}/drop",
                ),
            ),
        )


def _drop_reason(key: str) -> str:
    reason = str(st.session_state.get(f"{key}-drop-reason") or "").strip()
    if not reason:
        raise Refusal(
            gettext("Nothing is stored: write why nobody can say what is right."), code="no_reason"
        )
    return reason


def _show_correction(
    app: Services,
    protocol: Protocol,
    task: QueuedTask,
    task_id: int,
    checks: GoldChecks,
    key: str,
    request_id: str,
) -> None:
    st.caption(gettext("Your version replaces the gold; earlier versions are kept."))
    show_correction_fields(protocol, task.evidence, key)
    st.text_input(
        gettext("Reason"),
        key=f"{key}-reason",
        max_chars=500,
        placeholder=gettext("Stored with the new version; optional"),
    )
    with st.container(horizontal=True):
        st.button(
            gettext("Store as the next version"),
            key=f"{key}-correct",
            type="primary",
            icon=":material/edit:",
            on_click=_decide,
            args=(
                app,
                task.task,
                lambda name: checks.correct(
                    task_id,
                    name,
                    read_correction(protocol, task.evidence, key),
                    str(st.session_state.get(f"{key}-reason") or ""),
                    task.seq,
                    f"{request_id}/correct",
                ),
            ),
        )
        checked = task.evidence.checked
        if checked is not None and checked.reviewed_version:
            st.button(
                gettext(
                    "Use version {version}, decided in review", version=checked.reviewed_version
                ),
                key=f"{key}-adopt",
                icon=":material/rule:",
                on_click=_decide,
                args=(
                    app,
                    task.task,
                    lambda name: checks.adopt_reviewed(
                        task_id, name, task.seq, f"{request_id}/adopt"
                    ),
                ),
            )


def _decide(app: Services, task: str, action: Callable[[str], Recorded]) -> None:
    """Callback: record a decision in the name of whoever is signed in now."""
    person = signed_in()
    try:
        require_supervisor(app, person, f"gold of {task}")
        action(person.name)
    except PagetrailError as error:
        st.session_state[_MESSAGE] = error.message
    st.session_state[_TASK] = task
    st.session_state.pop(f"{_TASK}-again", None)


def _show_message() -> None:
    message = st.session_state.pop(_MESSAGE, None)
    if message:
        st.error(literal(message), icon=":material/error:")
