"""State of the search index for supervisors: its source and whether it is sound."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.search.index import ENGINE, BuildProgress, identity_of
from pagetrail.storage.search.store import (
    META_NAME,
    current_index,
    index_folders,
    is_being_built,
    is_of_this_program,
)


@dataclass(frozen=True)
class IndexFacts:
    """Metadata of an index; ``check_index`` verifies it.

    Attributes:
        identity: hash over engine, schema and pages in order.
        built_at: in UTC.
        current: whether it is of the current collection and this engine.
        is_complete: whether all of its files exist in their full size.
    """

    identity: str
    engine: str
    pages: int
    built_at: datetime
    current: bool
    is_complete: bool


def index_facts(workspace: Workspace) -> IndexFacts | None:
    """Metadata of the index, preferably the current one; None without any. Reads no index file."""
    revision = Corpus(workspace).revision
    indexes = [
        facts
        for folder in index_folders(workspace)
        if (facts := _facts(folder, revision)) is not None
    ]
    return max(indexes, key=lambda f: (f.is_complete, f.current, f.built_at), default=None)


def index_warning(workspace: Workspace, facts: IndexFacts | None) -> str | None:
    """A warning for supervisors about an index that is not current or complete, or None."""
    building = is_being_built(workspace)
    if facts is None:
        problem, consequence = "There is no search index.", "Searches wait until it is built."
    elif not facts.is_complete:
        problem = "Files of the index are damaged or missing."
        consequence = "Searches may have to wait until it is built again."
    elif not facts.current:
        problem = "The collection has changed since the index was built."
        consequence = "Searches use this index until the new one is complete."
    else:
        return None
    return f"{problem} {'A new one is being built. ' if building else ''}{consequence}"


def check_index(workspace: Workspace, progress: BuildProgress | None = None) -> tuple[bool, str]:
    """Whether the index is complete and matches the collection, and a sentence about it.

    Reads every file of the index and the text of every page.

    Args:
        progress: called with the number of pages read.
    """
    facts = index_facts(workspace)
    if facts is None:
        return False, "There is no index yet. Build it; searches wait for it."
    if facts.engine != ENGINE:
        return False, f"The index is of {facts.engine}; this program searches with {ENGINE}."
    if not facts.current:
        return False, "The index is of an earlier collection. Rebuild it."
    stored = current_index(workspace)
    if stored is None:
        return False, "Files of the index were changed or are missing. Rebuild it."
    if identity_of(Corpus(workspace).pages(), progress) != stored.identity:
        return False, "The index does not match the texts of the collection. Rebuild it."
    return True, f"The index is sound: {stored.pages:,} pages, as they are in the collection."


def _facts(folder: Path, revision: int) -> IndexFacts | None:
    try:
        meta: dict[str, Any] = json.loads((folder / META_NAME).read_text(encoding="utf-8"))
        built = max(
            path.stat().st_mtime for path in folder.iterdir() if not path.name.startswith(META_NAME)
        )
        sizes: dict[str, int] = {name: size for name, (size, _) in meta["files"].items()}
        return IndexFacts(
            identity=str(meta["identity"]),
            engine=str(meta["engine"]),
            pages=int(meta["pages"]),
            built_at=datetime.fromtimestamp(built, UTC),
            current=meta["revision"] == revision and is_of_this_program(meta),
            is_complete=all(_size(folder / name) == size for name, size in sizes.items()),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None  # being removed, or of another program


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return None
