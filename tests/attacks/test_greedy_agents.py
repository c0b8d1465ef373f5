"""Agents that send too much: what is stored of theirs is bounded as people's is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pagetrail.annotation.attempts import recorder
from pagetrail.annotation.errors import PagetrailError
from pagetrail.app.agents import AgentClient
from pagetrail.app.agents.attempt import AgentAttempt
from pagetrail.app.services.composition import Services
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.search.service import SearchService
from tests.app.agents.campaigns import add_campaign

HUGE = "otter " * 2_000_000
PAGES = [("report.pdf", page) for page in range(1, 10_001)]


@pytest.fixture
def attempt(root: Path, tmp_path: Path) -> Iterator[AgentAttempt]:
    """An open task of an agent's."""
    services = Services(Workspace.open(root))
    services.search = SearchService(services.workspace, workers=1, limit_s=30)
    services.search.start()
    add_campaign(services.workspace, tmp_path, "Agents")
    with AgentClient(services, "Agents", "bot") as client:
        yield client.open(client.tasks()[0].id)
    services.search.close()
    services.workspace.engine.dispose()


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
    stored = attempt._services.log.events(attempt.id)
    assert sum(len(str(event.fields())) for event in stored) < 50_000


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
