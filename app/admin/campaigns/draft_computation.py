"""Computes the report on models' drafts in a worker process, without Streamlit."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pagetrail.app.ui.table_frames import PreparedReport
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.drafts.report import drafts
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.progress.campaign_state import WorkspaceVersion

COMPUTE = f"{__name__}:compute"


@dataclass(frozen=True)
class DraftsRequest:
    """A request for the report; equal requests give equal reports.

    Attributes:
        version: the state of the campaign.
        last_draft: id of its last draft.
    """

    root: Path
    campaign: str
    version: WorkspaceVersion
    last_draft: int


def compute(workspace: Workspace, request: DraftsRequest) -> PreparedReport:
    """The report.

    Raises:
        PagetrailError: it cannot be computed.
    """
    with open_source(workspace, request.campaign) as source:
        return PreparedReport.prepare(drafts(source))
