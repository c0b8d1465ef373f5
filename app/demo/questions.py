"""All questions of the demo, with evidence pages taken from the documents as built."""

from __future__ import annotations

from collections.abc import Mapping

from app.demo.documents.book import Built
from app.demo.questions_northfield import northfield_questions
from app.demo.questions_public import public_questions
from app.demo.questions_technical import technical_questions
from app.demo.records import Record


def questions(built: Mapping[str, Built]) -> list[Record]:
    """The questions, by file name → pages and anchors."""
    return [
        *northfield_questions(built),
        *public_questions(built),
        *technical_questions(built),
    ]
