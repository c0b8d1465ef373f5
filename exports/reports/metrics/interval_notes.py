"""Notes on weights and intervals."""

from __future__ import annotations

from collections.abc import Sequence

from pagetrail.annotation.messages import lazy_gettext, lazy_ngettext
from pagetrail.annotation.statistics.annotator_bootstrap import FEWEST_ANNOTATORS
from pagetrail.exports.reports.metrics.participants import Participant
from pagetrail.exports.reports.resampling import ResampledUnits, Resampling

UNIT_WORDS: dict[ResampledUnits, str] = {
    "tasks": lazy_gettext("tasks resampled"),
    "tasks_and_annotators": lazy_gettext("tasks and annotators resampled"),
}

WEIGHTS_NOTE = lazy_gettext(
    "Each attempt of a person weighs 1/(number of annotators of its task): accuracy is the mean "
    "within tasks, then over tasks. All other results except “n” and “K (MADQA)” use the same "
    "weights."
)


def interval_notes(participants: Sequence[Participant], resampling: Resampling) -> list[str]:
    """How intervals were drawn, and when the other method is possible."""
    people = {row.system for participant in participants for row in participant.rows if row.person}
    method = lazy_gettext(
        "Intervals: 95 % percentile bootstrap, {replicates:,} samples, {units}. Where "
        "every task has the same value, resampling tasks gives no interval.",
        replicates=resampling.replicates,
        units=UNIT_WORDS[resampling.units],
    )
    if not people:
        return [method]
    enough = len(people) >= FEWEST_ANNOTATORS
    if resampling.units == "tasks_and_annotators":
        systems = lazy_gettext(
            "These intervals generalise to other annotators as well as to other tasks. Systems "
            "are not resampled; their intervals are over tasks."
        )
        too_few = lazy_gettext(
            "Results of fewer than {fewest} annotators have no interval, since so few cannot "
            "represent others.",
            fewest=FEWEST_ANNOTATORS,
        )
        return [method, systems, too_few]
    if enough:
        return [
            method,
            lazy_gettext(
                "Tasks are resampled, not people: these intervals do not generalise to other "
                "annotators. Choose intervals over tasks and annotators for that."
            ),
        ]
    return [
        method,
        lazy_ngettext(
            "Tasks are resampled, not people: these intervals do not generalise to other "
            "annotators. Resampling annotators as well needs at least {fewest} of them; these "
            "results have {number:,} annotator.",
            "Tasks are resampled, not people: these intervals do not generalise to other "
            "annotators. Resampling annotators as well needs at least {fewest} of them; these "
            "results have {number:,} annotators.",
            len(people),
            fewest=FEWEST_ANNOTATORS,
        ),
    ]


def interval_words(resampling: Resampling) -> str:
    """A note on the bands and bars of charts."""
    return lazy_gettext(
        "Intervals: 95 % percentile bootstrap, {units}.", units=UNIT_WORDS[resampling.units]
    )


def intervals_choice(units: ResampledUnits) -> str:
    """How intervals were drawn, as a setting of a report."""
    return lazy_gettext("95% percentile bootstrap, {units}", units=UNIT_WORDS[units])
