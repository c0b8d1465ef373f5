"""The search processes: same lists, bounded time, nobody else's answer lost, no orphans."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest

from pagetrail.annotation.errors import QueryRefused, WorkspaceError
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.search.service import SearchService
from pagetrail.storage.search.store import ensure_index
from tests.storage.search.generated_corpus import Row, pages, reference, register

ROWS = pages(150)


PATIENCE_S = 20.0
"""A busy machine takes its time; how fast a search is, benchmarks measure."""


def until(condition: Callable[[], bool], seconds: float = 20.0) -> bool:
    """Whether the condition came true in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        os.sched_yield()
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
    made = SearchService(workspace, limit_s=PATIENCE_S)
    made.start()
    yield made
    made.close()


def test_the_service_gives_the_reference_lists(
    service: SearchService, workspace: Workspace
) -> None:
    """Many threads at once get the reference's lists, errors and all other answers."""
    folder = ensure_index(workspace).folder
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
    shown = service.snippets("revenue", [(hit.file, hit.page), ("absent.pdf", 1)])
    assert shown[0] is not None
    assert "revenue" in {text.lower() for text, is_match in shown[0] if is_match}
    assert shown[1] is None
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
        assert until(lambda: _answers(service))
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
    assert until(lambda: len([pid for pid in service.pids() if running(pid)]) == 2)


def test_a_changed_corpus_is_searched_anew(service: SearchService, workspace: Workspace) -> None:
    """After a change no search answers from the old index: it waits, or says that it is built."""
    old = service.search("net", 5)
    changed: list[Row] = [("new.pdf", 1, 1, "zebra"), *ROWS]
    register(workspace, changed, revision=2)
    seen: list[str] = []

    def new_found() -> bool:
        try:
            outcome = service.search("zebra", 5)
        except QueryRefused as refused:
            assert refused.code == "index_building"
            return False
        seen.append(outcome.index_id)
        return True

    assert until(new_found)
    assert seen[0] != old.index_id
    assert service.search("zebra", 5).results[0].file == "new.pdf"
    assert service.identity == ensure_index(workspace).identity


def test_closing_ends_the_processes(service: SearchService) -> None:
    """After ``close`` no process is left and a search says so."""
    service.search("net", 5)
    children = service.pids()
    assert children
    service.close()
    assert until(lambda: not any(map(running, children)))
    with pytest.raises(WorkspaceError, match="closed"):
        service.search("net", 5)


def test_no_process_outlives_a_killed_server(workspace: Workspace) -> None:
    """kill -9 of the server ends its search processes."""
    register(workspace, ROWS)
    ensure_index(workspace)
    script = (
        "import sys, pathlib\n"
        "from pagetrail.storage.search.service import SearchService\n"
        "from pagetrail.storage.database.workspace import Workspace\n"
        "service = SearchService(Workspace.open(pathlib.Path(sys.argv[1])))\n"
        "service.start()\n"
        "sys.stdout.write(' '.join(map(str, service.pids())) + '\\n')\n"
        "sys.stdout.flush()\n"
        "sys.stdin.read()\n"
    )
    server = subprocess.Popen(
        [sys.executable, "-c", script, str(workspace.root)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    children = [int(pid) for pid in server.stdout.readline().split()]
    assert children
    assert all(map(running, children))
    server.kill()
    server.communicate()
    assert until(lambda: not any(map(running, children)))


def _answers(service: SearchService) -> bool:
    try:
        return bool(service.search("net", 5).results)
    except QueryRefused:
        return False
