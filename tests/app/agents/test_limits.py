"""The limits that people have hold for agents: pages, judging, gold, campaigns, clocks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command
from pagetrail.annotation.clock import ManualClock
from pagetrail.annotation.errors import ConflictError, NotFoundError, WorkspaceError
from pagetrail.app.agents import AgentAttempt, AgentClient
from pagetrail.app.services.composition import Services
from pagetrail.storage.attempts import queries
from pagetrail.storage.people.accounts import find_person
from pagetrail.storage.people.administration import set_active
from pagetrail.storage.search.service import SearchService
from tests.app.agents.campaigns import (
    GOLD,
    add_agents_campaign,
    close_campaign,
    events_of,
    first_attempt,
    refused,
    types_of,
)
from tests.support.factory import START


def test_given_pages_are_the_only_ones(searching: Services) -> None:
    """Where people may not browse, an agent reads and cites no other page, and cannot search."""
    add_agents_campaign(searching.workspace, "Given", "oracle")
    with AgentClient(searching, "Given", "bot") as client:
        assert client.tasks()[0].pages == (("report.pdf", 1),)
        attempt = client.open("q1")
        attempt.read_page("report.pdf", 1)
        assert refused(lambda: attempt.read_page("report.pdf", 2)).code == "page_not_given"
        assert refused(lambda: attempt.cite("other.pdf", 1)).code == "page_not_given"
        assert refused(lambda: attempt.search_documents("otters")).code == "no_search"
        stored = events_of(searching, attempt.id)
    assert [kind for kind, _ in stored] == ["opened", "page_viewed"]
    assert stored[1][1]["via"] == "given"


def test_pages_open_only_after_the_required_judgement(searching: Services) -> None:
    """Fields that come before the pages keep them, and the material, from agents too."""
    add_agents_campaign(searching.workspace, "Review", "qa_review")
    with AgentClient(searching, "Review", "bot") as client:
        assert {task.pages for task in client.tasks()} == {()}
        attempt = client.open("q1")
        assert attempt.state().locked
        assert refused(lambda: attempt.read_page("report.pdf", 1)).code == "pages_locked"
        attempt.set_field("self_contained", "yes")
        assert attempt.state().pages == (("report.pdf", 1),)
        assert client.tasks()[0].pages == (("report.pdf", 1),)
        attempt.read_page("report.pdf", 1)
        assert refused(lambda: attempt.set_field("nothing", 1)).code == "unknown_field"


def test_an_agent_that_judges_is_blind(searching: Services) -> None:
    """A judging agent sees the answers that people see, never which system gave them."""
    rows = [
        {
            "id": "q1",
            "question": "What do otters eat?",
            "answer_variants": [["fish"]],
            "evidence": [{"document": "report.pdf", "page": 2}],
            "predictions": {"zyxomega": "eels", "qqalpha": "fish"},
        }
    ]
    add_agents_campaign(searching.workspace, "Judges", "judge", rows=rows)
    with AgentClient(searching, "Judges", "judge-bot") as client:
        replies = [repr(client.tasks())]
        for task in client.tasks():
            attempt = client.open(task.id)
            replies.append(repr(attempt.state()))
            assert refused(attempt.submit).code == "incomplete"
            attempt.set_field("verdict", "correct")
            submission = attempt.submit()
            replies.append(repr(submission))
            assert (submission.status, submission.outcome, submission.fields) == (
                "submitted",
                "completed",
                {"verdict": "correct"},
            )
    assert any("eels" in text for text in replies)
    assert not [text for text in replies if "zyxomega" in text or "qqalpha" in text]


def test_gold_and_other_peoples_work_stay_out_of_every_reply(
    campaign: Services, client: AgentClient
) -> None:
    """A planted word of every gold field, and of a person's answer, is in no reply or error."""
    hers = queries.attempt(campaign.workspace.engine, first_attempt(campaign, "alma", "Agents"))
    campaign.recorder.record(
        hers.context(),
        [
            Command("a1", ev.Opened(session="tab")),
            Command("a2", ev.AnswerEdited(text=f"{GOLD} by alma")),
            Command("a3", ev.NoteEdited(text=f"{GOLD} note")),
        ],
    )
    replies: list[object] = [client.tasks(), client.guidelines, client.protocol]
    for task in client.tasks():
        attempt = client.open(task.id)
        replies += [
            attempt.state(),
            attempt.search_documents("otters"),
            attempt.search_documents("zebra"),
            attempt.read_page("report.pdf", 1),
            refused(lambda a=attempt: a.search_documents("*")).message,
            refused(lambda a=attempt: a.submit(["x"], [("report.pdf", 99)])).message,
            refused(lambda a=attempt: a.submit(["x"])).message,
            attempt.submit(["x"], [("report.pdf", 2)]),
            refused(lambda a=attempt: a.submit(["x"])).message,
        ]
    assert len(replies) == 3 + 3 * 9
    assert not [reply for reply in replies if GOLD in repr(reply)]


