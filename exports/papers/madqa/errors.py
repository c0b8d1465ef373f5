"""MADQA's figures of errors: 8 and 15 to 19."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from pagetrail.annotation.metrics.attempt_rows import Row as Attempt
from pagetrail.annotation.metrics.error_types import ANSWER_TYPES, ERROR_TYPES, AnswerType
from pagetrail.exports.papers.charts import participants_scatter, stage_bars
from pagetrail.exports.papers.madqa.error_tables import (
    COUNT,
    SHARE,
    SHARE_OF_ERRORS,
    TYPE,
    TYPED_N,
    typed_notes,
    typed_rows,
)
from pagetrail.exports.papers.material import Material
from pagetrail.exports.papers.model import Figure
from pagetrail.exports.reports.charts.stages import STAGES
from pagetrail.exports.reports.metrics.cells import PARTICIPANT
from pagetrail.exports.reports.metrics.errors import errors as cascade_of
from pagetrail.exports.reports.metrics.interval_notes import interval_words
from pagetrail.exports.reports.metrics.results import HOPS
from pagetrail.exports.reports.model import Column, RowValues, Section, Table

TOP = 4
"""Systems that MADQA takes together where there is no room for all."""


def decomposition(material: Material) -> Figure:
    """Figure 8: outcomes of the attempts of each participant."""
    return Figure(
        Table.from_rows(
            key="figure-8",
            title="Error decomposition",
            question="What is the outcome of the attempts?",
            columns=(PARTICIPANT, TYPE, COUNT, TYPED_N, SHARE),
            rows=_by_side(material, ANSWER_TYPES),
            notes=["Ordered by accuracy.", *typed_notes(material.participants)],
        ),
        stage_bars("side", "type", "Attempts (%)"),
    )


def composition(material: Material) -> Figure:
    """Figure 15: composition of the errors of each participant."""
    return Figure(
        Table.from_rows(
            key="figure-15",
            title="Composition of errors",
            question="How does the composition of errors vary with accuracy?",
            columns=(PARTICIPANT, TYPE, COUNT, TYPED_N, SHARE_OF_ERRORS),
            rows=_by_side(material, ERROR_TYPES),
            notes=["Ordered by accuracy.", *typed_notes(material.participants)],
        ),
        stage_bars("side", "type", "Errors (%)"),
    )


def profiles(material: Material) -> Figure:
    """Figure 16: failures of retrieval against failures of comprehension."""
    rows = []
    for participant in material.participants:
        shares = {
            str(row["type"]): row
            for row in typed_rows(
                {"side": participant.name}, participant.rows, ANSWER_TYPES, material.options
            )
        }
        if shares:
            retrieval, comprehension = (
                shares[STAGES[stage].name] for stage in ("retrieval", "comprehension")
            )
            rows.append(
                {
                    "side": participant.name,
                    "n": retrieval["n"],
                    "retrieval": retrieval["share"],
                    "comprehension": comprehension["share"],
                }
            )
    return Figure(
        Table.from_rows(
            key="figure-16",
            title="Retrieval and comprehension errors",
            question="Do participants fail at retrieval or at comprehension?",
            columns=(
                PARTICIPANT,
                TYPED_N,
                Column("retrieval", "Retrieval", "share", "Weighted share of retrieval errors."),
                Column(
                    "comprehension",
                    "Comprehension",
                    "share",
                    "Weighted share of comprehension errors.",
                ),
            ),
            rows=rows,
            notes=[
                interval_words(material.options.resampling),
                *typed_notes(material.participants),
            ],
        ),
        participants_scatter(
            "retrieval", "comprehension", "Retrieval errors (%)", "Comprehension errors (%)"
        ),
    )


def by_hop(material: Material) -> Figure:
    """Figure 17: types by where the evidence is, of people and of the best systems."""
    return _by_group(
        material,
        "figure-17",
        "Outcomes by location of the gold evidence",
        "Evidence",
        {hop: label for hop, (label, _) in HOPS.items()},
        lambda row: row.hop,
    )


def by_domain(material: Material) -> Figure:
    """Figure 18: types by domain, of people and of the best systems."""
    names = sorted({row.domain for row in material.rows if row.domain})
    return _by_group(
        material,
        "figure-18",
        "Outcomes by domain",
        "Domain",
        {name: name for name in names},
        lambda row: row.domain,
    )


def _by_group(
    material: Material,
    key: str,
    title: str,
    label: str,
    names: dict[str, str],
    group_of: Callable[[Attempt], str | None],
) -> Figure:
    top = material.systems[:TOP]
    everyone = {"People": material.people, f"Systems ({len(top)} best)": top}
    rows = []
    for group, participants in everyone.items():
        attempts = [row for participant in participants for row in participant.rows]
        for name, part_label in names.items():
            inside = [row for row in attempts if group_of(row) == name]
            rows += typed_rows(
                {"group": group, "part": part_label}, inside, ANSWER_TYPES, material.options
            )
    return Figure(
        Table.from_rows(
            key=key,
            title=title,
            question="How do outcomes differ between groups of tasks?",
            columns=(
                Column(
                    "group",
                    "Participants",
                    "text",
                    "All people, or the most accurate systems, pooled.",
                ),
                Column("part", label, "text"),
                TYPE,
                COUNT,
                TYPED_N,
                SHARE,
            ),
            rows=rows,
            notes=typed_notes([*material.people, *top]),
        ),
        stage_bars("part", "type", "Attempts (%)", panel="group"),
    )


def cascade(material: Material) -> Figure | str:
    """Figure 19: the stage at which attempts fail first, or why there is none."""
    participants = [*material.people, *material.systems[: TOP - min(1, len(material.people))]]
    section = cascade_of(participants, material.options)
    if not isinstance(section, Section):
        return section
    table = next(part for part in section.parts if isinstance(part, Table))
    stages = table.frame["stage"].str.partition(":")[0]
    return Figure(
        replace(
            table,
            key="figure-19",
            title="Error cascade",
            frame=table.frame.assign(stage=stages),
            notes=["Shown are people and the most accurate systems.", *table.notes],
        ),
        stage_bars("side", "stage", "Attempts (%)", count="attempts"),
    )


def _by_side(material: Material, types: Sequence[AnswerType]) -> list[RowValues]:
    return [
        row
        for participant in reversed(material.ranked(material.participants))
        for row in typed_rows({"side": participant.name}, participant.rows, types, material.options)
    ]
