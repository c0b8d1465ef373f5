"""The Python call: an agent works as a person does, under the same limits, in the same log."""

from __future__ import annotations

import io
import re
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from PIL import Image

from pagetrail.annotation.errors import BadRequest, QueryRefused, Refusal
from pagetrail.annotation.events.model_usage import ModelUsage
from pagetrail.annotation.runs.record import stated_confidence
from pagetrail.annotation.runs.usage import attempt_usage, usage_by_model
from pagetrail.app.agents import AgentAttempt, AgentClient, SubmissionRefused
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.search import run_search
from pagetrail.storage.corpus.document_names import add_alias
from pagetrail.storage.people.accounts import find_person
from tests.app.agents.campaigns import (
    QUERIES,
    add_agents_campaign,
    events_of,
    first_attempt,
    refused,
    types_of,
)


def test_a_scripted_agent_answers_a_campaign(campaign: Services, client: AgentClient) -> None:
    """Each task is searched, read, cited and submitted; the log is the one of a browser."""
    assert [(task.id, task.status, task.pages) for task in client.tasks()] == [
        (f"q{n}", "new", None) for n in (1, 2, 3)
    ]
    attempts = {}
    for task in client.tasks():
        attempt = attempts[task.id] = client.open(task.id)
        results = attempt.search_documents("otters rivers")
        hit = results.hits[0]
        assert attempt.read_page(hit.document, hit.page).text.strip() == "otters live in rivers"
        attempt.read_page("other.pdf", 1)
        attempt.step("Rivers it is.", tool="calculator", arguments={"sum": [1, 2]})
        state = attempt.submit(["rivers", "lakes"], [(hit.document, hit.page)])
        assert (state.status, state.outcome, state.answer) == (
            "submitted",
            "answered",
            ("rivers", "lakes"),
        )
    assert {task.status for task in client.tasks()} == {"submitted"}
    stored = events_of(campaign, attempts["q1"].id)
    assert [kind for kind, _ in stored] == [
        "opened",
        "searched",
        "page_viewed",
        "page_viewed",
        "agent_step",
        "answer_edited",
        "citation_added",
        "submitted",
    ]
    search = stored[1][1]
    origin = {"search_id": search["search_id"], "rank": 1}
    page = {"document": "report.pdf", "page": 1}
    assert stored[2][1] == page | {"via": "result"} | origin
    assert (stored[3][1]["via"], stored[3][1]["search_id"]) == ("jump", None)
    assert stored[4][1] == {
        "text": "Rivers it is.",
        "tool": "calculator",
        "arguments": '{"sum": [1, 2]}',
    }
    assert stored[6][1] == page | origin
    actors = {event.actor for event in campaign.log.events(attempts["q1"].id)}
    assert actors == {"bot"}


def test_agent_gets_the_same_lists_as_a_person(campaign: Services, client: AgentClient) -> None:
    """Page for page the same ranking, and the same event but for its own names and times."""
    attempt = client.open("q1")
    alma = find_person(campaign.workspace, "alma")
    hers = first_attempt(campaign, "alma", "Agents")
    for number, query in enumerate(QUERIES):
        alma_results, _ = run_search(campaign, alma, hers, {"id": f"s{number}", "query": query})
        agent_results = attempt.search_documents(query)
        assert [(hit.rank, hit.document, hit.page) for hit in agent_results.hits] == [
            (hit["rank"], hit["document"], hit["page"]) for hit in alma_results["results"]
        ]
        assert (agent_results.understood_as, agent_results.total_hits) == (
            alma_results["parsed"],
            alma_results["total_hits"],
        )
    own_keys = {"search_id", "took_ms"}
    logged = [
        [
            {k: v for k, v in fields.items() if k not in own_keys}
            for kind, fields in events_of(campaign, attempt_id)
            if kind == "searched"
        ]
        for attempt_id in (hers, attempt.id)
    ]
    assert logged[0] == logged[1]
    assert len(logged[0]) == len(QUERIES)


