"""Reports of the results screen, computed in a worker process: imports nothing of Streamlit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from pagetrail.annotation.attempts.submission import SubmissionVersion
from pagetrail.app.ui.table_frames import PreparedReport
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.agreement.report import agreement
from pagetrail.exports.reports.charts.style import unchecked
from pagetrail.exports.reports.metrics.input_rows import Gold
from pagetrail.exports.reports.metrics.report import metrics
from pagetrail.exports.reports.model import Report
from pagetrail.exports.reports.resampling import ResampledUnits
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.progress.campaign_state import WorkspaceVersion
from pagetrail.storage.workers.worker_main import send_progress

COMPUTE = f"{__name__}:compute"
_EVERY, _ROUGHLY = 50, 4
"""Attempts between two messages; they come in threes or so."""


@dataclass(frozen=True)
class Wanted:
    """A request for a report; equal requests give equal reports.

    Attributes:
        moment: the states of the campaigns that the report is of.
        by: the grouping of breakdowns; None for the report's default.
        compare: systems to compare with the people.
        judgements: the campaign whose verdicts decide which answers are right.
        verdicts: the set of verdicts from elsewhere that does, and how many it has.
        gold: which gold to use.
        submission: which submission of each attempt counts.
        beside: more campaigns in the same report of metrics.
        resampled: what is resampled for intervals of metrics.
    """

    root: Path
    campaign: str
    moment: tuple[WorkspaceVersion, ...]
    agreement: bool
    identify: bool = False
    by: str | None = None
    compare: tuple[str, ...] = ()
    idle_cap_s: int = 60
    judgements: str | None = None
    gold: Gold = "task"
    by_annotator: bool = False
    submission: SubmissionVersion = "first"
    beside: tuple[str, ...] = ()
    verdicts: tuple[str, int] | None = None
    resampled: ResampledUnits = "tasks"


def compute(workspace: Workspace, wanted: Wanted) -> PreparedReport:
    """The report; tells how many attempts and intervals are done.

    Raises:
        PagetrailError: it cannot be computed; the message says why.
    """
    with unchecked():
        report = _report(workspace, wanted)
    return PreparedReport.prepare(report, without_intervals=True)


def _report(workspace: Workspace, wanted: Wanted) -> Report:
    with open_source(
        workspace,
        wanted.campaign,
        identify=wanted.identify,
        submission=wanted.submission,
        progress=_tell_attempts,
        drawn=_tell_intervals,
    ) as source:
        if wanted.agreement:
            return agreement(source, by=wanted.by)
        outside = wanted.verdicts
        return metrics(
            source if outside is None else replace(source, verdicts=outside[0]),
            beside=[source.for_campaign(name) for name in wanted.beside],
            compare=list(wanted.compare),
            by=wanted.by,
            idle_cap_s=wanted.idle_cap_s,
            judgements=wanted.judgements,
            gold=wanted.gold,
            by_annotator=wanted.by_annotator,
            intervals=wanted.resampled,
        )


def _tell_attempts(done: int, of: int) -> None:
    if of and (done % _EVERY < _ROUGHLY or done == of):
        send_progress((done, of, "attempts read"))


def _tell_intervals(done: int) -> None:
    send_progress((done, 0, "intervals drawn"))
