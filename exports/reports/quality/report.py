"""The report of quality in production (docs/metrics.md)."""

from __future__ import annotations

from typing import Annotated, get_args

from pydantic import BeforeValidator

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.options import option
from pagetrail.annotation.progress.quality import Period, alerts
from pagetrail.exports.reading.source import Source
from pagetrail.exports.reports.model import Report, Section
from pagetrail.exports.reports.options import ReportOptions
from pagetrail.exports.reports.quality.charts import drift_charts
from pagetrail.exports.reports.quality.reading import read_quality
from pagetrail.exports.reports.quality.shown_values import shown_values_table
from pagetrail.exports.reports.quality.tables import (
    alerts_table,
    drift_table,
    gold_tasks_table,
    parts_table,
    people_table,
)

PERIODS: tuple[Period, ...] = get_args(Period)


def _check_period(name: str) -> str:
    if name not in PERIODS:
        raise PagetrailError(
            f"There is no period {name!r}. Choose from {', '.join(PERIODS)}.",
            code="invalid_period",
        )
    return name


class QualityOptions(ReportOptions):
    """The options of ``quality``."""

    by: Annotated[Period, BeforeValidator(_check_period)] = option(
        "tenth", "Periods: tenth of each person's work, or calendar week.", metavar="PERIOD"
    )


_DEFAULT = QualityOptions()


def quality(
    source: Source, report_options: QualityOptions = _DEFAULT, *, person: str | None = None
) -> Report:
    """How well each person works: hidden gold, repeated tasks, drift, alerts.

    Args:
        person: only this person, by the name in the report.
    """
    settings = source.campaign.protocol.quality
    quality_input = read_quality(source)
    unsafe = source.database.unsafe_gold_source(source.campaign.name)
    raised = alerts(quality_input.people, settings)
    if person is not None:
        quality_input, raised = (
            quality_input.of_person(person),
            [alert for alert in raised if alert.person == person],
        )
    checks = [
        table
        for table in (parts_table(quality_input), gold_tasks_table(quality_input))
        if table.rows
    ]
    sections = [
        Section(
            "Annotators", [people_table(quality_input, raised), alerts_table(raised, settings)]
        ),
        Section(
            "Over time",
            [
                drift_table(quality_input, report_options.by),
                *drift_charts(quality_input, report_options.by, settings),
            ],
        ),
        *([Section("Checks", checks)] if checks else []),
        *(
            [Section("Shown values", [shown_values_table(quality_input)])]
            if quality_input.shown_values
            else []
        ),
    ]
    return Report(
        kind="quality",
        title=lazy_gettext("Quality of {name}", name=source.campaign.name),
        campaign=source.campaign.name,
        protocol=source.campaign.protocol.name,
        facts={
            "Annotators": len(quality_input.people),
            "Tasks finished": sum(
                len(person_work.finished) for person_work in quality_input.people.values()
            ),
            "Hidden gold tasks finished": len(quality_input.gold),
            "Repeated tasks compared": len(quality_input.repeats),
            "Alerts": len(raised),
        },
        choices={
            lazy_gettext("Hidden gold per task"): settings.gold_rate,
            **({lazy_gettext("No hidden gold is drawn"): unsafe} if unsafe else {}),
            lazy_gettext("Repeated tasks per task"): settings.repeat_rate,
            lazy_gettext("Alerts from"): settings.alert_from,
            lazy_gettext("Periods"): report_options.by,
            lazy_gettext("Submission"): source.submission,
        },
        sections=sections,
        left_out=quality_input.left_out,
        identified=source.identify,
    )
