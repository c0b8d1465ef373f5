"""Texts, tables and charts of people and systems, compared with the gold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pagetrail.annotation.comparison.transcription_pairs import (
    TEXT_MEASURES,
    TranscriptionScores,
    measures_of,
)
from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.metrics.attempt_rows import Row as Attempt
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.exports.reports.metrics.cells import (
    ATTEMPTS,
    PARTICIPANT,
    TASKS,
    AttemptMeasure,
    Options,
)
from pagetrail.exports.reports.metrics.participants import Participant
from pagetrail.exports.reports.model import Section, Table
from pagetrail.exports.reports.transcription_columns import TEXT_NOTE, TRANSCRIPTION_COLUMNS

NO_GOLD = "no_gold_transcription"


def transcriptions(
    protocols: Sequence[Protocol],
    participants: Sequence[Participant],
    options: Options,
) -> list[Section | str]:
    """The section, or why there is none; empty where no campaign has texts, tables or charts."""
    is_asked = {name for protocol in protocols for name in measures_of(protocol)}
    scores_of = {
        row.attempt: row.against_gold
        for participant in participants
        for row in participant.rows
        if row.against_gold is not None
    }
    measures = [_measure(name, scores_of) for name in TRANSCRIPTION_COLUMNS if name in is_asked]
    if not measures:
        return []
    if not any(
        measure.score(row) is not None
        for measure in measures
        for participant in participants
        for row in participant.rows
    ):
        return [
            lazy_gettext(
                "Texts, tables and charts against gold are left out: no submitted task has gold "
                "of them."
            )
        ]
    table = Table.from_rows(
        key="transcriptions-gold",
        title="Texts, tables and charts against gold",
        question="How close to the gold are people’s texts, tables and charts?",
        columns=(PARTICIPANT, ATTEMPTS, TASKS, *(measure.column for measure in measures)),
        rows=[
            {
                "side": participant.name,
                "attempts": len(participant.rows),
                "tasks": len({row.task for row in participant.rows}),
                **{
                    measure.column.key: measure.cell(participant.rows, options)
                    for measure in measures
                },
            }
            for participant in participants
        ],
        notes=[
            lazy_gettext(
                "The measures are those between annotators, and symmetric. A table that only the "
                "gold or only the work has counts 0; points agree within the gold’s tolerance. "
                "Attempts of people at one task share a weight of 1."
            ),
            lazy_gettext(
                "Work begins with what a model gave. What the model had right agrees with the "
                "gold without anybody’s doing."
            ),
        ],
    )
    notes = [TEXT_NOTE] if is_asked.intersection(TEXT_MEASURES) else []
    return [Section("Texts, tables and charts against gold", [table], notes)]


def _measure(name: str, scores_of: Mapping[str, TranscriptionScores]) -> AttemptMeasure:
    def score(row: Attempt) -> float | None:
        scores = scores_of.get(row.attempt)
        value: float | None = None if scores is None else getattr(scores, name)
        return value

    return AttemptMeasure(TRANSCRIPTION_COLUMNS[name], score, lambda row: NO_GOLD)
