"""``import-elements``: files of pre-annotations become tasks of a campaign, the bad ones listed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.errors import ConflictError, InputFileError, PagetrailError
from pagetrail.annotation.geometry.element import Element
from pagetrail.annotation.ports import Clock
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.storage.campaigns.lookup import find_campaign
from pagetrail.storage.corpus.aliases import aliases
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.files.kept_fields import FieldCounts
from pagetrail.storage.importers.files.rows import RawRow, TaskFile
from pagetrail.storage.importers.preannotations.checks import ElementChecker, Grouping
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
from pagetrail.storage.importers.tasks.campaign_settings import check_campaign_name, wanted_protocol
from pagetrail.storage.importers.tasks.embedded_elements import protocol_labels
from pagetrail.storage.importers.tasks.importer import ImportReport, import_tasks

DEFAULT_PROTOCOL = "verify"


@dataclass(frozen=True)
class ReadFile:
    """A file that was read: its format, and how many elements it holds, good and bad."""

    file: str
    format: str
    elements: int


@dataclass
class ElementsReport:
    """What an import of pre-annotations did.

    Attributes:
        elements: number of elements in the tasks that were imported.
        rows: number of rows of tables that could be used.
        bad: elements and files that were not imported.
        left_out: what else the files hold, by kind, counted.
        notes: sentences a person should read.
        not_kept: fields of the files that no element keeps, by name → how often they occur.
        tasks: the import of the tasks; its lines are numbers of tasks.
        records: the tasks that were made, whether or not all were imported.
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


def import_elements(
    workspace: Workspace,
    paths: Iterable[Path],
    *,
    campaign: str,
    protocol: Protocol | str | None = None,
    settings: dict[str, Any] | None = None,
    document: str | None = None,
    annotator: str | None = None,
    grouping: Grouping = "page",
    mapping: Mapping[str, str] | None = None,
    skip_bad: bool = False,
    assign: bool = True,
    seed: int | None = None,
    guidelines: str | None = None,
    new: bool = False,
    clock: Clock | None = None,
) -> ElementsReport:
    """Import files, and the files of folders, into a campaign: one task per page or document.

    A bad element never keeps others from being imported. ``skip_bad`` is about whole tasks, such
    as pages that the campaign has a task for already.

    Args:
        protocol, settings, assign, seed, guidelines, new: see ``import_tasks``; a new campaign
            gets ``verify``.
        document: the document that all elements belong to, whatever the files say.
        annotator: whose boxes to read, of our own exports; see ``files_to_read``.
        mapping: class in the files → label of the protocol.

    Raises:
        InputFileError: there is nothing to read, or the only file cannot be used.
        ProtocolError, NotFoundError: the protocol or a setting does not exist.
        ConflictError: the campaign exists with other settings or is closed, or the workspace has
            no documents.
        PagetrailError: a campaign's name or a class in ``mapping`` that is not allowed (codes
            ``invalid_name``, ``unknown_label``).
    """
    check_campaign_name(campaign)
    asked, absent = _protocol_to_use(workspace, campaign, protocol, settings)
    labels = _labels_of(asked, mapping or {})
    finder = _page_finder(workspace)
    report = ElementsReport(ImportReport(campaign))
    chosen = select_files(paths, annotator)
    files = list(_readable_files(chosen, document, report))
    if not asked.boxes.enabled and any(seed_key(asked, r.columns) for f in files for r in f.rows):
        for file in files:
            file.left_out["elements, which this protocol does not ask about"] += len(file.elements)
            file.elements = []
    checker = ElementChecker(finder, labels, grouping)
    good, bad = checker.check_all(files)
    report.records = elements_to_tasks(good, grouping=grouping)
    report.rows, bad_rows = add_table_rows(report.records, files, asked, finder, grouping)
    report.bad += bad + bad_rows
    not_kept = FieldCounts()
    for file in files:
        not_kept.add_all(file.not_kept.counts())
    report.not_kept = not_kept.counts()
    report.left_out = dict(sum((file.left_out for file in files), Counter[str]()).most_common())
    report.notes = chosen.notes + [note for file in files for note in file.notes]
    report.notes += [f"Elements {what}: {n:,}." for what, n in checker.remarks.most_common()]
    report.notes += _crowded_pages(good, asked)
    report.notes += _rows_without_table(files, asked)
    if not report.records:
        return report
    rows = [RawRow(number, record) for number, record in enumerate(report.records, start=1)]
    report.tasks = import_tasks(
        workspace,
        TaskFile(rows),
        campaign=campaign,
        protocol=asked if absent else protocol,
        settings=None if absent else settings,
        skip_bad=skip_bad,
        assign=assign,
        seed=seed,
        guidelines=guidelines,
        new=new,
        clock=clock or SystemClock(),
    )
    if report.tasks.imported:
        refused = {row.line for row in report.tasks.bad}
        made = [row.data for row in rows if row.line not in refused]
        report.elements = sum(len(record.get("elements", ())) for record in made)
    return report


