"""The participants of a metrics report: people together, people one by one, systems."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from pagetrail.annotation.messages import lazy_gettext
from pagetrail.exports.reports.metrics.input_rows import Measured
from pagetrail.exports.reports.metrics.measured_attempt import MeasuredAttempt

HUMANS = lazy_gettext("Humans")

ParticipantKind = Literal["humans", "condition", "annotator", "system"]


@dataclass(frozen=True)
class Participant:
    """One line of the tables.

    Attributes:
        name: unique in the report.
        rows: of answerable tasks, in the order of the campaign.
        unanswerable: rows of the others.
        campaign: its name.
    """

    name: str
    kind: ParticipantKind
    rows: Sequence[MeasuredAttempt]
    unanswerable: Sequence[MeasuredAttempt]
    campaign: str = ""

    @property
    def decided(self) -> list[MeasuredAttempt]:
        """The rows with a decided answer."""
        return [row for row in self.rows if row.correct is not None]


def participant_names(participants: Sequence[Participant]) -> list[str]:
    """The participants' names in order, so that each has the same style in all charts."""
    return [participant.name for participant in participants]


def participants_of(
    measured_rows: Measured, *, by_annotator: bool, by_condition: bool = False
) -> list[Participant]:
    """People together, by condition and by annotator if requested, then systems.

    People are included even if nobody has worked, unless a system has. Systems that only drew
    boxes are not.
    """

    def participant(
        name: str, kind: ParticipantKind, rows: Sequence[MeasuredAttempt]
    ) -> Participant:
        return Participant(
            name=name,
            kind=kind,
            rows=[row for row in rows if not row.unanswerable],
            unanswerable=[row for row in rows if row.unanswerable],
            campaign=measured_rows.name,
        )

    people = measured_rows.people
    systems = set(measured_rows.systems).difference(measured_rows.systems_without_answers)
    participants: list[Participant] = []
    if people or not systems:
        participants.append(participant(HUMANS, "humans", people))
    if by_condition:
        conditions = {row.condition for row in measured_rows.rows if row.condition is not None}
        for condition in sorted(conditions):
            condition_rows = [row for row in people if row.condition == condition]
            name = lazy_gettext("Humans, {condition}", condition=condition)
            participants.append(participant(name, "condition", condition_rows))
    if by_annotator:
        for name in sorted({row.system for row in people}, key=_natural):
            participants.append(
                participant(name, "annotator", [row for row in people if row.system == name])
            )
    names = {participant.name for participant in participants}
    for name in sorted(systems, key=_natural):
        label = lazy_gettext("{name} (system)", name=name) if name in names else name
        participants.append(participant(label, "system", measured_rows.of_system(name)))
    return participants


def without_answers_note(measured_campaigns: Iterable[Measured]) -> list[str]:
    """Which systems are no participants since they only drew boxes; empty without any."""
    names = sorted(
        {name for rows in measured_campaigns for name in rows.systems_without_answers},
        key=_natural,
    )
    if not names:
        return []
    return [
        lazy_gettext(
            "Systems that drew boxes and gave no answers have no row: {names}. Their boxes are "
            "scored under Agreement.",
            names=", ".join(names),
        )
    ]


def _natural(name: str) -> tuple[list[tuple[int, str]], str]:
    """annotator-2 before annotator-10."""
    parts = re.findall(r"[0-9]+|[^0-9]+", name)
    return [(int(part), "") if part.isdecimal() else (-1, part.casefold()) for part in parts], name
