"""Agents that send too much: what is stored of theirs is bounded as people's is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pagetrail.annotation.attempts import recorder
from pagetrail.annotation.errors import PagetrailError
from pagetrail.app.agents import AgentClient
from pagetrail.app.agents.attempt import AgentAttempt
from pagetrail.app.agents.mcp_server import AgentTools
from pagetrail.app.services.composition import Services
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.search.service import SearchService
from tests.app.agents.campaigns import add_agents_campaign, first_attempt, types_of

HUGE = "otter " * 2_000_000
PAGES = [("report.pdf", page) for page in range(1, 10_001)]


@pytest.fixture
def client(root: Path) -> Iterator[AgentClient]:
    """An agent in a campaign of its own."""
    services = Services(Workspace.open(root))
    services.search = SearchService(services.workspace, workers=1, limit_s=30)
    services.search.start()
    add_agents_campaign(services.workspace, "Agents")
    with AgentClient(services, "Agents", "bot") as agent:
        yield agent
    services.search.close()
    services.workspace.engine.dispose()


@pytest.fixture
def attempt(client: AgentClient) -> AgentAttempt:
    """An open task of the agent's."""
    return client.open(client.tasks()[0].id)


def stored_chars(attempt: AgentAttempt) -> int:
    """Characters in the attempt's events."""
    return sum(len(str(event.fields())) for event in attempt._services.log.events(attempt.id))


GREED: dict[str, Callable[[AgentAttempt], object]] = {
    "query": lambda attempt: attempt.search_documents(HUGE),
    "answer": lambda attempt: attempt.submit(HUGE),
    "answers": lambda attempt: attempt.submit(["otter"] * 200_000),
    "citations": lambda attempt: attempt.submit("otter", PAGES),
    "reason": lambda attempt: attempt.skip(HUGE),
    "field": lambda attempt: attempt.set_field(HUGE, "otter"),
    "value": lambda attempt: attempt.set_field("kind", [HUGE]),
    "document": lambda attempt: attempt.read_page(HUGE, 1),
    "page": lambda attempt: attempt.read_page("report.pdf", 10**300),
}


@pytest.mark.parametrize("part", GREED)
def test_each_part_is_bounded(attempt: AgentAttempt, part: str) -> None:
    """Refused with a sentence of ordinary length, and next to nothing is stored."""
    with pytest.raises(PagetrailError) as refused:
        GREED[part](attempt)
    assert len(refused.value.message) < 2_000
    assert stored_chars(attempt) < 50_000


CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "tool": (HUGE, {}),
    "task": ("open_task", {"task": HUGE}),
    "query": ("search_documents", {"query": HUGE}),
    "file": ("read_page", {"file": HUGE, "page": 1}),
    "page": ("read_page", {"file": "report.pdf", "page": 10**300}),
    "answer": ("submit_answer", {"answer": [HUGE]}),
    "answers": ("submit_answer", {"answer": ["otter"] * 200_000}),
    "answers as nested text": ("submit_answer", {"answer": "[" * 5_000_000}),
    "citations": (
        "submit_answer",
        {"answer": ["otter"], "citations": [{"file": f, "page": p} for f, p in PAGES]},
    ),
    "reason": ("skip_task", {"reason": HUGE}),
    "argument": ("skip_task", {"reason": "x", HUGE: HUGE}),
    "arguments": ("skip_task", {str(number): "x" for number in range(100_000)}),
    "list": ("list_tasks", {"limit": 10**300, "offset": -(10**300)}),
}
"""Tools of the MCP server with arguments that a language model gone wrong may send."""


@pytest.mark.parametrize("part", CALLS)
def test_each_argument_of_the_mcp_server_is_bounded(
    client: AgentClient, attempt: AgentAttempt, part: str
) -> None:
    """Refused in a reply of ordinary length, and next to nothing is stored."""
    tools = AgentTools(client)
    tool, arguments = CALLS[part]
    reply = tools.call(tool, arguments)
    assert reply.is_error
    assert len(reply.model_dump_json()) < 5_000
    assert stored_chars(attempt) < 50_000


def test_ids_of_others_open_nothing_over_mcp(client: AgentClient) -> None:
    """A task of another campaign, and attempts of a person, of another system and of its own."""
    services = client._services
    own_attempt = client.open("q1").id
    add_agents_campaign(services.workspace, "Others", rows=[{"id": "o1", "question": "Where?"}])
    persons_attempt = first_attempt(services, "alma", "Others")
    with AgentClient(services, "Others", "second") as second:
        other_attempt = second.open("o1").id
    tools = AgentTools(client)
    for task in ("o1", persons_attempt, other_attempt, own_attempt):
        reply = tools.call("open_task", {"task": task})
        assert reply.structured_content is not None
        assert reply.structured_content["error"]["code"] == "not_found"
    assert types_of(services, persons_attempt) == []
    assert types_of(services, other_attempt) == ["opened", "tab_hidden"]


def test_steps_are_cut(attempt: AgentAttempt) -> None:
    """A step's text and arguments keep their beginning; its tool has a name of ordinary length."""
    attempt.step(HUGE, tool="t", arguments={"text": HUGE})
    step = list(attempt._services.log.events(attempt.id))[-1]
    assert step.type == "agent_step"
    assert len(str(step.fields())) < 50_000
    with pytest.raises(PagetrailError):
        attempt.step("x", tool=HUGE)


def test_full_task_accepts_only_its_submission(
    attempt: AgentAttempt, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit on a person's attempt is an agent's too: steps, searches and pages count."""
    monkeypatch.setattr(recorder, "MAX_EVENTS", 3)
    for number in range(2):
        attempt.step(str(number))
    for more in (
        lambda: attempt.step("more"),
        lambda: attempt.search_documents("otter"),
        lambda: attempt.cite("report.pdf", 1),
    ):
        with pytest.raises(PagetrailError):
            more()
    attempt.skip("It is full.")
    assert attempt.state().status == "skipped"
