"""``import-boxes``: stores the boxes that a system drew as its attempts, one per task.

Files are those of ``import-elements``. A box belongs to the task that it names (``task``, of the
annotation or of its image), or else to the only task that gives its page.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sqlalchemy import select

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command, Recorder
from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.errors import ConflictError, InputFileError, PagetrailError
from pagetrail.annotation.geometry.element import Element
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.ports import Clock
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.readable_errors import reason_of, short_value
from pagetrail.annotation.tasks.identity import matching_id
from pagetrail.annotation.tasks.task import given_pages
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.attempts.system_attempts import ensure_attempt, ensure_system
from pagetrail.storage.campaigns.lookup import get_campaign
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.json_cache import stored_protocol
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.database.tables import Task
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.preannotations.checks import (
    ElementChecker,
    ElementSource,
    bad_element,
)
from pagetrail.storage.importers.preannotations.export_folders import select_files
from pagetrail.storage.importers.preannotations.formats import read_preannotations
from pagetrail.storage.importers.preannotations.labels import Labels
from pagetrail.storage.importers.preannotations.pages import PageFinder
from pagetrail.storage.importers.preannotations.raw_elements import (
    BadElement,
    PreannotationFile,
    RawElement,
)
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.credentials import check_name

_MAX_NAMED = 5


@dataclass
class BoxesReport:
    """Outcome of importing a system's boxes.

    Attributes:
        boxes: in new attempts.
        imported: number of new attempts.
        already_there: attempts with the same boxes, stored by an earlier import.
        without_boxes: of the new attempts, those without a box.
        bad: boxes and files that were not imported.
        left_out: task → why its boxes were not imported.
        notes: sentences to show.
    """

    campaign: str
    system: str
    boxes: int = 0
    imported: int = 0
    already_there: int = 0
    without_boxes: int = 0
    bad: list[BadElement] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


@dataclass
class _TaskBoxes:
    """The boxes of a task, and where the first of them is from."""

    boxes: list[Element] = field(default_factory=list)
    file: str = ""
    line: int = 1


def import_boxes(
    workspace: Workspace,
    paths: Iterable[Path],
    *,
    campaign: str,
    system: str,
    document: str | None = None,
    annotator: str | None = None,
    mapping: Mapping[str, str] | None = None,
    label: str | None = None,
    all_tasks: bool = False,
    clock: Clock | None = None,
) -> BoxesReport:
    """Import files and folders of files as a system's boxes.

    Each attempt is one transaction: running an interrupted import again completes it, and importing
    twice changes nothing. A bad box never prevents others from being imported.

    Args:
        document: document of all boxes, overriding the files.
        annotator: whose boxes to read from files with boxes of several annotators.
        mapping: class in the files → label of the campaign.
        label: of boxes without a class and of classes that the campaign does not have; by default
            its only label.
        all_tasks: whether the system worked on all tasks, so that those without a box in the files
            are attempts without boxes.

    Raises:
        NotFoundError: no such campaign.
        InputFileError: there is nothing to read, or the only file cannot be used.
        ConflictError: the campaign has no boxes, the system's name is a person's, or the workspace
            has no documents.
        PagetrailError: an invalid name, or an unknown label (codes ``invalid_name``,
            ``unknown_label``).
    """
    importer = _Importer(
        workspace,
        campaign,
        check_name(system.strip()),
        mapping or {},
        label,
        clock or SystemClock(),
    )
    report = BoxesReport(campaign, importer.system)
    selection = select_files(paths, annotator)
    report.notes += selection.notes
    if not selection.files:
        raise InputFileError(gettext("No file of boxes was named."))
    by_task: dict[str, _TaskBoxes] = {}
    digests: dict[str, str] = {}
    n_empty = 0
    for path in selection.files:
        try:
            file = read_preannotations(path, document=document, annotator=selection.annotator)
        except InputFileError as error:
            if len(selection.files) == 1:
                raise
            report.bad.append(BadElement(printable(path), None, "", None, error.problem))
            continue
        digests[file.path] = hashlib.sha256(path.read_bytes()).hexdigest()
        report.notes += file.notes
        n_empty += len(file.empty_images)
        importer.add_boxes(file, by_task, report)
    if all_tasks:
        for key in importer.tasks:
            by_task.setdefault(key, _TaskBoxes(file=printable(selection.files[0])))
    elif n_empty:
        report.notes.append(
            f"Images without boxes: {n_empty:,}. Tasks without a box are attempts only if you say "
            "that the system worked on all tasks."
        )
    for key in sorted(by_task, key=importer.position):
        importer.store(key, by_task[key], digests, report)
    report.notes += importer.remarks()
    return report


class _Importer:
    """Imports boxes into one campaign.

    Attributes:
        tasks: key of each task → the pages it gives; None where pages are found by searching.
    """

    def __init__(
        self,
        workspace: Workspace,
        campaign: str,
        system: str,
        mapping: Mapping[str, str],
        label: str | None,
        clock: Clock,
    ) -> None:
        corpus = Corpus(workspace)
        finder = PageFinder(corpus)
        if not finder.names:
            raise ConflictError(
                gettext("Boxes are on pages, and this workspace has no documents yet. Ingest them.")
            )
        self._workspace = workspace
        self._campaign = campaign
        self._clock = clock
        self._log = SqlEventLog(workspace.engine)
        self._recorder = Recorder(self._log, corpus, clock)
        with workspace.engine.connect() as connection:
            row = get_campaign(connection, campaign)
            protocol = stored_protocol(row.protocol)
            rows = connection.execute(
                select(Task.key, Task.record)
                .where(Task.campaign_id == row.id)
                .order_by(Task.batch_id, Task.position)
            )
            self.tasks = {task.key: given_pages(protocol.pages, task.record) for task in rows}
        self._positions = {key: n for n, key in enumerate(self.tasks)}
        names = _labels_of(campaign, protocol)
        self._label = _default_label(names, label)
        self._labels = Labels(names, _known_labels(names, mapping))
        self._checker = ElementChecker(finder, Labels(None, {}), "import")
        self._by_page: dict[tuple[str, int], list[str]] = {}
        for key, pages in self.tasks.items():
            for page in pages or ():
                self._by_page.setdefault(page, []).append(key)
        self._account: Person | None = None
        self.system = system
        self._relabelled = 0

    def position(self, task: str) -> int:
        """The place of a task in the campaign."""
        return self._positions[task]

    def remarks(self) -> list[str]:
        """What was changed in imported boxes, as sentences."""
        remarks = self._checker.notes("Boxes")
        if self._relabelled:
            remarks.append(
                f"Boxes without one of the campaign's labels, read as {self._label}: "
                f"{self._relabelled:,}."
            )
        return remarks

    def add_boxes(
        self, file: PreannotationFile, by_task: dict[str, _TaskBoxes], report: BoxesReport
    ) -> None:
        """Sort the boxes of a file by task; adds those that cannot be used to the report."""
        for raw in file.elements:
            try:
                # Ids need not be unique: a box may be an answer's part in several tasks.
                source = ElementSource(file.path, raw.line, raw.location)
                element = self._checker.check(replace(raw, id=None), source)
                task = self._task_of(raw, (element.document, element.page))
                element = element.model_copy(update={"label": self._label_of(element.label)})
            except ValueError as error:
                report.bad.append(bad_element(file.path, raw, reason_of(error)))
                continue
            boxes = by_task.setdefault(task, _TaskBoxes([], file.path, raw.line))
            boxes.boxes.append(element)

    def _task_of(self, raw: RawElement, page: tuple[str, int]) -> str:
        if raw.task is not None:
            task = matching_id(str(raw.task), self.tasks)
            if task not in self.tasks:
                raise ValueError(
                    f"task: there is no task {short_value(raw.task)} in campaign {self._campaign}"
                )
            return task
        tasks = self._by_page.get(page, [])
        if len(tasks) == 1:
            return tasks[0]
        name, number = page
        if not tasks:
            raise ValueError(
                f"task: no task gives page {number} of {name}; name the box's task as “task”"
            )
        named = ", ".join(tasks[:_MAX_NAMED]) + (" …" if len(tasks) > _MAX_NAMED else "")
        raise ValueError(
            f"task: {len(tasks):,} tasks give page {number} of {name} ({named}); name the box's "
            "task as “task”"
        )

    def _label_of(self, class_name: str | None) -> str:
        label = None if class_name is None else self._labels.read_label(class_name)[0]
        if label is None and self._label is not None:
            self._relabelled += class_name is not None
            return self._label
        if label is None:
            reason = (
                "label: is missing"
                if class_name is None
                else self._labels.unknown_label_reason(class_name)
            )
            raise ValueError(f"{reason}; or give one label to all such boxes")
        return label

    def store(
        self, key: str, boxes: _TaskBoxes, digests: Mapping[str, str], report: BoxesReport
    ) -> None:
        """Store the boxes of a task as an attempt, unless the system has one."""
        if self._account is None:
            self._account = ensure_system(self._workspace, self.system, clock=self._clock)
            report.system = self._account.name
        row = ensure_attempt(
            self._workspace, self._campaign, key, self._account, finished=True, clock=self._clock
        )
        payloads = self._payloads(boxes, digests)
        commands = [
            Command(client_event_id=f"boxes/{number}", payload=payload)
            for number, payload in enumerate(payloads, start=1)
        ]
        context = replace(row.context(), imported=True, seeds=None)
        events = list(self._log.events(row.attempt_id))
        if not events:
            recorded = self._recorder.record(context, commands)
            if not recorded.refusals and not any(r.repeated for r in recorded.receipts):
                report.imported += 1
                report.boxes += len(boxes.boxes)
                report.without_boxes += not boxes.boxes
                return
            events = list(self._log.events(row.attempt_id))
        if _without_source([event.payload for event in events]) == _without_source(payloads):
            report.already_there += 1
        else:
            report.left_out[key] = (
                f"{report.system} has other work at this task, which stays. Give the boxes another "
                "system name"
            )

    def _payloads(self, boxes: _TaskBoxes, digests: Mapping[str, str]) -> list[ev.Payload]:
        imported = ev.RunImported(
            format="boxes",
            file=Path(boxes.file).name,
            sha256=digests.get(boxes.file) or next(iter(digests.values())),
            record=boxes.line,
            timed=False,
            results_known=False,
        )
        drawn = [
            ev.BoxDrawn(
                box=f"b{number}",
                document=box.document,
                page=box.page,
                rect=box.rect,
                label=str(box.label),
            )
            for number, box in enumerate(boxes.boxes, start=1)
        ]
        return [imported, *drawn, ev.Submitted(outcome="completed")]


def _without_source(payloads: Sequence[ev.Payload]) -> list[Any]:
    """The payloads without what names the file, which may have been written again."""
    return [
        payload.model_copy(update={"file": "", "sha256": "0" * 64, "record": 1})
        if isinstance(payload, ev.RunImported)
        else payload
        for payload in payloads
    ]


def _labels_of(campaign: str, protocol: Protocol) -> list[str]:
    if not protocol.boxes.enabled:
        raise ConflictError(
            gettext("Campaign {campaign} asks for no boxes.", campaign=campaign), code="no_boxes"
        )
    return [label.name for label in protocol.boxes.labels]


def _default_label(names: Sequence[str], label: str | None) -> str | None:
    if label is None:
        return names[0] if len(names) == 1 else None
    if label not in names:
        raise _unknown_label(label, names)
    return label


def _known_labels(names: Sequence[str], mapping: Mapping[str, str]) -> Mapping[str, str]:
    for label in mapping.values():
        if label not in names:
            raise _unknown_label(label, names)
    return mapping


def _unknown_label(label: str, names: Sequence[str]) -> PagetrailError:
    return PagetrailError(
        gettext(
            "There is no label {label!r}. Labels: {labels}.", label=label, labels=", ".join(names)
        ),
        code="unknown_label",
    )
