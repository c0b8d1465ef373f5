"""Runs an export: writes one snapshot as a complete folder or not at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast, get_args

from pydantic import BaseModel, ConfigDict, SkipValidation

from pagetrail.annotation.attempts.submission import SubmissionVersion
from pagetrail.annotation.costs.price_table import PriceTable
from pagetrail.annotation.errors import NotFoundError, OutputError, PagetrailError
from pagetrail.annotation.options import option
from pagetrail.annotation.protocols.conditions import condition_of
from pagetrail.exports.formats import (
    adjudicated,
    answers_to_merge,
    atif,
    authored,
    coco,
    gold,
    judgements,
    label_studio,
    labels,
    madqa,
    model_quality,
    page_scores,
    pages,
    parsebench,
    parsebench_dataset,
    reviews,
    table_fixes,
    trajectories,
    transcripts,
    trec_and_beir,
    trec_runs,
    vidore,
)
from pagetrail.exports.formats.export_format import Format, Option
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reading.source import (
    PAGE_DPI,
    Columns,
    PageContent,
    Progress,
    Source,
    WrittenFiles,
)
from pagetrail.exports.reports.dataset import folder as dataset
from pagetrail.exports.reports.metrics import inspect_logs, scores
from pagetrail.exports.reports.metrics.judging import trajectory_tasks
from pagetrail.exports.writing.left_out import left_out_words
from pagetrail.exports.writing.manifest import Manifest, describe_export
from pagetrail.exports.writing.originals import write_originals
from pagetrail.exports.writing.output_folder import new_folder
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.corpus.page_images import MAX_DPI, MIN_DPI
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.search.index import identity_of

FORMATS: dict[str, Format] = {
    format_.name: format_
    for format_ in (
        madqa.FORMAT,
        trajectories.FORMAT,
        gold.FORMAT,
        adjudicated.FORMAT,
        labels.FORMAT,
        transcripts.FORMAT,
        table_fixes.FORMAT,
        vidore.FORMAT,
        trec_and_beir.TREC,
        trec_and_beir.BEIR,
        trec_runs.FORMAT,
        coco.FORMAT,
        label_studio.FORMAT,
        page_scores.FORMAT,
        parsebench.FORMAT,
        parsebench_dataset.FORMAT,
        pages.FORMAT,
        model_quality.FORMAT,
        reviews.FORMAT,
        judgements.FORMAT,
        answers_to_merge.FORMAT,
        trajectory_tasks.FORMAT,
        scores.FORMAT,
        inspect_logs.FORMAT,
        atif.FORMAT,
        dataset.FORMAT,
        authored.FORMAT,
    )
}
"""All formats, in the order in which help texts and screens list them."""

ADJUDICATED = "adjudicated"
CORRECTED: Literal["corrected"] = "corrected"
ORIGINAL: Literal["original"] = "original"
CHECKED_GOLDS = (CORRECTED, ORIGINAL)
"""Gold after and before checks of suspect gold."""

COLUMNS: tuple[Columns, ...] = get_args(Columns)
PAGE_CONTENTS: tuple[PageContent, ...] = get_args(PageContent)


class _Refusal(NamedTuple):
    """Words for refusing an option; ``takers`` are the formats that take it."""

    code: str
    sentence: str


_REFUSALS: Mapping[Option, _Refusal] = {
    "columns": _Refusal(
        "invalid_columns",
        "The format {name} has its columns in one way; only {takers} can have those of mteb.",
    ),
    "page_content": _Refusal(
        "invalid_page_content", "The format {name} has no calls of read_page; {takers} do."
    ),
    "originals": _Refusal(
        "originals_not_taken",
        "The format {name} holds no runs with their originals; {takers} do.",
    ),
    "verdicts": _Refusal(
        "verdicts_not_taken",
        "The format {name} holds no verdicts imported from elsewhere; {takers} does.",
    ),
    "prices": _Refusal(
        "prices_not_taken",
        "The format {name} has no cost; {takers} does.",
    ),
    "undecided": _Refusal(
        "undecided_not_taken",
        "The format {name} does not choose among answers; {takers} does.",
    ),
}

_SURROUNDINGS = ("categories", "corpus", "pages")
"""Counts that an export has even without any work."""


def formats_with(option: Option) -> list[str]:
    """Names of the formats that take an option."""
    return [name for name, format_ in FORMATS.items() if option in format_.options]


def formats_by_gold() -> list[str]:
    """Names of the formats that can use the gold decided in review, those that hold it first."""
    rules = {name: format_.gold for name, format_ in FORMATS.items() if format_.gold is not None}
    return sorted(rules, key=lambda name: not rules[name].replaces_work)


def formats_by_checks() -> list[str]:
    """Names of the formats that can use the gold after or before checks of suspect gold."""
    return [
        name for name, format_ in FORMATS.items() if format_.gold and format_.gold.follows_checks
    ]


class ExportOptions(BaseModel):
    """What an export of a campaign has in it.

    Attributes:
        verdicts: of ``scores``, the set of outside verdicts that judges the answers.
        prices: of ``scores``, a price table in place of the workspace's.
        overwrite: replace an earlier export, whose folder may have other files, which stay; any
            other folder with files in it is left alone.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    identify: bool = option(False, "Show annotators' names instead of pseudonyms.")
    gold: str | None = option(
        None,
        f"{ADJUDICATED}: the last version decided in review, instead of people's work or "
        f"the gold that tasks came with, without dropped tasks. For "
        f"{', '.join(formats_by_gold())}. {CORRECTED}: the gold after checks of suspect gold, "
        f"without dropped tasks; {ORIGINAL}: that before. For "
        f"{', '.join(formats_by_checks())}.",
        metavar="GOLD",
    )
    submission: str = option(
        "first",
        "Which submission of each attempt counts: first (before anybody sent the task back, "
        "commented on it or showed its gold) or final (the last one).",
        metavar="WHICH",
    )
    columns: str = option(
        "published",
        f"Of {', '.join(formats_with('columns'))}: published for the columns of the "
        "published data sets, mteb for the names that mteb's loader reads.",
        metavar="NAMES",
    )
    page_content: str = option(
        "reference",
        f"Of {', '.join(formats_with('page_content'))}: what read_page returned: "
        "reference (which page it was), text or image.",
        flag="--pages",
        metavar="CONTENT",
    )
    originals: bool = option(
        False,
        "Also write the rows and samples that imported runs were read from. For "
        f"{', '.join(formats_with('originals'))}.",
    )
    verdicts: str | None = None
    undecided: bool = option(
        False,
        f"Of {', '.join(formats_with('undecided'))}: only answers that the rule leaves undecided, "
        "and a random share of those that it decided.",
    )
    prices: SkipValidation[PriceTable | None] = None
    overwrite: bool = option(False, "Replace an earlier export in that folder.")
    dpi: int = option(PAGE_DPI, "Resolution of page images, if the format has them.")


