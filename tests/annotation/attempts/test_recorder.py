"""The recorder: every refusal, one event a command, and each event in its place in time."""

from __future__ import annotations

from datetime import datetime

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.completeness import missing
from pagetrail.annotation.attempts.recorder import AttemptContext, Command, Recorder
from pagetrail.annotation.clock import iso
from pagetrail.annotation.errors import NotFoundError
from pagetrail.annotation.ports import Clock
from pagetrail.annotation.protocols.protocol import Protocol, preset, with_overrides
from tests.support.factory import (
    START,
    AttemptDriver,
    FakePages,
    cited,
    memory_driver,
    searched,
    viewed,
)

ANSWER = ev.AnswerEdited(text="42")
SUBMIT = ev.Submitted(outcome="answered")


def opened(protocol: Protocol | None = None, **keywords: object) -> AttemptDriver:
    """A driver with the task on screen."""
    driver = memory_driver(protocol, **keywords)  # type: ignore[arg-type]
    driver.do(ev.Opened(session="tab-1"))
    return driver


def code(driver: AttemptDriver, payload: ev.Payload) -> tuple[str, str | None]:
    """The refusal's code and field; checks that nothing was stored and a sentence is there."""
    before = driver.events
    recorded = driver.do(payload)
    assert recorded.receipts == []
    assert driver.events == before
    (refusal,) = recorded.refusals.values()
    assert refusal.message.endswith(".")
    return refusal.code, refusal.field


def test_pages_that_do_not_exist() -> None:
    """Unknown documents and pages beyond the end are refused, with the number of pages."""
    driver = opened()
    absent = ev.PageViewed(document="no.pdf", page=1, via="link")
    assert code(driver, absent) == ("unknown_document", None)
    assert code(driver, viewed(13)) == ("unknown_page", None)
    assert code(driver, cited(13)) == ("unknown_page", None)
    refusal = next(iter(driver.do(viewed(13)).refusals.values()))
    assert "has 12 pages" in refusal.message
    assert driver.do(viewed(12)).refusals == {}


def test_pages_outside_the_given_ones() -> None:
    """With given pages and no browsing, any other page can be neither read nor cited."""
    driver = opened(preset("oracle"), pages=frozenset({("annual report.pdf", 3)}))
    assert code(driver, viewed(4)) == ("page_not_given", None)
    assert code(driver, cited(4)) == ("page_not_given", None)
    assert driver.do(viewed(3, "given")).refusals == {}


def test_citations() -> None:
    """Not twice, not too many, not removed when absent, not where the protocol takes none."""
    driver = opened(with_overrides(preset("search"), {"evidence.max_pages": 2}))
    driver.do(cited(3))
    assert code(driver, cited(3)) == ("already_cited", "evidence")
    removal = ev.CitationRemoved(document="annual report.pdf", page=5)
    assert code(driver, removal) == ("not_cited", "evidence")
    driver.do(cited(4))
    assert code(driver, cited(5)) == ("too_many_citations", "evidence")
    without_evidence = opened(with_overrides(preset("search"), {"evidence.enabled": False}))
    assert code(without_evidence, cited(3)) == ("no_evidence", "evidence")


def test_search_where_there_is_none() -> None:
    """A protocol without search records neither searches nor refused ones."""
    driver = opened(with_overrides(preset("search"), {"search.enabled": False}))
    refused = ev.SearchRefused(search_id="s", query="", reason="r", message="m")
    assert code(driver, searched()) == ("no_search", "search")
    assert code(driver, refused) == ("no_search", "search")


