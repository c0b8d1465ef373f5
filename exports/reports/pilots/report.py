"""A pilot as a report, for the pilots screen and its downloads.

People appear under their own names: supervisors decide about them.
"""

from __future__ import annotations

from pagetrail.annotation.messages import lazy_gettext
from pagetrail.exports.reports.charts.style import unchecked
from pagetrail.exports.reports.model import Chart, Report, Section, Table
from pagetrail.exports.reports.pilots.charts import people_chart, tasks_chart
from pagetrail.exports.reports.pilots.tables import people_table, tasks_table
from pagetrail.storage.pilots.overview import PilotOverview

PEOPLE = lazy_gettext("Who reaches the pass mark?")
TASKS = lazy_gettext("Which tasks do people get wrong?")


def pilot_report(overview: PilotOverview) -> Report:
    """The report of a pilot: every person's and every task's results."""
    with unchecked():
        people = people_chart(overview.people, overview.pass_mark)
        tasks = tasks_chart(overview.tasks)
    passed = [person.result.passed for person in overview.people]
    return Report(
        kind="pilot",
        title=lazy_gettext("Pilot of {campaign}", campaign=overview.campaign),
        campaign=overview.campaign,
        protocol=overview.protocol,
        facts={
            "People": len(passed),
            "People who reached the pass mark": passed.count(True),
            "People who failed": passed.count(False),
            "People who wait for review": sum(
                person.result.is_waiting for person in overview.people
            ),
            "Tasks": len(overview.tasks),
        },
        choices={lazy_gettext("Pass mark"): overview.pass_mark},
        sections=[
            _section(PEOPLE, people, people_table(overview)),
            _section(TASKS, tasks, tasks_table(overview)),
        ],
        identified=True,
    )


def _section(title: str, chart: Chart | None, table: Table) -> Section:
    return Section(title, [table] if chart is None else [chart, table])
