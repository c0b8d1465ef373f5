"""Running an export: one snapshot in, one complete folder out, or nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import get_args

from pagetrail.annotation.attempts.submission import Which
from pagetrail.annotation.errors import NotFoundError, OutputError, PagetrailError
from pagetrail.annotation.protocols.conditions import condition_of
from pagetrail.exports.formats import (
    adjudicated,
    atif,
    authored,
    coco,
    gold,
    judgements,
    labels,
    madqa,
    model_quality,
    parsebench,
    reviews,
    trajectories,
    trajectory_tasks,
    trec_runs,
    vidore,
)
from pagetrail.exports.formats import label_studio as labelstudio
from pagetrail.exports.formats import trec_and_beir as retrieval
from pagetrail.exports.reading.open_source import opened
from pagetrail.exports.reading.source import (
    PAGE_DPI,
    Columns,
    PageContent,
    Progress,
    Source,
    Written,
)
from pagetrail.exports.reports.dataset.folder import write_dataset
from pagetrail.exports.reports.metrics import inspect_logs
from pagetrail.exports.reports.metrics.scores import write_scores
from pagetrail.exports.writing.left_out import left_out_words
from pagetrail.exports.writing.manifest import Manifest, describe
from pagetrail.exports.writing.originals import write_originals
from pagetrail.exports.writing.output_folder import check_free, new_folder
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.corpus.page_images import MAX_DPI, MIN_DPI
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.search.index import identity_of

FORMATS: dict[str, Callable[[Source, Path], Written]] = {
    "madqa": madqa.write,
    "trajectories": trajectories.write,
    "gold": gold.write,
    "adjudicated": adjudicated.write,
    "labels": labels.write,
    "vidore": vidore.write,
    "trec": retrieval.write_trec,
    "beir": retrieval.write_beir,
    "runs": trec_runs.write,
    "coco": coco.write,
    "labelstudio": labelstudio.write,
    "parsebench": parsebench.write,
    "model-quality": model_quality.write,
    "reviews": reviews.write,
    "judgements": judgements.write,
    "trajectory-tasks": trajectory_tasks.write,
    "scores": write_scores,
    "inspect": inspect_logs.write,
    "atif": atif.write,
    "dataset": write_dataset,
    "authored": authored.write,
}
ABOUT = {
    "madqa": "results of submitted attempts, as that benchmark's evaluate.py reads them",
    "trajectories": "every event, and one row per attempt with derived times (JSONL, Parquet)",
    "gold": "tasks with their answers and evidence",
    "adjudicated": "gold made in review, every version, with the attempts it rests on",
    "labels": "every value of every field, rows of tables, and boxes with a model's own value",
    "vidore": "graded pages in the ViDoRe V3 layout, with page images (Parquet)",
    "trec": "graded pages as TREC qrels",
    "beir": "graded pages in the BEIR layout",
    "runs": "searches as TREC runs, one per person or system, with qrels from the gold evidence",
    "coco": "boxes in COCO format, with page images",
    "labelstudio": "boxes as Label Studio tasks, the model's as predictions, with page images",
    "parsebench": "verified elements, data points and patches as ParseBench .test.json",
    "model-quality": "how good the elements were that people verified (JSON, CSV)",
    "reviews": "what reviewers said of each task, majorities and disagreements",
    "judgements": "verdicts on predicted answers, with the systems that made them",
    "trajectory-tasks": "submitted attempts as tasks, for people to judge step by step; "
    "--undecided for the answers that people should judge",
    "scores": "one row per submitted attempt with its scores, effort and times (Parquet, CSV)",
    "inspect": "logs of Inspect (.eval), one per person or system, with searches and scores",
    "atif": "trajectories in ATIF, one file per submitted attempt",
    "dataset": "a folder to publish: tables, a card with computed numbers, Croissant metadata",
    "authored": "written questions as a task file",
}
"""What each format is, as the help says it."""


_OF_GOLD = ("gold", "vidore", "trec", "beir", "coco", "labelstudio", "parsebench")
"""Written from the gold decided in review in place of people's work."""
BY_GOLD = (*_OF_GOLD, "runs", "scores", "dataset")
"""The formats that can go by the gold decided in review; the last ones compare work with it."""
ADJUDICATED = "adjudicated"

