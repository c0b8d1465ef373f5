"""Reports for the results screen: from the cache, or computed with a progress bar."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from threading import Condition

import streamlit as st
from cachetools import LRUCache, cached

from pagetrail.exports.reading.open_source import opened
from pagetrail.exports.reading.source import Progress
from pagetrail.exports.reports.agreement.report import agreement
from pagetrail.exports.reports.metrics.input_rows import Gold
from pagetrail.exports.reports.metrics.report import metrics
from pagetrail.exports.reports.model import Report
from pagetrail.storage.database.workspace import Workspace

_EVERY = 50


@dataclass(frozen=True)
class Wanted:
    """A request for a report; equal requests give equal reports.

    Attributes:
        moment: numbers that change when the underlying data do.
        by: the grouping of breakdowns; None for the report's default.
        compare: systems to compare with the people.
        judgements: the campaign whose verdicts decide which answers are right.
        gold: which gold to use.
    """

    root: Path
    campaign: str
    moment: tuple[int, ...]
    agreement: bool
    identify: bool = False
    by: str | None = None
    compare: tuple[str, ...] = ()
    idle_cap_s: int = 60
    judgements: str | None = None
    gold: Gold = "task"
    by_annotator: bool = False


def report_of(workspace: Workspace, wanted: Wanted) -> Report:
    """The report; a progress bar is shown while it is computed.

    Raises:
        PagetrailError: it cannot be computed; the message says why.
    """
    if wanted in _build.cache:
        return _build(workspace, wanted, None)
    with st.spinner("Computing the results …"):
        bar = st.empty()

        def tell(done: int, of: int) -> None:
            if of and done % _EVERY == 0:
                bar.progress(min(1.0, done / of), text=f"{done} of {of} attempts read")

        report = _build(workspace, wanted, tell)
        bar.empty()
        return report


# Sessions that request the same report at once share one computation.
@cached(LRUCache(24), key=lambda _workspace, wanted, _tell: wanted, condition=Condition())
def _build(workspace: Workspace, wanted: Wanted, tell: Progress | None) -> Report:
    with opened(workspace, wanted.campaign, identify=wanted.identify, progress=tell) as source:
        if wanted.agreement:
            return agreement(source, by=wanted.by)
        return metrics(
            source,
            compare=list(wanted.compare),
            by=wanted.by,
            idle_cap_s=wanted.idle_cap_s,
            judgements=wanted.judgements,
            gold=wanted.gold,
            by_annotator=wanted.by_annotator,
        )
