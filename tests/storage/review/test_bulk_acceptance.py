"""Many tasks are accepted as they were previewed: complete, without ties, each of them once."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.protocols.protocol import override, preset
from pagetrail.storage.review.bulk_acceptance import Accepted, accept, propose
from tests.storage.review.test_actions import status
from tests.support.review_campaign import CAMPAIGN, Reviewed, campaign

TASKS = (1, 2, 3, 4, 5, 6)


@pytest.fixture
def case(tmp_path: Path) -> Reviewed:
    """Six tasks: a majority, a tie, one without a page, a flag, one open, and one accepted."""
    protocol = override(
        preset("search"), {"overlap": 3, "review.check_share": 1.0, "evidence.required": False}
    )
    records = [{"id": f"t/{n}", "question": f"Who {n}?"} for n in TASKS]
    case = campaign(tmp_path / "ws", protocol, records, people=3)
    answers = {1: "aab", 2: "abc", 3: "aab", 4: "aaa", 5: "aa", 6: "aaa"}
    for task, given in answers.items():
        for name, answer in zip(("Ada", "Bo", "Cy"), given, strict=False):
            if (task, name) == (4, "Bo"):
                case.do("4-Bo", ev.Flagged(comment="blurred"))
            pages = () if task == 3 else (1,)
            case.answer(f"{task}-{name}", {"a": "seal", "b": "whale", "c": "1,200"}[answer], *pages)
    case.reviews.settle(CAMPAIGN)
    return case


def test_the_preview_says_what_becomes_gold_and_what_is_left_out(case: Reviewed) -> None:
    """The majority's answer; why the others have to be looked at one by one."""
    found = {each.key: each for each in propose(case.reviews, TASKS, "Sofia")}
    assert {key: each.left_out for key, each in found.items()} == {
        "t/1": "",
        "t/2": "A tie, for you to decide: Answer. Take one person’s version, or choose another "
        "way.",
        "t/3": "",
        "t/4": "It is flagged.",
        "t/5": "Annotators are still working on it.",
        "t/6": "",
    }
    assert (found["t/1"].answer, found["t/1"].pages) == (("seal",), (("b.pdf", 1),))
    assert found["t/6"].confirms and not found["t/1"].confirms


def test_what_is_accepted_is_what_was_previewed(case: Reviewed) -> None:
    """By whom, with the reason; what changed since is refused; the same again changes nothing."""
    proposed = propose(case.reviews, TASKS, "Sofia")
    case.answer("3-Cy", "seal")
    found = list(accept(case.reviews, proposed, "Sofia", "looked through", "bulk/1"))
    assert [each.key for each in found] == ["t/1", "t/3", "t/6"]
    assert found[0] == Accepted("t/1")
    assert "Cy has resubmitted this task" in found[1].refused
    work = case.reviews.work(1)
    assert work.gold is not None and work.gold.state.review is not None
    review = work.gold.state.review
    assert (review.decided_by, review.reason) == ("Sofia", "looked through")
    assert work.gold.state.answer_text == "seal"
    assert [status(case, task) for task in (1, 6)] == ["decided", "decided"]
    before = case.log.response(work.gold.attempt).last_seq
    again = accept(case.reviews, proposed, "Sofia", "looked through", "bulk/1")
    assert next(again) == found[0]
    assert case.log.response(work.gold.attempt).last_seq == before


def test_two_supervisors_cannot_decide_one_task_twice(case: Reviewed) -> None:
    """The same preview in two browsers: the second one is told who was first."""
    both = [propose(case.reviews, (1,), name) for name in ("Sofia", "Sven")]
    assert list(accept(case.reviews, both[0], "Sofia", "", "bulk/1")) == [Accepted("t/1")]
    (second,) = accept(case.reviews, both[1], "Sven", "", "bulk/2")
    assert "decided by Sofia" in second.refused
    gold = case.reviews.gold(1)
    assert [e.type for e in case.log.events(gold.attempt_id)].count("adjudicated") == 1
    case.reviews.take(2, "Sven", "e1")
    assert propose(case.reviews, (2,), "Sofia")[0].left_out == "Sven is reviewing it."


def test_incomplete_gold_is_not_accepted_in_bulk_either(tmp_path: Path) -> None:
    """Of two people's different pages each is open, until a reviewer marks or rejects it."""
    protocol = override(preset("search"), {"overlap": 2, "review.check_share": 0.0})
    case = campaign(tmp_path / "ws", protocol, [{"id": "t/1", "question": "Who?"}])
    case.answer("1-Ada", "seal", 1)
    case.answer("1-Bo", "seal", 2)
    (proposed,) = propose(case.reviews, (1,), "Sofia")
    sentence = "“Evidence pages”: open on 2 pages: page 1 of b.pdf, page 2 of b.pdf."
    assert proposed.left_out.startswith(sentence)
    forced = [type(proposed)(**{**vars(proposed), "left_out": ""})]
    (refused,) = accept(case.reviews, forced, "Sofia", "", "bulk/1")
    assert refused.refused.startswith(sentence)