def export(
    workspace: Workspace,
    campaign: str,
    format_: str,
    out: Path,
    *,
    refuse_empty: bool = False,
    progress: Progress | None = None,
    **fields: Any,
) -> Manifest:
    """Write a campaign to the folder ``out``; returns its manifest.

    The folder appears complete or not at all: it is written beside ``out`` and then renamed. The
    same database gives the same bytes. What people wrote themselves (answers, notes, comments) is
    exported as it is, whether or not they appear under pseudonyms.

    Args:
        refuse_empty: write no folder where there is nothing to write.
        fields: of ``ExportOptions``.

    Raises:
        NotFoundError: no such campaign or format; with ``refuse_empty``, nothing to write.
        ConflictError: ``out`` is in use.
        OutputError: the files cannot be written.
        PagetrailError: a dpi that pages are not drawn at (code ``invalid_dpi``), no such gold
            (``invalid_gold``), a format that cannot go by it (``gold_not_taken``), no such
            submission (``invalid_submission``), no such columns (``invalid_columns``), no such
            content or no pages read in the format (``invalid_page_content``), originals of a format
            without runs (``originals_not_taken``), verdicts for another format
            (``verdicts_not_taken``), undecided answers of one (``undecided_not_taken``), or prices
            for one (``prices_not_taken``).
    """
    options = ExportOptions(**fields)
    gold, page_content = options.gold, options.page_content
    _check_options(format_, options)
    with open_source(
        workspace,
        campaign,
        identify=options.identify,
        dpi=options.dpi,
        adjudicated=gold == ADJUDICATED,
        checked_gold=next((name for name in CHECKED_GOLDS if name == gold), None),
        submission=cast("SubmissionVersion", options.submission),
        columns=cast("Columns", options.columns),
        page_content=cast("PageContent", page_content),
        originals=options.originals,
        verdicts=options.verdicts,
        undecided=options.undecided,
        prices=options.prices,
        progress=progress,
    ) as source:
        try:
            with new_folder(out, overwrite=options.overwrite) as folder:
                tally = FORMATS[format_].write(source, folder)
                source.leave_out_excluded(tally)
                if options.originals:
                    write_originals(source, folder, tally)
                    tally.choices["originals"] = True
                if page_content != PAGE_CONTENTS[0]:
                    tally.choices["page_content"] = page_content
                if refuse_empty:
                    _check_not_empty(format_, tally)
                if has_submissions(format_, gold):
                    tally.choices["submission"] = options.submission
                if options.undecided:
                    tally.choices["answers"] = "undecided"
                if source.campaign.protocol.study.conditions:
                    tally.choices["conditions"] = _conditions(source)
                manifest = describe_export(
                    source, format_, folder, tally, _index_id(workspace, source)
                )
                manifest.save(folder)
        except OSError as error:
            raise OutputError(f"{out} cannot be written: {error}") from error
    return manifest