def test_task_is_submitted_once(campaign: Services, client: AgentClient) -> None:
    """Afterwards it can be looked at; every other call is refused and leaves no event."""
    attempt = client.open("q1")
    attempt.submit(["rivers"], [("report.pdf", 1)])
    before = events_of(campaign, attempt.id)
    reopened = client.open("q1")
    assert (reopened.id, reopened.state().answer) == (attempt.id, ("rivers",))
    calls: list[Callable[[], object]] = [
        lambda: reopened.submit(["lakes"], [("report.pdf", 2)]),
        lambda: reopened.search_documents("otters"),
        lambda: reopened.read_page("report.pdf", 1),
        lambda: reopened.cite("report.pdf", 2),
        lambda: reopened.uncite("report.pdf", 1),
        lambda: reopened.step("more"),
        lambda: reopened.skip("no"),
    ]
    assert {refused(call).code for call in calls} == {"handed_in"}
    assert events_of(campaign, attempt.id) == before


def test_a_closed_campaign_takes_no_work(campaign: Services, client: AgentClient) -> None:
    """Neither a client that is open already nor a new one."""
    attempt = client.open("q1")
    close_campaign(campaign.workspace, "Agents")
    calls: list[Callable[[], object]] = [
        client.tasks,
        lambda: client.open("q2"),
        lambda: attempt.search_documents("otters"),
        lambda: attempt.read_page("report.pdf", 1),
        lambda: attempt.submit(["rivers"], [("report.pdf", 1)]),
        lambda: AgentClient(campaign, "Agents", "bot"),
    ]
    for call in calls:
        error = refused(call)
        assert isinstance(error, ConflictError)
        assert "closed" in error.message
    assert types_of(campaign, attempt.id) == ["opened"]


def test_people_without_permission_cannot_work(campaign: Services, tmp_path: Path) -> None:
    """A person's name, a bad name, unknown campaigns and tasks, a deactivated system."""
    assert isinstance(refused(lambda: AgentClient(campaign, "Agents", "ALMA")), ConflictError)
    assert refused(lambda: AgentClient(campaign, "Agents", " ")).code == "invalid_name"
    unknown = refused(lambda: AgentClient(campaign, "Nowhere", "bot"))
    assert isinstance(unknown, NotFoundError)
    assert "Agents" in unknown.message
    assert isinstance(refused(lambda: AgentClient(tmp_path, "Agents", "bot")), WorkspaceError)
    client = AgentClient(campaign, "Agents", "bot")
    for name in ("q9", "", "q1\ud800", "../q1"):
        assert isinstance(refused(lambda n=name: client.open(n)), NotFoundError)
    attempt = client.open("q1")
    set_active(campaign.workspace, None, "bot", False)
    assert "deactivated" in refused(lambda: attempt.search_documents("otters")).message
    assert "deactivated" in refused(lambda: AgentClient(campaign, "Agents", "bot")).message


