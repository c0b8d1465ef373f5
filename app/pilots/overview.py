"""The pilots screen: all people and all tasks."""

from __future__ import annotations

import streamlit as st

from pagetrail.annotation.messages import gettext
from pagetrail.app.pilots.data import task_results
from pagetrail.app.pilots.decisions import store_regrading
from pagetrail.app.pilots.gold_form import show_gold_form
from pagetrail.app.pilots.person_view import replay_link, show_gold
from pagetrail.app.pilots.report_computation import PilotResults
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.report_charts import show_chart
from pagetrail.app.ui.report_downloads import report_buttons
from pagetrail.app.ui.report_tables import show_titled_table
from pagetrail.app.ui.table_frames import PreparedReport
from pagetrail.exports.reports.model import Chart, Report
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.pilots.overview import PilotOverview, TaskOverview
from pagetrail.storage.pilots.person_tasks import TaskWork
from pagetrail.storage.qualification.gate import percent

_MAX_ROWS, _MAX_HEIGHT_PX = 18, 470


def show_people(app: Services, person: Person, pilot: PilotResults) -> None:
    """Who passes: metrics, chart and table."""
    overview = pilot.overview
    passed = [member.result.passed for member in overview.people]
    waiting = sum(member.result.is_waiting for member in overview.people)
    admitted = sum(member.result.admitted for member in overview.people)
    with st.container(horizontal=True):
        st.metric(gettext("People"), len(passed), border=True)
        st.metric(
            gettext("Reach the pass mark"),
            gettext("{number} of {total}", number=passed.count(True), total=len(passed)),
            border=True,
        )
        st.metric(gettext("Failed"), passed.count(False), border=True)
        if waiting:
            st.metric(gettext("Waiting for review"), waiting, border=True)
        st.metric(gettext("Not yet"), passed.count(None) - waiting, border=True)
        st.metric(
            gettext("Admitted"),
            admitted,
            border=True,
            help=gettext("By the mark or by a supervisor."),
        )
        st.metric(gettext("Pass mark"), percent(overview.pass_mark), border=True)
    _show_open_decisions(overview)
    report_buttons(pilot.report.report)
    _show_section(pilot.report, 0, len(overview.people))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            gettext("Compare again"),
            key="regrade",
            icon=":material/refresh:",
            on_click=store_regrading,
            args=(app, person, overview.campaign),
            help=gettext(
                "Compare all judged work with the current gold, under the current rule. Results "
                "given before count until then, and whoever is admitted stays admitted."
            ),
        )
        opens = ", ".join(overview.opens) or gettext("no campaign yet")
        st.caption(literal(gettext("This pilot opens: {campaigns}.", campaigns=opens)))


def _show_open_decisions(overview: PilotOverview) -> None:
    """Who waits for a supervisor."""
    results = [member.result for member in overview.people if member.result.needs_decision]
    waiting = ", ".join(result.user_name for result in results if not result.is_kept)
    kept = ", ".join(result.user_name for result in results if result.is_kept)
    if waiting:
        st.warning(
            literal(
                gettext(
                    "Waiting for you: {people}. Whether they pass depends on answers that no rule "
                    "can decide. Judge these under “One person”, or decide on the person there.",
                    people=waiting,
                )
            ),
            icon=":material/hourglass_top:",
        )
    if kept:
        st.warning(
            literal(
                gettext(
                    "No longer above the pass mark since answers were graded again: {people}. They "
                    "stay admitted until you decide under “One person”.",
                    people=kept,
                )
            ),
            icon=":material/rule:",
        )


def show_tasks(app: Services, person: Person, pilot: PilotResults) -> None:
    """Tasks by number of errors, and all submissions to one of them."""
    overview = pilot.overview
    suspicious = [task for task in overview.tasks if task.suspicious]
    if suspicious:
        names = ", ".join(task.key for task in suspicious)
        st.warning(
            literal(
                gettext(
                    "Almost nobody had {tasks} right. Check the gold first: it is shown below with "
                    "the submissions.",
                    tasks=names,
                )
            ),
            icon=":material/rule:",
        )
    disputed = ", ".join(task.key for task in overview.tasks if task.disputed)
    if disputed:
        st.warning(
            literal(
                gettext(
                    "Disputed by people who saw the gold: {tasks}. Choose the task below.",
                    tasks=disputed,
                )
            ),
            icon=":material/flag:",
        )
    if not any(task.judged for task in overview.tasks):
        st.info(
            gettext(
                "No task is judged yet: results appear with the first submission that has been "
                "compared with its gold."
            ),
            icon=":material/inbox:",
        )
    _show_section(pilot.report, 1, len(overview.tasks))
    judged_tasks = sorted(
        (task for task in overview.tasks if task.judged),
        key=lambda task: (task.share.value or 0, task.key),
    )
    if judged_tasks:
        _show_task(app, person, pilot, judged_tasks)


def _show_task(
    app: Services, person: Person, pilot: PilotResults, tasks: list[TaskOverview]
) -> None:
    by_id = {task.task_id: task for task in tasks}
    task_id = st.selectbox(
        gettext("One task"),
        list(by_id),
        format_func=lambda id_: f"{by_id[id_].key} · {by_id[id_].question}",
        key="pilot-task",
    )
    results = task_results(app, pilot.overview.campaign, task_id)
    attempts = results.attempts
    if not attempts:
        return
    with st.container(border=True):
        st.text(by_id[task_id].question)
        show_gold(attempts[0].task.gold)
        for attempt in attempts:
            if attempt.task.disputed:
                st.caption(
                    literal(
                        gettext("{person} says that the gold is wrong:", person=attempt.user_name)
                    )
                )
                st.text(attempt.task.disputed)
    show_titled_table(pilot.report.report, results.table, mark_summaries=True)
    show_gold_form(app, person, pilot.overview.campaign, by_id[task_id].key)
    _replays(attempts)


def _replays(attempts: list[TaskWork]) -> None:
    with st.expander(gettext("Replays")):
        for attempt in attempts:
            replay_link(
                attempt.task.attempt_id, gettext("Replay of {person}", person=attempt.user_name)
            )


def _show_section(prepared: PreparedReport, number: int, rows: int) -> None:
    report, tables = prepared.report, {table.table.key: table for table in prepared.tables}
    for part in report.sections[number].parts:
        if isinstance(part, Chart):
            _show_chart(report, part, rows)
        else:
            show_titled_table(report, tables[part.key], mark_summaries=True)


def _show_chart(report: Report, chart: Chart, rows: int) -> None:
    """A chart; one with many rows of about 22 px scrolls."""
    with st.container(height=_MAX_HEIGHT_PX if rows > _MAX_ROWS else "content"):
        show_chart(report, chart)
