"""``import-drafts``: imports a file of models' drafts of gold, for reviewers to take from.

A row is a draft of one task by one model. A second import of a file changes nothing; another draft
by the same model takes the place of its earlier one, which is kept.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert, select

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.proposed_patches import clean_transcript
from pagetrail.annotation.attempts.submission import answers_in
from pagetrail.annotation.clock import SystemClock, iso
from pagetrail.annotation.document_names import DocumentNames
from pagetrail.annotation.errors import ConflictError, InputFileError
from pagetrail.annotation.events.base import MAX_TEXT
from pagetrail.annotation.events.review import MAX_VARIANTS
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.readable_errors import short_value
from pagetrail.annotation.review.drafts import Draft, draft_submission, merge_order, stated_parts
from pagetrail.annotation.sentences import count_noun
from pagetrail.annotation.tables.parsing import REPAIRS
from pagetrail.annotation.tables.sources import read_table_sources
from pagetrail.annotation.tasks.gold import gold_of
from pagetrail.annotation.tasks.identity import matching_id
from pagetrail.annotation.tasks.task import TaskRecord, given_pages, read_task
from pagetrail.storage.campaigns.gold_drafts import current_drafts, drafts_of_task
from pagetrail.storage.campaigns.lookup import get_campaign
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.json_cache import stored_protocol
from pagetrail.storage.database.statuses import ARCHIVED
from pagetrail.storage.database.storable_text import clean_text
from pagetrail.storage.database.tables import Attempt, GoldDraft, Task, User
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.files.field_types import first_value
from pagetrail.storage.importers.files.kept_fields import KeptFields, count_unkept_columns
from pagetrail.storage.importers.files.recognition import IMPORT_DRAFTS, importer_hint
from pagetrail.storage.importers.files.row_files import read_task_file
from pagetrail.storage.importers.files.rows import ParsedTask, RawRow, RowError
from pagetrail.storage.importers.preannotations.pages import PageFinder
from pagetrail.storage.importers.tasks.campaign_settings import MAX_CAMPAIGN_NAME
from pagetrail.storage.importers.tasks.given_shapes import normalize_row, with_stored_names
from pagetrail.storage.importers.tasks.page_grades import with_page_grades
from pagetrail.storage.importers.tasks.protocol_requirements import gold_problem, gold_refs
from pagetrail.storage.review.submissions import load_task_work

MAX_REASONS = 100_000
MAX_SCORES = 50
_TASK_COLUMNS = ("task", "question_id", "id")
_REASON_COLUMNS = ("reasons", "reasoning", "rationale", "reason", "explanation")
_SCORE_COLUMNS = ("score", "confidence")
_ANSWER_COLUMNS = ("reformulated_answer", "answer", "answers", "answer_variants")
_IN_GOLD = ("fields", "pages", "boxes")
_TRANSCRIPT, _TABLES = "transcript", "tables"
_OTHER_COLUMNS = (
    "model", "version", "scores", "unanswerable", "information_in_pages", "evidence", "gold",
    "page_grades", "answer_correctness", "sources", "question",
)  # fmt: skip
_KEPT_FIELDS: KeptFields = dict.fromkeys(
    (
        *_TASK_COLUMNS,
        *_REASON_COLUMNS,
        *_SCORE_COLUMNS,
        *_ANSWER_COLUMNS,
        *_IN_GOLD,
        _TRANSCRIPT,
        _TABLES,
        *_OTHER_COLUMNS,
    )
)


@dataclass
class DraftReport:
    """Outcome of importing drafts.

    Attributes:
        models: whose drafts the file has.
        superseded: number of the imported drafts that take the place of an earlier one.
        already_there: number of rows that were imported before.
        left_out: rows that were not imported, with reasons.
        not_kept: counts of values in columns that are not kept.
        notes: sentences about parts of rows that were not kept.
    """

    campaign: str
    models: list[str] = field(default_factory=list)
    imported: int = 0
    superseded: int = 0
    already_there: int = 0
    left_out: list[RowError] = field(default_factory=list)
    not_kept: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _TaskOfCampaign:
    id: int
    record: dict[str, Any]


def import_drafts(
    workspace: Workspace,
    path: Path,
    *,
    campaign: str,
    model: str | None = None,
    version: str | None = None,
) -> DraftReport:
    """Add the drafts of a file to a campaign's tasks, in one transaction.

    Args:
        model, version: of the rows that do not state their own.

    Raises:
        NotFoundError: no such campaign.
        ConflictError: the campaign is archived.
        InputFileError: the file cannot be used as a whole.
    """
    try:
        file = read_task_file(path, "task")
    except InputFileError as error:
        raise InputFileError(error.message + importer_hint(path, IMPORT_DRAFTS)) from error
    documents = Corpus(workspace)
    finder = PageFinder(documents)
    with workspace.engine.connect() as connection:
        row = get_campaign(connection, campaign)
        protocol = stored_protocol(row.protocol)
        tasks = _tasks(connection, row.id)
    report = DraftReport(row.name, left_out=list(file.errors))
    parsed: list[ParsedTask] = []
    remarks: list[tuple[int, str]] = []
    for raw in file.rows:
        try:
            row_data, row_remarks = _task_row(raw.data, tasks, protocol)
            data, _ = with_stored_names(row_data, finder.names)
            parsed.append((raw, read_task(data)))
            remarks += [(raw.line, remark) for remark in row_remarks]
        except ValueError as error:
            report.left_out.append(RowError(raw.line, str(error)))
        except RecursionError:
            report.left_out.append(RowError(raw.line, "its lists or objects are nested too deeply"))
    # Pages of other datasets are looked up before the write lock is taken.
    parsed, ungraded, about_grades = with_page_grades(finder, parsed, protocol)
    report.notes = file.notes + about_grades
    report.left_out += [RowError(line, reason) for line, _, reason in ungraded]
    left_out_lines = {error.line for error in report.left_out}
    at = iso(SystemClock().now())
    with write_transaction(workspace.engine) as connection:
        row = get_campaign(connection, campaign)
        if row.status == ARCHIVED:
            raise ConflictError(
                gettext("Campaign {name} is archived. Reopen it first.", name=row.name)
            )
        # Read again: a document may have been removed meanwhile.
        names = documents.document_names(connection)
        reader = _DraftReader(connection, protocol, tasks, names, model, version)
        for raw, task in parsed:
            try:
                task_id, draft = reader.read(raw, task)
            except ValueError as error:
                report.left_out.append(RowError(raw.line, str(error)))
                left_out_lines.add(raw.line)
                continue
            if draft.model not in report.models:
                report.models.append(draft.model)
            stored = drafts_of_task(connection, task_id)
            of_model = [other for other in stored if other.model == draft.model]
            if any(_digest(other) == _digest(draft) for other in of_model):
                report.already_there += 1
                continue
            if not of_model and len(current_drafts(stored)) >= ev.MAX_DRAFTS:
                reason = f"its task has drafts of {ev.MAX_DRAFTS} models already"
                report.left_out.append(RowError(raw.line, reason))
                continue
            _store(connection, row.id, task_id, draft, at)
            report.imported += 1
            report.superseded += bool(of_model)
    report.notes += [
        f"Line {line:,}: {remark}." for line, remark in remarks if line not in left_out_lines
    ]
    report.left_out.sort(key=lambda error: error.line)
    report.not_kept = count_unkept_columns((raw.data for raw in file.rows), _KEPT_FIELDS)
    return report


def _tasks(connection: Connection, campaign_id: int) -> dict[str, _TaskOfCampaign]:
    rows = connection.execute(
        select(Task.key, Task.id, Task.record).where(Task.campaign_id == campaign_id)
    )
    return {row.key: _TaskOfCampaign(row.id, row.record) for row in rows}


def _task_row(
    data: Mapping[str, Any], tasks: Mapping[str, _TaskOfCampaign], protocol: Protocol
) -> tuple[dict[str, Any], list[str]]:
    """The proposed gold of a row in the schema of a task file, with the task's own pages.

    Also remarks on text and tables that are kept in another form than the row's.
    """
    value = first_value(data, _TASK_COLUMNS)
    if value is None:
        raise ValueError(f"has no {' or '.join(_TASK_COLUMNS)}")
    key = matching_id(str(value), tasks)
    if key not in tasks:
        raise ValueError(f"the campaign has no task {short_value(key)}")
    record = tasks[key].record
    gold = data.get("gold") or {}
    if not isinstance(gold, dict):
        raise ValueError("gold: must be an object with fields, pages, boxes, transcript or tables")
    gold = {**gold, **{name: data[name] for name in _IN_GOLD if data.get(name) is not None}}
    remarks: list[str] = []
    if key != str(value):
        remarks.append("the white space around the id of its task was removed")
    if protocol.transcript.enabled:
        gold |= _stated_transcript(data, gold, remarks)
    elif data.get(_TRANSCRIPT) is not None:
        raise ValueError("transcript: this campaign asks for no text of a page")
    if protocol.tables.enabled:
        gold |= _stated_tables(data, gold, record, protocol, remarks)
    elif data.get(_TABLES) is not None:
        raise ValueError("tables: this campaign asks for no tables")
    row = {
        "id": key,
        "question": record["question"],
        "candidates": record.get("candidates"),
        "evidence": data.get("evidence"),
        "page_grades": data.get("page_grades"),
        "gold": gold or None,
        **_answer_fields(data),
    }
    row = {name: item for name, item in row.items() if item is not None}
    return normalize_row(row, 1), remarks


def _stated_transcript(
    data: Mapping[str, Any], gold: Mapping[str, Any], remarks: list[str]
) -> dict[str, str]:
    """The proposed text as it is stored; empty if none is proposed."""
    text = gold.get(_TRANSCRIPT) if data.get(_TRANSCRIPT) is None else data[_TRANSCRIPT]
    if text is None:
        return {}
    if not isinstance(text, str):
        raise ValueError(f"transcript: must be text, not {short_value(text)}")
    if len(text) > ev.MAX_TRANSCRIPT:
        raise ValueError(
            f"transcript: has {len(text):,} characters; {ev.MAX_TRANSCRIPT:,} are allowed"
        )
    stored_text = clean_transcript(text)
    if stored_text.replace("\n", "") != text.replace("\r", "").replace("\n", ""):
        remarks.append("transcript: control characters were removed")
    return {_TRANSCRIPT: stored_text}


def _stated_tables(
    data: Mapping[str, Any],
    gold: Mapping[str, Any],
    task_record: Mapping[str, Any],
    protocol: Protocol,
    remarks: list[str],
) -> dict[str, list[dict[str, str]]]:
    """The proposed tables as HTML; empty if none are proposed.

    A draft states all tables of its task: one that it left out would be missing in the gold.
    """
    stated = gold.get(_TABLES) if data.get(_TABLES) is None else data[_TABLES]
    if stated is None:
        return {}
    pages = given_pages(protocol.pages, dict(task_record)) or []
    sources = read_table_sources(stated, pages)
    task_ids = [s.id for s in read_table_sources(task_record.get(_TABLES) or [], pages)]
    stated_ids = [source.id for source in sources]
    unknown_ids = [table_id for table_id in stated_ids if table_id not in task_ids]
    missing_ids = [table_id for table_id in task_ids if table_id not in stated_ids]
    if unknown_ids:
        names = ", ".join(task_ids) or "none"
        raise ValueError(f"tables: the task has no table {unknown_ids[0]!r}; tables: {names}")
    if missing_ids:
        raise ValueError(
            f"tables: has no table {missing_ids[0]!r}; a draft states all tables of its task, "
            "since the others would be missing in gold that is taken from it"
        )
    for source in sources:
        if source.repairs:
            repairs = "; ".join(gettext(REPAIRS[repair]) for repair in source.repairs)
            remarks.append(f"table {source.id}: {repairs}")
    html_of = {source.id: source.grid.to_html() for source in sources}
    return {_TABLES: [{"id": table_id, "html": html_of[table_id]} for table_id in task_ids]}


def _answer_fields(data: Mapping[str, Any]) -> dict[str, Any]:
    """The answer; a merging model says with ``information_in_pages`` whether there is any."""
    for name in ("unanswerable", "information_in_pages"):
        if not isinstance(data.get(name), bool | None):
            raise ValueError(f"{name}: must be true or false, not {short_value(data[name])}")
    if data.get("information_in_pages") is False:
        data = {**data, "unanswerable": True, "reformulated_answer": None}
    unanswerable = {"unanswerable": True} if data.get("unanswerable") else {}
    columns = [column for column in _ANSWER_COLUMNS if data.get(column) not in (None, "", [])]
    if not columns:
        return unanswerable
    column = columns[0]
    return {**unanswerable, "answer" if column == "reformulated_answer" else column: data[column]}


class _DraftReader:
    """Reads the rows of a file as drafts of a campaign's tasks."""

    def __init__(
        self,
        connection: Connection,
        protocol: Protocol,
        tasks: Mapping[str, _TaskOfCampaign],
        documents: DocumentNames,
        model: str | None,
        version: str | None,
    ) -> None:
        self._connection = connection
        self._protocol = protocol
        self._tasks = tasks
        self._documents = documents
        self._defaults = {"model": model, "version": version}
        self._lines: dict[tuple[str, str], int] = {}

    def read(self, raw: RawRow, task: TaskRecord) -> tuple[int, Draft]:
        """The id of the task, and the draft; it has no id yet.

        Raises:
            ValueError: why the row is no draft of this campaign.
        """
        data = raw.data
        model = self._name(data, "model")
        if not model:
            raise ValueError("has no model: add the column, or name it with --model")
        key = (task.id, model)
        if key in self._lines:
            raise ValueError(f"line {self._lines[key]} has a draft of this task by {model} already")
        sources = _sources(data)
        draft = Draft(
            id=0,
            model=model,
            version=self._name(data, "version"),
            record=self._record(task),
            reasons=_reasons(data),
            scores=_scores(data),
            correctness=self._correctness(task.id, data, sources),
            sources=sources,
        )
        self._lines[key] = raw.line
        return self._tasks[task.id].id, draft

    def _name(self, data: Mapping[str, Any], name: str) -> str:
        value = data.get(name)
        text = clean_text(str(self._defaults[name] or "" if value is None else value))[0].strip()
        if len(text) > MAX_CAMPAIGN_NAME:
            raise ValueError(
                f"{name} has {len(text):,} characters; {MAX_CAMPAIGN_NAME:,} are allowed"
            )
        return text

    def _record(self, task: TaskRecord) -> dict[str, Any]:
        """The proposed gold, checked against documents and protocol."""
        references = [(f"evidence[{n}]", page) for n, page in enumerate(task.evidence)]
        for location, page in (*references, *gold_refs(task)):
            missing = self._documents.page_problem(page.document, page.page)
            if missing:
                raise ValueError(f"{location}: {missing}")
        protocol = self._protocol
        record = task.to_json()
        shown_evidence = {"evidence": self._tasks[task.id].record.get("evidence")}
        checked = record | (shown_evidence if protocol.pages == "gold" else {})
        problem = self._not_asked_problem(record) or gold_problem(protocol, checked)
        if problem:
            raise ValueError(problem)
        variants = [
            [part for item in variant for part in answers_in(item, protocol.answer.kind)]
            for variant in record.get("answer_variants") or []
        ]
        texts = ["\n".join(variant) for variant in variants]
        if len(texts) > MAX_VARIANTS or any(len(text) > MAX_TEXT for text in texts):
            raise ValueError(
                f"at most {MAX_VARIANTS:,} answers of {MAX_TEXT:,} characters each are allowed"
            )
        proposed = {
            "answer_variants": variants or None,
            "unanswerable": record.get("unanswerable") or None,
            "evidence": record.get("evidence") or None,
            "gold": record.get("gold"),
        }
        proposed = {name: value for name, value in proposed.items() if value is not None}
        task_record = self._tasks[task.id].record
        if not stated_parts(draft_submission(protocol, Draft(0, "", "", proposed), task_record)):
            raise ValueError(
                "proposes nothing: give an answer, evidence, page_grades, fields, pages, boxes, "
                "transcript or tables"
            )
        return proposed

    def _not_asked_problem(self, record: dict[str, Any]) -> str | None:
        """Parts that this protocol does not ask for, or that drafts cannot have.

        Raises:
            ValueError: the gold is not of its form.
        """
        protocol = self._protocol
        if protocol.answer.kind == "off" and (
            record.get("answer_variants") or record.get("unanswerable")
        ):
            return "answer: this campaign asks for no answer"
        if record.get("evidence") and not protocol.evidence.enabled:
            return "evidence: this campaign asks for no evidence"
        gold = gold_of(record)
        names = {*gold.fields, *(name for page in gold.pages for name in page.fields)}
        for name in sorted(names):
            spec = protocol.field(name)
            if spec is not None and spec.kind == "records":
                return f"{name}: is a table of records, which drafts cannot have"
        count = sum(len(page.fields) for page in gold.pages) + len(gold.boxes or ())
        count += len(gold.tables or ()) + len(record.get("evidence") or [])
        if count >= ev.MAX_DRAFT_ITEMS:
            return (
                f"has {count:,} pages, values, boxes and tables; {ev.MAX_DRAFT_ITEMS:,} are allowed"
            )
        return None

    def _correctness(
        self, task: str, data: Mapping[str, Any], sources: Mapping[str, int]
    ) -> dict[str, bool]:
        """Attempt → whether the model calls its answer correct, in the order of the export."""
        values = data.get("answer_correctness")
        if values is None:
            return {}
        if not isinstance(values, list) or not all(isinstance(value, bool) for value in values):
            raise ValueError(
                "answer_correctness: must be a list of true and false, one per proposed answer, "
                f"not {short_value(values)}"
            )
        task_work = load_task_work(self._connection, self._tasks[task].id)
        if sources and dict(sources) != task_work.sources():
            return {}  # shown as outdated; whose answers it is about is no longer certain
        pseudonyms = self._connection.execute(
            select(Attempt.id, User.pseudonym)
            .join(User, User.id == Attempt.user_id)
            .where(Attempt.task_id == self._tasks[task].id)
        )
        answered = merge_order(
            task_work.submissions(), {row.id: row.pseudonym for row in pseudonyms}
        )
        if len(values) != len(answered):
            raise ValueError(
                f"answer_correctness: has {count_noun(len(values), 'value')}, but the task has "
                f"{count_noun(len(answered), 'answer')}; export answers-to-merge again"
            )
        return {
            submission.attempt: value for submission, value in zip(answered, values, strict=True)
        }


