"""Who is still at work on a task under review, and that nobody decides without them unawares."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import update

from pagetrail.annotation import events as ev
from pagetrail.annotation.errors import ConflictError, Refusal
from pagetrail.annotation.events.review import MAX_REASON
from pagetrail.annotation.protocols.protocol import with_overrides
from pagetrail.annotation.review import Pick
from pagetrail.storage.campaigns.lifecycle import close_campaign
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.statuses import WITHDRAWN
from pagetrail.storage.database.tables import Assignment
from pagetrail.storage.review.actions import ReviewedVersion
from pagetrail.storage.review.unfinished_work import (
    MAX_NAMES,
    Pending,
    UnfinishedWork,
    decide_hint,
    decide_label,
    reason_naming_unfinished,
    unfinished_sentence,
)
from tests.storage.review.test_actions import PROTOCOL, RECORDS, gold_events, status
from tests.support.review_campaign import Reviewed, campaign


@pytest.fixture
def reviewed(tmp_path: Path) -> Reviewed:
    """Three people have every task; Ada and Bo have handed the first one in."""
    reviewed = campaign(
        tmp_path / "ws", with_overrides(PROTOCOL, {"overlap": 3}), RECORDS, people=3
    )
    reviewed.answer("1-Ada", "42", 1)
    reviewed.answer("1-Bo", "forty", 2)
    return reviewed


def waits_for(reviewed: Reviewed, task: int) -> tuple[list[tuple[str, str]], int]:
    """Names with how far they are, and free slots."""
    unfinished = reviewed.reviews.streams.unfinished(reviewed.reviews.streams.task_work(task))
    return [(person.name, person.state) for person in unfinished.people], unfinished.free_slots


def current_version(reviewed: Reviewed, task: int) -> ReviewedVersion:
    """What a reviewer who looks now sees, with those who are still at it."""
    names = [name for name, _ in waits_for(reviewed, task)[0]]
    return replace(reviewed.current_version(task), pending=names)


def batch_of(reviewed: Reviewed, person: int, batch_status: str) -> None:
    """Give a person's place in the first batch another status."""
    with write_transaction(reviewed.workspace.engine) as connection:
        connection.execute(
            update(Assignment).where(Assignment.id == 10 + person).values(status=batch_status)
        )


def test_who_is_still_at_it_and_how_far(reviewed: Reviewed) -> None:
    """Not started, started, sent back, submitted; withdrawn, the place is free."""
    assert waits_for(reviewed, 1) == ([("Cy", "new")], 0)
    assert waits_for(reviewed, 2) == ([("Ada", "new"), ("Bo", "new"), ("Cy", "new")], 0)
    reviewed.do("1-Cy", ev.AnswerEdited(text="4"))
    assert waits_for(reviewed, 1) == ([("Cy", "open")], 0)
    reviewed.reviews.send_back("1-Bo", "Sofia", "Page 2?", (), "e1")
    assert waits_for(reviewed, 1) == ([("Bo", "returned"), ("Cy", "open")], 0)
    batch_of(reviewed, 3, WITHDRAWN)
    assert waits_for(reviewed, 1) == ([("Bo", "returned")], 1)
    batch_of(reviewed, 3, "open")
    reviewed.answer("1-Cy", "4", 1)
    reviewed.answer("1-Bo", "4", 1)
    assert waits_for(reviewed, 1) == ([], 0)
    reviewed.do("1-Bo", ev.Reopened())
    assert waits_for(reviewed, 1) == ([("Bo", "open")], 0)


def test_of_a_closed_campaign_only_what_was_sent_back_is_waited_for(reviewed: Reviewed) -> None:
    """As the queue counts it."""
    reviewed.reviews.send_back("1-Bo", "Sofia", "Page 2?", (), "e1")
    close_campaign(reviewed.workspace, None, "Random")
    assert waits_for(reviewed, 1) == ([("Bo", "returned")], 0)
    assert waits_for(reviewed, 2) == ([], 0)


