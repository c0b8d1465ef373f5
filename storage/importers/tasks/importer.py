"""``import-tasks``: imports a task file as batches of a campaign in one transaction."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select

from pagetrail.annotation.answers.gold_kind import Kind
from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.document_names import DocumentNames
from pagetrail.annotation.errors import ConflictError, InputFileError, PagetrailError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.ports import Clock
from pagetrail.annotation.protocols import protocol as protocols
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.tasks.blind_judging import question_of
from pagetrail.annotation.tasks.page_scores import TaskPageScores
from pagetrail.annotation.tasks.task import read_task
from pagetrail.storage.batches.annotators import active_annotators
from pagetrail.storage.batches.assignments import AssignReport, assign_in
from pagetrail.storage.batches.checks import require_usable_gold_source
from pagetrail.storage.campaigns.lookup import find_campaign, require_open
from pagetrail.storage.campaigns.own_answers import people_by_answer_name
from pagetrail.storage.campaigns.page_scores import store_page_scores
from pagetrail.storage.campaigns.samples import store_draw
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Campaign, Task
from pagetrail.storage.database.workspace import Workspace, workspace_secret
from pagetrail.storage.importers.files.recognition import (
    IMPORT_TASKS,
    importer_hint,
    refuse_if_other_kind,
)
from pagetrail.storage.importers.files.row_files import read_task_file
from pagetrail.storage.importers.files.rows import ParsedTask, TaskFile
from pagetrail.storage.importers.preannotations.pages import PageFinder
from pagetrail.storage.importers.retrieval.collection import is_collection, read_collection
from pagetrail.storage.importers.tasks.campaign_settings import (
    check_campaign_name,
    requested_protocol,
    require_same,
    resolve_protocol,
)
from pagetrail.storage.importers.tasks.checks import (
    TaskChecker,
    import_remarks,
    names_pages,
    without_page_zero,
)
from pagetrail.storage.importers.tasks.drawn_requests import with_drawn_requests
from pagetrail.storage.importers.tasks.drawn_tasks import Drawing, sample_of_tasks, take_samples
from pagetrail.storage.importers.tasks.embedded_elements import with_elements
from pagetrail.storage.importers.tasks.given_shapes import (
    normalize_row,
    refers_to_page_0,
    with_stored_names,
    with_stripped_ids,
)
from pagetrail.storage.importers.tasks.gold_kinds import (
    GoldKinds,
    count_gold_kinds,
    kinds_by_line,
)
from pagetrail.storage.importers.tasks.page_grades import with_page_grades
from pagetrail.storage.importers.tasks.page_scores import with_page_scores
from pagetrail.storage.importers.tasks.pilot_checks import (
    check_required_pilot,
    pilot_remarks,
)
from pagetrail.storage.importers.tasks.plain_columns import with_id
from pagetrail.storage.importers.tasks.predictions import (
    blind_batches,
    join_predictions,
    read_answers,
    with_stripped_systems,
)
from pagetrail.storage.importers.tasks.request import TaskImport
from pagetrail.storage.importers.tasks.store import DEFAULT_SEED, create_campaign, store_tasks
from pagetrail.storage.importers.tasks.tables import table_repairs
from pagetrail.storage.importers.tasks.transcripts import with_transcripts
from pagetrail.storage.importers.tasks.variants import (
    variant_batches,
    with_question_of_original,
    with_variants,
)

MAX_SEED = 2**31 - 1
ROWS_PER_PAGE_ZERO = 20
"""A file seems to count pages from 0 if at least one row in this many names page 0."""

__all__ = ["BadRow", "ImportReport", "import_tasks", "resolve_protocol"]


@dataclass(frozen=True)
class BadRow:
    """A row that was not imported.

    Attributes:
        line: see ``RawRow``.
        id: the task's id if it could be read.
    """

    line: int
    id: str | None
    reason: str


@dataclass
class ImportReport:
    """Outcome of an import of tasks.

    Attributes:
        imported: number of tasks stored; 0 if bad rows stopped the import.
        batches: code names of the new batches, in order.
        gold_kinds: of the tasks that are or would be imported.
        assigned: assignments made with the import; None if there were none to make.
    """

    campaign: str
    imported: int = 0
    batches: list[str] = field(default_factory=list)
    bad: list[BadRow] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    gold_kinds: GoldKinds = field(default_factory=GoldKinds)
    assigned: AssignReport | None = None


@dataclass
class _Draft:
    """The tasks of a file on their way into a campaign.

    Attributes:
        tasks: the rows that can still be imported.
        bad: the other rows.
        notes: about the file.
        part_notes: (line, note) about parts of a task that are left out; told if it is imported.
        scores: task id → scores of its pages.
        gold_kinds: line → kind of its gold answer.
    """

    tasks: list[ParsedTask] = field(default_factory=list)
    bad: list[BadRow] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    part_notes: list[tuple[int, str]] = field(default_factory=list)
    scores: dict[str, TaskPageScores] = field(default_factory=dict)
    gold_kinds: dict[int, Kind] = field(default_factory=dict)


def import_tasks(
    workspace: Workspace,
    tasks: Path | TaskFile,
    *,
    dry: bool = False,
    sample: Drawing | None = None,
    clock: Clock | None = None,
    **fields: Any,
) -> ImportReport:
    """Import tasks into a new campaign, or as new batches into an existing one.

    Bad rows are reported; unless ``skip_bad`` is set, one bad row means that nothing is stored. The
    import, including the assignment to the active annotators, is one transaction.

    Args:
        tasks: path or content of a task file, or a test collection for retrieval (a folder, a zip
            archive, or the file of its queries).
        dry: only check; the report says how many tasks could be imported.
        sample: how the tasks were drawn, to be stored with them; else as their rows say.
        fields: of ``TaskImport``.

    Raises:
        InputFileError: a file cannot be used as a whole.
        ProtocolError, NotFoundError: the protocol or a setting does not exist.
        ConflictError: the campaign exists although ``new``, exists with other settings, or is
            closed; tasks name pages and the workspace has no documents; the required pilot does not
            exist; or there are predictions for a protocol that shows none.
        PagetrailError: an invalid name, seed or first page (codes ``invalid_name``,
            ``invalid_seed``, ``invalid_pages_from``).
    """
    request = TaskImport(**fields)
    campaign, seed = request.campaign, request.seed
    _check_request(request)
    file, pages_from = _read_rows(tasks, request)
    file, drawn = take_samples(file)
    corpus_documents = Corpus(workspace)
    finder = PageFinder(corpus_documents)
    draft = _parse_rows(file, pages_from, finder.names)
    if isinstance(tasks, Path) and not draft.tasks and draft.bad:
        refuse_if_other_kind(tasks, IMPORT_TASKS, len(draft.bad), draft.bad[0].reason)
    answers = read_answers(request.predictions or {})
    clock = clock or SystemClock()
    report = ImportReport(campaign)
    # Done before the write lock is taken, since thousands of elements take seconds.
    with workspace.engine.connect() as connection:
        row = find_campaign(connection, campaign)
    requested = _requested(row, request)
    _complete(draft, workspace, finder, campaign, requested, _seed(row, seed))
    # A dry run writes nothing and needs no write lock.
    with workspace.engine.connect() if dry else write_transaction(workspace.engine) as connection:
        # Looked up again: somebody may have created or changed the campaign since.
        row = find_campaign(connection, campaign)
        requested = _requested(row, request)
        if row is not None:
            if request.new:
                raise ConflictError(
                    gettext(
                        "There is a campaign {name} already. Choose another name, or add the "
                        "tasks to that one.",
                        name=row.name,
                    )
                )
            require_open(row)
            require_same(row, requested, seed, request.guidelines)
        check_required_pilot(connection, campaign, requested)
        if row is None:
            require_usable_gold_source(connection, campaign, requested)
        parsed, joining = join_predictions(draft.tasks, answers, requested)
        documents = corpus_documents.document_names(connection)
        good, refused = _check_tasks(connection, documents, parsed, requested, row, campaign)
        report.bad = sorted(draft.bad + refused, key=lambda entry: entry.line)
        if not good or (report.bad and not request.skip_bad):
            return report
        imported = {raw.line for raw, _ in good}
        part_notes = [note for line, note in draft.part_notes if line in imported]
        report.gold_kinds, about_gold = count_gold_kinds(
            good, draft.gold_kinds, is_pilot=requested.pilot.enabled
        )
        report.warnings = draft.notes + joining + part_notes + import_remarks(good, requested)
        report.warnings += about_gold
        records = [task for _, task in good]
        campaign_seed = _seed(row, seed)
        records = with_drawn_requests(connection, row, records, requested, campaign_seed)
        groups = blind_batches(
            records,
            requested,
            campaign_seed,
            workspace_secret(connection),
            people=people_by_answer_name(connection),
            judges=[person.id for person in active_annotators(connection)],
        )
        if groups is None:  # no predictions; tasks without variants stay in their order
            groups = variant_batches(records, requested, requested.batch_size)
        stored = [task for group in groups for task in group]
        report.warnings += pilot_remarks(connection, requested, stored, len(groups))
        if dry:
            report.imported = len(good)
            return report
        if row is None:
            text = request.guidelines
            if text is None:
                text = protocols.campaign_guidelines(requested)
            row = create_campaign(connection, campaign, requested, campaign_seed, text, clock)
        report.batches = store_tasks(connection, row.id, groups)
        report.imported = sum(map(len, groups))
        store_page_scores(connection, row.id, draft.scores)
        drawing = sample or sample_of_tasks(drawn, good)
        if drawing is not None:
            store_draw(connection, row.id, *drawing, clock)
        people = active_annotators(connection) if request.assign else []
        if people:
            report.assigned = assign_in(connection, row, people, clock)
    return report


def _requested(row: Campaign | None, request: TaskImport) -> Protocol:
    return requested_protocol(
        row, request.protocol, request.settings, request.batch_size, request.overlap
    )


def _complete(
    draft: _Draft,
    workspace: Workspace,
    finder: PageFinder,
    campaign: str,
    requested: Protocol,
    seed: int,
) -> None:
    """Replace what the rows give in files' forms by what tasks of the protocol have.

    These are grades and scores of pages, questions of variants, elements, transcripts and tables.
    Kinds of gold are determined here too, as this takes long.
    """
    draft.tasks, ungraded, about_grades = with_page_grades(finder, draft.tasks, requested)
    draft.tasks, unscored, about_scores, draft.scores = with_page_scores(
        finder, draft.tasks, requested, seed
    )
    draft.tasks, unlinked = with_variants(workspace, draft.tasks, campaign, requested)
    draft.bad += [BadRow(*bad_row) for bad_row in ungraded + unscored + unlinked]
    draft.notes += about_grades + about_scores
    draft.tasks, draft.part_notes = with_elements(finder, draft.tasks, requested)
    draft.tasks, patch_notes = with_transcripts(draft.tasks, requested)
    draft.part_notes += patch_notes + table_repairs(draft.tasks, requested)
    draft.gold_kinds = kinds_by_line(draft.tasks, requested)


def _read_rows(tasks: Path | TaskFile, request: TaskImport) -> tuple[TaskFile, int]:
    """The rows, and the number that they give a document's first page: 0 or 1."""
    pages_from = 1 if request.pages_from is None else request.pages_from
    if isinstance(tasks, TaskFile):
        return tasks, pages_from
    if request.qrels is None and not is_collection(tasks):
        try:
            return read_task_file(tasks), pages_from
        except InputFileError as error:
            raise InputFileError(error.message + importer_hint(tasks, IMPORT_TASKS)) from error
    return read_collection(tasks, request.qrels, request.corpus, request.pages_from), 1


