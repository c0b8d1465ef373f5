"""Computes reports of the results screen in a worker process, without Streamlit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pagetrail.annotation.attempts.submission import SubmissionVersion
from pagetrail.annotation.messages import N_
from pagetrail.app.ui.table_frames import PreparedReport
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.agreement.report import AgreementOptions, agreement
from pagetrail.exports.reports.charts.style import unchecked
from pagetrail.exports.reports.metrics.report import MetricsOptions, metrics
from pagetrail.exports.reports.model import Report
from pagetrail.storage.campaigns.verdict_sets import StoredVerdictSet
from pagetrail.storage.database.storable_text import named_in_messages
from pagetrail.storage.database.workspace import Workspace
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
        options: of the report of agreement, or of metrics.
        submission: which submission of each attempt counts.
        verdict_sets: the imported sets of the report's campaigns.
    """

    root: Path
    campaign: str
    versions: tuple[WorkspaceVersion, ...]
    options: AgreementOptions | MetricsOptions
    identify: bool = False
    submission: SubmissionVersion = "first"
    verdict_sets: tuple[StoredVerdictSet, ...] = ()


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
        if isinstance(request.options, AgreementOptions):
            return agreement(source, request.options)
        with vectors_named(request.options):
            return metrics(source, request.options)


@contextmanager
def vectors_named(options: MetricsOptions) -> Iterator[None]:
    """Errors name the file of vectors without the server's folder."""
    if options.vectors is None:
        yield
        return
    folder = options.vectors.parent
    with named_in_messages(folder, folder.name):
        yield


def _report_attempts(completed: int, total: int) -> None:
    if total and (completed % _MESSAGE_INTERVAL < _TOLERANCE or completed == total):
        send_progress((completed, total, N_("attempts read")))


def _report_intervals(completed: int) -> None:
    send_progress((completed, 0, N_("intervals drawn")))