def test_a_refused_query_is_a_typed_error_and_in_the_log(
    campaign: Services, client: AgentClient
) -> None:
    """Empty, too broad and unreadable queries: code and sentence, as the person's screen has."""
    attempt = client.open("q1")
    codes = {query: refused(lambda q=query: attempt.search_documents(q)) for query in ("", "*")}
    assert codes[""].code == "query_empty"
    assert codes["*"].code == "query_too_broad"
    assert all(isinstance(error, QueryRefused) for error in codes.values())
    stored = [f for kind, f in events_of(campaign, attempt.id) if kind == "search_refused"]
    assert [(f["query"], f["reason"], f["message"]) for f in stored] == [
        (query, error.code, error.message) for query, error in codes.items()
    ]
    assert isinstance(refused(lambda: attempt.search_documents("x" * 20_001)), BadRequest)
    assert len(events_of(campaign, attempt.id)) == 3


def test_stop_word_query_finds_nothing(campaign: Services, client: AgentClient) -> None:
    """One step with an empty list each, as in the reference tool; for people too."""
    attempt = client.open("q1")
    for query in ("the of", "!!!"):
        results = attempt.search_documents(query)
        assert (results.hits, results.total_hits) == ((), 0)
    alma, hers = find_person(campaign.workspace, "alma"), first_attempt(campaign, "alma", "Agents")
    for number, query in enumerate(("the of", "and", "the of"), start=1):
        reply, _ = run_search(campaign, alma, hers, {"id": f"s{number}", "query": query})
        assert (reply["results"], reply["refusal"]) == ([], None)
    searches = {
        id_: [fields for kind, fields in events_of(campaign, id_) if kind == "searched"]
        for id_ in (attempt.id, hers)
    }
    assert [fields["query"] for fields in searches[attempt.id]] == ["the of", "!!!"]
    assert [fields.get("looks_back_at") for fields in searches[hers]] == [None, None, "s1"]


def test_read_page_returns_text_and_image(client: AgentClient) -> None:
    """The image is a PNG of the page; without being asked for there is none."""
    attempt = client.open("q1")
    read = attempt.read_page("report.pdf", 2, image=True, dpi=72)
    assert (read.text.strip(), read.n_pages) == ("otters eat fish", 3)
    assert read.png is not None
    picture = Image.open(io.BytesIO(read.png))
    assert (picture.format, picture.size) == ("PNG", (400, 500))
    assert attempt.read_page("report.pdf", 2).png is None


def test_page_view_records_how_the_page_was_reached(
    campaign: Services, client: AgentClient
) -> None:
    """By the last search that ran, whatever was refused since; a citation by any search."""
    attempt = client.open("q1")
    first = attempt.search_documents("badgers")
    attempt.read_page("other.pdf", 1)
    second = attempt.search_documents("otters")
    refused(lambda: attempt.search_documents("*"))
    attempt.read_page("report.pdf", 2)
    attempt.read_page("other.pdf", 1)
    attempt.cite("other.pdf", 1)
    attempt.cite("report.pdf", 3)
    sources = [
        (fields["document"], fields.get("via"), fields["search_id"], fields["rank"])
        for kind, fields in events_of(campaign, attempt.id)
        if kind in ("page_viewed", "citation_added")
    ]
    assert sources == [
        ("other.pdf", "result", first.search_id, 1),
        ("report.pdf", "result", second.search_id, 2),
        ("other.pdf", "jump", None, None),
        ("other.pdf", None, first.search_id, 1),
        ("report.pdf", None, None, None),
    ]


def test_documents_are_found_by_every_name_that_means_them(
    campaign: Services, client: AgentClient
) -> None:
    """By another name of the file, in composed letters or not; the log has the stored name."""
    add_alias(campaign.workspace, unicodedata.normalize("NFD", "Übersicht.pdf"), "report.pdf")
    attempt = client.open("q1")
    assert attempt.read_page("Übersicht.pdf", 2).document == "report.pdf"
    attempt.cite("Übersicht.pdf", 2)
    attempt.uncite(unicodedata.normalize("NFD", "Übersicht.pdf"), 2)
    attempt.submit(["rivers"], [("Übersicht.pdf", 1), ("report.pdf", 1)])
    documents = [
        (kind, fields["document"], fields["page"])
        for kind, fields in events_of(campaign, attempt.id)
        if "document" in fields
    ]
    assert documents == [
        ("page_viewed", "report.pdf", 2),
        ("citation_added", "report.pdf", 2),
        ("citation_removed", "report.pdf", 2),
        ("citation_added", "report.pdf", 1),
    ]


