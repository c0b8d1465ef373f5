"""Which questions need the documents, by runs of models that were given none.

docs/metrics.md, Questions answered without documents. By the campaign's answer rule, without
judgements.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pagetrail.annotation.metrics.correctness import decide
from pagetrail.annotation.metrics.without_documents import questions_by_need
from pagetrail.annotation.tasks.task import question_of
from pagetrail.exports.reading.attempts import ReadAttempt, work_of
from pagetrail.exports.reading.source import Source

NEEDS_DOCUMENTS = "needs_documents"
"""Key of exported records and columns."""


def needs_documents(source: Source) -> dict[str, bool]:
    """Task → whether it needs the documents; only tasks that a model answered without them."""
    return questions_by_need(_guesses(source))


def need_fields(needs: Mapping[str, bool], task: str) -> dict[str, bool]:
    """The field of an exported record; none where nobody answered without documents."""
    return {NEEDS_DOCUMENTS: needs[task]} if task in needs else {}


def _guesses(source: Source) -> Iterator[tuple[str, bool | None]]:
    withdrawn = source.database.withdrawn_runs(source.campaign.id)
    for attempt in source.database.attempts_without_documents(source.campaign.id):
        if attempt.head.user in withdrawn or attempt.head.record.get("unanswerable"):
            continue
        work = work_of(source, attempt)
        if work.state.status == "submitted":
            yield attempt.head.task, _is_correct(work, attempt.head.record)


def _is_correct(work: ReadAttempt, record: Mapping[str, Any]) -> bool | None:
    return decide(
        work.submission.answer,
        record.get("answer_variants"),
        question=question_of(record, work.form.protocol.answer),
    ).correct
