"""What the notes of reports say about weights and intervals."""

from __future__ import annotations

from collections.abc import Sequence

from pagetrail.annotation.statistics.annotator_bootstrap import FEWEST_ANNOTATORS
from pagetrail.exports.reports.metrics.participants import Side
from pagetrail.exports.reports.resampling import ResampledUnits, Resampling

UNIT_WORDS: dict[ResampledUnits, str] = {
    "tasks": "tasks resampled",
    "tasks_and_annotators": "tasks and annotators resampled",
}

WEIGHTS_NOTE = (
    "The attempts of people at one task share a weight of 1: accuracy is the mean within tasks, "
    "then over tasks, and all other results but “n” and “K (MADQA)” have the same weights."
)


def interval_notes(sides: Sequence[Side], resampling: Resampling) -> list[str]:
    """How intervals were drawn, and what the other way of drawing them would take."""
    people = {row.system for side in sides for row in side.rows if row.person}
    drawn = (
        f"Intervals: 95 %, {UNIT_WORDS[resampling.units]}; percentiles of "
        f"{resampling.replicates:,} bootstrap samples. Where every task has the same value, "
        "resampling tasks gives none."
    )
    if not people:
        return [drawn]
    enough = len(people) >= FEWEST_ANNOTATORS
    count = f"{len(people)} annotator" if len(people) == 1 else f"{len(people)} annotators"
    if resampling.units == "tasks_and_annotators":
        systems = (
            "The intervals also tell how other annotators would do. Systems are not drawn: theirs "
            "are over tasks."
        )
        few = (
            f"Results of fewer than {FEWEST_ANNOTATORS} annotators have no interval, since so few "
            "say too little about others."
        )
        return [drawn, systems, few]
    if enough:
        return [
            drawn,
            "Tasks are resampled, not people: intervals do not tell how other annotators would "
            "do. Those over tasks and annotators do; choose them instead.",
        ]
    return [
        drawn,
        "Tasks are resampled, not people: intervals do not tell how other annotators would do. "
        f"Resampling annotators too takes at least {FEWEST_ANNOTATORS}; here are {count}.",
    ]


def interval_words(resampling: Resampling) -> str:
    """What the bands and bars of charts are."""
    return f"Intervals are 95 %, {UNIT_WORDS[resampling.units]}."


def intervals_choice(units: ResampledUnits) -> str:
    """How intervals were drawn, as a setting of a report."""
    return f"95% percentile bootstrap, {UNIT_WORDS[units]}"