def test_pages_that_do_not_exist_are_refused(campaign: Services, client: AgentClient) -> None:
    """An unknown document, page 0 and a page too many: named in the sentence, not in the log."""
    attempt = client.open("q1")
    assert refused(lambda: attempt.read_page("nowhere.pdf", 1)).code == "unknown_document"
    error = refused(lambda: attempt.read_page("report.pdf", 4, image=True))
    assert error.code == "unknown_page"
    assert "the document has 3 pages" in error.message
    assert refused(lambda: attempt.read_page("report.pdf", 0)).code == "bad_request"
    assert refused(lambda: attempt.read_page("report.pdf", 1, image=True, dpi=9)).code
    assert types_of(campaign, attempt.id) == ["opened"]


def test_invalid_citations_are_returned_and_nothing_is_stored(
    campaign: Services, client: AgentClient
) -> None:
    """All problems at once; the log has not changed; the mended call goes through."""
    attempt = client.open("q1")
    before = events_of(campaign, attempt.id)
    with pytest.raises(SubmissionRefused) as caught:
        attempt.submit(["rivers"], [("report.pdf", 1), ("report.pdf", 9), ("nowhere.pdf", 1)])
    assert [(p.document, p.page, p.code) for p in caught.value.problems] == [
        ("report.pdf", 9, "unknown_page"),
        ("nowhere.pdf", 1, "unknown_document"),
    ]
    assert "Nothing was submitted" in caught.value.message
    assert refused(lambda: attempt.submit(["rivers"])).code == "incomplete"
    assert refused(lambda: attempt.submit([" "], [("report.pdf", 1)])).code == "incomplete"
    assert events_of(campaign, attempt.id) == before
    attempt.cite("report.pdf", 2)
    state = attempt.submit(["rivers"], [("report.pdf", 1), ("report.pdf", 1), ("report.pdf", 2)])
    assert state.citations == (("report.pdf", 2), ("report.pdf", 1))


MALFORMED: list[tuple[dict[str, Any], str]] = [
    ({"answer": ["two\nlines"]}, "bad_request"),
    ({"answer": [7]}, "bad_request"),
    ({"answer": ["x" * 20_001]}, "bad_request"),
    ({"answer": ["half \ud800"]}, "bad_request"),
    ({"answer": ["x"], "citations": ["report.pdf"]}, "bad_request"),
    ({"answer": ["x"], "citations": [("report.pdf", "one")]}, "bad_request"),
    ({"answer": ["x"], "citations": [7]}, "bad_request"),
    ({"answer": ["x"], "outcome": "not_found"}, "bad_request"),
    ({"answer": ["x"], "outcome": "guessed"}, "bad_request"),
    ({"answer": [], "outcome": "unanswerable"}, "no_unanswerable"),
    ({"answer": [], "outcome": "completed"}, "wrong_outcome"),
    ({"answer": ["x"], "request_id": "a b"}, "bad_request"),
]


def test_malformed_submissions_are_typed_errors(campaign: Services, client: AgentClient) -> None:
    """Whatever is wrong with the arguments, the log keeps as it was."""
    attempt = client.open("q1")
    for arguments, code in MALFORMED:
        error = refused(lambda bad_arguments=arguments: attempt.submit(**bad_arguments))
        assert (error.code, arguments) == (code, arguments)
    assert types_of(campaign, attempt.id) == ["opened"]


def test_outcomes_without_an_answer(campaign: Services, client: AgentClient) -> None:
    """Not found and skipped are told apart, and need neither answer nor citation."""
    first, second = client.open("q1"), client.open("q2")
    assert first.submit(outcome="not_found").outcome == "not_found"
    assert types_of(campaign, first.id) == ["opened", "submitted"]
    assert refused(lambda: second.skip("  ")).code == "no_reason"
    assert second.skip("the page is unreadable").status == "skipped"
    assert [task.status for task in client.tasks()] == ["submitted", "skipped", "new"]


