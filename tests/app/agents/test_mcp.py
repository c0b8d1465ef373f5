"""The MCP server, as a client sees it: work, refusals, kills, crowds, neighbours."""

from __future__ import annotations

import base64
import io
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import psutil
from mcp.shared.exceptions import MCPError
from PIL import Image

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.search import run_search
from pagetrail.storage.attempts import queries
from pagetrail.storage.people.accounts import find_person
from tests.app.agents.campaigns import (
    GOLD,
    QUERIES,
    attempt_of,
    close_campaign,
    events_of,
    first_attempt,
    types_of,
)
from tests.app.agents.session import (
    Client,
    connected,
    in_memory_client,
    queries_of,
    run,
    server_processes,
)


def test_an_agent_answers_a_campaign(services: Services, root: Path) -> None:
    """Every task from the list to the submission; the log holds what a person's would."""

    async def scenario() -> None:
        async with in_memory_client(root, "Agents", "bot") as agent:
            tools = {tool.name: tool for tool in (await agent.session.list_tools()).tools}
            assert list(tools) == [
                "list_tasks",
                "open_task",
                "search_documents",
                "read_page",
                "submit_answer",
                "skip_task",
                "report_usage",
            ]
            assert list(tools["search_documents"].input_schema["properties"]) == ["query"]
            assert all(len(tool.description or "") > 60 for tool in tools.values())
            task_list = await agent.do("list_tasks")
            assert (task_list["total"], task_list["counts"]) == (3, {"new": 3})
            assert "Cite every page" in task_list["instructions"] and "guidelines" not in task_list
            assert "#" in (await agent.do("list_tasks", guidelines=True))["guidelines"]
            for task in task_list["tasks"]:
                opened = await agent.do("open_task", task=task["id"])
                assert opened["outcomes"] == ["answered", "not_found"]
                results = await agent.search("otters rivers")
                assert results["results"] == [{"file": "report.pdf", "page": 1, "rank": 1}]
                assert (results["total_hits"], bool(results["understood_as"])) == (1, True)
                page = await agent.raw("read_page", file="report.pdf", page=1, image=True)
                assert [part.type for part in page.content] == ["text", "image"]
                assert page.structured_content["text"].strip() == "otters live in rivers"
                _assert_png(page.content[1])
                submission = await agent.do(
                    "submit_answer",
                    answer=["rivers"],
                    citations=[{"file": "report.pdf", "page": 1}],
                )
                assert submission["status"] == "submitted"
            task_list = await agent.do("list_tasks", status="submitted", limit=2)
            assert ([t["id"] for t in task_list["tasks"]], task_list["next_offset"]) == (
                ["q1", "q2"],
                2,
            )

    run(scenario)
    for task in ("q1", "q2", "q3"):
        stored = events_of(services, attempt_of(services, task))
        assert [kind for kind, _ in stored] == [
            "opened",
            "searched",
            "page_viewed",
            "answer_edited",
            "citation_added",
            "submitted",
        ]
        search_id = stored[1][1]["search_id"]
        assert [stored[n][1]["search_id"] for n in (2, 4)] == [search_id, search_id]
        assert stored[2][1]["via"] == "result"


def _assert_png(part: Any) -> None:
    assert part.mime_type == "image/png"
    picture = Image.open(io.BytesIO(base64.b64decode(part.data)))
    assert (picture.format, min(picture.size) > 300) == ("PNG", True)


def test_agent_gets_the_same_lists_as_a_person(searching: Services, root: Path) -> None:
    """The same (file, page, rank) list for each query, beside a person who searches too."""
    alma = find_person(searching.workspace, "alma")
    hers = first_attempt(searching, "alma", "Agents")
    hits_by_query = {}
    for number, query in enumerate(QUERIES):
        reply, _ = run_search(searching, alma, hers, {"id": f"s{number}", "query": query})
        hits_by_query[query] = [
            (hit["document"], hit["page"], hit["rank"]) for hit in reply["results"]
        ]

    async def scenario() -> None:
        async with in_memory_client(root, "Agents", "bot") as agent:
            await agent.do("open_task", task="q1")
            for query in QUERIES:
                results = await agent.search(query)
                got = [(hit["file"], hit["page"], hit["rank"]) for hit in results["results"]]
                assert got == hits_by_query[query]

    run(scenario)
    assert any(hits_by_query.values())