def test_a_decision_names_those_it_did_not_wait_for(reviewed: Reviewed) -> None:
    """Before the reason, and not among its sources; their submission later changes the task."""
    reviewed.reviews.send_back("1-Bo", "Sofia", "Page 2?", (), "e1")
    decided = reviewed.reviews.decide(
        1,
        "Sofia",
        {"evidence": Pick("side", "1-Ada")},
        "No time.",
        current_version(reviewed, 1),
        "e2",
    ).state.review
    assert decided is not None
    assert decided.reason == "Decided without Bo (sent back) and Cy (not started). No time."
    assert [source.annotator for source in decided.sources] == ["Ada"]
    reviewed.answer("1-Cy", "42", 1)
    reviewed.answer("1-Bo", "42", 1)
    assert status(reviewed, 1) == "changed"
    reviewed.answer("2-Ada", "seal", 3)
    reviewed.answer("2-Bo", "seal", 3)
    reviewed.answer("2-Cy", "seal", 3)
    reviewed.reviews.acceptance.settle(1)
    confirmed = reviewed.reviews.take_up(2, "Sofia", "look", "e3").state.review
    assert confirmed is not None
    second_decision = reviewed.reviews.decide(
        2, "Sofia", {}, "As it was.", current_version(reviewed, 2), "e4"
    ).state.review
    assert second_decision is not None
    assert second_decision.reason == "As it was."


def test_whoever_was_not_seen_to_be_at_it_stops_the_decision(reviewed: Reviewed) -> None:
    """Given the task after it was shown: refused by name, nothing is stored, and then it can be."""
    batch_of(reviewed, 3, WITHDRAWN)
    before = current_version(reviewed, 1)
    assert before.pending == []
    batch_of(reviewed, 3, "open")
    with pytest.raises(ConflictError, match="Cy is at work on this task too") as refused:
        reviewed.reviews.decide(1, "Sofia", {}, "", before, "e1")
    assert refused.value.code == "outdated"
    assert gold_events(reviewed, 1) == []
    ada = {part: Pick("side", "1-Ada") for part in ("answer", "evidence")}
    reviewed.reviews.put_together(1, "Sofia", ada, before, "e2")
    reviewed.reviews.decide(1, "Sofia", None, "", current_version(reviewed, 1), "e3")
    assert gold_events(reviewed, 1) == ["gold_merged", "adjudicated"]


def test_many_are_counted_and_a_reason_that_does_not_fit_is_refused() -> None:
    """Nobody's reason is cut off without a word."""
    people = [Pending(name, "new") for name in "ABCDEFGH"]
    sentence = reason_naming_unfinished(people, "")
    assert sentence.endswith("E (not started) and 3 more.")
    assert reason_naming_unfinished(people[:MAX_NAMES], "").endswith(
        "D (not started) and E (not started)."
    )
    assert reason_naming_unfinished(people[:1], "Why.") == "Decided without A (not started). Why."
    assert reason_naming_unfinished([], "x" * MAX_REASON) == "x" * MAX_REASON
    room = MAX_REASON - len(sentence) - 1
    assert len(reason_naming_unfinished(people, "x" * room)) == MAX_REASON
    with pytest.raises(Refusal, match=f"room for {room:,} characters"):
        reason_naming_unfinished(people, "x" * (room + 1))


BO, CY = Pending("Bo", "returned"), Pending("Cy", "new")


@pytest.mark.parametrize(
    ("people", "free_slots", "sentence", "label"),
    [
        ([BO], 0, "Still to submit it: Bo (sent back).", "Decide without Bo"),
        (
            [BO, CY],
            0,
            "Still to submit it: Bo (sent back) and Cy (not started).",
            "Decide without Bo and Cy",
        ),
        (
            [BO, CY, Pending("Di", "open")],
            2,
            "Still to submit it: Bo (sent back), Cy (not started) and Di (still working on it). "
            "2 more people are meant for it and not chosen yet.",
            "Decide without 3 people",
        ),
        ([], 1, "One person is meant for it and not chosen yet.", "Decide now"),
        ([], 0, "", "Decide now"),
    ],
)
def test_a_decision_names_those_it_leaves_out(
    people: list[Pending], free_slots: int, sentence: str, label: str
) -> None:
    """In the sentence all of them, with their state; on the button as long as it fits."""
    waits_for = UnfinishedWork(tuple(people), free_slots)
    assert unfinished_sentence(waits_for) == sentence
    assert decide_label(waits_for) == label
    assert decide_hint(waits_for) == f"Press {{key}} again to {label[:1].lower()}{label[1:]}."
