"""A workspace as data frames, for notebooks: ``pagetrail.open("ws")``.

Frames of work have the columns of the export formats (docs/formats.md), frames of reports those of
the reports' CSV files. Nothing in the database is changed; the search index and what reports keep
are made where they are missing.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd

from pagetrail.annotation.attempts.submission import Which
from pagetrail.exports.formats import labels, trajectories
from pagetrail.exports.reading.open_source import opened
from pagetrail.exports.reading.source import Source, Written
from pagetrail.exports.reports.agreement.report import agreement
from pagetrail.exports.reports.metrics.report import metrics
from pagetrail.exports.reports.metrics.scores import TABLE as SCORES
from pagetrail.exports.reports.metrics.scores import write_scores
from pagetrail.exports.reports.model import Report
from pagetrail.exports.reports.render.csv_text import table_values
from pagetrail.storage.campaigns.lookup import list_campaigns
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.search.engine import WhooshIndex
from pagetrail.storage.search.store import ensure_index

Writer = Callable[[Source, Path], Written]


class NotebookWorkspace:
    """A workspace to be read. Every method reads what is stored at that moment.

    Methods with a ``campaign`` raise ``NotFoundError`` where there is none of that name.

    Args:
        folder: the workspace.
        identify: people under their names instead of pseudonyms.
        submission: ``first`` for what people submitted before anybody sent it back or helped,
            ``final`` for their last submission.

    Raises:
        WorkspaceError: the folder is no workspace, or it cannot be opened.
    """

    def __init__(
        self, folder: Path | str, *, identify: bool = False, submission: Which = "first"
    ) -> None:
        self._workspace = Workspace.open(Path(folder))
        self._identify = identify
        self._submission: Which = submission

    def __repr__(self) -> str:
        return f"pagetrail.open({str(self._workspace.root)!r})"

    @property
    def campaigns(self) -> pd.DataFrame:
        """One row per campaign, archived ones too; columns as ``pagetrail campaigns --json``."""
        return pd.DataFrame(map(asdict, list_campaigns(self._workspace, archived=True)))

    def attempts(self, campaign: str) -> pd.DataFrame:
        """One row per attempt with its times; ``attempts.parquet`` of format ``trajectories``."""
        return self._written(trajectories.write, "attempts.parquet", campaign)

    def events(self, campaign: str) -> pd.DataFrame:
        """One row per event; ``events.parquet`` of format ``trajectories``, payloads as JSON."""
        return self._written(trajectories.write, "events.parquet", campaign)

    def labels(self, campaign: str) -> pd.DataFrame:
        """One row per value of a field; ``labels.parquet`` of format ``labels``."""
        return self._written(labels.write, labels.TABLE, campaign)

    def boxes(self, campaign: str) -> pd.DataFrame:
        """One row per box, in points; ``boxes.jsonl`` of format ``labels``."""
        return self._written(labels.write, labels.BOXES, campaign)

    def scores(self, campaign: str) -> pd.DataFrame:
        """One row per submitted attempt; ``scores.parquet`` of format ``scores``."""
        return self._written(write_scores, SCORES, campaign)

    def metrics(self, campaign: str, **options: Any) -> dict[str, pd.DataFrame]:
        """The tables of ``pagetrail metrics`` by key, which names their CSV files.

        Args:
            options: of ``exports.reports.metrics.report.metrics``.

        Raises:
            PagetrailError: as that function.
        """
        return self._report(metrics, campaign, options)

    def agreement(self, campaign: str, **options: Any) -> dict[str, pd.DataFrame]:
        """The tables of ``pagetrail agreement`` by key, which names their CSV files.

        Args:
            options: of ``exports.reports.agreement.report.agreement``.

        Raises:
            PagetrailError: as that function.
        """
        return self._report(agreement, campaign, options)

    def search(self, query: str, top_k: int = 5) -> pd.DataFrame:
        """What annotators and agents find: ``rank``, ``file``, ``page``, ``score``.

        Raises:
            QueryRefused: the engine does not take the query.
        """
        stored = ensure_index(self._workspace)
        outcome = WhooshIndex(stored.folder, stored.identity).search(query, top_k)
        return pd.DataFrame([hit.model_dump() for hit in outcome.results])

    def _opened(self, campaign: str) -> AbstractContextManager[Source]:
        return opened(
            self._workspace, campaign, identify=self._identify, submission=self._submission
        )

    def _written(self, write: Writer, file: str, campaign: str) -> pd.DataFrame:
        with self._opened(campaign) as source, TemporaryDirectory() as folder:
            write(source, Path(folder))
            path = Path(folder, file)
            if path.suffix == ".parquet":
                return pd.read_parquet(path)
            with path.open(encoding="utf-8") as lines:  # pandas would guess types
                return pd.DataFrame(map(json.loads, lines))

    def _report(
        self, make: Callable[..., Report], campaign: str, options: dict[str, Any]
    ) -> dict[str, pd.DataFrame]:
        with self._opened(campaign) as source:
            tables = make(source, **options).tables
        frames = {}
        for table in tables:
            names, rows = table_values(table)
            frames[table.key] = pd.DataFrame(rows, columns=names)
        return frames