def test_refusals_are_tool_errors_with_a_sentence(services: Services, root: Path) -> None:
    """Whatever an agent does wrong is said in a sentence, with a code, and the session goes on."""

    async def scenario() -> None:
        async with in_memory_client(root, "Agents", "bot") as agent:
            assert await agent.code("search_documents", query="otters") == "no_task_open"
            assert await agent.code("open_task", task="q9") == "not_found"
            await agent.do("open_task", task="q1")
            assert await agent.code("open_task", task="q2") == "task_open"
            assert (await agent.do("open_task", task="q1"))["task"] == "q1"
            assert await agent.code("search_documents", query="") == "query_empty"
            assert await agent.code("search_documents", query="*") == "query_too_broad"
            assert (await agent.do("search_documents", query="the of"))["results"] == []
            assert await agent.code("read_page", file="report.pdf", page=9) == "unknown_page"
            assert await agent.code("read_page", file="x.pdf", page=1) == "unknown_document"
            wrong = [{"file": "report.pdf", "page": 9}, {"file": "x.pdf", "page": 1}]
            result = await agent.raw("submit_answer", answer=["rivers"], citations=wrong)
            assert result.is_error
            error = result.structured_content["error"]
            assert [p["code"] for p in error["problems"]] == ["unknown_page", "unknown_document"]
            assert await agent.code("submit_answer", answer=["rivers"]) == "incomplete"
            right = [{"file": "report.pdf", "page": 1}]
            await agent.do("submit_answer", answer=["rivers"], citations=right)
            repeated_submission = await agent.code(
                "submit_answer", answer=["lakes"], citations=right
            )
            assert repeated_submission == "no_task_open"
            assert await agent.code("open_task", task="q1") == "handed_in"
            await agent.do("open_task", task="q2")
            assert await agent.code("skip_task", reason=" ") == "no_reason"
            await agent.do("skip_task", reason="nothing can be read")
            await agent.do("open_task", task="q3")
            close_campaign(services.workspace, "Agents")
            assert await agent.code("search_documents", query="otters") == "conflict"
            assert await agent.code("list_tasks") == "conflict"

    run(scenario)
    # The session ended with the third task open: its clock is stopped.
    assert types_of(services, attempt_of(services, "q3")) == ["opened", "tab_hidden"]
    assert types_of(services, attempt_of(services, "q1")) == [
        "opened",
        "search_refused",
        "search_refused",
        "searched",
        "answer_edited",
        "citation_added",
        "submitted",
    ]


def test_gold_is_in_no_reply(services: Services, root: Path) -> None:
    """Words planted in gold, and in a person's work, are in nothing that the server sends."""
    hers = queries.attempt(services.workspace.engine, first_attempt(services, "alma", "Agents"))
    services.recorder.record(
        hers.context(),
        [
            Command("a1", ev.Opened(session="tab")),
            Command("a2", ev.AnswerEdited(text=f"{GOLD} by alma")),
        ],
    )
    replies: list[str] = []

    async def scenario() -> None:
        async with in_memory_client(root, "Agents", "bot") as agent:
            replies.append((await agent.session.list_tools()).model_dump_json())
            await agent.do("list_tasks")
            await agent.raw("search_documents", query="otters")
            for task in ("q1", "q2", "q3"):
                await agent.do("open_task", task=task)
                await agent.search("otters")
                await agent.raw("search_documents", query=GOLD[:3])
                await agent.raw("read_page", file="report.pdf", page=1, image=True)
                await agent.raw("read_page", file="nowhere.pdf", page=1)
                await agent.raw("submit_answer", answer=["x"])
                await agent.do(
                    "submit_answer", answer=["x"], citations=[{"file": "report.pdf", "page": 2}]
                )
            await agent.do("list_tasks")
            replies.extend(agent.replies)

    run(scenario)
    assert len(replies) == 25
    assert not [reply for reply in replies if GOLD in reply]


