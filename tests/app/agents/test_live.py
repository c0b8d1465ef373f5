"""An MCP server beside ``pagetrail serve``: an agent and a person at work at the same time."""

from __future__ import annotations

import json
from collections import Counter
from functools import partial
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlencode

import anyio
import anyio.to_thread

from pagetrail.app.services.composition import Services
from pagetrail.storage.attempts.system_attempts import ensure_attempt, ensure_system
from tests.app.agents.campaigns import add_agents_campaign, events_of, first_attempt
from tests.app.agents.session import in_memory_client, run
from tests.app.conftest import PASSWORD
from tests.e2e.support.server_process import ServerProcess

ROUNDS = 15


def _send(
    connection: HTTPConnection, path: str, body: str | None, headers: dict[str, str]
) -> tuple[str, bytes]:
    """Cookie and body of the reply, which must be a good one."""
    connection.request("GET" if body is None else "POST", path, body, headers)
    reply = connection.getresponse()
    content = reply.read()
    assert reply.status < 400, content
    return (reply.getheader("set-cookie") or "").partition(";")[0], content


def person(port: int, attempt: str) -> None:
    """Sign in, then search and write an answer again and again, as the browser would."""
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    form = urlencode({"name": "alma", "password": PASSWORD})
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    cookie, _ = _send(connection, "/pagetrail/login", form, kind)
    path = f"/pagetrail/attempts/{attempt}"
    _, state = _send(connection, path, None, {"Cookie": cookie})
    headers = {
        "Cookie": cookie,
        "X-Pagetrail": json.loads(state)["token"],
        "Content-Type": "application/json",
    }
    for number in range(ROUNDS):
        event: dict[str, Any] = {
            "id": f"e{number}",
            "type": "answer_edited",
            "payload": {"text": f"draft {number}"},
        }
        body = json.dumps({"session": "tab", "events": [event]})
        _, reply = _send(connection, f"{path}/events", body, headers)
        assert json.loads(reply)["refusals"] == []
        body = json.dumps({"id": f"s{number}", "query": "badgers"})
        _send(connection, f"{path}/search", body, headers)
    connection.close()


def test_an_agent_beside_a_live_server(services: Services) -> None:
    """Both write at once to one workspace; each log is whole, and neither holds the other's."""
    add_agents_campaign(services.workspace, "Agents")
    root = services.workspace.root
    hers = first_attempt(services, "alma", "Agents")

    async def agent() -> None:
        async with in_memory_client(root, "Agents", "bot") as client:
            await client.do("open_task", task="q1")
            for number in range(ROUNDS):
                await client.search(f"otters OR word{number}")
                await client.do("read_page", file="report.pdf", page=1 + number % 3)
            await client.do(
                "submit_answer", answer=["rivers"], citations=[{"file": "report.pdf", "page": 1}]
            )

    with ServerProcess(root) as server:

        async def work_at_once() -> None:
            async with anyio.create_task_group() as group:
                group.start_soon(agent)
                group.start_soon(anyio.to_thread.run_sync, partial(person, server.port, hers))

        run(work_at_once)
    system = ensure_system(services.workspace, "bot")
    row = ensure_attempt(services.workspace, "Agents", "q1", system, finished=True)
    agent_events = Counter(kind for kind, _ in events_of(services, row.attempt_id))
    assert agent_events == {
        "opened": 1,
        "searched": ROUNDS,
        "page_viewed": ROUNDS,
        "answer_edited": 1,
        "citation_added": 1,
        "submitted": 1,
    }
    alma_events = Counter(kind for kind, _ in events_of(services, hers))
    assert (
        alma_events["answer_edited"],
        alma_events["searched"] + alma_events["search_refused"],
    ) == (ROUNDS, ROUNDS)
