"""Checks everything that a workspace stores for consistency. Changes nothing."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, text

from pagetrail.annotation.errors import StorageError, WorkspaceError
from pagetrail.storage.attempts.run_originals import check_originals
from pagetrail.storage.campaigns.hidden_gold import exposed_checks, unsafe_campaigns
from pagetrail.storage.corpus.changes import document_files
from pagetrail.storage.corpus.local_files import corpus_key
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.files.bucket import OWNER_KEY, Bucket, FileDamaged
from pagetrail.storage.files.digests import file_sha256
from pagetrail.storage.maintenance.scratch import abandoned_folders
from pagetrail.storage.maintenance.stored_files import SUFFIXES, StoredFiles
from pagetrail.storage.projections import rebuild
from pagetrail.storage.review.incomplete_gold import checked_gold, contradictory_imports
from pagetrail.storage.search.generations import current_generation
from pagetrail.storage.search.status import check_index, index_facts

_CORPUS_FILE = re.compile(r"[0-9a-f]{64}\.pdf")

Progress = Callable[[str, int, int], None]
"""Called with the name of the check, the number of items done, and their total (0: unknown)."""


@dataclass(frozen=True)
class Check:
    """Outcome of one check.

    Attributes:
        unit: what was checked, in the plural where there are several.
        count: number of items.
        problems: one sentence per problem.
        notes: what is worth knowing and no problem.
    """

    name: str
    unit: str
    count: int
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether there are no problems."""
        return not self.problems


class _BucketObject(NamedTuple):
    sha256: str
    description: str
    advice: str


def verify(workspace: Workspace, progress: Progress | None = None) -> list[Check]:
    """Run all checks: database, states, gold, hidden checks, originals, documents, bucket, index,
    folders of killed runs in the workspace and next to it.

    May run while a server runs; work stored meanwhile is not reported as a difference.
    """
    report = progress or (lambda _check, _count, _total: None)
    report("database", 0, 0)
    database = _database(workspace)
    if not database.ok:  # the other checks would read damaged data
        return [database]
    files = workspace.files
    report_documents = partial(report, "documents")
    return [
        database,
        _states(workspace, partial(report, "attempts")),
        _gold(workspace, lambda count: report("gold", count, 0)),
        _hidden_checks(workspace),
        _originals(workspace),
        _documents(workspace, report_documents),
        *([_bucket(workspace, files, report_documents)] if files is not None else []),
        _index(workspace, lambda count: report("index", count, 0)),
        _unfinished(workspace),
    ]


def _database(workspace: Workspace) -> Check:
    with workspace.engine.connect() as connection:
        return Check("database", "database", 1, integrity_problems(connection))


def _states(workspace: Workspace, progress: Callable[[int, int], None]) -> Check:
    report = rebuild(workspace.engine, check=True, progress=progress)
    problems = [
        f"{problem}: {name}. Run pagetrail rebuild."
        for names, problem in (
            (report.differed, "Stored state differs from the log"),
            (report.missing, "No stored state"),
            (report.orphaned, "Stored state without an event"),
            (report.tasks_differed, "Review status differs from the log"),
        )
        for name in names
    ]
    return Check("attempts", "attempts", report.attempts, problems)


def _gold(workspace: Workspace, progress: Callable[[int], None]) -> Check:
    problems, count = [], 0
    for count, gold in enumerate(checked_gold(workspace.engine), start=1):
        if gold.missing:
            missing = " ".join(gold.missing)
            problems.append(f"{gold.task} of {gold.campaign} is incomplete: {missing} Reopen it.")
        progress(count)
    problems += [
        f"{gold.task} of {gold.campaign} came with gold that contradicts itself: "
        f"{' '.join(gold.missing)}. Decide it in review."
        for gold in contradictory_imports(workspace.engine)
    ]
    return Check("gold", "tasks", count, problems)


def _hidden_checks(workspace: Workspace) -> Check:
    """Hidden gold comes from safe campaigns, and its annotators have no other access to it."""
    with workspace.engine.connect() as connection:
        problems = [
            f"{name} draws no hidden gold: {reason}"
            for name, reason in unsafe_campaigns(connection)
        ]
        count, exposed = exposed_checks(connection)
    problems += [
        f"{check.person} has {check.key} of {check.campaign} as {check.other_key} of "
        f"{check.other_campaign} too: the check says nothing of them, and the quality report "
        "leaves it out."
        for check in exposed
    ]
    return Check("hidden checks", "tasks", count, problems)


def _originals(workspace: Workspace) -> Check:
    with workspace.engine.connect() as connection:
        originals = check_originals(connection)
    return Check(
        "originals", "rows and samples of imported runs", originals.contents, originals.problems
    )


def _documents(workspace: Workspace, progress: Callable[[int, int], None]) -> Check:
    with workspace.engine.connect() as connection:
        names = {f"{sha256}.pdf": name for sha256, name in document_files(connection).items()}
    problems = []
    for count, (file, name) in enumerate(sorted(names.items()), start=1):
        path = workspace.corpus_dir / file
        is_in_bucket_only = workspace.files is not None and not path.exists()
        if problem := "" if is_in_bucket_only else _file_problem(path):
            problems.append(f"{name} (corpus/{file}): {problem}.")
        progress(count, len(names))
    problems += _unregistered_files(workspace.corpus_dir.iterdir(), names)
    return Check("documents", "files", len(names), problems)