def _reasons(data: Mapping[str, Any]) -> str:
    value = first_value(data, _REASON_COLUMNS)
    text = clean_text("" if value is None else str(value))[0].strip()
    if len(text) > MAX_REASONS:
        raise ValueError(f"its reasons have {len(text):,} characters; {MAX_REASONS:,} are allowed")
    return text


def _scores(data: Mapping[str, Any]) -> dict[str, float]:
    """The model's scores, by name."""
    scores = data.get("scores")
    if scores is not None and not isinstance(scores, dict):
        raise ValueError(f"scores: must be an object of numbers, not {short_value(scores)}")
    scores_by_name = dict(scores or {})
    scores_by_name |= {name: data[name] for name in _SCORE_COLUMNS if data.get(name) is not None}
    if len(scores_by_name) > MAX_SCORES:
        raise ValueError(f"has {len(scores_by_name):,} scores; {MAX_SCORES} are allowed")
    return {
        clean_text(str(name)[:100])[0]: _number(name, value)
        for name, value in scores_by_name.items()
    }


def _number(name: str, value: Any) -> float:
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"the score {name[:100]!r} is {short_value(value)}, which is no number")
    return number


def _sources(data: Mapping[str, Any]) -> dict[str, int]:
    """The work that the model read, as the export states it."""
    sources = data.get("sources")
    if sources is None:
        return {}
    is_valid = isinstance(sources, dict) and all(
        isinstance(seq, int) and not isinstance(seq, bool) for seq in sources.values()
    )
    if not is_valid:
        raise ValueError("sources: must be copied from the row of the export answers-to-merge")
    return {str(attempt)[:100]: seq for attempt, seq in sources.items()}


def _digest(draft: Draft) -> str:
    content: Sequence[Any] = (
        draft.version,
        draft.record,
        draft.reasons,
        draft.scores,
        draft.correctness,
        draft.sources,
    )
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _store(connection: Connection, campaign_id: int, task_id: int, draft: Draft, at: str) -> None:
    connection.execute(
        insert(GoldDraft).values(
            campaign_id=campaign_id,
            task_id=task_id,
            model=draft.model,
            version=draft.version,
            record=draft.record,
            reasons=draft.reasons,
            scores=draft.scores,
            correctness=draft.correctness,
            sources=draft.sources,
            digest=_digest(draft),
            at=at,
        )
    )