COLUMNS: tuple[Columns, ...] = get_args(Columns)
PAGE_CONTENTS: tuple[PageContent, ...] = get_args(PageContent)
PAGES_READ = ("atif", "inspect")
"""The formats in which a page that was opened is a call of ``read_page`` with its reply."""
ORIGINALS = ("madqa", "atif", "inspect", "trajectories")
"""The formats that can have beside them what imported runs were read from."""
TO_JUDGE = ("trajectory-tasks",)
"""The formats that can be limited to the answers that people should judge."""

_GOLD_ALONE = ("gold", "adjudicated")

_SURROUNDINGS = ("categories", "corpus", "pages")
"""Counts of what an export has whether or not anybody has worked."""


def export(
    workspace: Workspace,
    campaign: str,
    format_: str,
    out: Path,
    *,
    identify: bool = False,
    gold: str | None = None,
    submission: Which = "first",
    columns: Columns = "published",
    page_content: PageContent = "reference",
    originals: bool = False,
    verdicts: str | None = None,
    undecided: bool = False,
    overwrite: bool = False,
    refuse_empty: bool = False,
    dpi: int = PAGE_DPI,
    progress: Progress | None = None,
) -> Manifest:
    """Write a campaign to the folder ``out``; returns its manifest.

    The folder appears complete or not at all: it is written beside ``out`` and then renamed. The
    same database gives the same bytes.

    Args:
        identify: people under their names instead of pseudonyms. What people wrote themselves
            (answers, notes, comments) is exported as it is in either case.
        gold: ``adjudicated`` writes the gold decided in review in place of people's work, or of the
            gold that the tasks came with; None leaves each format as it is. See ``BY_GOLD``.
        submission: ``first`` for what people submitted before anybody sent it back or helped,
            ``final`` for their last submission. See ``annotation.attempts.submission``.
        columns: names of columns; ``mteb`` for the format ``vidore`` alone.
        page_content: what a call of ``read_page`` returned, in ``atif`` and ``inspect``:
            ``reference`` for which page it was, ``text`` or ``image`` for that as well.
        originals: also write what imported runs were read from, into ``originals/``; for the
            formats of runs, ``ORIGINALS``.
        verdicts: of ``scores``, the set of outside verdicts that judges the answers.
        undecided: of ``trajectory-tasks``, only answers that the rule leaves undecided or that
            ANLS* alone decides.
        overwrite: replace an earlier export; any other folder with files in it is left alone.
        refuse_empty: write no folder where there is nothing to write.
        dpi: of page images, for the formats that have them.

    Raises:
        NotFoundError: no such campaign or format; with ``refuse_empty``, nothing to write.
        ConflictError: ``out`` is in use.
        OutputError: the files cannot be written.
        PagetrailError: a dpi that pages are not drawn at (code ``invalid_dpi``), no such gold
            (``invalid_gold``), a format that cannot go by it (``gold_not_taken``), no such
            submission (``invalid_submission``), no such columns (``invalid_columns``), no such
            content or no pages read in the format (``invalid_page_content``), originals of a format
            without runs (``originals_not_taken``), verdicts for another format
            (``verdicts_not_taken``), or undecided answers of one (``undecided_not_taken``).
    """
    if format_ not in FORMATS:
        raise NotFoundError(f"There is no format {format_!r}. Formats: {', '.join(FORMATS)}.")
    if not MIN_DPI <= dpi <= MAX_DPI:
        raise PagetrailError(
            f"Pages are drawn at {MIN_DPI} to {MAX_DPI} dpi, not at {dpi}.", code="invalid_dpi"
        )
    _check_gold(format_, gold)
    _check_columns(format_, columns)
    _check_page_content(format_, page_content)
    if originals and format_ not in ORIGINALS:
        raise PagetrailError(
            f"The format {format_} holds no runs with their originals; {', '.join(ORIGINALS)} do.",
            code="originals_not_taken",
        )
    if verdicts is not None and format_ != "scores":
        raise PagetrailError(
            f"The format {format_} holds no verdicts imported from elsewhere; scores does.",
            code="verdicts_not_taken",
        )
    if undecided and format_ not in TO_JUDGE:
        raise PagetrailError(
            f"The format {format_} does not choose among answers; {', '.join(TO_JUDGE)} does.",
            code="undecided_not_taken",
        )
    with opened(
        workspace,
        campaign,
        identify=identify,
        dpi=dpi,
        adjudicated=gold is not None,
        submission=submission,
        columns=columns,
        page_content=page_content,
        originals=originals,
        verdicts=verdicts,
        undecided=undecided,
        progress=progress,
    ) as source:
        check_free(out, overwrite)
        try:
            with new_folder(out) as folder:
                written = FORMATS[format_](source, folder)
                if originals:
                    write_originals(source, folder, written)
                    written.choices["originals"] = True
                if page_content != PAGE_CONTENTS[0]:
                    written.choices["page_content"] = page_content
                if refuse_empty:
                    _check_not_empty(format_, written)
                if has_submissions(format_, gold):
                    written.choices["submission"] = submission
                if undecided:
                    written.choices["answers"] = "undecided"
                if source.campaign.protocol.study.conditions:
                    written.choices["conditions"] = _conditions(source)
                manifest = describe(source, format_, folder, written, _index_id(workspace, source))
                manifest.save(folder)
        except OSError as error:
            raise OutputError(f"{out} cannot be written: {error}") from error
    return manifest


