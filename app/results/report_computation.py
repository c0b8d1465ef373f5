"""Computes reports of the results screen in a worker process, without Streamlit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from pagetrail.annotation.attempts.submission import SubmissionVersion
from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import N_
from pagetrail.annotation.timing.durations import DEFAULT_IDLE_CAP_S
from pagetrail.app.ui.table_frames import PreparedReport
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.agreement.report import agreement
from pagetrail.exports.reports.charts.style import unchecked
from pagetrail.exports.reports.metrics.input_rows import Gold
from pagetrail.exports.reports.metrics.report import metrics
from pagetrail.exports.reports.model import Report
from pagetrail.exports.reports.resampling import ResampledUnits
from pagetrail.storage.campaigns.verdict_sets import StoredVerdictSet
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.files.vectors import VectorFile, read_vectors
from pagetrail.storage.progress.campaign_state import WorkspaceVersion
from pagetrail.storage.workers.worker_main import send_progress

COMPUTE = f"{__name__}:compute"
_MESSAGE_INTERVAL, _TOLERANCE = 50, 4
"""Attempts between progress messages; attempts arrive about three at a time."""


@dataclass(frozen=True)
class ReportRequest:
    """A request for a report; equal requests give equal reports.

    Attributes:
        versions: the states of the campaigns in the report.
        by: the fields of the breakdown; empty for the report's default.
        compare: systems to compare with the people.
        judgements: the judging campaign whose verdicts decide which answers are right; with
            ``verdicts``, it only calibrates judges.
        verdicts: the imported set of verdicts that decides instead.
        verdict_sets: the imported sets of the report's campaigns.
        gold: the gold to use.
        submission: which submission of each attempt counts.
        more_campaigns: more campaigns in the same report of metrics.
        resampled: units resampled for intervals of metrics.
        vectors: an uploaded file of vectors, whose folder is named by its content.
    """

    root: Path
    campaign: str
    versions: tuple[WorkspaceVersion, ...]
    agreement: bool
    identify: bool = False
    by: tuple[str, ...] = ()
    compare: tuple[str, ...] = ()
    idle_cap_s: int = DEFAULT_IDLE_CAP_S
    judgements: str | None = None
    gold: Gold = "task"
    by_annotator: bool = False
    submission: SubmissionVersion = "first"
    more_campaigns: tuple[str, ...] = ()
    verdicts: str | None = None
    verdict_sets: tuple[StoredVerdictSet, ...] = ()
    resampled: ResampledUnits = "tasks"
    vectors: Path | None = None


def compute(workspace: Workspace, request: ReportRequest) -> PreparedReport:
    """The report; reports progress in attempts and intervals.

    Raises:
        PagetrailError: it cannot be computed.
    """
    with unchecked():
        report = _report(workspace, request)
    return PreparedReport.prepare(report, without_intervals=True)


def _report(workspace: Workspace, request: ReportRequest) -> Report:
    with open_source(
        workspace,
        request.campaign,
        identify=request.identify,
        submission=request.submission,
        progress=_report_attempts,
        drawn=_report_intervals,
    ) as source:
        if request.agreement:
            return agreement(source, by=request.by)
        return metrics(
            replace(source, verdicts=request.verdicts),
            beside=[source.for_campaign(name) for name in request.more_campaigns],
            compare=list(request.compare),
            by=request.by,
            idle_cap_s=request.idle_cap_s,
            judgements=request.judgements,
            gold=request.gold,
            by_annotator=request.by_annotator,
            intervals=request.resampled,
            vectors=None if request.vectors is None else _read_vectors(request.vectors),
        )


def _read_vectors(path: Path) -> VectorFile:
    """The uploaded vectors; errors do not name the server's folder."""
    try:
        return read_vectors(path)
    except PagetrailError as error:
        error.message = error.message.replace(f"{path.parent}/", "")
        raise


def _report_attempts(completed: int, total: int) -> None:
    if total and (completed % _MESSAGE_INTERVAL < _TOLERANCE or completed == total):
        send_progress((completed, total, N_("attempts read")))


def _report_intervals(completed: int) -> None:
    send_progress((completed, 0, N_("intervals drawn")))
