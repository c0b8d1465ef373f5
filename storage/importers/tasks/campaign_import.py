"""Imports several task files at once into a new or existing campaign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pagetrail.annotation.errors import InputFileError
from pagetrail.annotation.messages import N_, gettext
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import ImportReport, import_tasks
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.audit import audit
from pagetrail.storage.people.roles import require_supervisor_in


@dataclass(frozen=True)
class FileReport:
    """Outcome of importing one file."""

    file: str
    report: ImportReport


@dataclass(frozen=True)
class CampaignImport:
    """Request to create a campaign, or to add tasks to an existing one.

    Attributes:
        protocol: with all settings; None for an existing campaign.
        seed, guidelines: None means the default, or the campaign's own.
        predictions: system → its results file, for campaigns that judge answers.
        skip_bad: whether to import the good rows if others are bad.
        assign: whether to assign the new batches to the active annotators.
    """

    campaign: str
    protocol: Protocol | None = None
    seed: int | None = None
    guidelines: str | None = None
    predictions: Mapping[str, Path] | None = None
    skip_bad: bool = False
    assign: bool = True

    @property
    def new(self) -> bool:
        """Whether the campaign must not exist yet."""
        return self.protocol is not None


def check_files(
    workspace: Workspace, files: Sequence[Path], request: CampaignImport
) -> list[FileReport]:
    """Check what each file would import, independently of the others; stores nothing.

    Raises:
        InputFileError: a file cannot be used as a whole, two have the same name, or there is none.
        PagetrailError: as ``import_tasks``.
    """
    _require_distinct_names(files)
    return [
        FileReport(file.name, _import(workspace, file, request, new=request.new, dry=True))
        for file in files
    ]


def import_files(
    workspace: Workspace, by: Person | None, files: Sequence[Path], request: CampaignImport
) -> list[FileReport]:
    """Import the files in order.

    All files are checked first: unless ``skip_bad`` is set, a single bad row means that nothing is
    stored. A task that an earlier file has already added is a bad row of the later one.

    Raises:
        Forbidden: ``by`` may not import tasks.
        InputFileError, PagetrailError: as ``check_files``; nothing is stored.
    """
    with workspace.engine.connect() as connection:
        require_supervisor_in(
            connection, by, N_("Only supervisors may make campaigns and import tasks.")
        )
    checked = check_files(workspace, files, request)
    if not request.skip_bad and any(checked_file.report.bad for checked_file in checked):
        return [
            FileReport(checked_file.file, _without_result(checked_file.report))
            for checked_file in checked
        ]
    reports: list[FileReport] = []
    new = request.new
    for file in files:
        report = _import(workspace, file, request, new=new, dry=False)
        reports.append(FileReport(file.name, report))
        if not report.imported:
            continue
        _audit(workspace, by, request, file, report, new=new)
        new = False
    return reports


def needs_predictions(protocol: Protocol) -> bool:
    """Whether the protocol is about answers of systems, which may be in separate files."""
    return protocol.shows_predictions


def _import(
    workspace: Workspace, file: Path, request: CampaignImport, *, new: bool, dry: bool
) -> ImportReport:
    first = new or not request.new
    return import_tasks(
        workspace,
        file,
        campaign=request.campaign,
        protocol=request.protocol if new else None,
        seed=request.seed if first else None,
        guidelines=request.guidelines if first else None,
        predictions=request.predictions,
        # A check counts the rows that could be imported, whether or not others are bad.
        skip_bad=request.skip_bad or dry,
        assign=request.assign,
        new=new,
        dry=dry,
    )


def _without_result(report: ImportReport) -> ImportReport:
    return ImportReport(report.campaign, bad=report.bad)


def _audit(
    workspace: Workspace,
    by: Person | None,
    request: CampaignImport,
    file: Path,
    report: ImportReport,
    *,
    new: bool,
) -> None:
    protocol = request.protocol
    detail = (
        f"{request.campaign}: {report.imported:,} tasks in {len(report.batches):,} batches from "
        f"{printable(file.name)}"
    )
    if new and protocol is not None:
        detail += f", protocol {protocol.name}, overlap {protocol.overlap}"
    if report.bad:
        detail += f", {len(report.bad):,} rows left out"
    audit(workspace, by, "campaign_created" if new else "tasks_imported", detail)


def _require_distinct_names(files: Sequence[Path]) -> None:
    names = [file.name for file in files]
    if not names:
        raise InputFileError(gettext("A campaign needs tasks. Give at least one task file."))
    duplicate = next((name for name in names if names.count(name) > 1), None)
    if duplicate is not None:
        raise InputFileError(
            gettext("Two files are named {name}. Leave one out.", name=printable(duplicate))
        )
