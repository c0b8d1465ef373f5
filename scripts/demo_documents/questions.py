"""All questions of the demo, with evidence pages taken from the documents as built."""

from __future__ import annotations

from collections.abc import Mapping

from scripts.demo_documents.book import Built
from scripts.demo_documents.questions_northfield import northfield_questions
from scripts.demo_documents.questions_public import public_questions
from scripts.demo_documents.questions_technical import technical_questions
from scripts.demo_documents.records import Record


def questions(built: Mapping[str, Built]) -> list[Record]:
    """The questions, by file name → pages and anchors."""
    return [
        *northfield_questions(built),
        *public_questions(built),
        *technical_questions(built),
    ]
