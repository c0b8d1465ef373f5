"""The operations by the names of their commands, without importing them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from pagetrail.app.operations.operation import FileImport, Operation

IMPORTS = {
    "import-tasks": "Import questions from JSONL, JSON, CSV, Parquet or Excel into a campaign, in "
    "batches.",
    "import-elements": "Import a model's elements (boxes on pages, with class, text and reading "
    "order) for people to verify: one task per page.",
    "import-boxes": "Import boxes that a system drew on a campaign's pages, as its attempts: they "
    "are compared with people's boxes in `pagetrail agreement` and `report --paper vidore`.",
    "import-run": "Import an agent's run on a campaign's tasks: MADQA results, an Inspect log, "
    "ATIF trajectories, conversations in OpenAI's format, or LangChain traces.",
    "import-verdicts": "Import an external judge's or dataset's verdicts on a campaign's answers: "
    "CSV, JSONL, Parquet or Excel with task, system and verdict, and optionally confidence and "
    "rationale.",
    "import-drafts": "Import a model's drafts of gold: JSONL, JSON, CSV, Parquet or Excel with "
    "task, model and what the model proposes: answer, evidence, page_grades, fields, pages, boxes, "
    "transcript or tables, with its reasons and scores.",
    "import-patches": "Begin the next round of transcriptions with a model's patches for the texts "
    "that `export --format transcripts` wrote.",
    "import-tables": "Begin the next round of table verification with the tables that a model "
    "fixed, for the requests that `export --format table-fixes` wrote.",
}
OPERATIONS = IMPORTS | {
    "withdraw-run": "Withdraw a system's run of a campaign.",
    "exclude-tasks": "Exclude tasks of a campaign for the future, also after work on them began.",
    "assign": "Assign a campaign's batches until each has as many annotators as the campaign's "
    "overlap.",
}
"""Name → the first sentence of its help."""

WITHOUT_JOB = {"import-tasks"}
"""Imports that the browser runs in a dialog of its own (``app/admin/campaigns/task_import.py``)."""


def operation_named(name: str) -> type[Operation]:
    """The operation of a name in ``OPERATIONS``."""
    module = import_module(f"pagetrail.app.operations.{name.replace('-', '_')}")
    operation: type[Operation] = module.OPERATION
    return operation


def file_import(name: str) -> type[FileImport]:
    """The import of a name in ``IMPORTS`` that runs as a job.

    Raises:
        ValueError: there is no such import.
    """
    if name not in IMPORTS.keys() - WITHOUT_JOB:
        raise ValueError(f"there is no import {name!r}")
    return cast("type[FileImport]", operation_named(name))
