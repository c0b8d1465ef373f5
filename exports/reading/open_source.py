"""Opens a campaign for reading: a ``Source`` on one snapshot of the database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

from pagetrail.annotation.attempts.submission import SUBMISSION_VERSIONS, SubmissionVersion
from pagetrail.annotation.costs.price_table import PriceTable
from pagetrail.annotation.errors import PagetrailError
from pagetrail.exports.reading.source import (
    PAGE_DPI,
    CheckedGoldName,
    Columns,
    DrawProgress,
    PageContent,
    Progress,
    Source,
)
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.snapshot.result_cache import ResultCache
from pagetrail.storage.snapshot.snapshot import snapshot


@contextmanager
def open_source(
    workspace: Workspace,
    campaign: str,
    *,
    identify: bool = False,
    dpi: int = PAGE_DPI,
    adjudicated: bool = False,
    checked_gold: CheckedGoldName | None = None,
    submission: SubmissionVersion = "first",
    columns: Columns = "published",
    page_content: PageContent = "reference",
    originals: bool = False,
    verdicts: str | None = None,
    undecided: bool = False,
    prices: PriceTable | None = None,
    progress: Progress | None = None,
    drawn: DrawProgress | None = None,
) -> Iterator[Source]:
    """Open a campaign on a snapshot, which later writes do not affect.

    Args:
        adjudicated, checked_gold, submission, columns, page_content, originals, verdicts,
            undecided: see ``Source``.
        prices: in place of the workspace's price table.

    Raises:
        NotFoundError: no such campaign.
        PagetrailError: no such submission (code ``invalid_submission``).
    """
    _check_submission(submission)
    with (
        snapshot(workspace) as database,
        closing(ResultCache(workspace.cache_dir)) as cache,
    ):
        yield Source(
            database=database,
            campaign=database.campaign(campaign),
            identify=identify,
            pseudonyms=database.pseudonyms(),
            progress=progress,
            dpi=dpi,
            adjudicated=adjudicated,
            checked_gold=checked_gold,
            submission=submission,
            columns=columns,
            page_content=page_content,
            originals=originals,
            verdicts=verdicts,
            undecided=undecided,
            prices=database.price_table() if prices is None else prices,
            drawn=drawn,
            cache=cache,
        )


def _check_submission(submission: str) -> None:
    if submission not in SUBMISSION_VERSIONS:
        raise PagetrailError(
            f"There is no submission {submission!r}. Choose from {', '.join(SUBMISSION_VERSIONS)}.",
            code="invalid_submission",
        )
