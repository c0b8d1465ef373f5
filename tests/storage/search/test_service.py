"""The search processes: same lists, bounded time, nobody else's answer lost, no orphans."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from pagetrail.annotation.errors import QueryRefused, WorkspaceError
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.search import renewal
from pagetrail.storage.search.service import SearchService
from pagetrail.storage.search.status import index_facts, index_warning
from pagetrail.storage.search.store import current_index, ensure_index
from tests.storage.search.generated_corpus import (
    Row,
    build_reference,
    pages,
    reference,
    register,
)
from tests.support.function_process import print_line, start_function

ROWS = pages(150)


PATIENCE_S = 20.0
"""A busy machine takes its time; how fast a search is, benchmarks measure."""


def wait_until(condition: Callable[[], bool], seconds: float = 90.0) -> bool:
    """Whether the condition came true in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def running(pid: int) -> bool:
    """Whether a process lives (a zombie does not)."""
    try:
        return psutil.Process(pid).status() not in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)
    except psutil.NoSuchProcess:
        return False


@pytest.fixture
def service(workspace: Workspace) -> Iterator[SearchService]:
    register(workspace, ROWS)
    service = SearchService(workspace, limit_s=PATIENCE_S)
    service.start()
    yield service
    service.close()


def test_the_service_gives_the_reference_lists(service: SearchService, tmp_path: Path) -> None:
    """Many threads at once get the reference's lists, errors and all other answers."""
    folder = build_reference(ROWS, tmp_path)
    queries = ["net", "company revenue", '"net income"', "tax OR debt", "sal*", "zzz"] * 10
    expected = {query: reference(folder, query, 5) for query in queries}
    with ThreadPoolExecutor(12) as pool:
        outcomes = list(pool.map(lambda query: service.search(query, 5), queries))
    for query, outcome in zip(queries, outcomes, strict=True):
        hits = [(hit.file, hit.page, hit.score) for hit in outcome.results]
        assert (hits, outcome.total_hits) == expected[query]
        assert outcome.index_id == service.identity
    with pytest.raises(QueryRefused, match="alone"):
        service.search("*", 5)
    assert service.more("net", 5, 9).results[:5] == service.search("net", 5).results
    assert service.highlight_terms("sal*") == ["sales"]
    assert service.suggest("reveneu") == "revenue"
    assert service.suggest("*") is None


def test_snippets_are_runs_of_plain_text(service: SearchService) -> None:
    """Each result has its text around the matches; an unknown page or a refused query has None."""
    hit = service.search("revenue", 1).results[0]
    snippets = service.snippets("revenue", [(hit.file, hit.page), ("absent.pdf", 1)])
    assert snippets[0] is not None
    assert "revenue" in {text.lower() for text, is_match in snippets[0] if is_match}
    assert snippets[1] is None
    assert service.snippets("*", [(hit.file, hit.page)]) == [None]


def test_a_process_that_hangs_is_replaced(workspace: Workspace) -> None:
    """A stopped process costs one refusal within the limit; then all is as before."""
    register(workspace, ROWS)
    service = SearchService(workspace, workers=1)
    service.start()
    try:
        (stopped,) = service.pids()
        os.kill(stopped, signal.SIGSTOP)
        started = time.monotonic()
        with pytest.raises(QueryRefused) as refused:
            service.search("net", 5)
        assert refused.value.code == "query_timeout"
        assert time.monotonic() - started < PATIENCE_S, "its own limit of 2 s ended it"
        assert not running(stopped)
        assert wait_until(lambda: _answers(service))
        assert service.pids() != [stopped]
    finally:
        service.close()


def test_a_killed_process_loses_no_answer(service: SearchService) -> None:
    """Searches go on while their processes are killed again and again."""
    expected = service.search("net", 5).results
    with ThreadPoolExecutor(4) as pool:
        answers = [pool.submit(service.search, "net", 5) for _ in range(40)]
        os.kill(service.pids()[0], signal.SIGKILL)
        for answer in answers:
            assert answer.result().results == expected
    assert wait_until(lambda: len([pid for pid in service.pids() if running(pid)]) == 2)


REMOVED = ROWS[-1][0]
CHANGED: list[Row] = [
    ("new.pdf", 1, 1, "zebra"),
    *(row for row in ROWS if row[0] != REMOVED),
]
"""The last document is gone, another is there."""