@pytest.mark.parametrize(
    ("name", "changes", "to", "refused"),
    [
        ("search", {}, "clipboard", "no_text"),
        ("search", {"text.select": True}, "clipboard", None),
        ("search", {"text.select": True}, "answer", None),
        ("search", {"text.select": True, "answer.kind": "off"}, "answer", "no_answer"),
        ("relevance", {"text.select": False, "pages": "search"}, "clipboard", None),
        ("relevance", {"text.select": False, "pages": "search"}, "answer", "no_text"),
    ],
)
def test_words_are_copied_where_the_campaign_allows_it(
    name: str, changes: dict[str, object], to: str, refused: str | None
) -> None:
    """Off by default, as agents see no text; around boxes words were always selectable."""
    driver = opened(with_overrides(preset(name), changes))
    fields = {"document": "annual report.pdf", "page": 3, "text": "forty-two", "to": to}
    recorded = driver.do(ev.TextCopied.model_validate(fields))
    assert [refusal.code for refusal in recorded.refusals.values()] == (
        [refused] if refused else []
    )


def test_pausing() -> None:
    """No second pause, no resume without one, and no pause where the clock runs on."""
    driver = opened()
    assert code(driver, ev.Resumed()) == ("not_paused", None)
    driver.do(ev.Paused())
    assert code(driver, ev.Paused()) == ("already_paused", None)
    without_pause = opened(with_overrides(preset("search"), {"clock.pause": False}))
    assert code(without_pause, ev.Paused()) == ("no_pause", None)


def test_submitting_needs_answer_and_evidence() -> None:
    """ "Answered" needs an answer that is not blank and, where required, a cited page."""
    driver = opened()
    assert code(driver, SUBMIT) == ("incomplete", "answer")
    driver.do(ev.AnswerEdited(text=" \n\t"))
    assert code(driver, SUBMIT) == ("incomplete", "answer")
    driver.do(ANSWER)
    assert code(driver, SUBMIT) == ("incomplete", "evidence")
    assert set(missing(driver.context.form(driver.state), "answered")) == {"evidence"}
    driver.do(cited(3))
    assert driver.do(SUBMIT).state.outcome == "answered"
    free = opened(with_overrides(preset("search"), {"evidence.required": False}))
    free.do(ANSWER)
    assert free.do(SUBMIT).refusals == {}


def test_no_answer_is_a_deliberate_submission() -> None:
    """ "Not found" needs nothing; "unanswerable" needs the campaign's leave."""
    assert opened().do(ev.Submitted(outcome="not_found")).state.outcome == "not_found"
    assert code(opened(), ev.Submitted(outcome="unanswerable")) == ("no_unanswerable", "answer")
    allowed = opened(with_overrides(preset("search"), {"answer.unanswerable": True}))
    assert allowed.do(ev.Submitted(outcome="unanswerable")).refusals == {}


def test_skipping_needs_a_reason() -> None:
    """Blanks are no reason."""
    assert code(opened(), ev.Skipped(reason="  ")) == ("no_reason", "skip")


@pytest.mark.parametrize("end", [ev.Submitted(outcome="not_found"), ev.Skipped(reason="torn")])
def test_what_was_handed_in_takes_only_reopening(end: ev.Payload) -> None:
    """After submission every kind of work is refused until the task is reopened."""
    driver = opened()
    driver.do(end)
    for payload in (ANSWER, cited(3), viewed(3), searched(), SUBMIT, ev.Opened(session="t"), end):
        assert code(driver, payload) == ("handed_in", None)
    assert driver.do(ev.Reopened()).state.status == "open"
    assert driver.do(ANSWER).refusals == {}
    assert code(driver, ev.Reopened()) == ("not_handed_in", None)


def test_a_closed_batch_takes_nothing() -> None:
    """Open tasks cannot be closed; closed ones stay as they are for ever."""
    driver = opened()
    assert code(driver, ev.BatchClosed()) == ("not_handed_in", None)
    driver.do(ev.Skipped(reason="torn"))
    driver.do(ev.BatchClosed())
    for payload in (ev.Reopened(), ANSWER, ev.BatchClosed()):
        assert code(driver, payload) == ("batch_closed", None)


def test_an_unknown_attempt() -> None:
    """There is no log without an attempt."""
    driver = memory_driver()
    context = AttemptContext("other", "Ada", preset("search"))
    with pytest.raises(NotFoundError, match="other"):
        driver.recorder.record(context, [Command("c1", ANSWER)])


