"""Reports as data frames: every table by its key, with the columns of the reports' CSV files."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from pagetrail.annotation.errors import PagetrailError
from pagetrail.exports.frames import CAMPAIGN
from pagetrail.exports.papers.papers import paper_of
from pagetrail.exports.papers.settings import Settings
from pagetrail.exports.reading.source import Source
from pagetrail.exports.reports.agreement.report import agreement
from pagetrail.exports.reports.drafts.report import drafts
from pagetrail.exports.reports.metrics.report import metrics
from pagetrail.exports.reports.model import Report
from pagetrail.exports.reports.quality.report import quality
from pagetrail.exports.reports.rounds.report import rounds
from pagetrail.exports.reports.suspects.report import suspects
from pagetrail.storage.importers.files.vectors import VectorFile, read_vectors

Frames = dict[str, pd.DataFrame]

_METRICS = (
    "beside",
    "compare",
    "by",
    "idle_cap_s",
    "rule",
    "judgements",
    "verdicts",
    "gold",
    "prices",
)
_MOST_NAMED = 20
_RESAMPLING = ("replicates", "seed")
_PAPER = ("rule", "judgements", "gold", "test_items", "prices", *_RESAMPLING)
OPTIONS: Mapping[str, Sequence[str]] = {
    "metrics": (*_METRICS, "vectors", "by_annotator", *_RESAMPLING),
    "agreement": ("by", "dpi", *_RESAMPLING),
    "quality": ("by",),
    "suspects": ("rule", "judgements", "verdicts", *_RESAMPLING),
    "drafts": (),
    "rounds": (),
    "madqa": (*_PAPER, "verdicts", "vectors"),
    "vidore": _PAPER,
    "unidoc": _PAPER,
    "parsebench": _PAPER,
}
"""Name of each report → the options that it takes."""

_OF_ONE_CAMPAIGN: Mapping[str, Callable[..., Report]] = {
    "metrics": metrics,
    "agreement": agreement,
    "quality": quality,
    "suspects": suspects,
    "drafts": drafts,
    "rounds": rounds,
}


def check_options(name: str, options: Mapping[str, object]) -> None:
    """Refuse a report or an option that does not exist, before anything is read.

    Raises:
        PagetrailError: no such report (code ``invalid_report``), or an option that it does not
            take (``invalid_option``).
    """
    if name not in OPTIONS:
        raise PagetrailError(
            f"There is no report {name!r}. Choose from {', '.join(OPTIONS)}.",
            code="invalid_report",
        )
    for option in options:
        if option not in OPTIONS[name]:
            raise PagetrailError(
                f"The report {name} has no option {option!r}. It takes {', '.join(OPTIONS[name])}.",
                code="invalid_option",
            )


def report_frames(name: str, sources: Sequence[Source], options: Mapping[str, Any]) -> Frames:
    """The tables of a report.

    Args:
        sources: the campaigns. Reports of one campaign are made of each, and their rows joined
            under the column ``campaign``; a paper is made of all of them.
        options: as of the report's builder, and ``verdicts``, with ``vectors`` the path of a file,
            of which rows that are not used are warned of; without ``prices``, which the sources
            have.

    Raises:
        PagetrailError: as the builder.
    """
    if "vectors" in options:
        options = {**options, "vectors": _read_vectors(Path(options["vectors"]))}
    if name not in _OF_ONE_CAMPAIGN:
        paper = paper_of(name, sources, Settings(**options))
        return {table.key: table.frame.infer_objects() for table in paper.tables}
    parts: dict[str, list[pd.DataFrame]] = {}
    options = dict(options)
    verdicts = options.pop("verdicts", None)
    for source in (replace(source, verdicts=verdicts) for source in sources):
        beside = (
            {"beside": list(map(source.for_campaign, options["beside"]))}
            if "beside" in options
            else {}
        )
        for table in _OF_ONE_CAMPAIGN[name](source, **{**options, **beside}).tables:
            # Without messages, which are objects: these frames stay English.
            frame = table.frame.infer_objects().assign(**{CAMPAIGN: source.campaign.name})
            parts.setdefault(table.key, []).append(frame[[CAMPAIGN, *table.frame]])
    return {key: pd.concat(frames, ignore_index=True) for key, frames in parts.items()}


def _read_vectors(path: Path) -> VectorFile:
    file = read_vectors(path)
    if file.bad:
        rows = "; ".join(f"row {bad.line:,} {bad.reason}" for bad in file.bad[:_MOST_NAMED])
        more = f"; and {len(file.bad) - _MOST_NAMED:,} more" * (len(file.bad) > _MOST_NAMED)
        warnings.warn(f"Vectors of {path} that are not used: {rows}{more}.", stacklevel=2)
    return file
