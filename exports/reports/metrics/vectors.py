"""What vectors from elsewhere add to a metrics report, and which of them are not used."""

from __future__ import annotations

from collections.abc import Mapping

from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.metrics.near_duplicates import NEAR_DUPLICATE, near_duplicates
from pagetrail.exports.reading.source import LeftOut
from pagetrail.exports.reports.metrics.cells import Options
from pagetrail.exports.reports.model import Column, Section, Table
from pagetrail.storage.importers.files.vectors import VectorFile

_LONGEST_TABLE = 200


def unused_vectors(vectors: VectorFile | None) -> list[LeftOut]:
    """The rows of the file that are not used, by reason, with their numbers."""
    entries: dict[str, LeftOut] = {}
    for bad in () if vectors is None else vectors.bad:
        entry = entries.setdefault(bad.problem, LeftOut("vector", bad.problem))
        entry.count += 1
        if len(entry.ids) < 1_000:
            entry.ids.append(str(bad.line))
    return list(entries.values())


def questions_section(questions: Mapping[str, str], options: Options) -> list[Section]:
    """Near duplicates among the questions; no section without vectors.

    Args:
        questions: task → its question.
    """
    vectors = options.vectors
    if vectors is None:
        return []
    pairs = near_duplicates(questions, vectors)
    without = sum(not vectors.has(question) for question in questions.values())
    notes = [
        lazy_gettext(
            "Pairs of questions with a cosine of at least {threshold:g}, by vectors of {name}; "
            "{without:,} of {number:,} questions have none and are left out.",
            threshold=NEAR_DUPLICATE,
            name=vectors.name,
            without=without,
            number=len(questions),
        )
    ]
    if len(pairs) > _LONGEST_TABLE:
        notes.append(
            lazy_gettext(
                "The {shown:,} most similar of {number:,} pairs.",
                shown=_LONGEST_TABLE,
                number=len(pairs),
            )
        )
    table = Table.from_rows(
        key="near-duplicates",
        title="Near duplicates",
        question="Do tasks ask for the same thing?",
        columns=(
            Column("task", "Task", "text"),
            Column("question", "Question", "text"),
            Column("other", "Other task", "text"),
            Column("other_question", "Other question", "text"),
            Column("cosine", "Cosine", "score"),
            Column(
                "by_words",
                "By words",
                "text",
                "Whether the check of written questions finds them similar too.",
            ),
        ),
        rows=[
            {
                "task": pair.task,
                "question": questions[pair.task],
                "other": pair.other,
                "other_question": questions[pair.other],
                "cosine": pair.cosine,
                "by_words": lazy_gettext("yes") if pair.by_words else lazy_gettext("no"),
            }
            for pair in pairs[:_LONGEST_TABLE]
        ],
        notes=notes,
    )
    return [Section("Questions", [table])]
