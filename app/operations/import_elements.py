"""``import-elements``: a model's elements as tasks, for people to verify."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pagetrail.annotation.errors import OutputError
from pagetrail.annotation.messages import N_
from pagetrail.annotation.options import option
from pagetrail.annotation.sentences import count_noun
from pagetrail.app.operations.forms import (
    ANNOTATOR_INPUT,
    MAPPING_INPUT,
    Form,
    Input,
    document_input,
)
from pagetrail.app.operations.operation import JSON_SUFFIXES, Context, FileImport, Files
from pagetrail.app.operations.results import (
    Notes,
    Part,
    Problem,
    Problems,
    Refusal,
    Result,
    bad_entries,
    not_kept,
)
from pagetrail.app.operations.task_reports import imported_tasks
from pagetrail.storage.importers.tasks.element_importer import (
    ElementImport,
    ElementsReport,
    import_elements,
    takes_elements,
)


class ImportElements(FileImport, ElementImport):
    """Import files of elements; all tasks are stored in one transaction."""

    name = "import-elements"
    about = "\n\n" + "\n\n".join(
        (
            "With --protocol verify_chart or verify_transcript, ParseBench's data points of "
            "charts, or its rules about text as patches.",
            "Reads ParseBench .test.json and its JSONL, COCO JSON, Label Studio JSON, and JSON "
            'Lines such as {"document": "report.pdf", "page": 3, "rect": [72, 90, 540, 300], '
            '"label": "Table"}, recognised by content; in a folder, its .json, .jsonl and .ndjson '
            "files, or what our own export in it has.",
            "Elements that cannot be imported are listed with file, line and reason, and the rest "
            "is imported. Classes match the campaign's regardless of case and punctuation; "
            "ParseBench's finer classes are merged as ParseBench merges them.",
            "Exit code: 0 when tasks were imported, else 1.",
        )
    )
    example = "layout/ --campaign layout --map Caption=Text"
    files = Files("FILE...", "Files or folders of elements.", JSON_SUFFIXES, uploads_several=True)
    title = "Importing elements into {campaign}"
    phase = N_("Reading elements")
    form = Form(
        "element",
        N_("Element files"),
        N_("Add tasks from the elements"),
        files_help=N_(
            "ParseBench, COCO, Label Studio, or JSON Lines of elements; recognised by content."
        ),
        heading=N_("From a model’s elements"),
        is_offered=takes_elements,
        below=[
            (
                Input(
                    "grouping",
                    N_("Tasks"),
                    kind="choice",
                    choices={"page": N_("One per page"), "document": N_("One per document")},
                ),
                document_input(N_("The document of all elements, whatever the files say.")),
                ANNOTATOR_INPUT,
            ),
            (MAPPING_INPUT,),
            (Input("skip_bad", N_("Leave out pages that already have a task"), kind="toggle"),),
        ],
    )

    tasks_out: Path | None = option(
        None,
        "Also write the tasks to a new task file.",
        metavar="FILE.jsonl",
        only_in_commands=True,
    )

    def run(self, context: Context) -> Result:
        if self.tasks_out is not None:
            _check_new(self.tasks_out)
        report = import_elements(context.workspace, context.files, self)
        if self.tasks_out is not None and report.records:
            _write(self.tasks_out, report.records)
        json_fields = asdict(report)
        del json_fields["records"]
        return Result(bool(report.tasks.imported), _parts(report), _message(report), json_fields)


def _check_new(path: Path) -> None:
    if path.exists():
        raise OutputError(f"{path} already exists. Choose another name for --tasks-out.")
    if not path.absolute().parent.is_dir():
        raise OutputError(f"{path} cannot be written: there is no folder {path.parent}.")


def _write(path: Path, records: list[dict[str, Any]]) -> None:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror}.") from error


def _parts(report: ElementsReport) -> list[Part]:
    left_out = ", ".join(f"{n:,} {reason}" for reason, n in list(report.left_out.items())[:10])
    refused = [Problem(row.reason, row.line, row.id) for row in report.tasks.bad]
    parts: list[Part] = [
        bad_entries(report.bad, "Elements and files that cannot be imported"),
        *([f"Left out because they are not elements: {left_out}."] if left_out else []),
        *not_kept(report.not_kept),
        Notes(report.notes),
        Problems("Tasks that cannot be imported", ("task", "reason"), refused),
    ]
    if report.tasks.imported:
        read = sum(file.elements for file in report.files)
        rows = f" {count_noun(report.rows, 'row')} of tables read." if report.rows else ""
        parts.append(
            f"{report.elements:,} of {count_noun(read, 'element')} in "
            f"{count_noun(len(report.files), 'file')} imported.{rows}"
        )
        return parts + imported_tasks(report.tasks)
    if not refused:
        return [*parts, Refusal("Nothing was imported: no element can be used.")]
    advice = "Import the other tasks with --skip-bad, or choose another campaign."
    return [*parts, Refusal(f"Nothing was imported. {advice}")]


def _message(report: ElementsReport) -> str:
    left_out = f"{count_noun(len(report.bad), 'element or file', 'elements or files')} left out"
    if not report.tasks.imported:
        refused = (
            f", {count_noun(len(report.tasks.bad), 'task')} refused" if report.tasks.bad else ""
        )
        return f"Nothing was imported: {left_out}{refused}."
    batches = count_noun(len(report.tasks.batches), "batch", "batches")
    imported = f"{count_noun(report.tasks.imported, 'task')} in {batches}"
    return f"{imported} with {count_noun(report.elements, 'element')}, {left_out}."


OPERATION = ImportElements