def _readable_files(
    chosen: SelectedFiles, document: str | None, report: ElementsReport
) -> Iterator[PreannotationFile]:
    """The files that can be read; the others are put into the report."""
    paths = chosen.files
    if not paths:
        raise InputFileError("No file of pre-annotations was named.")
    for path in paths:
        try:
            file = read_preannotations(path, document=document, annotator=chosen.annotator)
        except InputFileError as error:
            if len(paths) == 1:
                raise
            shown = printable(path)
            report.bad.append(
                BadElement(shown, None, "", None, error.message.removeprefix(f"{shown} "))
            )
            continue
        report.files.append(ReadFile(file.path, file.format, len(file.elements)))
        yield file


def _protocol_to_use(
    workspace: Workspace,
    campaign: str,
    protocol: Protocol | str | None,
    settings: dict[str, Any] | None,
) -> tuple[Protocol, bool]:
    """The protocol that holds for the import, and whether the campaign is still to be made."""
    with workspace.engine.connect() as connection:
        row = find_campaign(connection, campaign)
    if row is None and protocol is None:
        protocol = DEFAULT_PROTOCOL
    return wanted_protocol(row, protocol, settings, None, None), row is None


def _labels_of(protocol: Protocol, mapping: Mapping[str, str]) -> Labels:
    names = protocol_labels(protocol)
    for given, label in mapping.items():
        if names is not None and label not in names:
            raise PagetrailError(
                f"{given!r} cannot be read as {label!r}: the classes of this campaign are "
                f"{', '.join(names)}.",
                code="unknown_label",
            )
    return Labels(names, mapping)


def _page_finder(workspace: Workspace) -> PageFinder:
    corpus = Corpus(workspace)
    if not corpus.names():
        raise ConflictError(
            "Pre-annotations are on pages, and this workspace has no documents yet. Ingest them "
            "first."
        )
    return PageFinder(corpus, aliases(workspace))


def _rows_without_table(files: Sequence[PreannotationFile], protocol: Protocol) -> Iterator[str]:
    """Which preset verifies what the files hold beside elements."""
    columns = {row.columns for file in files for row in file.rows}
    for wanted, preset in ((POINT_COLUMNS, "verify_chart"), (PATCH_COLUMNS, "verify_transcript")):
        if wanted in columns and seed_key(protocol, wanted) is None:
            yield f"A campaign of its own with the protocol {preset} verifies what else is there."


def _crowded_pages(elements: Sequence[Element], protocol: Protocol) -> Iterator[str]:
    most = protocol.boxes.max_per_page
    pages = Counter((element.document, element.page) for element in elements)
    crowded = sum(count > most for count in pages.values())
    if protocol.boxes.enabled and crowded:
        yield (
            f"Pages with more than {most:,} elements: {crowded:,}. The protocol allows no more "
            f"boxes on a page; the setting boxes.max_per_page = {max(pages.values())} makes room."
        )