def test_repeated_request_is_answered_without_repeating_it(
    campaign: Services, client: AgentClient
) -> None:
    """The caller's own id makes every call idempotent; another call needs another id."""
    attempt = client.open("q1", request_id="open-1")
    elsewhere = AgentClient(campaign, "Agents", "bot").open("q1", request_id="open-1")
    for call in (attempt, elsewhere):
        assert call.search_documents("otters", request_id="s1").search_id == "s1"
        assert call.read_page("report.pdf", 1, request_id="p1").text
        call.step("thinking", request_id="t1")
        call.cite("report.pdf", 1, request_id="c1")
        call.uncite("report.pdf", 1, request_id="u1")
    assert isinstance(refused(lambda: attempt.search_documents("*", request_id="s2")), QueryRefused)
    assert refused(lambda: elsewhere.search_documents("*", request_id="s2")).code == (
        "query_too_broad"
    )
    for clash in (
        lambda: attempt.search_documents("rivers", request_id="s1"),
        lambda: attempt.cite("report.pdf", 1, request_id="s1"),
        lambda: attempt.cite("report.pdf", 2, request_id="c1"),
        lambda: attempt.search_documents("rivers", request_id="p1"),
    ):
        assert refused(clash).code == "request_id_used"
    submission = attempt.submit(["rivers"], [("report.pdf", 1)], request_id="done")
    assert elsewhere.submit(["rivers"], [("report.pdf", 1)], request_id="done") == submission
    assert types_of(campaign, attempt.id) == [
        "opened",
        "searched",
        "page_viewed",
        "agent_step",
        "citation_added",
        "citation_removed",
        "search_refused",
        "answer_edited",
        "citation_added",
        "submitted",
    ]


def test_many_threads_on_one_attempt(campaign: Services, client: AgentClient) -> None:
    """Two clients and many threads: each call is in the log once, and the submission once."""
    other = AgentClient(campaign, "Agents", "bot")
    attempts = [client.open("q1", request_id="open"), other.open("q1", request_id="open")]

    def make_calls(number: int) -> None:
        attempt = attempts[number % 2]
        # Every call is made twice under one id, once from each client.
        attempt.search_documents("otters", request_id=f"s{number // 2}")
        attempt.read_page("report.pdf", 1, request_id=f"p{number // 2}")
        attempt.step(f"step {number // 2}", request_id=f"t{number // 2}")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(make_calls, range(20)))
        outcomes = list(pool.map(lambda a: _is_submitted(a), [attempts[n % 2] for n in range(8)]))
    kinds = types_of(campaign, attempts[0].id)
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {
        "opened": 1,
        "searched": 10,
        "page_viewed": 10,
        "agent_step": 10,
        "answer_edited": 1,
        "citation_added": 1,
        "submitted": 1,
    }
    assert sorted(outcomes) == ["handed_in"] * 7 + ["submitted"]


def test_concurrent_identical_submissions_store_one(
    campaign: Services, client: AgentClient
) -> None:
    """Under one request id the submission succeeds for whoever sent it, and is stored once."""
    other = AgentClient(campaign, "Agents", "bot")
    attempts = [client.open("q1", request_id="open"), other.open("q1", request_id="open")]
    with ThreadPoolExecutor(8) as pool:
        outcomes = list(
            pool.map(lambda n: _is_submitted(attempts[n % 2], request_id="done"), range(16))
        )
    assert outcomes == ["submitted"] * 16
    assert types_of(campaign, attempts[0].id) == [
        "opened",
        "answer_edited",
        "citation_added",
        "submitted",
    ]


def _is_submitted(attempt: AgentAttempt, request_id: str | None = None) -> str:
    try:
        submission = attempt.submit(["rivers"], [("report.pdf", 1)], request_id=request_id)
    except Refusal as refusal:
        return refusal.code
    return submission.status


