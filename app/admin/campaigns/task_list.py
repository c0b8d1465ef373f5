"""A campaign's tasks: search, edit or withdraw those that nobody has opened, exclude any."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from pagetrail.annotation.errors import InputFileError, NotFoundError
from pagetrail.annotation.messages import N_, gettext
from pagetrail.app.admin.actions import (
    current_dialog,
    dialog_button,
    run_supervisor_action,
    show_confirmation,
)
from pagetrail.app.reviewing.wording import exclusion_words
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_number
from pagetrail.app.ui.tables import show_table, store_clicked
from pagetrail.storage.campaigns.excluded_tasks import (
    MAX_REASON,
    count_excluded,
    exclusion_sentence,
    set_excluded,
)
from pagetrail.storage.campaigns.lookup import CampaignSummary
from pagetrail.storage.campaigns.task_list import TaskRow, list_tasks
from pagetrail.storage.database.statuses import ARCHIVED
from pagetrail.storage.importers.tasks.task_changes import (
    TaskDetails,
    edit_task,
    task_details,
    withdraw_task,
)
from pagetrail.storage.people.accounts import Person

MAX_LISTED = 500
_TASK_KEY = "tasks-which"
_REASON_KEY = "task-exclude-reason"


def show_tasks(app: Services, campaign: CampaignSummary) -> None:
    """The list, and the selected task below it."""
    excluded = count_excluded(app.workspace, campaign.name)
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        text = st.text_input(
            gettext("Find tasks"), key="tasks-text", icon=":material/search:", width=320,
            placeholder=gettext("Part of an id or a question"), max_chars=200,
        )  # fmt: skip
        excluded_only = excluded > 0 and st.toggle(
            gettext("Excluded only ({number})", number=format_number(excluded)),
            key="tasks-excluded-only",
        )
    total, rows = list_tasks(
        app.workspace,
        campaign.name,
        (text or "").strip(),
        limit=MAX_LISTED,
        excluded_only=excluded_only,
    )
    if not rows:
        st.info(
            gettext("No id or question contains this text.")
            if text
            else gettext("There are no tasks yet.")
        )
        return
    if total > len(rows):
        st.caption(
            gettext(
                "The first {rows} of {total}.",
                rows=format_number(len(rows)),
                total=format_number(total),
            )
        )
    table_key = f"tasks-table-{campaign.name}"
    show_table(
        pd.DataFrame([_row(row, shows_excluded=excluded > 0) for row in rows]),
        max_height=320,
        on_select=partial(
            store_clicked, table_key, _TASK_KEY, [(campaign.name, row.key) for row in rows]
        ),
        selection_mode="single-row",
        key=table_key,
        column_config={
            "Question": st.column_config.TextColumn(width="large"),
            "Assigned": st.column_config.NumberColumn(help=gettext("People who have its batch.")),
            "Opened": st.column_config.NumberColumn(
                help=gettext("People and systems who have opened it: it can no longer be changed.")
            ),
        },
    )
    selected_campaign, key = st.session_state.get(_TASK_KEY, ("", ""))
    if selected_campaign != campaign.name:
        st.caption(
            gettext(
                "Click a row to see a task, to edit or withdraw it before anybody opens it, or to "
                "exclude it from results."
            )
        )
        return
    try:
        details = task_details(app.workspace, selected_campaign, key)
    except NotFoundError:
        return
    _panel(campaign, details)
    _withdraw_dialog(campaign.name, details)
    _exclusion_dialog(campaign.name, details)


def _row(row: TaskRow, *, shows_excluded: bool) -> dict[str, object]:
    return {
        N_("Task"): row.key,
        N_("Question"): row.question,
        N_("Batch"): row.batch,
        N_("Assigned"): row.assigned,
        N_("Opened"): row.opened,
        N_("Submitted"): row.submitted,
        N_("Skipped"): row.skipped,
        **({N_("Excluded"): row.excluded} if shows_excluded else {}),
    }


def _panel(campaign: CampaignSummary, task: TaskDetails) -> None:
    rest = {name: value for name, value in task.record.items() if name not in ("id", "question")}
    archived = campaign.status == ARCHIVED
    reason = task.fixed or task.not_editable
    with st.container(border=True):
        st.markdown(
            gettext("**{key}** · batch {batch}", key=literal(task.key), batch=literal(task.batch))
        )
        if archived or reason:
            st.info(literal(gettext("The campaign is archived.") if archived else reason))
        if task.exclusion is not None:
            st.warning(literal(exclusion_words(task.exclusion)), icon=":material/block:")
        # The keys hold what is stored, so that a change made in another tab shows.
        stamp = f"{campaign.name}-{task.key}-{hash(json.dumps(task.record, sort_keys=True))}"
        locked = archived or bool(reason)
        st.text_area(
            gettext("Question"),
            task.record["question"],
            key=f"task-question-{stamp}",
            disabled=locked,
        )
        with st.expander(gettext("Answers, pages and other fields (JSON)"), expanded=False):
            st.text_area(
                gettext("All other fields"),
                json.dumps(rest, ensure_ascii=False, indent=2),
                key=f"task-fields-{stamp}",
                height=320,
                disabled=locked,
                help=gettext("As in a task file; see the documentation of formats."),
            )
        with st.container(horizontal=True, gap="small"):
            st.button(
                gettext("Save the task"), key="task-save", type="primary", disabled=locked,
                on_click=_save, args=(campaign.name, task, stamp),
            )  # fmt: skip
            dialog_button(
                gettext("Withdraw…"),
                "task-withdraw",
                "task_withdraw",
                task.key,
                icon=":material/delete:",
                disabled=archived or bool(task.fixed),
            )
            dialog_button(
                gettext("Exclude…") if task.exclusion is None else gettext("Include again…"),
                "task-exclude",
                "task_exclude",
                task.key,
                icon=":material/block:" if task.exclusion is None else ":material/undo:",
                disabled=archived,
            )


def _save(campaign: str, task: TaskDetails, stamp: str) -> None:
    question = st.session_state[f"task-question-{stamp}"]
    fields = st.session_state[f"task-fields-{stamp}"]

    def act(app: Services, person: Person) -> str:
        record = {**_fields(fields), "id": task.key, "question": question}
        changed = edit_task(
            app.workspace, person, campaign, task.key, record, edited_record=task.record
        )
        names = ", ".join(name.replace("_", " ") for name in changed)
        return (
            gettext("Task {key} is saved: {names}.", key=task.key, names=names)
            if changed
            else gettext("Nothing has changed.")
        )

    run_supervisor_action("edit a task", act)


def _fields(text: str) -> dict[str, Any]:
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputFileError(
            gettext("The other fields are not JSON: {error}.", error=error)
        ) from error
    if not isinstance(fields, dict):
        raise InputFileError(gettext("The other fields must be one JSON object, in braces."))
    return fields


def _withdraw_dialog(campaign: str, task: TaskDetails) -> None:
    state = current_dialog("task_withdraw")
    if state is None or state.subject != task.key:
        return
    show_confirmation(
        state,
        gettext("Withdraw task {key}?", key=task.key),
        [
            gettext(
                "It is removed from the campaign and from everybody’s batch. Nobody "
                "has opened it. Its record goes into the audit log; adding it again "
                "puts it into a new batch."
            )
        ],
        gettext("Withdraw"),
        "task-withdraw",
        _withdraw,
        campaign,
        task.key,
    )


def _exclusion_dialog(campaign: str, task: TaskDetails) -> None:
    state = current_dialog("task_exclude")
    if state is None or state.subject != task.key:
        return
    excludes = task.exclusion is None
    sentences = (
        [
            gettext(
                "Nobody is given the task any more, and it leaves results, agreement, review and "
                "progress. Work on it stays in the log."
            ),
            gettext(
                "Whoever has it on screen is told that it is excluded, but not why. You can "
                "include it again."
            ),
        ]
        if excludes
        else [
            gettext(
                "It counts again, with the work that is there. Batches that were closed without it "
                "are opened again for those who had not finished it."
            )
        ]
    )
    show_confirmation(
        state,
        gettext("Exclude task {key}?", key=task.key)
        if excludes
        else gettext("Include task {key} again?", key=task.key),
        sentences,
        gettext("Exclude") if excludes else gettext("Include again"),
        "task-exclude",
        _set_excluded,
        campaign,
        task.key,
        excludes,
        body=partial(_ask_for_reason, task.key),
    )


def _ask_for_reason(key: str) -> None:
    st.text_input(
        gettext("Reason (required; it is in exports and the audit log)"),
        key=f"{_REASON_KEY}-{key}",
        max_chars=MAX_REASON,
    )


def _set_excluded(campaign: str, key: str, excluded: bool) -> None:
    reason = st.session_state.get(f"{_REASON_KEY}-{key}", "")

    def act(app: Services, person: Person) -> str:
        (exclusion,) = set_excluded(
            app.workspace, person, campaign, [key], reason, excluded=excluded
        )
        return exclusion_sentence(exclusion, excluded=excluded)

    run_supervisor_action("exclude a task", act)


def _withdraw(campaign: str, key: str) -> None:
    def act(app: Services, person: Person) -> str:
        batch = withdraw_task(app.workspace, person, campaign, key)
        st.session_state.pop(_TASK_KEY, None)
        return gettext("Task {key} of batch {batch} is withdrawn.", key=key, batch=batch)

    run_supervisor_action("withdraw a task", act)
