"""Computes the recheck of a campaign in a worker process, without Streamlit."""

from __future__ import annotations

from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.recheck.findings import Recheck, recheck
from pagetrail.storage.database.workspace import Workspace

COMPUTE = f"{__name__}:compute"


def compute(workspace: Workspace, campaign: str, identify: bool) -> Recheck:
    """All findings of the campaign."""
    with open_source(workspace, campaign, identify=identify, submission="final") as source:
        return recheck(source)
