"""The pilots screen: everybody, every task, and what became of them since."""

from __future__ import annotations

import streamlit as st

from pagetrail.app.pilots.data import agreement_shown, task_shown, then_shown
from pagetrail.app.pilots.decisions import store_now
from pagetrail.app.pilots.person_view import replay_link, show_gold
from pagetrail.app.pilots.report_computation import PilotShown
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.report_charts import show_chart
from pagetrail.app.ui.report_downloads import report_buttons
from pagetrail.app.ui.report_tables import show_titled_table
from pagetrail.app.ui.table_frames import PreparedReport
from pagetrail.exports.reports.model import Chart, Report
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.pilots.overview import TaskOverview
from pagetrail.storage.pilots.person_tasks import TaskWork
from pagetrail.storage.pilots.production_comparison import MOST_TASKS
from pagetrail.storage.qualification.gate import percent

_MOST_ROWS, _MOST_PX = 18, 470


def show_people(app: Services, person: Person, pilot: PilotShown) -> None:
    """Who meets the mark: numbers, plot, table."""
    overview = pilot.overview
    passed = [each.result.passed for each in overview.people]
    admitted = sum(each.result.admitted for each in overview.people)
    with st.container(horizontal=True):
        st.metric("People", len(passed), border=True)
        st.metric("Reach the pass mark", f"{passed.count(True)} of {len(passed)}", border=True)
        st.metric("Failed", passed.count(False), border=True)
        st.metric("Not yet", passed.count(None), border=True)
        st.metric("Admitted", admitted, border=True, help="By the mark or by a supervisor.")
        st.metric("Pass mark", percent(overview.pass_mark), border=True)
    report_buttons(pilot.ready.report)
    _show_section(pilot.ready, 0, len(overview.people))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Store baseline",
            key="store-baseline",
            icon=":material/save:",
            on_click=store_now,
            args=(app, person, overview.campaign),
            help="Store everybody's current results, to compare later work with.",
        )
        opens = ", ".join(overview.opens) or "no campaign yet"
        st.caption(literal(f"This pilot opens: {opens}."))


def show_tasks(app: Services, pilot: PilotShown) -> None:
    """The tasks with most errors first, and everybody's submissions to one of them."""
    overview = pilot.overview
    suspicious = [task for task in overview.tasks if task.suspicious]
    if suspicious:
        names = ", ".join(task.key for task in suspicious)
        st.warning(
            literal(
                f"Almost nobody had {names} right. Check the gold first: it is shown below with "
                "the submissions."
            ),
            icon=":material/rule:",
        )
    disputed = ", ".join(task.key for task in overview.tasks if task.disputed)
    if disputed:
        st.warning(
            literal(f"Disputed by people who saw the gold: {disputed}. Choose the task below."),
            icon=":material/flag:",
        )
    if not any(task.judged for task in overview.tasks):
        st.info(
            "No task is judged yet: results appear with the first submission that has been "
            "compared with its gold.",
            icon=":material/inbox:",
        )
    _show_section(pilot.ready, 1, len(overview.tasks))
    judged = sorted(
        (task for task in overview.tasks if task.judged),
        key=lambda task: (task.share.value or 0, task.key),
    )
    if judged:
        _one_task(app, pilot, judged)


def _one_task(app: Services, pilot: PilotShown, tasks: list[TaskOverview]) -> None:
    by_id = {task.task_id: task for task in tasks}
    chosen = st.selectbox(
        "One task",
        list(by_id),
        format_func=lambda id_: f"{by_id[id_].key} · {by_id[id_].question}",
        key="pilot-task",
    )
    found = task_shown(app, pilot.overview.campaign, chosen)
    works = found.works
    if not works:
        return
    with st.container(border=True):
        st.text(by_id[chosen].question)
        show_gold(works[0].task.gold)
        for work in works:
            if work.task.disputed:
                st.caption(literal(f"{work.user_name} says that the gold is wrong:"))
                st.text(work.task.disputed)
    show_titled_table(pilot.ready.report, found.table, mark_summaries=True)
    _replays(works)


def _replays(works: list[TaskWork]) -> None:
    with st.expander("Replays"):
        for work in works:
            replay_link(work.task.attempt_id, f"Replay of {work.user_name}")


def show_then(app: Services, campaign: str) -> None:
    """Baselines beside production since."""
    then = then_shown(app, campaign)
    campaigns, people = then.campaigns, then.people
    if not people:
        st.info(
            "No results are stored yet. “Store baseline” under People stores everybody's; every "
            "decision stores that person's.",
            icon=":material/inbox:",
        )
        return
    said = ", ".join(campaigns) or "none yet"
    st.caption(literal(f"Production: {said}."))
    working = sum(each.now.n > 0 for each in people)
    if not working:
        st.info(
            "Nobody with stored results has submitted production work yet. The chart appears with "
            "the first task.",
            icon=":material/inbox:",
        )
    _show_section(then.ready, 2, working)
    by_name = {each.user_name: each for each in people}
    chosen = st.selectbox("Agreement of", list(by_name), key="pilot-then", width=420)
    each = by_name[chosen]
    found = agreement_shown(app, campaign, each.user_id, each.baseline.agreement)
    now = found.now
    if found.chart is not None:
        _show_chart(then.ready.report, found.chart, len(found.table.table.rows))
    show_titled_table(then.ready.report, found.table, mark_summaries=True)
    st.caption(
        literal(
            f"{chosen} has submitted {now.tasks} production tasks (the latest {MOST_TASKS} "
            f"count); {now.shared} of them have also been submitted by somebody else. "
            + ("That is too few to measure agreement." if now.shared < 5 else "")
        )
    )


def _show_section(ready: PreparedReport, at: int, rows: int) -> None:
    report, tables = ready.report, {each.table.key: each for each in ready.tables}
    for part in report.sections[at].parts:
        if isinstance(part, Chart):
            _show_chart(report, part, rows)
        else:
            show_titled_table(report, tables[part.key], mark_summaries=True)


def _show_chart(report: Report, chart: Chart, rows: int) -> None:
    """A chart; one of many rows, about 22 px each, scrolls."""
    with st.container(height=_MOST_PX if rows > _MOST_ROWS else "content"):
        show_chart(report, chart)
