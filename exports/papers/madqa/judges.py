"""MADQA's appendix F.1: how judges compare with people, and accuracy without their errors."""

from __future__ import annotations

from collections.abc import Sequence

from pagetrail.exports.papers.material import Material
from pagetrail.exports.papers.model import Figure
from pagetrail.exports.reports.charts.style import COLUMN
from pagetrail.exports.reports.metrics.judging.judge_agreement import ROUNDS_KEY, rounds_chart
from pagetrail.exports.reports.metrics.judging.judges import judges
from pagetrail.exports.reports.model import Table


def judge_tables(material: Material) -> Sequence[Table | Figure] | str:
    """The tables on judges, with agreement by round as a figure, or why there are none."""
    participants = [*material.participants, *material.oracle]
    rows = [row for participant in participants for row in participant.rows]
    section = judges(participants, rows, material.measured_campaigns, material.options)
    if isinstance(section, str):
        return section
    return [
        Figure(part, lambda table: rounds_chart(table, COLUMN)) if part.key == ROUNDS_KEY else part
        for part in section.parts
        if isinstance(part, Table)
    ]