def _file_problem(path: Path) -> str:
    try:
        is_same = file_sha256(path) == path.stem
    except FileNotFoundError:
        return "the file is missing; put the original back under this name"
    except OSError as error:
        return f"the file cannot be read ({error.strerror})"
    return "" if is_same else "its content is not what was ingested; put the original back"


def _unregistered_files(files: Iterable[Path], registered: dict[str, str]) -> list[str]:
    return [
        f"corpus/{file.name} belongs to no document; it may be deleted."
        for file in sorted(files)
        if _CORPUS_FILE.fullmatch(file.name) and file.name not in registered
    ]


def _bucket(workspace: Workspace, files: Bucket, progress: Callable[[int, int], None]) -> Check:
    """Compare the hash of every object, and report objects that the database does not name.

    Objects stored or removed meanwhile are not reported.
    """
    object_problems: dict[str, str] = {}
    named_objects: dict[str, _BucketObject] = {}
    try:
        files.check()
        keys_before = files.keys("").keys()
        named_objects = _named_objects(workspace)
        for count, (key, named_object) in enumerate(named_objects.items(), start=1):
            if problem := _object_problem(files, key, named_object.sha256):
                object_problems[key] = (
                    f"{named_object.description}: {problem} {named_object.advice}"
                )
            progress(count, len(named_objects))
        named_now = _named_objects(workspace)
        problems = [problem for key, problem in object_problems.items() if key in named_now]
        unnamed = keys_before - named_now.keys() - {OWNER_KEY}
        unnamed &= files.keys("").keys() if unnamed else set()
        problems += [
            f"{files.address}/{key} is nothing that the database names. If nothing is being "
            "stored just now, it may be deleted."
            for key in sorted(unnamed)
        ]
    except (StorageError, WorkspaceError) as error:
        problems = [*object_problems.values(), error.message]
    return Check("bucket", "files", len(named_objects), problems)


def _named_objects(workspace: Workspace) -> dict[str, _BucketObject]:
    """Objects that the database names, by key."""
    with workspace.engine.connect() as connection:
        objects = {
            corpus_key(sha256): _BucketObject(sha256, name, "Put the original back.")
            for sha256, name in document_files(connection).items()
        }
    for kind in SUFFIXES:
        advice = "Delete it on the screen; make it again."
        for key, sha256 in StoredFiles(workspace, kind).objects().items():
            objects[key] = _BucketObject(sha256, f"An {kind}", advice)
    index = current_generation(workspace)
    if index is not None:
        advice = "Servers build their own; pagetrail index --force stores one."
        objects[index.key] = _BucketObject(index.sha256, "The index", advice)
    return objects


def _object_problem(files: Bucket, key: str, sha256: str) -> str:
    digest = hashlib.sha256()
    try:
        for part in files.parts(key):
            digest.update(part)
    except FileDamaged as error:
        return error.message
    is_same = digest.hexdigest() == sha256
    return "" if is_same else f"{files.address}/{key} is not what was stored."


def _index(workspace: Workspace, progress: Callable[[int], None]) -> Check:
    facts = index_facts(workspace)
    if facts is None:  # as in every restored workspace
        note = "There is no index yet. The server builds it when it starts, or pagetrail index."
        return Check("index", "pages", 0, notes=[note])
    is_sound, message = check_index(workspace, progress)
    return Check("index", "pages", facts.pages, [] if is_sound else [message])


def _unfinished(workspace: Workspace) -> Check:
    parents = (workspace.root.resolve().parent, workspace.exports_dir, workspace.cache_dir)
    folders = [folder for parent in parents for folder in abandoned_folders(parent)]
    problems = [
        f"{folder} is what a killed restore, backup or export left, perhaps with password hashes. "
        "Delete it; the next one there does so too."
        for folder in folders
    ]
    return Check("unfinished work", "folders", len(folders), problems)


def integrity_problems(connection: Connection) -> list[str]:
    """One sentence per damage.

    SQLite checks its whole file. PostgreSQL's files are checked by its operator (``pg_amcheck``);
    here it only has to enforce every foreign key and trigger.
    """
    if connection.dialect.name == "postgresql":
        return _unchecked_constraints(connection)
    messages = connection.execute(text("PRAGMA integrity_check(20)")).scalars().all()
    broken = connection.execute(text("PRAGMA foreign_key_check")).all()
    return [f"SQLite: {message}." for message in messages if message != "ok"] + [
        f"Row {row[1]} of {row[0]} belongs to a row of {row[2]} that does not exist."
        for row in broken
    ]


def _unchecked_constraints(connection: Connection) -> list[str]:
    constraints = text(
        "SELECT conrelid::regclass::text, conname FROM pg_constraint "
        "WHERE connamespace = current_schema()::regnamespace AND NOT convalidated"
    )
    triggers = text(
        "SELECT tgrelid::regclass::text, tgname FROM pg_trigger JOIN pg_class ON "
        "pg_class.oid = tgrelid WHERE relnamespace = current_schema()::regnamespace "
        "AND tgenabled = 'D'"
    )
    return [
        f"PostgreSQL does not check {name} of the table {owner}."
        for statement in (constraints, triggers)
        for owner, name in connection.execute(statement)
    ]
