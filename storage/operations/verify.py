"""Checking everything that a workspace stores against everything else. Changes nothing."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from sqlalchemy import select

from pagetrail.storage.attempts.run_originals import check_originals
from pagetrail.storage.campaigns.hidden_gold import exposed_checks, unsafe_campaigns
from pagetrail.storage.database.tables import Document
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.operations.integrity import integrity_problems
from pagetrail.storage.operations.verify_bucket import Check, check_bucket
from pagetrail.storage.projections import rebuild
from pagetrail.storage.review.incomplete_gold import checked_gold, contradictory_imports
from pagetrail.storage.search.status import check_index, index_facts

_CORPUS_FILE = re.compile(r"[0-9a-f]{64}\.pdf")

Progress = Callable[[str, int, int], None]
"""Called with what is being checked, how many are done, and how many there are (0: unknown)."""


def verify(workspace: Workspace, progress: Progress | None = None) -> list[Check]:
    """All checks in order: database, states, gold, checks, originals, documents, bucket, index.

    May run while a server runs; work stored meanwhile is not reported as a difference.
    """
    tell = progress or (lambda _what, _done, _total: None)
    tell("database", 0, 0)
    database = _database(workspace)
    if not database.ok:  # the rest would read what SQLite has just called damaged
        return [database]
    files = workspace.files
    told = partial(tell, "documents")
    return [
        database,
        _states(workspace, lambda done, total: tell("attempts", done, total)),
        _gold(workspace, lambda done: tell("gold", done, 0)),
        _hidden_checks(workspace),
        _originals(workspace),
        _documents(workspace, told),
        *([check_bucket(workspace, files, told)] if files is not None else []),
        _index(workspace, lambda done: tell("index", done, 0)),
    ]


def _database(workspace: Workspace) -> Check:
    with workspace.engine.connect() as connection:
        return Check("database", "database", 1, integrity_problems(connection))


def _states(workspace: Workspace, progress: Callable[[int, int], None]) -> Check:
    report = rebuild(workspace.engine, check=True, progress=progress)
    problems = [
        f"{what}: {name}. Run pagetrail rebuild."
        for names, what in (
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
            said = " ".join(gold.missing)
            problems.append(f"{gold.task} of {gold.campaign} is incomplete: {said} Reopen it.")
        progress(count)
    problems += [
        f"{gold.task} of {gold.campaign} came with gold that contradicts itself: "
        f"{' '.join(gold.missing)}. Decide it in review."
        for gold in contradictory_imports(workspace.engine)
    ]
    return Check("gold", "tasks", count, problems)


def _hidden_checks(workspace: Workspace) -> Check:
    """Whether hidden gold comes from safe campaigns, and nobody has it in another way."""
    with workspace.engine.connect() as connection:
        problems = [
            f"{name} draws no hidden gold: {why}" for name, why in unsafe_campaigns(connection)
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
        found = check_originals(connection)
    return Check("originals", "rows and samples of imported runs", found.contents, found.problems)


def _documents(workspace: Workspace, progress: Callable[[int, int], None]) -> Check:
    with workspace.engine.connect() as connection:
        names = {
            f"{sha256}.pdf": str(name)
            for sha256, name in connection.execute(select(Document.sha256, Document.name))
        }
    problems = []
    for done, (file, name) in enumerate(sorted(names.items()), start=1):
        path = workspace.corpus_dir / file
        what = "" if workspace.files is not None and not path.exists() else _file_problem(path)
        if what:
            problems.append(f"{name} (corpus/{file}): {what}.")
        progress(done, len(names))
    problems += _unknown(workspace.corpus_dir.iterdir(), names)
    return Check("documents", "files", len(names), problems)


def _file_problem(path: Path) -> str:
    try:
        with path.open("rb") as file:
            same = hashlib.file_digest(file, "sha256").hexdigest() == path.stem
    except FileNotFoundError:
        return "the file is missing; put the original back under this name"
    except OSError as error:
        return f"the file cannot be read ({error.strerror})"
    return "" if same else "its content is not what was ingested; put the original back"


def _unknown(files: Iterable[Path], known: dict[str, str]) -> list[str]:
    return [
        f"corpus/{file.name} belongs to no document; it may be deleted."
        for file in sorted(files)
        if _CORPUS_FILE.fullmatch(file.name) and file.name not in known
    ]


def _index(workspace: Workspace, progress: Callable[[int], None]) -> Check:
    facts = index_facts(workspace)
    sound, sentence = check_index(workspace, progress)
    return Check("index", "pages", facts.pages if facts else 0, [] if sound else [sentence])