@contextmanager
def builds_held(workspace: Workspace) -> Iterator[None]:
    """No process builds an index meanwhile."""
    with (workspace.index_dir / ".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def finds_zebra(service: SearchService) -> bool:
    return [hit.file for hit in service.search("zebra", 5).results] == ["new.pdf"]


def test_the_old_index_answers_while_a_new_one_is_built(
    service: SearchService, workspace: Workspace
) -> None:
    """Nobody is refused meanwhile; afterwards every server has moved over without being told."""
    other = SearchService(workspace, limit_s=PATIENCE_S)
    other.start()
    try:
        old = service.search("net", 5)
        with builds_held(workspace):
            register(workspace, CHANGED, revision=2)
            assert wait_until(lambda: bool(builders()))
            facts = index_facts(workspace)
            assert index_warning(workspace, facts) == (
                "The collection has changed since the index was built. A new one is being built. "
                "Searches use this index until the new one is complete."
            )
            outcomes = [searcher.search("net", 5) for searcher in (service, other)]
        assert [outcome.index_id for outcome in outcomes] == [old.index_id] * 2
        assert wait_until(lambda: finds_zebra(service) and finds_zebra(other))
        assert service.search("net", 5).index_id == ensure_index(workspace).identity != old.index_id
        assert index_warning(workspace, index_facts(workspace)) is None
    finally:
        other.close()


def test_pages_that_are_gone_are_no_results(service: SearchService, workspace: Workspace) -> None:
    """The old index still has them; the others keep their order and are numbered from one."""
    query = ROWS[-1][3].split()[0]
    before = [(hit.file, hit.page) for hit in service.search(query, 100).results]
    assert REMOVED in {file for file, _ in before}
    with builds_held(workspace):
        register(workspace, CHANGED, revision=2)
        after = service.search(query, 100).results
    expected = [hit for hit in before if hit[0] != REMOVED]
    assert [(hit.rank, hit.file, hit.page) for hit in after] == [
        (rank, *hit) for rank, hit in enumerate(expected, start=1)
    ]


@pytest.mark.parametrize("damage", ["removed", "all removed", "truncated", "half"])
def test_a_damaged_index_is_built_again(
    service: SearchService, workspace: Workspace, damage: str
) -> None:
    """Without a restart, although the search processes were killed as well."""
    expected = service.search("net", 5)
    folder = ensure_index(workspace).folder
    if damage == "removed":
        shutil.rmtree(folder)
    elif damage == "all removed":
        shutil.rmtree(workspace.index_dir)
    else:
        files = [path for path in folder.iterdir() if path.is_file() and path.name != "meta.json"]
        for path in files[: len(files) if damage == "truncated" else 1]:
            os.truncate(path, path.stat().st_size // 2)
        facts = index_facts(workspace)
        assert "damaged or missing" in str(index_warning(workspace, facts))
    for pid in service.pids():
        os.kill(pid, signal.SIGKILL)
    assert wait_until(lambda: current_index(workspace) is not None)
    assert wait_until(lambda: _answers(service))
    repeated = service.search("net", 5)
    assert (repeated.results, repeated.index_id) == (
        expected.results,
        expected.index_id,
    )
    assert index_warning(workspace, index_facts(workspace)) is None


def test_a_killed_build_leaves_the_old_index(
    service: SearchService, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """kill -9 of the building process costs no search; the next build succeeds."""
    monkeypatch.setattr(renewal, "_RETRY_S", 0.2)
    old = service.search("net", 5)
    with builds_held(workspace):
        register(workspace, CHANGED, revision=2)
        for _ in range(2):
            assert wait_until(lambda: bool(builders()))
            for process in builders():
                process.kill()
            assert service.search("net", 5).index_id == old.index_id
    assert wait_until(lambda: finds_zebra(service))


def builders() -> list[psutil.Process]:
    """Processes below this one that build an index: they have its lock open."""
    outcomes = []
    for child in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if any(file.path.endswith("/index/.lock") for file in child.open_files()):
                outcomes.append(child)
    return outcomes


def test_closing_ends_the_processes(service: SearchService) -> None:
    """After ``close`` no process is left and a search says so."""
    service.search("net", 5)
    children = service.pids()
    assert children
    service.close()
    assert wait_until(lambda: not any(map(running, children)))
    with pytest.raises(WorkspaceError, match="closed"):
        service.search("net", 5)


def serve_searches(root: str) -> None:
    """Start search processes, print their ids, and wait."""
    service = SearchService(Workspace.open(Path(root)))
    service.start()
    print_line(*service.pids())
    sys.stdin.read()


def test_no_process_outlives_a_killed_server(workspace: Workspace) -> None:
    """kill -9 of the server ends its search processes."""
    register(workspace, ROWS)
    ensure_index(workspace)
    server = start_function(serve_searches, workspace.root)
    assert server.stdout is not None
    children = [int(pid) for pid in server.stdout.readline().split()]
    assert children
    assert all(map(running, children))
    server.kill()
    server.communicate()
    assert wait_until(lambda: not any(map(running, children)))


def _answers(service: SearchService) -> bool:
    try:
        return bool(service.search("net", 5).results)
    except QueryRefused:
        return False


def test_a_server_opens_with_the_index_of_before(workspace: Workspace) -> None:
    """The corpus changed while no server ran: the older index answers until the new one is made."""
    register(workspace, ROWS)
    old = ensure_index(workspace)
    register(workspace, CHANGED, revision=2)
    service = SearchService(workspace, limit_s=PATIENCE_S)
    try:
        with builds_held(workspace):
            service.open()
            assert service.search("net", 5).index_id == old.identity
        assert wait_until(lambda: finds_zebra(service))
    finally:
        service.close()
