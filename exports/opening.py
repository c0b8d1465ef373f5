"""Opening a campaign to be read: one snapshot of the database behind one ``Source``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from exports.source import PAGE_DPI, Progress, Source
from storage.corpus import Corpus
from storage.export_queries import Snapshot, snapshot
from storage.search_index import identity_of
from storage.workspace import Workspace


@contextmanager
def opened(
    workspace: Workspace,
    campaign: str,
    *,
    identify: bool = False,
    dpi: int = PAGE_DPI,
    progress: Progress | None = None,
) -> Iterator[Source]:
    """The campaign as it is now; what is written meanwhile is not seen.

    Raises:
        NotFoundError: no such campaign.
    """
    with snapshot(workspace) as database:
        yield Source(
            database=database,
            campaign=database.campaign(campaign),
            identify=identify,
            pseudonyms=database.pseudonyms(),
            index_id=_index_id(workspace, database),
            progress=progress,
            dpi=dpi,
        )


def _index_id(workspace: Workspace, database: Snapshot) -> str | None:
    """Worked out from the stored texts: an export does not depend on whether one was built."""
    return identity_of(Corpus(workspace).pages()) if database.corpus().pages else None
