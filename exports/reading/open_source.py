"""Opens a campaign for reading: a ``Source`` on one snapshot of the database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import TypedDict, Unpack

from pagetrail.annotation.attempts.submission import SUBMISSION_VERSIONS, SubmissionVersion
from pagetrail.annotation.costs.price_table import PriceTable
from pagetrail.annotation.errors import PagetrailError
from pagetrail.exports.reading.source import (
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


class SourceOptions(TypedDict, total=False):
    """What is read of a campaign, as ``Source`` says; ``prices`` replace the workspace's table."""

    identify: bool
    dpi: int
    adjudicated: bool
    checked_gold: CheckedGoldName | None
    submission: SubmissionVersion
    columns: Columns
    page_content: PageContent
    originals: bool
    verdicts: str | None
    undecided: bool
    prices: PriceTable | None


@contextmanager
def open_source(
    workspace: Workspace,
    campaign: str,
    *,
    progress: Progress | None = None,
    drawn: DrawProgress | None = None,
    **options: Unpack[SourceOptions],
) -> Iterator[Source]:
    """Open a campaign on a snapshot, which later writes do not affect.

    Raises:
        NotFoundError: no such campaign.
        PagetrailError: no such submission (code ``invalid_submission``).
    """
    _check_submission(options.get("submission", "first"))
    with (
        snapshot(workspace) as database,
        closing(ResultCache(workspace.cache_dir)) as cache,
    ):
        source = Source(
            database=database,
            campaign=database.campaign(campaign),
            identify=False,
            pseudonyms=database.pseudonyms(),
            progress=progress,
            drawn=drawn,
            cache=cache,
        )
        if options.get("prices") is None:
            options["prices"] = database.price_table()
        yield replace(source, **options)


def _check_submission(submission: str) -> None:
    if submission not in SUBMISSION_VERSIONS:
        raise PagetrailError(
            f"There is no submission {submission!r}. Choose from {', '.join(SUBMISSION_VERSIONS)}.",
            code="invalid_submission",
        )