def _seed(row: Campaign | None, seed: int | None) -> int:
    """The campaign's seed, or that of a new one."""
    return row.seed if row else DEFAULT_SEED if seed is None else seed


def _check_request(request: TaskImport) -> None:
    check_campaign_name(request.campaign)
    seed, pages_from = request.seed, request.pages_from
    if pages_from not in (None, 0, 1):
        raise PagetrailError(
            gettext(
                "Pages are counted from 0 or from 1, not from {pages_from}.", pages_from=pages_from
            ),
            code="invalid_pages_from",
        )
    if seed is not None and not 0 <= seed <= MAX_SEED:
        raise PagetrailError(
            gettext("A seed is from 0 to {max_seed:,}, not {seed}.", max_seed=MAX_SEED, seed=seed),
            code="invalid_seed",
        )


def _parse_rows(file: TaskFile, pages_from: int, documents: DocumentNames) -> _Draft:
    """The tasks of a file; needs no write lock."""
    draft = _Draft(notes=list(file.notes))
    zeros = renamed = 0
    unnamed = not any("id" in raw.data for raw in file.rows)
    stripped = [with_stripped_ids(raw.data) for raw in file.rows]
    questions = {str(data.get("id")): data.get("question") for data in stripped}
    with_named_systems = [with_stripped_systems(data) for data in stripped]
    draft.notes += _notes_on_white_space(file, stripped, with_named_systems)
    draft.bad = [BadRow(error.line, None, error.reason) for error in file.errors]
    for raw, stripped_row in zip(file.rows, with_named_systems, strict=True):
        shown_id = _shown_id(stripped_row.get("id"))
        try:
            data = with_question_of_original(stripped_row, questions)
            normalized = normalize_row(with_id(data) if unnamed else data, pages_from)
            renamed_row, has_alias = with_stored_names(normalized, documents)
            renamed += has_alias
            data = without_page_zero(renamed_row)
            draft.tasks.append((raw, read_task(data)))
        except ValueError as error:
            draft.bad.append(BadRow(raw.line, shown_id, str(error)))
            continue
        except RecursionError:
            draft.bad.append(
                BadRow(raw.line, shown_id, "its lists or objects are nested too deeply")
            )
            continue
        if pages_from == 1:
            zeros += refers_to_page_0(renamed_row)
        if data is not renamed_row:
            draft.notes.append(
                f"Line {raw.line} ({shown_id}): evidence on page 0 is left out, since pages are "
                "counted from 1. The task is imported; correct its gold."
            )
    if renamed:
        draft.notes.append(
            f"Tasks that name a document by one of its other names: {renamed:,}. They are imported "
            "with its name in this workspace."
        )
    if zeros * ROWS_PER_PAGE_ZERO >= len(file.rows) and zeros:
        draft.notes.append(
            f"{zeros:,} of {len(file.rows):,} rows name a page 0. If this file counts pages from "
            "0, all its pages are one too low: import it with pages counted from 0."
        )
    return draft


