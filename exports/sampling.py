"""``sample``: draws predictions, tasks or pages into a campaign and stores how they were drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from pagetrail.annotation.errors import InputFileError, NotFoundError, PagetrailError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.options import option
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.tasks.blind_judging import blind_keys, question_of, seeded_keys
from pagetrail.annotation.tasks.stratified_sampling import (
    MISSING,
    Allocation,
    DrawnStratum,
    StratumValues,
    draw_units,
    frame_digest,
)
from pagetrail.annotation.tasks.task import MAX_ID, OLDER_NAMES, TaskRecord
from pagetrail.exports.formats.judging_record import judging_record
from pagetrail.exports.reading.attempts import submitted_works
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.reports.metrics.judging.judge import VERDICT
from pagetrail.exports.reports.metrics.judging.sampled_answers import (
    Answer,
    judged_answers,
    judged_sample,
)
from pagetrail.exports.reports.metrics.judging.undecided_answers import undecided_plan
from pagetrail.storage.batches.assignments import AssignReport, planned_assignments
from pagetrail.storage.campaigns.samples import (
    SampleDesign,
    SampleKind,
    StoredSample,
    require_same_design,
)
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.files.row_files import read_task_file
from pagetrail.storage.importers.files.rows import RawRow, TaskFile, refuse
from pagetrail.storage.importers.tasks.importer import ImportReport, import_tasks, resolve_protocol
from pagetrail.storage.importers.tasks.request import BatchOptions
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.audit import audit
from pagetrail.storage.snapshot.snapshot import Snapshot, snapshot

SampleAllocation = Literal[Allocation, "neyman", "undecided"]

SYSTEM, DOCUMENT, HOP, LAYOUT = "system", "document", "hop", "layout"
"""Fields that are derived, not in the task's record."""

JUDGE_PROTOCOL, PAGES_PROTOCOL = "judge", "relevance"
_PAGE_COLUMNS = ("document", "page")
_MAX_FIELDS = 30
_TASKS_READ = 500
_NO_STRATA = {"id", "question", "document_category"}
"""Fields that are different for each task, or have another name here."""


class SampleRequest(BatchOptions):
    """What to draw, and into which campaign; ``kind`` None is what its protocol asks for.

    Attributes:
        is_confirmed: whether answers to judge are assigned at once; else the report has who would
            judge.
    """

    into: str = Field(
        description="The new or existing campaign to draw into.",
        json_schema_extra={"metavar": "CAMPAIGN"},
    )
    n: int = Field(description="How many to draw.", json_schema_extra={"min": 1, "max": 100_000})
    source: str | None = option(
        None,
        "The campaign to draw from; without it, pages of the collection are drawn.",
        flag="--from",
        metavar="CAMPAIGN",
    )
    fields: tuple[str, ...] = option(
        (), "Fields to stratify by, separated by commas.", flag="--strata", metavar="FIELDS"
    )
    seed: int = option(7, "Seed of the draw.", min=0, max=2**31 - 1)
    kind: SampleKind | None = option(
        None,
        "predictions, tasks or pages. Default: predictions with --from, tasks if the protocol of "
        "--into shows no predictions, pages without --from.",
        flag="--what",
        metavar="WHAT",
    )
    verdicts: str | None = option(
        None,
        "Imported verdicts of the judge. Default: the only set, or else the answer rule.",
        metavar="NAME",
    )
    allocation: SampleAllocation = option(
        "proportional",
        "How many of each stratum: proportional, equal, neyman (for a second draw), or undecided: "
        "every answer that the rule leaves undecided, and --n of those that it decided.",
        metavar="HOW",
    )
    page_fields: Path | None = option(
        None,
        "Table with document, optionally page, and fields such as domain or layout.",
        metavar="FILE",
    )
    question: str = option("", "Question of tasks that are made of pages.", metavar="TEXT")
    protocol: Protocol | str | None = option(
        None,
        "Of a new campaign: a preset's name or the path of a TOML file. Default: judge for "
        "predictions, that of --from for tasks, relevance for pages.",
    )
    is_confirmed: bool = option(False, "Assign answers to judges at once.", flag="--yes")


