"""Tasks of a file that were drawn at random: their sample becomes the campaign's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pydantic import ValidationError

from pagetrail.annotation.messages import gettext
from pagetrail.annotation.readable_errors import describe
from pagetrail.annotation.tasks.drawn_task import FIELD, DrawnTask
from pagetrail.annotation.tasks.stratified_sampling import StratumValues
from pagetrail.annotation.tasks.task import TaskRecord
from pagetrail.storage.campaigns.samples import SampleDesign
from pagetrail.storage.importers.files.rows import RawRow, RowError, TaskFile

Drawing = tuple[SampleDesign, Mapping[str, StratumValues]]
"""How tasks were drawn, and the stratum of each by its id."""


def take_samples(file: TaskFile) -> tuple[TaskFile, Mapping[int, DrawnTask]]:
    """The file without the samples of its rows, and these by line.

    Rows whose sample cannot be read, or is not that of the first, are errors.
    """
    rows: list[RawRow] = []
    errors = list(file.errors)
    drawn: dict[int, DrawnTask] = {}
    for row in file.rows:
        if FIELD not in row.data:
            rows.append(row)
            continue
        try:
            task = DrawnTask.model_validate(row.data[FIELD])
        except ValidationError as error:
            errors.append(RowError(row.line, f"{FIELD}: {describe(error)}"))
            continue
        first = next(iter(drawn.values()), task)
        if task.model_copy(update={"stratum": first.stratum}) != first:
            reason = gettext("is another sample than that of the rows before")
            errors.append(RowError(row.line, f"{FIELD}: {reason}"))
            continue
        drawn[row.line] = task
        data = {name: value for name, value in row.data.items() if name != FIELD}
        rows.append(RawRow(row.line, data))
    if not drawn and len(errors) == len(file.errors):
        return file, {}
    return replace(file, rows=rows, errors=errors), drawn


def sample_of_tasks(
    drawn: Mapping[int, DrawnTask], tasks: Sequence[tuple[RawRow, TaskRecord]]
) -> Drawing | None:
    """The sample of the tasks that are imported; None if none of them was drawn."""
    stratum_by_id = {task.id: drawn[raw.line].stratum for raw, task in tasks if raw.line in drawn}
    if not stratum_by_id:
        return None
    first = next(iter(drawn.values()))
    design = SampleDesign(
        "predictions",
        first.campaign,
        first.fields,
        "",
        first.seed,
        first.population,
        dict(first.strata),
    )
    return design, stratum_by_id
