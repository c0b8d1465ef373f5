"""A workspace as data frames, for notebooks: ``pagetrail.open("ws")``.

Frames of work have the columns of the export formats (docs/formats.md), frames of reports those of
the reports' CSV files, each with the column ``campaign`` first. The database is never changed; a
missing search index and missing cached results are created.

pandas and the reports take seconds to import, so methods import them when they are first called.
"""

# ruff: noqa: PLC0415 - see above

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pagetrail.annotation.attempts.submission import SubmissionVersion
from pagetrail.storage.campaigns.lookup import CampaignSummary, list_campaigns
from pagetrail.storage.campaigns.price_tables import read_price_table
from pagetrail.storage.database.workspace import Workspace

if TYPE_CHECKING:
    import pandas as pd

    from pagetrail.exports.gold.gold_checks import Gold
    from pagetrail.exports.reading.source import Source
    from pagetrail.storage.search.engine import WhooshIndex

Campaigns = str | Sequence[str] | None
"""One campaign, several, or None for all campaigns of the workspace."""

ReportName = Literal[
    "metrics",
    "agreement",
    "quality",
    "suspects",
    "drafts",
    "rounds",
    "madqa",
    "vidore",
    "unidoc",
    "parsebench",
]
_ALL_DOCUMENTS = 2**31 - 1