def test_boxes_are_drawn_once(searching: Services) -> None:
    """In points or fractions; a repeated call is answered, with the same id."""
    rows = [
        {
            "id": "q1",
            "question": "What do otters eat?",
            "candidates": [{"document": "report.pdf", "page": 1}],
        }
    ]
    add_agents_campaign(searching.workspace, "Pages", "relevance", rows=rows)
    size = searching.corpus.document("report.pdf").pages[0]  # type: ignore[union-attr]
    with AgentClient(searching, "Pages", "bot") as client:
        attempt = client.open("q1")
        attempt.set_field("query_quality", "good")
        attempt.set_field("relevance", "2", document="report.pdf", page=1)
        rect = (10, 20, 100.127, 60)
        first = attempt.draw_box("report.pdf", 1, rect, "Text", unit="points", request_id="box-1")
        again = attempt.draw_box("report.pdf", 1, rect, "Text", unit="points", request_id="box-1")
        assert first == again == "box-1"
        assert (
            "outside page 1"
            in refused(
                lambda: attempt.draw_box("report.pdf", 1, (0, 0, 9_000, 9), "Text", unit="points")
            ).message
        )
        attempt.draw_box("report.pdf", 1, (0, 0, 0.5, 1), "Table")
        boxes = attempt.state().boxes
        assert [box.label for box in boxes] == ["Text", "Table"]
        assert boxes[0].rect == (10, 20, 100.13, 60)
        assert boxes[1].rect[2:] == pytest.approx((size.width / 2, size.height), abs=0.01)
        assert (
            "neither"
            in refused(
                lambda: attempt.draw_box("report.pdf", 1, rect, "Text", unit="inches")  # type: ignore[arg-type]
            ).message
        )


def test_an_agent_reports_what_its_model_used(campaign: Services, client: AgentClient) -> None:
    """Each call is a turn; the attempt's usage is their sum, by model, before the submission."""
    attempt = client.open("q1")
    attempt.report_usage("m", input_tokens=1_000, output_tokens=50, request_id="u1")
    attempt.report_usage("m", input_tokens=1_000, output_tokens=50, request_id="u1")
    attempt.report_usage("n", input_tokens=2_000, output_tokens=10, latency_ms=900)
    attempt.submit(["rivers"], [("report.pdf", 1)])
    events = list(campaign.log.events(attempt.id))
    assert attempt_usage(events) == ModelUsage(input_tokens=3_000, output_tokens=60)
    assert [total.model for total in usage_by_model(events)] == ["m", "n"]
    with pytest.raises(Refusal, match="already submitted"):
        attempt.report_usage("m", input_tokens=1)


def test_an_agent_states_how_sure_it_is(campaign: Services, client: AgentClient) -> None:
    """With its submission; a submission without confidence has none."""
    sure, silent = client.open("q1"), client.open("q2")
    sure.submit(["rivers"], [("report.pdf", 1)], confidence=0.75)
    silent.submit(["rivers"], [("report.pdf", 1)])
    assert stated_confidence(list(campaign.log.events(sure.id))) == 0.75
    assert stated_confidence(list(campaign.log.events(silent.id))) is None
    assert events_of(campaign, silent.id)[-1] == ("submitted", {"outcome": "answered"})


@pytest.mark.parametrize("confidence", [-0.1, 1.5, float("nan"), float("inf"), True, "high"])
def test_a_confidence_outside_0_to_1_is_refused(
    campaign: Services, client: AgentClient, confidence: Any
) -> None:
    """With the field; nothing is submitted."""
    attempt = client.open("q1")
    with pytest.raises(BadRequest, match="confidence: must be"):
        attempt.submit(["rivers"], [("report.pdf", 1)], confidence=confidence)
    assert types_of(campaign, attempt.id) == ["opened"]


@pytest.mark.parametrize(
    ("usage", "message"),
    [
        ({"input_tokens": -5}, "usage.input_tokens: must be at least 0, not -5"),
        ({"cost_usd": float("nan")}, "usage.cost_usd: must be a finite number"),
        ({"cost_usd": 1e300}, "usage.cost_usd must be at most 1,000,000,000,000"),
        ({"input_tokens": 10**16}, "usage.input_tokens must be at most 1,000,000,000,000,000"),
        ({"input_tokens": True}, "usage.input_tokens must be a number, not True"),
        ({"tokens": 5}, "usage.tokens"),
        ({}, "Give tokens, cost_usd or latency_ms."),
    ],
)
def test_malformed_usage_is_refused(
    client: AgentClient, usage: dict[str, float], message: str
) -> None:
    """With the field; nothing is recorded."""
    attempt = client.open("q1")
    with pytest.raises(BadRequest, match=re.escape(message)):
        attempt.report_usage("m", **usage)
