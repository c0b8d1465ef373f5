"""A campaign from several task files at once, by a person or from the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pagetrail.annotation.errors import InputFileError
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.storage.campaigns.lifecycle import require_supervisor
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import ImportReport, import_tasks
from pagetrail.storage.importers.tasks.predictions import judges
from pagetrail.storage.people.accounts import Person, audit
from pagetrail.storage.people.administration import actor_name


@dataclass(frozen=True)
class FileReport:
    """What became of one file."""

    file: str
    report: ImportReport


@dataclass(frozen=True)
class Wanted:
    """A campaign that is to be made, or one that exists and gets more tasks.

    Attributes:
        protocol: with all settings; None for a campaign that exists.
        seed, guidelines: None means the default, or the campaign's own.
        predictions: system → its results file, for campaigns that judge answers.
        skip_bad: whether good rows come in where others are bad.
        assign: whether the new batches go to the active annotators at once.
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


def check_files(workspace: Workspace, files: Sequence[Path], wanted: Wanted) -> list[FileReport]:
    """What each file would bring; nothing is stored. Files are looked at each by itself.

    Raises:
        InputFileError: a file cannot be used as a whole, two have one name, or there is none.
        PagetrailError: as ``import_tasks``.
    """
    _check_names(files)
    return [
        FileReport(file.name, _import(workspace, file, wanted, new=wanted.new, dry=True))
        for file in files
    ]


def import_files(
    workspace: Workspace, by: Person | None, files: Sequence[Path], wanted: Wanted
) -> list[FileReport]:
    """Make the campaign, or add to it, from the files in their order.

    Every file is checked first: without ``skip_bad`` one bad row in any of them means that nothing
    is stored. What another file has brought already is a bad row of the later one.

    Raises:
        Forbidden: not for whoever asks.
        InputFileError, PagetrailError: as ``check_files``; nothing is stored.
    """
    with workspace.engine.connect() as connection:
        require_supervisor(connection, by, "make campaigns and import tasks")
    checked = check_files(workspace, files, wanted)
    if not wanted.skip_bad and any(each.report.bad for each in checked):
        return [FileReport(each.file, _nothing(each.report)) for each in checked]
    found: list[FileReport] = []
    new = wanted.new
    for file in files:
        report = _import(workspace, file, wanted, new=new, dry=False)
        found.append(FileReport(file.name, report))
        if not report.imported:
            continue
        _note(workspace, by, wanted, file, report, new=new)
        new = False
    return found


def needs_predictions(protocol: Protocol) -> bool:
    """Whether the protocol is about answers of systems, which may come in files of their own."""
    return judges(protocol)


def _import(
    workspace: Workspace, file: Path, wanted: Wanted, *, new: bool, dry: bool
) -> ImportReport:
    first = new or not wanted.new
    return import_tasks(
        workspace,
        file,
        campaign=wanted.campaign,
        protocol=wanted.protocol if new else None,
        seed=wanted.seed if first else None,
        guidelines=wanted.guidelines if first else None,
        predictions=wanted.predictions,
        # A check counts what could come in, whatever is then decided about the other rows.
        skip_bad=wanted.skip_bad or dry,
        assign=wanted.assign,
        new=new,
        dry=dry,
    )


def _nothing(report: ImportReport) -> ImportReport:
    return ImportReport(report.campaign, bad=report.bad)


def _note(
    workspace: Workspace,
    by: Person | None,
    wanted: Wanted,
    file: Path,
    report: ImportReport,
    *,
    new: bool,
) -> None:
    protocol = wanted.protocol
    detail = (
        f"{wanted.campaign}: {report.imported:,} tasks in {len(report.batches):,} batches from "
        f"{printable(file.name)}"
    )
    if new and protocol is not None:
        detail += f", protocol {protocol.name}, overlap {protocol.overlap}"
    if report.bad:
        detail += f", {len(report.bad):,} rows left out"
    audit(workspace, actor_name(by), "campaign_created" if new else "tasks_imported", detail)


def _check_names(files: Sequence[Path]) -> None:
    names = [file.name for file in files]
    if not names:
        raise InputFileError("A campaign needs tasks. Give at least one task file.")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputFileError(f"The file {printable(twice)} is there twice. Leave one out.")
