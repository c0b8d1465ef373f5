"""Transcribed pages as formats read them: the last text, tables, points of charts and elements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pagetrail.annotation.attempts.boxes import PageBox
from pagetrail.annotation.attempts.form_state import RecordRow
from pagetrail.annotation.attempts.forms import TASK
from pagetrail.annotation.attempts.reading_order import reading_order
from pagetrail.annotation.protocols.fields import FieldSpec
from pagetrail.annotation.tables.grid import Grid
from pagetrail.exports.formats.coco import kept_boxes
from pagetrail.exports.gold.adjudicated_gold import counted_works
from pagetrail.exports.reading.attempts import ReadAttempt
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.writing.page_images import PageKey

DONE_LATER = "transcribed_again_later"
"""Reason for leaving out an attempt at a task that somebody else submitted later."""


@dataclass(frozen=True)
class TranscribedPage:
    """What one person's work, or gold, has of a page.

    Attributes:
        task: key of the task.
        text: Markdown; None where no text is corrected.
        tables: by their ids.
        tables_are_records: False where somebody found that rows do not say everything with the
            headers of their columns (field ``records`` of the preset ``verify_table``).
        charts: the points of each field of charts, without deleted ones.
        boxes: elements that were not deleted, each with its position in the reading order.
    """

    task: str
    document: str
    page: int
    text: str | None = None
    tables: tuple[tuple[str, Grid], ...] = ()
    tables_are_records: bool = True
    charts: tuple[tuple[FieldSpec, tuple[RecordRow, ...]], ...] = ()
    boxes: tuple[tuple[PageBox, int | None], ...] = ()

    @property
    def key(self) -> PageKey:
        """Document and page."""
        return self.document, self.page


def transcribed_pages(source: Source, tally: WrittenFiles) -> list[TranscribedPage]:
    """Every page, by document, page and task, as its task was submitted last.

    Of several people's work on a task the last to submit counts; with adjudicated gold, the gold.
    All rounds count, whatever submission the export takes of other work.
    """
    works = list(counted_works(replace(source, submission="final"), tally))
    last_works: dict[str, ReadAttempt] = {}
    for attempt in sorted(works, key=lambda work: (work.submitted_at or "", work.name)):
        earlier = last_works.pop(attempt.head.task, None)
        if earlier is not None:
            tally.leave_out("attempt", DONE_LATER, earlier.head.id)
        last_works[attempt.head.task] = attempt.without_events()
    if not source.adjudicated:
        tally.choices["several_annotators"] = "the attempt that was submitted last"
    pages = [page for attempt in last_works.values() for page in _pages_of(attempt, tally)]
    return sorted(pages, key=lambda page: (*page.key, page.task))


def _pages_of(attempt: ReadAttempt, tally: WrittenFiles) -> Iterator[TranscribedPage]:
    """The pages that an attempt says something of."""
    state, task = attempt.state, attempt.head.task
    order = reading_order(attempt.form)
    boxes = kept_boxes(attempt, tally) if attempt.form.protocol.boxes.enabled else []
    charts = tuple(_charts(attempt, tally))
    given_pages = attempt.form.given or []
    only_page = given_pages[0] if len(given_pages) == 1 else None
    if charts and only_page is None:
        tally.leave_out("attempt", "no_page_given", attempt.head.id)
    text_page = (state.transcript.document, state.transcript.page) if state.transcript else None
    tables = [((table.document, table.page), table) for table in state.tables.tables]
    keys = {(box.document, box.page) for box in boxes} | {page for page, _ in tables}
    keys |= {page for page in (text_page, only_page if charts else None) if page is not None}
    if not keys:
        tally.leave_out(*attempt.left_out_for("nothing_transcribed"))
    for key in sorted(keys):
        yield TranscribedPage(
            task=task,
            document=key[0],
            page=key[1],
            text=state.transcript.text if state.transcript and key == text_page else None,
            tables=tuple((table.id, table.grid) for page, table in tables if page == key),
            tables_are_records=_tables_are_records(attempt),
            charts=charts if key == only_page else (),
            boxes=tuple(
                (box, order.get(box.id)) for box in boxes if (box.document, box.page) == key
            ),
        )


def _tables_are_records(attempt: ReadAttempt) -> bool:
    spec = attempt.form.protocol.field("records")
    return spec is None or spec.kind != "choice" or attempt.form.value(spec, TASK) != "no"


def _charts(
    attempt: ReadAttempt, tally: WrittenFiles
) -> Iterator[tuple[FieldSpec, tuple[RecordRow, ...]]]:
    for spec in attempt.form.protocol.scoped("task"):
        if not spec.is_chart:
            continue
        rows: Sequence[RecordRow] = attempt.form.rows(spec)
        kept_rows = tuple(row for row in rows if not row.deleted)
        tally.leave_out("row", "deleted", attempt.head.id, n=len(rows) - len(kept_rows))
        if kept_rows:
            yield spec, kept_rows