class NotebookWorkspace:
    """An open workspace. Every method reads the current data.

    ``campaigns`` is the name of a campaign, a list of names, or None for all, including archived
    ones.
    Methods that take it raise ``NotFoundError`` for a name that does not exist. Close the workspace
    with ``close()`` or use it in a ``with`` statement.

    Args:
        folder: the workspace.
        identify: show people's names instead of pseudonyms.
        submission: ``first`` for people's submissions before anything was sent back or commented,
            ``final`` for their last submissions.

    Raises:
        WorkspaceError: the folder is not a workspace, or cannot be opened.
    """

    def __init__(
        self, folder: Path | str, *, identify: bool = False, submission: SubmissionVersion = "first"
    ) -> None:
        self._workspace = Workspace.open(Path(folder))
        self._identify = identify
        self._submission: SubmissionVersion = submission
        self._index: WhooshIndex | None = None
        self._index_revision = -1

    def __repr__(self) -> str:
        return f"pagetrail.open({str(self._workspace.root)!r})"

    def __enter__(self) -> NotebookWorkspace:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the database and the search index."""
        if self._index is not None:
            self._index.close()
            self._index = None
        self._workspace.engine.dispose()

    @property
    def campaigns(self) -> pd.DataFrame:
        """One row per campaign, even archived; columns as in ``pagetrail campaigns --json``."""
        import pandas as pd

        rows = [asdict(summary) for summary in list_campaigns(self._workspace, archived=True)]
        return pd.DataFrame(rows, columns=[field.name for field in fields(CampaignSummary)])

    def documents(self) -> pd.DataFrame:
        """One row per document: ``name``, ``sha256``, ``pages``, ``ocr_pages``, ``empty_pages``
        (without text, so that search cannot find them), ``bytes``, ``added_at``.
        """
        from pagetrail.exports.frames import document_frame
        from pagetrail.storage.corpus.overview import find_documents

        return document_frame(find_documents(self._workspace, limit=_ALL_DOCUMENTS)[1])

    def tasks(self, campaigns: Campaigns = None) -> pd.DataFrame:
        """One row per task: ``task`` (its id), ``batch``, and the fields of the task schema."""
        from pagetrail.exports.frames import task_frame

        with self._sources(campaigns) as sources:
            return task_frame(sources)

    def gold(self, campaigns: Campaigns = None, *, gold: Gold = "task") -> pd.DataFrame:
        """One row per task that has gold, with the fields of the task schema.

        Args:
            gold: ``task`` for the gold that tasks were imported with; ``adjudicated`` for the last
                version decided in review, with ``adjudication`` (who, when, why and from which
                attempts) and ``previous`` (the imported gold); ``corrected`` for the gold after
                checks of suspect gold, with the ``decision``, without dropped tasks.

        Raises:
            PagetrailError: an unknown kind of gold (code ``invalid_gold``).
        """
        from pagetrail.exports.frames import gold_frame
        from pagetrail.exports.reports.options import check_gold

        check_gold(gold)
        with self._sources(campaigns) as sources:
            return gold_frame(sources, gold)

    def attempts(self, campaigns: Campaigns = None) -> pd.DataFrame:
        """One row per attempt with its times; ``attempts.parquet`` of format ``trajectories``."""
        return self._parquet_frame("attempts", campaigns)

    def events(self, campaigns: Campaigns = None) -> pd.DataFrame:
        """One row per event; ``events.parquet`` of format ``trajectories``, payloads as JSON."""
        return self._parquet_frame("events", campaigns)

    def labels(self, campaigns: Campaigns = None) -> pd.DataFrame:
        """One row per value of a field; ``labels.parquet`` of format ``labels``."""
        return self._parquet_frame("labels", campaigns)

    def boxes(self, campaigns: Campaigns = None) -> pd.DataFrame:
        """One row per box, in points; ``boxes.jsonl`` of format ``labels``."""
        from pagetrail.exports.frames import box_frame

        with self._sources(campaigns) as sources:
            return box_frame(sources)

    def scores(self, campaigns: Campaigns = None) -> pd.DataFrame:
        """One row per submitted attempt; ``scores.parquet`` of format ``scores``."""
        return self._parquet_frame("scores", campaigns)

    def metrics(self, campaigns: Campaigns = None, **options: Any) -> dict[str, pd.DataFrame]:
        """The tables of ``pagetrail metrics`` by key; options as of ``report``."""
        return self.report("metrics", campaigns, **options)

    def agreement(self, campaigns: Campaigns = None, **options: Any) -> dict[str, pd.DataFrame]:
        """The tables of ``pagetrail agreement`` by key; options as of ``report``."""
        return self.report("agreement", campaigns, **options)

    def report(
        self,
        name: ReportName,
        campaigns: Campaigns = None,
        *,
        prices: Path | str | None = None,
        **options: Any,
    ) -> dict[str, pd.DataFrame]:
        """The tables of a report, or of a paper and its charts, by the keys of their CSV files.

        ``metrics``, ``agreement``, ``quality``, ``suspects``, ``drafts`` and ``rounds`` are
        computed per campaign and the rows joined; a paper is computed from all campaigns together.

        Args:
            prices: file of a price table to use in place of the workspace's.
            options: the fields of the report's options, which are the options of the command:
                ``MetricsOptions``, ``AgreementOptions``, ``QualityOptions``, ``SuspectsOptions``
                and ``PaperOptions``. Those that are None use the default.

        Raises:
            PagetrailError: no such report (code ``invalid_report``), an option that it does not
                have or a value that it does not take (``invalid_option``), or an error of
                ``exports.reports``.
        """
        from pagetrail.exports.report_frames import read_options, report_frames

        set_options = {key: value for key, value in options.items() if value is not None}
        report_options = read_options(name, set_options)
        price_table = None if prices is None else read_price_table(Path(prices))
        with self._sources(campaigns) as sources:
            priced_sources = [
                replace(source, prices=price_table or source.prices) for source in sources
            ]
            return report_frames(name, priced_sources, report_options)

    def search(self, query: str, top_k: int = 5) -> pd.DataFrame:
        """Search results that annotators and agents get: ``rank``, ``file``, ``page``, ``score``.

        The index stays open between calls and is rebuilt when the collection has changed.

        Raises:
            QueryRefused: the query is invalid.
        """
        import pandas as pd

        from pagetrail.annotation.events.search_results import SearchHit

        hits = self._current_index().search(query, top_k).results
        return pd.DataFrame(
            [hit.model_dump() for hit in hits], columns=list(SearchHit.model_fields)
        )

    def _current_index(self) -> WhooshIndex:
        from pagetrail.storage.corpus.documents import Corpus
        from pagetrail.storage.search.engine import WhooshIndex
        from pagetrail.storage.search.store import ensure_index

        revision = Corpus(self._workspace).revision
        if self._index is None or revision != self._index_revision:
            stored = ensure_index(self._workspace)
            if self._index is not None:
                self._index.close()
            self._index = WhooshIndex(stored.folder, stored.identity)
            self._index_revision = stored.revision
        return self._index

    def _parquet_frame(self, name: str, campaigns: Campaigns) -> pd.DataFrame:
        from pagetrail.exports.frames import PARQUET_TABLES, parquet_frame

        with self._sources(campaigns) as sources:
            return parquet_frame(PARQUET_TABLES[name], sources)

    @contextmanager
    def _sources(self, campaigns: Campaigns) -> Iterator[list[Source]]:
        """The campaigns, all read from one snapshot."""
        from pagetrail.exports.reading.open_source import open_source

        names = [campaigns] if isinstance(campaigns, str) else campaigns
        if names is None:
            names = [summary.name for summary in list_campaigns(self._workspace, archived=True)]
        names = list(dict.fromkeys(names))
        if not names:
            yield []
            return
        with open_source(
            self._workspace, names[0], identify=self._identify, submission=self._submission
        ) as source:
            yield [source, *map(source.for_campaign, names[1:])]
