"""The search index as supervisors look after it: what it is of, whether it is sound."""

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
    being_built,
    current_index,
    index_folders,
    of_this_program,
)


@dataclass(frozen=True)
class IndexFacts:
    """What an index says of itself; ``check_index`` tells whether it is true.

    Attributes:
        identity: hash over engine, schema and pages in order.
        built_at: in UTC.
        current: it is of the collection as it is now, and of this engine.
        whole: none of its files is missing or of another size.
    """

    identity: str
    engine: str
    pages: int
    built_at: datetime
    current: bool
    whole: bool


def index_facts(workspace: Workspace) -> IndexFacts | None:
    """The index that there is, the current one first; None without any. Reads no index file."""
    revision = Corpus(workspace).revision
    found = [
        facts
        for folder in index_folders(workspace)
        if (facts := _facts(folder, revision)) is not None
    ]
    return max(found, key=lambda f: (f.whole, f.current, f.built_at), default=None)


def index_warning(workspace: Workspace, facts: IndexFacts | None) -> str | None:
    """What a supervisor should know about an index that is not as it should be, or None."""
    building = being_built(workspace)
    if facts is None:
        problem, meanwhile = "There is no search index.", "Searches wait until it is built."
    elif not facts.whole:
        problem = "Files of the index are damaged or missing."
        meanwhile = "Searches may have to wait until it is built again."
    elif not facts.current:
        problem = "The collection has changed since the index was built."
        meanwhile = "Searches use this index until the new one is complete."
    else:
        return None
    return f"{problem} {'A new one is being built. ' if building else ''}{meanwhile}"


def check_index(workspace: Workspace, progress: BuildProgress | None = None) -> tuple[bool, str]:
    """Whether the index is whole and of the collection, and a sentence about it.

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
            current=meta["revision"] == revision and of_this_program(meta),
            whole=all(_size(folder / name) == size for name, size in sizes.items()),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None  # being removed, or not ours


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return None
