"""Opening a campaign to be read: one snapshot of the database behind one ``Source``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pagetrail.exports.reading.source import PAGE_DPI, Progress, Source
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.snapshot.snapshot import snapshot


@contextmanager
def opened(
    workspace: Workspace,
    campaign: str,
    *,
    identify: bool = False,
    dpi: int = PAGE_DPI,
    adjudicated: bool = False,
    progress: Progress | None = None,
) -> Iterator[Source]:
    """The campaign as it is now; what is written meanwhile is not seen.

    Args:
        adjudicated: the gold decided in review counts, see ``Source``.

    Raises:
        NotFoundError: no such campaign.
    """
    with snapshot(workspace) as database:
        yield Source(
            database=database,
            campaign=database.campaign(campaign),
            identify=identify,
            pseudonyms=database.pseudonyms(),
            progress=progress,
            dpi=dpi,
            adjudicated=adjudicated,
        )