def _notes_on_white_space(
    file: TaskFile, stripped: Sequence[dict[str, Any]], with_named_systems: Sequence[dict[str, Any]]
) -> Iterator[str]:
    ids = sum(data is not raw.data for raw, data in zip(file.rows, stripped, strict=True))
    if ids:
        yield f"Ids with white space around them, which was removed: {ids:,}."
    systems = sum(map(operator.is_not, stripped, with_named_systems))
    if systems:
        yield (
            f"Tasks with white space around the name of a system, which was removed: {systems:,}."
        )


def _check_tasks(
    connection: Connection,
    documents: DocumentNames,
    parsed: list[ParsedTask],
    protocol: Protocol,
    existing_campaign: Campaign | None,
    campaign: str,
) -> tuple[list[ParsedTask], list[BadRow]]:
    """The tasks that fit workspace and campaign, and the others with reasons."""
    if not documents and any(names_pages(task) for _, task in parsed):
        raise ConflictError(
            gettext(
                "The tasks name pages, and this workspace has no documents yet. Ingest them first."
            )
        )
    existing_keys: set[str] = set()
    if existing_campaign is not None:
        existing_keys.update(
            connection.execute(
                select(Task.key).where(Task.campaign_id == existing_campaign.id)
            ).scalars()
        )
    if protocol.shows_predictions:
        # Numbering would reveal which predictions of a question were added later.
        existing_keys |= set(map(question_of, existing_keys))
    checker = TaskChecker(documents, protocol, existing_keys, campaign)
    good: list[ParsedTask] = []
    bad = []
    for raw, task in parsed:
        has_id, given_id = "id" in raw.data, raw.data.get("id")
        is_stripped = isinstance(given_id, str) and given_id != given_id.strip()
        reason = checker.problem(raw.line, task, has_id=has_id, is_stripped=is_stripped)
        if reason is None:
            good.append((raw, task))
        else:
            bad.append(BadRow(raw.line, task.id, reason))
    return good, bad


def _shown_id(value: Any) -> str | None:
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        return None
    return str(value)[:100].encode("utf-8", "backslashreplace").decode()