def test_the_same_command_twice_is_one_event() -> None:
    """A double click or a reconnect gets the first receipt again, in one call or in two."""
    driver = opened()
    command = Command("x", cited(3))
    first = driver.recorder.record(driver.context, [command, command])
    driver.clock.advance(seconds=50)
    repeat = driver.recorder.record(driver.context, [command])
    assert [r.repeated for r in (*first.receipts, *repeat.receipts)] == [False, True, True]
    assert {(r.seq, r.server_ts, r.elapsed_ms) for r in (*first.receipts, *repeat.receipts)} == {
        (2, iso(START), 0)
    }
    assert [e.client_event_id for e in driver.events].count("x") == 1


def test_a_repeat_is_answered_even_where_it_would_be_refused_now() -> None:
    """The receipt of a submission that got lost on the way comes again after submission."""
    driver = opened()
    command = Command("x", ev.Submitted(outcome="not_found"))
    driver.recorder.record(driver.context, [command])
    repeat = driver.recorder.record(driver.context, [command])
    assert repeat.refusals == {}
    assert repeat.receipts[0].repeated


def test_a_refused_command_does_not_stop_the_others() -> None:
    """Within one call, what is in order is stored and only the rest refused."""
    driver = opened()
    recorded = driver.recorder.record(
        driver.context, [Command("1", ANSWER), Command("2", cited(99)), Command("3", cited(3))]
    )
    assert [r.client_event_id for r in recorded.receipts] == ["1", "3"]
    assert list(recorded.refusals) == ["2"]
    assert recorded.state == driver.state


def test_a_refused_command_can_be_sent_again() -> None:
    """A refusal leaves no trace, so the same id is stored once its time has come."""
    driver = opened()
    submit_command = Command("x", SUBMIT)
    assert driver.recorder.record(driver.context, [submit_command]).refusals
    driver.do(ANSWER)
    driver.do(cited(3))
    assert driver.recorder.record(driver.context, [submit_command]).receipts[0].repeated is False


def test_no_command_at_all() -> None:
    """An empty call changes nothing and returns the state."""
    driver = opened()
    recorded = driver.recorder.record(driver.context, [])
    assert (recorded.receipts, recorded.refusals) == ([], {})
    assert recorded.state == driver.state


def test_work_elsewhere_ends_a_pause() -> None:
    """Work in a second tab first resumes the clock, at the same moment; a refused one does not."""
    driver = opened()
    driver.do(ev.Paused())
    driver.do(cited(99), after_s=5)
    assert driver.state.paused
    driver.do(ANSWER, after_s=5)
    resumed, answer = driver.events[-2:]
    assert resumed.payload == ev.Resumed(implicit=True)
    assert resumed.elapsed_ms == answer.elapsed_ms == 10_000
    assert not driver.state.paused


def test_what_is_not_work_leaves_the_pause() -> None:
    """Hiding, showing, reloading and reconnecting do not start the clock."""
    driver = opened()
    driver.do(ev.Paused())
    for payload in (
        ev.TabHidden(),
        ev.TabShown(),
        ev.Opened(session="tab-2"),
        ev.Reconnected(offline_ms=5),
    ):
        driver.do(payload)
    assert driver.state.paused
    assert [e.type for e in driver.events].count("resumed") == 0


def test_a_long_client_event_id_still_resumes() -> None:
    """The implicit resume has an id of its own, however long the command's is."""
    driver = opened()
    driver.do(ev.Paused())
    recorded = driver.recorder.record(driver.context, [Command("x" * 100, ANSWER)])
    assert recorded.refusals == {}
    assert len({e.client_event_id for e in driver.events}) == len(driver.events)


def test_queued_events_keep_their_place() -> None:
    """Events that were offline for 60 s are placed when they happened, not when they came."""
    driver = opened()
    driver.clock.advance(seconds=100)
    driver.recorder.record(
        driver.context,
        [
            Command("1", viewed(3), age_ms=60_000),
            Command("2", viewed(4, "next"), age_ms=35_500),
            Command("3", ANSWER),
        ],
    )
    assert [e.elapsed_ms for e in driver.events] == [0, 40_000, 64_500, 100_000]


