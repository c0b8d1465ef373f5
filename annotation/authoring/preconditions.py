"""What has to be filled in before a check can say anything."""

from __future__ import annotations

from collections.abc import Sequence

from pagetrail.annotation.authoring.draft import Draft, EvidencePage, answer_words, finding
from pagetrail.annotation.protocols.check_results import CheckName, Finding


def needs_evidence(
    check: CheckName, draft: Draft, evidence: Sequence[EvidencePage]
) -> Finding | None:
    """The finding that asks for evidence; None when there is some."""
    if evidence:
        return None
    if draft.unanswerable:
        return finding(
            check, "skipped", "The question is meant to have no answer, and no page is cited."
        )
    return finding(check, "skipped", "Cite the pages that the answer rests on first.")


def needs_answer(
    check: CheckName, draft: Draft, evidence: Sequence[EvidencePage]
) -> Finding | None:
    """The finding that asks for answer and evidence; None when both are there."""
    if draft.unanswerable:
        return finding(
            check, "skipped", "The question is meant to have no answer: nothing to look for."
        )
    if not answer_words(draft):
        return finding(check, "skipped", "Write the answer first.")
    return needs_evidence(check, draft, evidence)