def has_submissions(format_: str, gold: str | None) -> bool:
    """Whether it matters to an export which submission of an attempt counts."""
    rule = FORMATS[format_].gold
    holds_gold_alone = gold is not None and rule is not None and rule.replaces_work
    return FORMATS[format_].has_submissions and not holds_gold_alone


def _check_options(format_: str, options: ExportOptions) -> None:
    if format_ not in FORMATS:
        raise NotFoundError(f"There is no format {format_!r}. Formats: {', '.join(FORMATS)}.")
    if not MIN_DPI <= options.dpi <= MAX_DPI:
        raise PagetrailError(
            f"Pages are drawn at {MIN_DPI} to {MAX_DPI} dpi, not at {options.dpi}.",
            code="invalid_dpi",
        )
    _check_gold(format_, options.gold)
    _check_choice("columns", options.columns, COLUMNS, "invalid_columns")
    _check_choice("page content", options.page_content, PAGE_CONTENTS, "invalid_page_content")
    are_given: dict[Option, bool] = {
        "columns": options.columns != COLUMNS[0],
        "page_content": options.page_content != PAGE_CONTENTS[0],
        "originals": options.originals,
        "verdicts": options.verdicts is not None,
        "undecided": options.undecided,
        "prices": options.prices is not None,
    }
    for name, is_given in are_given.items():
        if is_given:
            _check_option(format_, name)


def _check_gold(format_: str, gold: str | None) -> None:
    if gold is None:
        return
    if gold not in (ADJUDICATED, *CHECKED_GOLDS):
        raise PagetrailError(
            f"There is no gold {gold!r} to export by: give {ADJUDICATED}, for the gold decided in "
            f"review, {CORRECTED} or {ORIGINAL}, for that after or before checks of suspect gold, "
            "or leave it away.",
            code="invalid_gold",
        )
    if gold in CHECKED_GOLDS and format_ not in formats_by_checks():
        raise PagetrailError(
            f"The format {format_} does not go by checked gold of tasks; "
            f"{', '.join(formats_by_checks())} do. With {ADJUDICATED}, dropped tasks are left out.",
            code="gold_not_taken",
        )
    if FORMATS[format_].gold is None:
        raise PagetrailError(
            f"The format {format_} does not go by gold decided in review; "
            f"{', '.join(formats_by_gold())} do. Leave --gold away, or choose one of these.",
            code="gold_not_taken",
        )


def _check_choice(label: str, choice: str, choices: Sequence[str], code: str) -> None:
    if choice not in choices:
        verb = "are" if label.endswith("s") else "is"
        raise PagetrailError(
            f"There {verb} no {label} {choice!r}. Choose from {', '.join(choices)}.", code=code
        )


def _check_option(format_: str, name: Option) -> None:
    if name not in FORMATS[format_].options:
        refusal = _REFUSALS[name]
        takers = ", ".join(formats_with(name))
        raise PagetrailError(
            refusal.sentence.format(name=format_, takers=takers), code=refusal.code
        )


def _conditions(source: Source) -> dict[str, str]:
    """Annotator → the condition of the study that they work under."""
    protocol = source.campaign.protocol.name
    conditions = [
        (source.name(user), condition_of(protocol, setting))
        for user, setting in source.database.settings(source.campaign.id)
    ]
    return {
        annotator: condition
        for annotator, condition in sorted(conditions, key=lambda pair: pair[0])
        if condition is not None
    }


def _check_not_empty(format_: str, tally: WrittenFiles) -> None:
    if any(n for name, n in tally.counts.items() if name not in _SURROUNDINGS):
        return
    reasons = "; ".join(left_out_words(entry) for entry in tally.left_out)
    raise NotFoundError(
        f"There is nothing to export as {format_}, so nothing was written. "
        + (f"Left out: {reasons}." if reasons else "The campaign has no work of that kind.")
    )


def _index_id(workspace: Workspace, source: Source) -> str | None:
    """Computed from the stored texts, so that an export does not depend on whether it was built."""
    return identity_of(Corpus(workspace).pages()) if source.database.corpus().pages else None
