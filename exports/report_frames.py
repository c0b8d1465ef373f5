"""Reports as data frames: every table by its key, with the columns of the reports' CSV files."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pandas as pd
from pydantic import ValidationError

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.options import options_of
from pagetrail.annotation.readable_errors import describe
from pagetrail.exports.frames import CAMPAIGN
from pagetrail.exports.papers.options import PaperOptions
from pagetrail.exports.papers.papers import PAPERS, paper_of
from pagetrail.exports.reading.source import Source
from pagetrail.exports.reports.agreement.report import AgreementOptions, agreement
from pagetrail.exports.reports.drafts.report import drafts
from pagetrail.exports.reports.metrics.report import MetricsOptions, metrics
from pagetrail.exports.reports.model import Report
from pagetrail.exports.reports.options import ReportOptions, ScoredOptions
from pagetrail.exports.reports.quality.report import QualityOptions, quality
from pagetrail.exports.reports.rounds.report import rounds
from pagetrail.exports.reports.suspects.report import SuspectsOptions, suspects
from pagetrail.storage.importers.files.vectors import VectorFile

Frames = dict[str, pd.DataFrame]

_MOST_NAMED = 20
_OF_ONE_CAMPAIGN: Mapping[str, tuple[Callable[..., Report], type[ReportOptions]]] = {
    "metrics": (metrics, MetricsOptions),
    "agreement": (agreement, AgreementOptions),
    "quality": (quality, QualityOptions),
    "suspects": (suspects, SuspectsOptions),
    "drafts": (drafts, ReportOptions),
    "rounds": (rounds, ReportOptions),
}
_NAMES = (*_OF_ONE_CAMPAIGN, *PAPERS)


def read_options(name: str, options: Mapping[str, object]) -> ReportOptions:
    """The options of a report, before anything is read.

    Raises:
        PagetrailError: no such report (code ``invalid_report``), an option that it does not take,
            or a value that the option does not take (``invalid_option``).
    """
    if name not in _NAMES:
        raise PagetrailError(
            f"There is no report {name!r}. Choose from {', '.join(_NAMES)}.",
            code="invalid_report",
        )
    model = _OF_ONE_CAMPAIGN[name][1] if name in _OF_ONE_CAMPAIGN else PaperOptions
    for option in options:
        if option not in model.model_fields:
            taken = ", ".join(options_of(model)) or "none"
            raise PagetrailError(
                f"The report {name} has no option {option!r}. It takes {taken}.",
                code="invalid_option",
            )
    try:
        return model.model_validate(options)
    except ValidationError as error:
        raise PagetrailError(describe(error), code="invalid_option") from error


def report_frames(name: str, sources: Sequence[Source], report_options: ReportOptions) -> Frames:
    """The tables of a report.

    Args:
        sources: the campaigns. Reports of one campaign are made of each, and their rows joined
            under the column ``campaign``; a paper is made of all of them.
        report_options: as of ``read_options``. Unused rows of a file of vectors are warned of.

    Raises:
        PagetrailError: as the builder.
    """
    if isinstance(report_options, ScoredOptions) and report_options.vector_file is not None:
        _warn_of_unused(report_options.vector_file, report_options.vectors)
    if isinstance(report_options, PaperOptions):
        paper = paper_of(name, sources, report_options)
        return {table.key: table.frame.infer_objects() for table in paper.tables}
    build, model = _OF_ONE_CAMPAIGN[name]
    parts: dict[str, list[pd.DataFrame]] = {}
    for source in sources:
        report = build(source, report_options) if model.model_fields else build(source)
        for table in report.tables:
            # Without messages, which are objects: these frames stay English.
            frame = table.frame.infer_objects().assign(**{CAMPAIGN: source.campaign.name})
            parts.setdefault(table.key, []).append(frame[[CAMPAIGN, *table.frame]])
    return {key: pd.concat(frames, ignore_index=True) for key, frames in parts.items()}


def _warn_of_unused(file: VectorFile, path: Path | None) -> None:
    if file.bad:
        rows = "; ".join(f"row {bad.line:,} {bad.reason}" for bad in file.bad[:_MOST_NAMED])
        more = f"; and {len(file.bad) - _MOST_NAMED:,} more" * (len(file.bad) > _MOST_NAMED)
        warnings.warn(f"Vectors of {path} that are not used: {rows}{more}.", stacklevel=3)