def test_agent_cannot_enter_a_persons_attempt(campaign: Services, client: AgentClient) -> None:
    """The same task is another attempt for each system; a forged attempt id is refused."""
    hers = first_attempt(campaign, "alma", "Agents")
    attempt = client.open("q1")
    other = AgentClient(campaign, "Agents", "other").open("q1")
    assert len({hers, attempt.id, other.id}) == 3
    system = find_person(campaign.workspace, "bot")
    forged = AgentAttempt(campaign, system, hers, "session")
    calls: list[Callable[[], object]] = [
        lambda: forged.search_documents("otters"),
        lambda: forged.read_page("report.pdf", 1),
        lambda: forged.step("thinking"),
        lambda: forged.cite("report.pdf", 1),
        lambda: forged.submit(["x"], [("report.pdf", 1)]),
        lambda: forged.skip("no"),
        forged.state,
        forged.begin,
    ]
    assert {refused(call).code for call in calls} == {"forbidden"}
    assert events_of(campaign, hers) == []


def test_the_time_limit_holds_for_agents(services: Services) -> None:
    """After it, edits are refused as a whole; what has no edit can still be submitted."""
    add_agents_campaign(services.workspace, "Timed", settings={"clock.limit_s": 60})
    clock = ManualClock(START)
    timed = Services(services.workspace, clock)
    timed.search = SearchService(services.workspace, workers=1, limit_s=30)
    with AgentClient(timed, "Timed", "bot") as client:
        attempt = client.open("q1")
        clock.advance(seconds=20)
        assert attempt.state().left_s == 40
        attempt.cite("report.pdf", 1)
        clock.advance(seconds=60)
        assert attempt.state().left_s == 0
        before = events_of(timed, attempt.id)
        assert refused(lambda: attempt.submit(["rivers"])).code == "time_over"
        late = refused(lambda: attempt.submit(None, [("report.pdf", 2)], "not_found"))
        assert late.code == "time_over"
        assert refused(lambda: attempt.cite("report.pdf", 2)).code == "time_over"
        assert events_of(timed, attempt.id) == before
        assert attempt.submit(outcome="not_found").status == "submitted"
    timed.search.close()


def test_clock_stops_while_no_agent_is_connected(services: Services) -> None:
    """Leaving the client is like hiding the tab; going on counts again, whoever does it."""
    add_agents_campaign(services.workspace, "Timed", "oracle", {"clock.limit_s": 60})
    clock = ManualClock(START)
    timed = Services(services.workspace, clock)
    with AgentClient(timed, "Timed", "bot") as client:
        attempt = client.open("q1")
        clock.advance(seconds=10)
    clock.advance(seconds=3600)
    assert attempt.state().worked_s == 10
    attempt.read_page("report.pdf", 1)
    clock.advance(seconds=5)
    assert attempt.state().worked_s == 15
    assert types_of(timed, attempt.id) == ["opened", "tab_hidden", "tab_shown", "page_viewed"]
    with AgentClient(timed, "Timed", "bot") as second_client:
        assert second_client.open("q1").state().pages_read == 1
    assert types_of(timed, attempt.id)[-2:] == ["opened", "tab_hidden"]


def test_agents_get_snippets_where_people_do(searching: Services) -> None:
    """An aid that a campaign allows is plain text for agents; without it there is none."""
    add_agents_campaign(searching.workspace, "Aided", settings={"search.snippets": True})
    with AgentClient(searching, "Aided", "bot") as client:
        hits = client.open("q1").search_documents("otters").hits
        assert "otters" in (hits[0].snippet or "")
    add_agents_campaign(searching.workspace, "Plain")
    with AgentClient(searching, "Plain", "bot") as client:
        assert client.open("q1").search_documents("otters").hits[0].snippet is None
