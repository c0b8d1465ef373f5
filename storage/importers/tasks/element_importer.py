"""``import-elements``: imports files of pre-annotations as tasks of a campaign."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.errors import ConflictError, InputFileError, PagetrailError
from pagetrail.annotation.geometry.element import Element
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.options import option
from pagetrail.annotation.ports import Clock
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.storage.campaigns.lookup import find_campaign
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.files.kept_fields import FieldCounts
from pagetrail.storage.importers.files.rows import RawRow, TaskFile
from pagetrail.storage.importers.preannotations.checks import ElementChecker
from pagetrail.storage.importers.preannotations.export_folders import SelectedFiles, select_files
from pagetrail.storage.importers.preannotations.formats import read_preannotations
from pagetrail.storage.importers.preannotations.labels import Labels
from pagetrail.storage.importers.preannotations.pages import PageFinder
from pagetrail.storage.importers.preannotations.parsebench_rows import (
    PATCH_COLUMNS,
    POINT_COLUMNS,
)
from pagetrail.storage.importers.preannotations.raw_elements import BadElement, PreannotationFile
from pagetrail.storage.importers.preannotations.task_records import (
    add_table_rows,
    elements_to_tasks,
    seed_key,
)
from pagetrail.storage.importers.tasks.campaign_settings import (
    check_campaign_name,
    requested_protocol,
)
from pagetrail.storage.importers.tasks.embedded_elements import protocol_labels
from pagetrail.storage.importers.tasks.importer import ImportReport, import_tasks

DEFAULT_PROTOCOL = "verify"


@dataclass(frozen=True)
class ReadFile:
    """A file that was read, with its format and its number of elements, good and bad."""

    file: str
    format: str
    elements: int


@dataclass
class ElementsReport:
    """Outcome of importing pre-annotations.

    Attributes:
        elements: number of elements in imported tasks.
        rows: number of usable table rows.
        bad: elements and files that were not imported.
        left_out: counts of other content of the files, by kind.
        notes: sentences to show.
        not_kept: counts of fields that no element keeps.
        tasks: outcome of importing the tasks; its lines are task numbers.
        records: all tasks made from the files, imported or not.
    """

    tasks: ImportReport
    files: list[ReadFile] = field(default_factory=list)
    elements: int = 0
    rows: int = 0
    bad: list[BadElement] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    not_kept: dict[str, int] = field(default_factory=dict)
    records: list[dict[str, Any]] = field(default_factory=list, repr=False)


def takes_elements(protocol: Protocol) -> bool:
    """Whether tasks of this protocol start from a model's boxes or rows."""
    return protocol.boxes.seed or any(spec.seed for spec in protocol.scoped("task"))


