"""Questions of the demo as records of the task schema."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Place = tuple[str, int]  # document, page from 1
Record = dict[str, Any]


def ask(
    identifier: str,
    question: str,
    answers: Sequence[str],
    evidence: Sequence[Place],
    *,
    category: str,
    domain: str,
    **more: object,
) -> Record:
    """One question with its gold.

    Args:
        answers: what a right answer lists, one string a line; empty when unanswerable.
        more: further fields of the record, such as ``modality`` or ``query_type``.

    Raises:
        ValueError: answer or evidence is missing although the question is answerable, or given
            although it is not.
    """
    unanswerable = bool(more.get("unanswerable"))
    if unanswerable == bool(answers) or unanswerable == bool(evidence):
        raise ValueError(f"{identifier}: answers and evidence, or unanswerable.")
    places = sorted(set(evidence))
    return {
        "id": identifier,
        "question": question,
        "answer_variants": [list(answers)] if answers else [],
        "evidence": [{"document": name, "page": page} for name, page in places],
        "document_category": category,
        "domain": domain,
        "language": "en",
        **more,
    }
