"""The end of a task's time: edits stop, and what there is can be submitted."""

from __future__ import annotations

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from tests.support.factory import AttemptDriver, cited, memory_driver

TIMED = with_overrides(preset("search"), {"clock.limit_s": 60})
ANSWER = ev.AnswerEdited(text="42")
SUBMIT = ev.Submitted(outcome="answered")


def opened() -> AttemptDriver:
    """A task of one minute, on screen."""
    driver = memory_driver(TIMED)
    driver.do(ev.Opened(session="tab-1"))
    return driver


def refused(driver: AttemptDriver, payload: ev.Payload, after_s: float = 0) -> str:
    """The code of the refusal."""
    (refusal,) = driver.do(payload, after_s=after_s).refusals.values()
    return refusal.code


def test_an_answer_without_a_citation_can_be_submitted_when_the_time_is_up() -> None:
    """It is refused a little earlier; then it is accepted, and says that no page is cited."""
    driver = opened()
    driver.do(ANSWER, after_s=20)
    assert refused(driver, SUBMIT, after_s=37) == "incomplete"
    recorded = driver.do(SUBMIT, after_s=3)
    assert recorded.refusals == {}
    assert recorded.state.status == "submitted"
    assert recorded.state.missing == ("evidence",)
    assert driver.events[-1].fields() == {"outcome": "answered", "missing": ["evidence"]}
    assert "without evidence" in driver.events[-1].payload.sentence()


def test_edits_after_the_limit_are_refused_and_the_submission_is_not() -> None:
    """Five seconds for what is on its way; nothing can be completed after that, only submitted."""
    driver = opened()
    assert driver.do(ANSWER, after_s=64).refusals == {}
    assert refused(driver, cited(3), after_s=2) == "time_over"
    assert driver.do(SUBMIT).state.missing == ("evidence",)


def test_what_is_complete_has_nothing_missing() -> None:
    """The event is stored as one of before there was such a field."""
    driver = opened()
    driver.do(ANSWER)
    driver.do(cited(3))
    driver.do(SUBMIT, after_s=70)
    assert driver.events[-1].fields() == {"outcome": "answered"}


def test_nobody_but_the_server_says_what_is_missing() -> None:
    """A claim is replaced, and before the time is up it opens nothing."""
    claimed = ev.Submitted(outcome="answered", missing=("answer",))
    driver = opened()
    driver.do(ANSWER)
    assert refused(driver, claimed) == "incomplete"
    driver.do(cited(3))
    assert driver.do(claimed).state.missing == ()


def test_a_pause_does_not_use_the_time_up() -> None:
    """Paused time does not count, so the task is still to be completed after it."""
    driver = opened()
    driver.do(ev.Paused(), after_s=10)
    driver.do(ev.Resumed(), after_s=300)
    assert refused(driver, SUBMIT) == "incomplete"


def test_without_a_limit_nothing_changes() -> None:
    """However long it takes."""
    driver = memory_driver()
    driver.do(ev.Opened(session="tab-1"))
    assert refused(driver, SUBMIT, after_s=90_000) == "incomplete"


def test_what_was_missing_goes_when_the_task_is_reopened() -> None:
    """It is said of a submission; the outcome that the campaign does not have stays refused."""
    driver = opened()
    assert refused(driver, ev.Submitted(outcome="completed"), after_s=61) == "wrong_outcome"
    assert driver.do(SUBMIT).state.missing == ("answer", "evidence")
    driver.do(ev.Reopened())
    assert driver.state.missing == ()
    assert fold(driver.events) == driver.state