def test_the_first_events_may_be_old_too() -> None:
    """Opened offline: the time line begins at the opening, and goes on from there."""
    driver = memory_driver()
    driver.recorder.record(
        driver.context,
        [
            Command("1", ev.Opened(session="t"), age_ms=30_000),
            Command("2", viewed(3), age_ms=20_000),
            Command("3", ANSWER),
        ],
    )
    driver.do(cited(3), after_s=10)
    assert [e.elapsed_ms for e in driver.events] == [0, 10_000, 30_000, 40_000]


def test_time_never_runs_backwards() -> None:
    """An age that reaches back before the last event, or a negative one, is held at its edge."""
    driver = opened()
    driver.do(viewed(3), after_s=10)
    driver.do(ANSWER, after_s=1, age_ms=9_000)
    driver.do(cited(3), after_s=1, age_ms=10**12)
    driver.do(cited(4), after_s=1, age_ms=-50_000)
    assert [e.elapsed_ms for e in driver.events] == [0, 10_000, 10_000, 10_000, 13_000]


def test_a_server_clock_that_is_set_back() -> None:
    """Only the step itself is lost: elapsed time neither decreases nor stops after it."""

    class Steps(Clock):
        timestamps = iter(
            f"2026-03-02T{time}+00:00"
            for time in ("09:00:00", "09:00:10", "08:00:11", "08:00:21", "08:00:31")
        )

        def now(self) -> datetime:
            return datetime.fromisoformat(next(self.timestamps))

    driver = memory_driver()
    recorder = Recorder(driver.log, FakePages(), Steps())
    for number in range(5):
        recorder.record(driver.context, [Command(str(number), ANSWER)])
    assert [e.elapsed_ms for e in driver.events] == [0, 10_000, 10_000, 20_000, 30_000]
    assert driver.events[2].server_ts == "2026-03-02T08:00:11.000000Z"


def test_two_tabs_on_one_attempt() -> None:
    """Events of two tabs end up in one gapless stream; a citation made in both is one."""
    driver = opened()
    context = driver.context
    driver.recorder.record(context, [Command("a-1", viewed(3)), Command("a-2", cited(3))])
    other = driver.recorder.record(
        context, [Command("b-1", ev.Opened(session="tab-2")), Command("b-2", cited(3))]
    )
    assert other.refusals["b-2"].code == "already_cited"
    assert [e.seq for e in driver.events] == [1, 2, 3, 4]
    assert [c.page for c in driver.state.citations] == [3]


def test_both_clocks_and_the_actor_are_stamped() -> None:
    """The server's time is its own; the browser's is kept as claimed."""
    driver = memory_driver()
    claimed = "1999-12-31T23:59:59+02:00"
    driver.recorder.record(driver.context, [Command("1", ANSWER, client_ts=claimed)])
    (event,) = driver.events
    assert (event.server_ts, event.client_ts, event.actor) == (iso(START), claimed, "Ada")


def test_what_rests_on_an_older_state_is_refused() -> None:
    """A command worked out from a state that others have left meanwhile stores nothing."""
    driver = opened()
    note = ev.NoteEdited(text="seen at 1")
    late = Command("late", note, based_on=driver.state.last_seq)
    driver.do(ANSWER)
    refused = driver.recorder.record(driver.context, [late])
    assert refused.refusals["late"].code == "outdated"
    current = Command("now", note, based_on=driver.state.last_seq)
    assert driver.recorder.record(driver.context, [current]).refusals == {}
    # A repeated command is answered, however far the attempt has gone on.
    driver.do(ANSWER)
    (receipt,) = driver.recorder.record(driver.context, [current]).receipts
    assert receipt.repeated
    assert [e.type for e in driver.events].count("note_edited") == 1