@dataclass(frozen=True)
class SampleReport:
    """Outcome of a draw.

    Attributes:
        strata: with the units drawn now and before.
        left_out: reason → number of units outside the population.
        imported: None for a dry run.
        planned: who would judge the drawn answers; None if they are assigned already, or should
            not be.
    """

    campaign: str
    kind: SampleKind
    source: str
    verdicts: str
    seed: int
    fields: tuple[str, ...]
    strata: Sequence[DrawnStratum]
    left_out: Mapping[str, int]
    imported: ImportReport | None = None
    planned: AssignReport | None = None

    @property
    def n_drawn(self) -> int:
        """Units drawn now."""
        return sum(len(stratum.keys) for stratum in self.strata)


@dataclass(frozen=True)
class _Population:
    """The units that a sample is drawn from.

    Attributes:
        strata: key of each unit → values of its stratum.
        records: task records of drawn units, in the order of the campaign.
    """

    strata: Mapping[str, StratumValues]
    records: Callable[[Collection[str]], list[dict[str, Any]]]
    left_out: Mapping[str, int] = field(default_factory=dict)


def draw_sample(
    workspace: Workspace, request: SampleRequest, *, by: Person | None = None, dry: bool = False
) -> SampleReport:
    """Draw units into a new or existing campaign, and store the sample with it.

    Drawing again into the same campaign adds to its sample.

    Raises:
        NotFoundError: no such campaign, set of verdicts or field.
        ConflictError: the campaign has a sample of another design, or what it was drawn from has
            changed; or as ``import_tasks``.
        PagetrailError: nothing to draw, or too many strata; or as ``import_tasks``.
    """
    with snapshot(workspace) as database:
        stored = _stored_sample(database, request.into)
        protocol = _protocol(database, request)
    kind = request.kind or _default_kind(request, protocol)
    if request.allocation == "undecided":
        request = _by_rule(request, kind)
    if kind == "pages":
        with snapshot(workspace) as database:
            population = _pages(database, request)
            return _import_drawn(
                workspace, request, kind, "", population, stored, protocol, by, dry
            )
    if request.source is None:
        raise PagetrailError(
            gettext("Name the campaign to draw from. Only pages are drawn without one."),
            code="no_source",
        )
    with open_source(workspace, request.source) as source:
        if kind == "tasks":
            population = _tasks(source, request)
            return _import_drawn(
                workspace, request, kind, "", population, stored, protocol, by, dry
            )
        verdicts = _verdicts(source, request, stored)
        population = _predictions(source, request, verdicts, protocol, stored)
        plan: Mapping[StratumValues, int] | None = None
        if request.allocation == "undecided":
            plan = undecided_plan(
                Counter(population.strata.values()),
                Counter(stored.tasks.values() if stored else ()),
                request.n,
                request.fields.index(VERDICT),
            )
        elif stored is not None:
            plan = _neyman_plan(source, request)
        return _import_drawn(
            workspace, request, kind, verdicts, population, stored, protocol, by, dry, plan
        )


def known_fields(workspace: Workspace, campaign: str, kind: SampleKind) -> list[str]:
    """Fields by which answers, tasks or pages may be stratified, by the campaign's first tasks.

    Raises:
        NotFoundError: no such campaign.
    """
    if kind == "pages":
        return [DOCUMENT, LAYOUT]
    with snapshot(workspace) as database:
        tasks = database.tasks(database.campaign(campaign).id)
        task_fields = {
            name for row in islice(tasks, _TASKS_READ) for name in _task_fields(row.record)
        }
    answer_fields = [VERDICT, SYSTEM] if kind == "predictions" else []
    return [*answer_fields, *sorted(task_fields - _NO_STRATA)]


def table_fields(path: Path) -> list[str]:
    """Fields that a table gives documents or pages, in the order of its columns.

    Raises:
        InputFileError: the file cannot be used as a whole.
    """
    names = (name for row in read_task_file(path, DOCUMENT).rows for name in row.data)
    return list(dict.fromkeys(name for name in names if name not in _PAGE_COLUMNS))


