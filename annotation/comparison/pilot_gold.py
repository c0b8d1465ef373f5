"""Checks the gold of a pilot's task: what is compared, and can an annotator meet it at all?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.comparison.against_gold import compare
from pagetrail.annotation.comparison.gold_submission import gold_submission
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.tasks.task import given_pages


def compared_parts(protocol: Protocol, record: dict[str, Any]) -> list[str]:
    """Names of the parts in which a submission is compared with the gold; none without gold.

    Raises:
        ValueError: the gold is not of its form.
    """
    feedback = compare(Form(protocol, AttemptState()), record)
    return [] if feedback is None else [part.part for part in feedback.parts]


def unreachable_gold(protocol: Protocol, record: dict[str, Any]) -> str | None:
    """Why no submission can equal the gold, as ``key: sentence``; None where one can.

    Raises:
        ValueError: the gold is not of its form.
    """
    gold, answer = gold_submission(protocol, record), protocol.answer
    is_asked = answer.kind != "off" and not gold.form.ended
    if is_asked and record.get("unanswerable") and not (answer.unanswerable or answer.not_found):
        return (
            "unanswerable: annotators can choose neither “Unanswerable” nor “No answer found” "
            "(the setting answer.unanswerable = true offers the former)"
        )
    if protocol.evidence.enabled:
        problem = _unreachable_evidence(protocol, record, gold.pages)
        if problem is not None:
            return problem
    boxes = Counter((box.document, box.page) for box in gold.boxes)
    for (document, page), count in boxes.items():
        if count > protocol.boxes.max_per_page:
            return (
                f"gold.boxes: {count:,} boxes on page {page} of {document}; annotators can draw "
                f"{protocol.boxes.max_per_page:,} on a page (the setting boxes.max_per_page)"
            )
    return None


def _unreachable_evidence(
    protocol: Protocol, record: dict[str, Any], pages: Sequence[tuple[str, int]]
) -> str | None:
    limit = protocol.evidence.max_pages
    if len(pages) > limit:
        return (
            f"evidence: {len(pages):,} pages; annotators can cite {limit:,} (the setting "
            f"evidence.max_pages = {len(pages)} allows them)"
        )
    task_pages = given_pages(protocol.pages, record)
    if task_pages is None:
        return None
    for document, page in pages:
        if (document, page) not in task_pages and not protocol.browse:
            return f"evidence: page {page} of {document} is none of the pages of its task"
    return None