class ElementImport(BaseModel):
    """How elements become tasks of a campaign."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    campaign: str = Field(description="The campaign's name.")
    protocol: Protocol | str | None = option(
        None,
        "A preset's name or the path of a TOML file; default: the existing campaign's, or verify.",
    )
    document: str | None = option(
        None, "The document of all elements, overriding the files.", metavar="NAME"
    )
    annotator: str | None = option(
        None,
        "The annotator whose work to read from an export of several people.",
        metavar="NAME",
    )
    grouping: Literal["page", "document"] = option(
        "page", "One task per page or per document.", flag="--per"
    )
    mapping: dict[str, str] = option(
        {}, "Map a class to a label; may be repeated.", flag="--map", metavar="OLD=NEW"
    )
    settings: dict[str, Any] = option(
        {},
        "Change a setting of the protocol; may be repeated.",
        flag="--set",
        metavar="KEY=VALUE",
    )
    skip_bad: bool = option(
        False, "Import the other tasks if the campaign already has some of them."
    )
    assign: bool = option(True, "Leave the new batches unassigned.", flag="--no-assign")
    seed: int | None = None
    guidelines: str | None = None
    new: bool = False
    """Whether the campaign must not exist yet."""


def import_elements(
    workspace: Workspace,
    paths: Iterable[Path],
    request: ElementImport,
    *,
    clock: Clock | None = None,
) -> ElementsReport:
    """Import files and folders of files into a campaign: one task per page or document.

    A bad element never prevents others from being imported. ``skip_bad`` concerns whole tasks, such
    as pages for which the campaign already has a task.

    Raises:
        InputFileError: there is nothing to read, or the only file cannot be used.
        ProtocolError, NotFoundError: the protocol or a setting does not exist.
        ConflictError: the campaign exists with other settings or is closed, or the workspace has
            no documents.
        PagetrailError: an invalid campaign name, or an unknown label in ``mapping`` (codes
            ``invalid_name``, ``unknown_label``).
    """
    check_campaign_name(request.campaign)
    requested, is_new = _protocol_to_use(workspace, request)
    labels = _labels_of(requested, request.mapping)
    finder = _page_finder(workspace)
    report = ElementsReport(ImportReport(request.campaign))
    selection = select_files(paths, request.annotator)
    files = list(_readable_files(selection, request.document, report))
    if not requested.boxes.enabled and any(
        seed_key(requested, r.columns) for f in files for r in f.rows
    ):
        for file in files:
            file.left_out["elements, which this protocol does not ask about"] += len(file.elements)
            file.elements = []
    checker = ElementChecker(finder, labels, request.grouping)
    good, bad = checker.check_all(files)
    empty_pages, bad_images = checker.empty_pages(files)
    report.records = elements_to_tasks(good, empty_pages, grouping=request.grouping)
    report.rows, bad_rows = add_table_rows(
        report.records, files, requested, finder, request.grouping
    )
    report.bad += bad + bad_images + bad_rows
    not_kept = FieldCounts()
    for file in files:
        not_kept.add_all(file.not_kept.counts())
    report.not_kept = not_kept.counts()
    report.left_out = dict(sum((file.left_out for file in files), Counter[str]()).most_common())
    report.notes = selection.notes + [note for file in files for note in file.notes]
    report.notes += checker.notes("Elements")
    report.notes += _crowded_pages(good, requested)
    report.notes += _rows_without_table(files, requested)
    if not report.records:
        return report
    rows = [RawRow(number, record) for number, record in enumerate(report.records, start=1)]
    report.tasks = import_tasks(
        workspace,
        TaskFile(rows),
        campaign=request.campaign,
        protocol=requested if is_new else request.protocol,
        settings=None if is_new else request.settings,
        skip_bad=request.skip_bad,
        assign=request.assign,
        seed=request.seed,
        guidelines=request.guidelines,
        new=request.new,
        clock=clock or SystemClock(),
    )
    if report.tasks.imported:
        refused = {row.line for row in report.tasks.bad}
        imported_records = [row.data for row in rows if row.line not in refused]
        report.elements = sum(len(record.get("elements", ())) for record in imported_records)
    return report


def _readable_files(
    selection: SelectedFiles, document: str | None, report: ElementsReport
) -> Iterator[PreannotationFile]:
    """The files that can be read; adds the others to the report."""
    paths = selection.files
    if not paths:
        raise InputFileError(gettext("No file of pre-annotations was named."))
    for path in paths:
        try:
            file = read_preannotations(path, document=document, annotator=selection.annotator)
        except InputFileError as error:
            if len(paths) == 1:
                raise
            report.bad.append(BadElement(printable(path), None, "", None, error.problem))
            continue
        report.files.append(ReadFile(file.path, file.format, len(file.elements)))
        yield file


def _protocol_to_use(workspace: Workspace, request: ElementImport) -> tuple[Protocol, bool]:
    """The protocol for the import, and whether the campaign is new."""
    with workspace.engine.connect() as connection:
        row = find_campaign(connection, request.campaign)
    protocol = request.protocol
    if row is None and protocol is None:
        protocol = DEFAULT_PROTOCOL
    return requested_protocol(row, protocol, request.settings, None, None), row is None


def _labels_of(protocol: Protocol, mapping: Mapping[str, str]) -> Labels:
    names = protocol_labels(protocol)
    for class_name, label in mapping.items():
        if names is not None and label not in names:
            raise PagetrailError(
                gettext(
                    "{class_name!r} cannot be read as {label!r}: the classes of this "
                    "campaign are {names}.",
                    class_name=class_name,
                    label=label,
                    names=", ".join(names),
                ),
                code="unknown_label",
            )
    return Labels(names, mapping)


def _page_finder(workspace: Workspace) -> PageFinder:
    finder = PageFinder(Corpus(workspace))
    if not finder.names:
        raise ConflictError(
            gettext(
                "Pre-annotations are on pages, and this workspace has no documents "
                "yet. Ingest them first."
            )
        )
    return finder


def _rows_without_table(files: Sequence[PreannotationFile], protocol: Protocol) -> Iterator[str]:
    """Names the preset for table rows that the protocol has no table for."""
    columns = {row.columns for file in files for row in file.rows}
    for table_columns, preset in (
        (POINT_COLUMNS, "verify_chart"),
        (PATCH_COLUMNS, "verify_transcript"),
    ):
        if table_columns in columns and seed_key(protocol, table_columns) is None:
            yield f"To verify the other content, import it into a campaign with protocol {preset}."


def _crowded_pages(elements: Sequence[Element], protocol: Protocol) -> Iterator[str]:
    limit = protocol.boxes.max_per_page
    pages = Counter((element.document, element.page) for element in elements)
    crowded = sum(count > limit for count in pages.values())
    if protocol.boxes.enabled and crowded:
        yield (
            f"Pages with more than {limit:,} elements: {crowded:,}. The protocol allows no more "
            f"boxes on a page; the setting boxes.max_per_page = {max(pages.values())} makes room."
        )