def _import_drawn(
    workspace: Workspace,
    request: SampleRequest,
    kind: SampleKind,
    verdicts: str,
    population: _Population,
    stored: StoredSample | None,
    protocol: Protocol,
    by: Person | None,
    dry: bool,
    plan: Mapping[StratumValues, int] | None = None,
) -> SampleReport:
    sizes = Counter(population.strata.values())
    design = SampleDesign(
        kind,
        request.source or "",
        request.fields,
        verdicts,
        request.seed,
        frame_digest(population.strata),
        {values: sizes[values] for values in sorted(sizes)},
    )
    if stored is not None:
        require_same_design(stored.design, design)
    if request.allocation == "neyman" and plan is None:
        raise PagetrailError(
            gettext(
                "Neyman's allocation needs judgements of an earlier draw into this campaign. Draw "
                "proportionally first."
            ),
            code="no_judgements",
        )
    allocation = plan if plan is not None else request.allocation
    assert allocation != "neyman" and allocation != "undecided"
    strata = draw_units(
        population.strata, request.n, request.seed, allocation, stored.tasks if stored else ()
    )
    drawn = {key: stratum.values for stratum in strata for key in stratum.keys}
    report = SampleReport(
        request.into,
        kind,
        request.source or "",
        verdicts,
        request.seed,
        request.fields,
        strata,
        population.left_out,
    )
    if dry:
        return report
    rows = [RawRow(line, row) for line, row in enumerate(population.records(drawn), 1)]
    needs_confirmation = kind == "predictions" and not request.is_confirmed
    imported = import_tasks(
        workspace,
        TaskFile(rows),
        campaign=request.into,
        protocol=protocol,
        settings=dict(request.settings or {}) if stored is None else None,
        overlap=request.overlap,
        batch_size=request.batch_size,
        assign=request.assign and not needs_confirmation,
        sample=(design, drawn),
    )
    if imported.imported:
        audit(
            workspace,
            by,
            "sample_drawn",
            f"{request.into}: {imported.imported:,} {kind} of {request.source or 'the collection'} "
            f"by {', '.join(request.fields) or 'nothing'}, seed {request.seed}",
        )
    if not (imported.imported and request.assign and needs_confirmation):
        return replace(report, imported=imported)
    planned = planned_assignments(workspace, request.into)
    return replace(report, imported=imported, planned=planned)


def _stored_sample(database: Snapshot, campaign: str) -> StoredSample | None:
    try:
        return database.sample(database.campaign(campaign).id)
    except NotFoundError:
        return None


def _protocol(database: Snapshot, request: SampleRequest) -> Protocol:
    """The campaign's protocol, the requested one, or the usual one for the kind of units."""
    try:
        return database.campaign(request.into).protocol
    except NotFoundError:
        pass
    if isinstance(request.protocol, Protocol):
        return request.protocol
    if request.protocol is not None:
        return resolve_protocol(request.protocol)
    if request.kind == "pages" or request.source is None:
        return resolve_protocol(PAGES_PROTOCOL)
    if request.kind == "tasks":
        return database.campaign(request.source).protocol
    return resolve_protocol(JUDGE_PROTOCOL)


def _default_kind(request: SampleRequest, protocol: Protocol) -> SampleKind:
    if request.source is None:
        return "pages"
    return "predictions" if protocol.shows_predictions else "tasks"


def _verdicts(source: Source, request: SampleRequest, stored: StoredSample | None) -> str:
    """The requested set of verdicts, the sample's, or the only one; empty without any."""
    if request.verdicts is not None:
        return request.verdicts
    if stored is not None:
        return stored.design.verdicts
    names = [stored.name for stored in source.database.verdict_sets(source.campaign.id)]
    if len(names) > 1 and VERDICT in request.fields:
        raise PagetrailError(
            gettext(
                "Campaign {campaign} has several sets of verdicts: {names}. Name one.",
                campaign=source.campaign.name,
                names=", ".join(names),
            ),
            code="several_verdicts",
        )
    return names[0] if len(names) == 1 else ""


