"""What the notes of reports say about weights and intervals."""

from __future__ import annotations

from collections.abc import Sequence

from pagetrail.annotation.sentences import count_noun
from pagetrail.annotation.statistics.annotator_bootstrap import FEWEST_ANNOTATORS
from pagetrail.exports.reports.metrics.participants import Participant
from pagetrail.exports.reports.resampling import ResampledUnits, Resampling

UNIT_WORDS: dict[ResampledUnits, str] = {
    "tasks": "tasks resampled",
    "tasks_and_annotators": "tasks and annotators resampled",
}

WEIGHTS_NOTE = (
    "Each attempt of a person weighs 1/(number of annotators of its task): accuracy is the mean "
    "within tasks, then over tasks. All other results except “n” and “K (MADQA)” use the same "
    "weights."
)


def interval_notes(participants: Sequence[Participant], resampling: Resampling) -> list[str]:
    """How intervals were drawn, and what the other way of drawing them would take."""
    people = {row.system for participant in participants for row in participant.rows if row.person}
    method = (
        f"Intervals: 95 % percentile bootstrap, {resampling.replicates:,} samples, "
        f"{UNIT_WORDS[resampling.units]}. Where every task has the same value, resampling tasks "
        "gives no interval."
    )
    if not people:
        return [method]
    enough = len(people) >= FEWEST_ANNOTATORS
    count = count_noun(len(people), "annotator")
    if resampling.units == "tasks_and_annotators":
        systems = (
            "These intervals generalise to other annotators as well as to other tasks. Systems "
            "are not resampled; their intervals are over tasks."
        )
        too_few = (
            f"Results of fewer than {FEWEST_ANNOTATORS} annotators have no interval, since so few "
            "cannot represent others."
        )
        return [method, systems, too_few]
    if enough:
        return [
            method,
            "Tasks are resampled, not people: these intervals do not generalise to other "
            "annotators. Choose intervals over tasks and annotators for that.",
        ]
    return [
        method,
        "Tasks are resampled, not people: these intervals do not generalise to other "
        f"annotators. Resampling annotators as well needs at least {FEWEST_ANNOTATORS} of them; "
        f"these results have {count}.",
    ]


def interval_words(resampling: Resampling) -> str:
    """What the bands and bars of charts are."""
    return f"Intervals: 95 % percentile bootstrap, {UNIT_WORDS[resampling.units]}."


def intervals_choice(units: ResampledUnits) -> str:
    """How intervals were drawn, as a setting of a report."""
    return f"95% percentile bootstrap, {UNIT_WORDS[units]}"