def has_submissions(format_: str, gold: str | None) -> bool:
    """Whether it matters to an export which submission of an attempt counts."""
    return format_ not in _GOLD_ALONE and not (gold and format_ in _OF_GOLD)


def _check_gold(format_: str, gold: str | None) -> None:
    if gold is None:
        return
    if gold != ADJUDICATED:
        raise PagetrailError(
            f"There is no gold {gold!r} to export by: give {ADJUDICATED}, for the gold decided in "
            "review, or leave it away.",
            code="invalid_gold",
        )
    if format_ not in BY_GOLD:
        raise PagetrailError(
            f"The format {format_} does not go by gold decided in review; {', '.join(BY_GOLD)} do. "
            "Leave --gold away, or choose one of these.",
            code="gold_not_taken",
        )


def _check_columns(format_: str, columns: str) -> None:
    if columns not in COLUMNS:
        raise PagetrailError(
            f"There are no columns {columns!r}. Choose from {', '.join(COLUMNS)}.",
            code="invalid_columns",
        )
    if columns != COLUMNS[0] and format_ != "vidore":
        raise PagetrailError(
            f"The format {format_} has its columns in one way; only vidore can have those of mteb.",
            code="invalid_columns",
        )


def _check_page_content(format_: str, page_content: str) -> None:
    if page_content not in PAGE_CONTENTS:
        raise PagetrailError(
            f"There is no page content {page_content!r}. Choose from {', '.join(PAGE_CONTENTS)}.",
            code="invalid_page_content",
        )
    if page_content != PAGE_CONTENTS[0] and format_ not in PAGES_READ:
        raise PagetrailError(
            f"The format {format_} has no calls of read_page; {' and '.join(PAGES_READ)} do.",
            code="invalid_page_content",
        )


def _conditions(source: Source) -> dict[str, str]:
    """Annotator → the condition of the study that they work under."""
    name = source.campaign.protocol.name
    drawn = [
        (source.name(user), condition_of(name, setting))
        for user, setting in source.database.settings(source.campaign.id)
    ]
    return {
        who: condition
        for who, condition in sorted(drawn, key=lambda one: one[0])
        if condition is not None
    }


def _check_not_empty(format_: str, written: Written) -> None:
    if any(n for name, n in written.counts.items() if name not in _SURROUNDINGS):
        return
    reasons = "; ".join(left_out_words(entry) for entry in written.left_out)
    raise NotFoundError(
        f"There is nothing to export as {format_}, so nothing was written. "
        + (f"Left out: {reasons}." if reasons else "The campaign has no work of that kind.")
    )


def _index_id(workspace: Workspace, source: Source) -> str | None:
    """Worked out from the stored texts: an export does not depend on whether one was built."""
    return identity_of(Corpus(workspace).pages()) if source.database.corpus().pages else None