def _by_rule(request: SampleRequest, kind: SampleKind) -> SampleRequest:
    """The request with the verdicts of the answer rule, stratified by them.

    Raises:
        PagetrailError: it is not about answers, or names verdicts of a judge.
    """
    if kind != "predictions" or request.verdicts:
        raise PagetrailError(
            gettext(
                "Only the answer rule leaves answers undecided. Draw answers, without verdicts of "
                "a judge, or choose another allocation."
            ),
            code="nothing_undecided",
        )
    fields = request.fields if VERDICT in request.fields else (VERDICT, *request.fields)
    return request.model_copy(update={"fields": fields, "verdicts": ""})


def _neyman_plan(source: Source, request: SampleRequest) -> Mapping[StratumValues, int] | None:
    if request.allocation != "neyman":
        return None
    sample = judged_sample(source, request.into)
    if sample is None or not sample.calibration.rows:
        return None
    return sample.next_draw(request.n)


def _predictions(
    source: Source,
    request: SampleRequest,
    verdicts: str,
    protocol: Protocol,
    stored: StoredSample | None,
) -> _Population:
    answers, left_out = judged_answers(source, verdicts)
    records = {row.key: row.record for row in source.database.tasks(source.campaign.id)}
    keys = _answer_keys(source, request, answers, stored)
    fields: dict[str, Mapping[str, str]] = {}
    for answer in answers:
        if answer.verdict is None and (verdicts or VERDICT in request.fields):
            left_out["no_verdict"] += 1
            continue
        fields[keys[answer.key]] = {
            **_task_fields(records[answer.attempt.task]),
            SYSTEM: answer.attempt.system,
            **({VERDICT: answer.verdict} if answer.verdict else {}),
        }
    has_steps = protocol.field("steps") is not None

    def records_of(drawn: Collection[str]) -> list[dict[str, Any]]:
        rows = []
        for attempt in submitted_works(source, WrittenFiles()):
            key = keys.get((attempt.head.task, attempt.name))
            if key in drawn:
                row = judging_record(source, attempt)
                if not has_steps:
                    row = {name: row[name] for name in row if name not in ("steps", "candidates")}
                rows.append({"id": key, **row})
        return rows

    return _Population(_stratified(fields, request.fields), records_of, left_out)


def _answer_keys(
    source: Source,
    request: SampleRequest,
    answers: Sequence[Answer],
    stored: StoredSample | None,
) -> dict[tuple[str, str], str]:
    """(task, who answered) → key of the answer's task.

    A sample whose stored ids follow from its seed keeps them, also in further draws.
    """
    by_task: dict[str, list[str]] = {}
    for answer in answers:
        by_task.setdefault(answer.attempt.task, []).append(answer.attempt.system)
    secret = source.database.secret()
    keys = {
        (task, system): key
        for task, systems in by_task.items()
        for system, key in blind_keys(task, systems, secret).items()
    }
    if stored is None:
        return keys
    judging = source.database.campaign(request.into)
    drawn_keys = {
        (question_of(row.key), str((row.record.get("prediction") or {}).get("system"))): row.key
        for row in source.database.tasks(judging.id)
        if row.key in stored.tasks
    }
    if all(keys.get(who) == key for who, key in drawn_keys.items()):
        return keys
    return {
        (task, system): key
        for task, systems in by_task.items()
        for system, key in seeded_keys(task, systems, request.seed).items()
    }


def _tasks(source: Source, request: SampleRequest) -> _Population:
    copies = source.database.copied_records(source.campaign.id)
    records = {
        row.key: row.record
        for row in source.database.tasks(source.campaign.id)
        if row.key not in copies
    }
    fields = {key: _task_fields(record) for key, record in records.items()}
    return _Population(
        _stratified(fields, request.fields),
        lambda drawn: [records[key] for key in records if key in drawn],
        {"hidden_copy": len(copies)} if copies else {},
    )