def test_kill_loses_and_duplicates_nothing(services: Services, root: Path) -> None:
    """kill -9 amid many searches: what was answered is stored once; another server goes on."""
    answered: list[str] = []
    sent = [f"otters OR word{n}" for n in range(24)]

    async def search(agent: Client, query: str, kill: bool) -> None:
        try:
            results = await agent.search(query)
        except (MCPError, anyio.ClosedResourceError, anyio.BrokenResourceError):
            return
        answered.append(results["query"])
        if kill:
            (process,) = server_processes(root, "bot")
            process.kill()

    async def killed() -> None:
        async with connected(root, "Agents", "bot") as agent:
            await agent.do("open_task", task="q1")
            await agent.do("read_page", file="report.pdf", page=1)
            async with anyio.create_task_group() as group:
                for number, query in enumerate(sent):
                    group.start_soon(search, agent, query, number == 5)

    async def resume() -> None:
        async with in_memory_client(root, "Agents", "bot") as agent:
            task_list = await agent.do("list_tasks", status="open")
            assert [task["id"] for task in task_list["tasks"]] == ["q1"]
            opened = await agent.do("open_task", task="q1")
            query_counts = Counter(queries_of(opened))
            assert set(answered) <= set(query_counts) <= set(sent)
            assert set(query_counts.values()) == {1}
            assert opened["done_so_far"]["pages_read"] == 1
            await agent.do(
                "submit_answer",
                answer=["rivers"],
                citations=[{"file": "report.pdf", "page": 1}],
            )

    run(killed)
    assert answered
    run(resume)
    kinds = types_of(services, attempt_of(services, "q1"))
    assert len(answered) <= kinds.count("searched") <= len(sent)
    assert (kinds.count("opened"), kinds.count("submitted")) == (2, 1)
    assert server_processes(root, "bot") == []


def test_terminated_server_leaves_its_task(services: Services, root: Path) -> None:
    """SIGTERM stops the task's clock, as closing the browser does; the search ends as well."""

    async def scenario() -> None:
        async with connected(root, "Agents", "bot") as agent:
            await agent.do("open_task", task="q1")
            (process,) = server_processes(root, "bot")
            helpers = process.children()
            process.terminate()
            exited, alive = await anyio.to_thread.run_sync(
                lambda: psutil.wait_procs([process, *helpers], timeout=30)
            )
            assert (len(exited) > 1, alive) == (True, [])

    run(scenario)
    assert types_of(services, attempt_of(services, "q1")) == ["opened", "tab_hidden"]


def test_thirty_calls_at_once(services: Services, root: Path) -> None:
    """Each is answered with its own result, the server still answers pings, and each is stored."""
    pages = [("report.pdf", 1), ("report.pdf", 2), ("other.pdf", 1)]
    texts = ["otters live in rivers", "otters eat fish", "badgers dig setts"]
    read: list[tuple[int, str]] = []
    query_pairs: list[tuple[str, str]] = []

    async def scenario() -> None:
        async with in_memory_client(root, "Agents", "bot") as agent:
            await agent.do("open_task", task="q1")

            async def look(number: int) -> None:
                file, page = pages[number % 3]
                image = number % 5 == 0
                reply = await agent.do("read_page", file=file, page=page, image=image)
                read.append((number % 3, reply["text"].strip()))

            async def search(number: int) -> None:
                reply = await agent.search(f"otters OR word{number}")
                query_pairs.append((reply["query"], f"otters OR word{number}"))

            async with anyio.create_task_group() as group:
                for number in range(15):
                    group.start_soon(look, number)
                    group.start_soon(search, number)
                group.start_soon(agent.session.send_ping)

    run(scenario)
    assert sorted(read) == sorted((n % 3, texts[n % 3]) for n in range(15))
    assert len(query_pairs) == 15
    assert all(got == sent_query for got, sent_query in query_pairs)
    kinds = Counter(types_of(services, attempt_of(services, "q1")))
    assert (kinds["searched"], kinds["page_viewed"], kinds["opened"]) == (15, 15, 1)


def test_two_servers_and_people_write_at_once(searching: Services, root: Path) -> None:
    """Servers in two processes on one attempt, and a person beside one: nothing is lost."""
    alma = find_person(searching.workspace, "alma")
    hers = first_attempt(searching, "alma", "Agents")

    def person() -> None:
        for number in range(8):
            run_search(searching, alma, hers, {"id": f"s{number}", "query": "badgers"})

    async def agent(session: Callable[..., Any], word: str) -> None:
        async with session(root, "Agents", "bot") as client:
            await client.do("open_task", task="q1")
            for number in range(8):
                await client.search(f"otters OR {word}{number}")

    async def scenario() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(agent, connected, "first")
            group.start_soon(agent, in_memory_client, "second")
            group.start_soon(anyio.to_thread.run_sync, person)

    run(scenario)
    stored = events_of(searching, attempt_of(searching, "q1"))
    query_counts = Counter(fields["query"] for kind, fields in stored if kind == "searched")
    assert query_counts == Counter(
        f"otters OR {word}{n}" for word in ("first", "second") for n in range(8)
    )
    assert [kind for kind, _ in stored].count("opened") == 2
    assert types_of(searching, hers) == ["searched"] * 8
