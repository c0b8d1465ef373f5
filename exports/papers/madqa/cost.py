"""MADQA's figure 7: accuracy against cost."""

from __future__ import annotations

from dataclasses import replace

from pagetrail.exports.papers.charts import participants_scatter
from pagetrail.exports.papers.material import Material
from pagetrail.exports.papers.model import Figure
from pagetrail.exports.reports.metrics.cells import ACCURACY, ATTEMPTS, PARTICIPANT
from pagetrail.exports.reports.metrics.cost import (
    CURRENCY,
    PER_CORRECT,
    PER_TASK,
    TOTAL,
    ParticipantCosts,
    compared_currency,
    cost_cells,
    cost_notes,
)
from pagetrail.exports.reports.model import Chart, Table


def accuracy_against_cost(material: Material) -> Figure | str:
    """Figure 7: systems, and people by their pay, or why there is none."""
    costs = {
        participant.name: ParticipantCosts.of_rows(participant.rows, material.options)
        for participant in material.participants
    }
    rows = [
        {
            "side": participant.name,
            "attempts": len(participant.rows),
            "accuracy": ACCURACY.cell(participant.rows, material.options),
            **cost_cells(costs[participant.name]),
            "total": costs[participant.name].total(),
        }
        for participant in material.participants
        if costs[participant.name].currency is not None and participant.decided
    ]
    if not rows:
        return (
            "no decided attempt has a cost: no run states dollars, or tokens with a price table, "
            "and no campaign has a rate of pay"
        )
    return Figure(
        Table.from_rows(
            key="figure-7",
            title="Accuracy against cost",
            question="Is a higher cost matched by a higher accuracy?",
            columns=(
                PARTICIPANT,
                ATTEMPTS,
                ACCURACY.column,
                CURRENCY,
                PER_TASK,
                PER_CORRECT,
                TOTAL,
            ),
            rows=rows,
            notes=[
                *cost_notes(costs, material.options),
                "The figure shows the cost per task, of participants in one currency: dollars if "
                "any has them.",
            ],
            unit_column="attempts",
        ),
        _draw,
    )


def _draw(table: Table) -> Chart:
    currency = compared_currency([str(name) for name in table.frame["currency"]])
    shown = replace(table, frame=table.frame[table.frame["currency"] == currency])
    draw = participants_scatter(
        "cost_per_task",
        "accuracy",
        f"Cost per task, {currency}",
        "Accuracy",
        x_is_share=False,
        x_is_cost=True,
    )
    return draw(shown)
