"""``import-boxes``: boxes that a system drew on a campaign's pages, as its attempts."""

from __future__ import annotations

from dataclasses import asdict

from pydantic import Field

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
)
from pagetrail.storage.importers.preannotations.system_boxes import BoxesReport, import_boxes


class ImportBoxes(FileImport):
    """Import files of a system's boxes; each attempt is stored by itself."""

    name = "import-boxes"
    about = "\n\n" + "\n\n".join(
        (
            "Reads COCO JSON, ParseBench .test.json and its JSONL, Label Studio JSON, and JSON "
            'Lines such as {"task": "q1", "document": "report.pdf", "page": 3, '
            '"rect": [72, 90, 540, 300]}, recognised by content. A box belongs to the task named '
            "by `task` (of a COCO annotation or its image, a ParseBench rule, or a line), or to "
            "the only task that gives its page.",
            "Boxes that cannot be imported are listed with file, line and reason, and the rest is "
            "imported. Importing again changes nothing.",
            "Exit code: 0 when attempts were imported or already existed, else 1.",
        )
    )
    example = "boxes.json --campaign pages --system qwen3-vl --all-tasks"
    files = Files("FILE...", "Files or folders of boxes.", JSON_SUFFIXES, uploads_several=True)
    title = "Importing boxes of {system} into {campaign}"
    phase = N_("Reading boxes")
    form = Form(
        "boxes",
        N_("Files of boxes"),
        N_("Import the boxes"),
        files_help=N_(
            "COCO, ParseBench, Label Studio, or JSON Lines of boxes; recognised by content."
        ),
        heading=N_("Boxes of a system"),
        about=N_(
            "Boxes that a model drew on this campaign’s pages. Results compare them with people’s "
            "boxes under “Agreement”. A box belongs to the task that it names, or else to the only "
            "task with its page."
        ),
        is_offered=lambda protocol: protocol.boxes.enabled,
        closed=N_("Boxes cannot be imported into a campaign that is {status}. Reopen it first."),
        above=[
            (
                Input(
                    "system",
                    N_("Name of the system"),
                    placeholder="layout-model",
                    max_chars=60,
                    width=320,
                ),
            )
        ],
        below=[
            (
                Input(
                    "label",
                    N_("Label of other boxes"),
                    N_("Of boxes without a class, or with one that is not a label here."),
                    "label",
                    placeholder=N_("None: they are left out"),
                ),
                document_input(N_("The document of all boxes, whatever the files say.")),
                ANNOTATOR_INPUT,
            ),
            (MAPPING_INPUT,),
            (
                Input(
                    "all_tasks",
                    N_("The system worked on every task: one without boxes found none"),
                    kind="toggle",
                ),
            ),
        ],
        required=("system",),
    )

    system: str = Field(description="The system's name.")
    all_tasks: bool = option(
        False,
        "The system worked on every task: those without a box are attempts without boxes.",
    )
    document: str | None = option(
        None, "The document of all boxes, overriding the files.", metavar="NAME"
    )
    annotator: str | None = option(
        None,
        "The annotator whose work to read from an export of several people.",
        metavar="NAME",
    )
    mapping: dict[str, str] = option(
        {}, "Map a class to a label; may be repeated.", flag="--map", metavar="OLD=NEW"
    )
    label: str | None = option(
        None, "The label of boxes without a class, or with one that is not a label."
    )

    def run(self, context: Context) -> Result:
        report = import_boxes(context.workspace, context.files, **dict(self))
        return Result(
            bool(report.imported + report.already_there),
            _parts(report),
            _message(report),
            asdict(report),
        )


def _parts(report: BoxesReport) -> list[Part]:
    left_out = [Problem(reason, id=task) for task, reason in report.left_out.items()]
    parts: list[Part] = [
        bad_entries(report.bad, "Boxes and files that cannot be imported"),
        Problems("Tasks left out", ("task", "reason"), left_out),
        Notes(report.notes),
    ]
    if not report.imported and not report.already_there:
        return [*parts, Refusal("Nothing was imported: no box can be used.")]
    without = f", {report.without_boxes:,} of them without boxes" if report.without_boxes else ""
    parts.append(
        f"{count_noun(report.boxes, 'box', 'boxes')} of {report.system} imported into campaign "
        f"{report.campaign}, at {count_noun(report.imported, 'task')}{without}."
    )
    if report.already_there:
        parts.append(f"Already there: {count_noun(report.already_there, 'task')}.")
    return parts


def _message(report: BoxesReport) -> str:
    parts = [
        f"{count_noun(report.boxes, 'box', 'boxes')} of {report.system} imported at "
        f"{count_noun(report.imported, 'task')}"
    ]
    if report.without_boxes:
        parts.append(f"{report.without_boxes:,} of them without boxes")
    for count, noun, outcome in (
        (report.already_there, ("task",), "imported before"),
        (len(report.bad), ("box or file", "boxes or files"), "left out"),
        (len(report.left_out), ("task",), "left out"),
    ):
        if count:
            parts.append(f"{count_noun(count, *noun)} {outcome}")
    return f"{', '.join(parts)}."


OPERATION = ImportBoxes
