"""``pagetrail search`` and ``pagetrail index``: the agents' tool on the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from pagetrail.annotation.errors import QueryRefused
from pagetrail.annotation.events.search_results import SearchOutcome
from pagetrail.annotation.sentences import count_noun
from pagetrail.app.cli.options import Json, WorkspaceFolder
from pagetrail.app.cli.progress_bar import progress_bar
from pagetrail.app.cli.terminal import show_json
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.search.engine import WhooshIndex
from pagetrail.storage.search.service import LIMIT_S
from pagetrail.storage.search.store import StoredIndex, current_index, ensure_index, page_count
from pagetrail.storage.search.worker import call_limited

_SEARCH_HELP = """Search the pages, with the same ranking as the benchmark's agents.

All words must be on the page. "A phrase" in double quotes, OR, NOT, (groups), word* patterns,
word^2 weights and file:"name.pdf" work. Put -- before a query that begins with a hyphen. The
number of results affects the ranking: ask for as many as the agents get.

Exit code: 0 when the query was run, 1 when it was refused."""
_INDEX_HELP = """Build the search index if the corpus or the engine changed, and report on it.

A search builds the index when needed; this command builds it ahead of time."""
_SLOW_CORPUS_FACTOR = 5  # on the command line nobody else waits


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command(
        "search",
        help=_SEARCH_HELP,
        epilog="Example: pagetrail search my-workspace '\"net sales\" 2018' --top-k 5 --json",
    )(search)
    app.command(
        "index",
        help=_INDEX_HELP,
        epilog="Example: pagetrail index my-workspace --force",
    )(index)


def search(
    workspace: WorkspaceFolder,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What to search for.")],
    top_k: Annotated[int, typer.Option("--top-k", min=1, max=1000, help="Number of results.")] = 5,
    as_json: Json = False,
) -> None:
    console = Console(stderr=True)
    stored = _ensure(Workspace.open(workspace), force=False)
    engine = WhooshIndex(stored.folder, stored.identity)
    try:
        outcome = call_limited(engine, LIMIT_S * _SLOW_CORPUS_FACTOR, "search", (query, top_k))
    except QueryRefused as refused:
        if not as_json:
            raise
        error = {"code": refused.code, "message": refused.message}
        show_json({"query": query, "error": error, "results": []})
        raise typer.Exit(1) from refused
    if as_json:
        show_json(
            {
                "query": outcome.query,
                "parsed": outcome.parsed,
                "total_hits": outcome.total_hits,
                "took_ms": round(outcome.took_ms, 3),
                "top_k": outcome.top_k,
                "index_id": outcome.index_id,
                "results": [hit.model_dump() for hit in outcome.results],
            }
        )
    else:
        _print(console, outcome)


def index(
    workspace: WorkspaceFolder,
    force: Annotated[
        bool, typer.Option("--force", help="Rebuild the index even if it is up to date.")
    ] = False,
    as_json: Json = False,
) -> None:
    console = Console(stderr=True)
    opened = Workspace.open(workspace)
    before = current_index(opened)
    stored = _ensure(opened, force=force)
    built = force or before is None
    if as_json:
        show_json(
            {
                "index_id": stored.identity,
                "pages": stored.pages,
                "corpus_revision": stored.revision,
                "built": built,
            }
        )
        return
    state = "built" if built else "up to date"
    console.print(f"Index {state}: {stored.pages:,} pages, identity {stored.identity}.")


def _ensure(opened: Workspace, *, force: bool) -> StoredIndex:
    if not force and (stored := current_index(opened)) is not None:
        return stored
    with _bar(page_count(opened)) as progress:
        return ensure_index(opened, progress, force=force)


@contextmanager
def _bar(total: int) -> Iterator[Callable[[int], None]]:
    with progress_bar(TimeRemainingColumn()) as bar:
        task = bar.add_task("Indexing pages", total=total)
        yield lambda pages: bar.update(task, completed=pages)


def _print(console: Console, outcome: SearchOutcome) -> None:
    table = Table("Rank", "File", "Page", "Score", show_edge=False, pad_edge=False)
    for column in (0, 2, 3):
        table.columns[column].justify = "right"
    for hit in outcome.results:
        name = Text(printable(hit.file), overflow="fold")
        table.add_row(str(hit.rank), name, str(hit.page), f"{hit.score:.3f}")
    if outcome.results:
        console.print(table)
    pages = count_noun(outcome.total_hits, "page matches", "pages match")
    line = f"{pages} {printable(outcome.parsed)} ({outcome.took_ms:.1f} ms)."
    console.print(Text(line))