def _pages(database: Snapshot, request: SampleRequest) -> _Population:
    documents = {str(row["document"]): int(row["pages"]) for row in database.documents()}
    fields_from_file, left_out = _page_fields(request.page_fields, documents)
    fields: dict[str, Mapping[str, str]] = {}
    pages_by_key: dict[str, tuple[str, int]] = {}
    for name, n_pages in documents.items():
        for page in range(1, n_pages + 1):
            key = _page_key(name, page)
            size = database.pages.size(name, page)
            is_landscape = size is not None and size.width > size.height
            pages_by_key[key] = name, page
            fields[key] = {
                DOCUMENT: name,
                LAYOUT: "landscape" if is_landscape else "portrait",
                **fields_from_file.get((name, None), {}),
                **fields_from_file.get((name, page), {}),
            }

    def records_of(drawn: Collection[str]) -> list[dict[str, Any]]:
        return [
            {
                **{name: value for name, value in fields[key].items() if name != DOCUMENT},
                "id": key,
                "question": request.question or f"Page {page} of {document}",
                "candidates": [{"document": document, "page": page}],
            }
            for key, (document, page) in pages_by_key.items()
            if key in drawn
        ]

    return _Population(_stratified(fields, request.fields), records_of, left_out)


def _page_key(document: str, page: int) -> str:
    key = f"{document}, p. {page}"
    if len(key) <= MAX_ID:
        return key
    return f"{sha256(document.encode()).hexdigest()[:16]}, p. {page}"


def _page_fields(
    path: Path | None, documents: Mapping[str, int]
) -> tuple[dict[tuple[str, int | None], dict[str, str]], dict[str, int]]:
    """Fields of documents (page None) and of pages, and how many rows name an unknown page.

    Raises:
        InputFileError: the file cannot be used as a whole, or a row has no document.
    """
    page_fields: dict[tuple[str, int | None], dict[str, str]] = {}
    n_unknown = 0
    if path is None:
        return page_fields, {}
    file = read_task_file(path, DOCUMENT)
    for error in file.errors:
        refuse(path, f"cannot be used: line {error.line:,}: {error.reason}.")
    for raw in file.rows:
        name, page = raw.data.get(DOCUMENT), raw.data.get("page")
        if not isinstance(name, str):
            raise InputFileError(
                gettext(
                    "{file}, line {line}: a row needs a document. Pages may be given as page.",
                    file=printable(path),
                    line=raw.line,
                )
            )
        try:
            value = None if page is None else float(page)
        except (TypeError, ValueError):
            value = 0.0
        number = None if value is None else int(value) if value.is_integer() else 0
        if number is None or 1 <= number <= documents.get(name, 0):
            values = _text_values(
                {key: raw.data[key] for key in raw.data if key not in _PAGE_COLUMNS}
            )
            page_fields.setdefault((name, number), {}).update(values)
        else:
            n_unknown += 1
    n_unknown += sum(name not in documents for name, page in page_fields if page is None)
    return page_fields, {"unknown_page": n_unknown} if n_unknown else {}


def _task_fields(record: Mapping[str, Any]) -> dict[str, str]:
    """What a task may be stratified by: fields with short values, the document, and hop type."""
    fields = _text_values(record)
    for short, name in OLDER_NAMES.items():
        if name in fields:
            fields.setdefault(short, fields[name])
    task = TaskRecord.model_validate(record)
    references = task.evidence or task.candidates or []
    if references:
        fields[DOCUMENT] = references[0].document
    if task.hop is not None:
        fields[HOP] = task.hop
    return fields


def _text_values(record: Mapping[str, Any]) -> dict[str, str]:
    texts = {}
    for name, value in record.items():
        values = value if isinstance(value, list) else [value]
        if values and all(isinstance(part, str | int | float) for part in values):
            texts[name] = ", ".join(map(str, values))
    return texts


def _stratified(
    fields: Mapping[str, Mapping[str, str]], names: Sequence[str]
) -> dict[str, StratumValues]:
    """The stratum of each unit.

    Raises:
        NotFoundError: no unit has a field of that name; the message lists those that exist.
    """
    known = {name for values in fields.values() for name in values}
    unknown = [name for name in names if name not in known]
    if unknown and fields:
        available = sorted(known - _NO_STRATA)
        raise NotFoundError(
            gettext(
                "No field {name!r} to stratify by. Fields: {names}.",
                name=unknown[0],
                names=", ".join(available[:_MAX_FIELDS]),
            )
        )
    return {
        key: tuple(values.get(name) or MISSING for name in names) for key, values in fields.items()
    }
