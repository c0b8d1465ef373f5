"""The table of systems with several runs: means over runs, and how much runs differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import stdev

from pagetrail.annotation.messages import lazy_gettext
from pagetrail.annotation.runs.names import system_of
from pagetrail.exports.reports.cells import mean_of_cells
from pagetrail.exports.reports.metrics.cells import MEASURES, UNDECIDED_ANSWERS, Options
from pagetrail.exports.reports.metrics.participants import Participant
from pagetrail.exports.reports.model import Cell, Column, RowValues, Table


def runs_table(participants: Sequence[Participant], options: Options) -> Table | None:
    """One line per system; None where none has two runs."""
    by_system: dict[str, list[Participant]] = {}
    for participant in participants:
        if participant.kind == "system":
            by_system.setdefault(system_of(participant.name), []).append(participant)
    with_several = {name: runs for name, runs in by_system.items() if len(runs) > 1}
    if not with_several:
        return None
    rows = []
    for name, runs in with_several.items():
        cells: RowValues = {"system": name, "runs": len(runs)}
        for measure in MEASURES:
            key = measure.column.key
            of_runs = [measure.cell(participant.rows, options) for participant in runs]
            values = [float(cell.value) for cell in of_runs if isinstance(cell.value, int | float)]
            n = len(values)
            cells[key] = replace(mean_of_cells(of_runs, "no_rows"), n=n or None)
            cells[f"{key}_sd"] = Cell(stdev(values), n=n) if n > 1 else Cell(reason="no_rows")
            if any(cell.undecided for cell in of_runs):
                cells[f"{key}_sd"] = Cell(reason=UNDECIDED_ANSWERS)
        rows.append(cells)
    return Table.from_rows(
        key="runs",
        title="Several runs",
        question="How much do runs of the same system differ?",
        columns=(
            Column("system", "System", "text"),
            Column("runs", "Runs", "count"),
            *(
                column
                for key, label in ((m.column.key, m.column.label) for m in MEASURES)
                for column in (
                    Column(key, label, "score", "Mean of the runs’ values."),
                    Column(
                        f"{key}_sd",
                        lazy_gettext("{label} SD", label=label),
                        "score",
                        "Standard deviation over runs.",
                    ),
                )
            ),
        ),
        rows=rows,
        notes=["Each run counts once. Single runs are rows of the other tables."],
    )
