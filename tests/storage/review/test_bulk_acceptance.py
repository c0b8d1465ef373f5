"""Many tasks are accepted as they were previewed: complete, without ties, each of them once."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import update

from pagetrail.annotation import events as ev
from pagetrail.annotation.errors import ConflictError
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Campaign, Task
from pagetrail.storage.review.bulk_acceptance import AcceptanceResult, accept, propose
from tests.storage.review.test_actions import status
from tests.support.review_campaign import CAMPAIGN, Reviewed, campaign

ALL = (1, 2, 3, 4, 5, 6)


@pytest.fixture
def case(tmp_path: Path) -> Reviewed:
    """Six tasks: a majority, a tie, one without a page, a flag, one open, and one accepted."""
    protocol = with_overrides(
        preset("search"), {"overlap": 3, "review.check_share": 1.0, "evidence.required": False}
    )
    records = [{"id": f"t/{n}", "question": f"Who {n}?"} for n in ALL]
    case = campaign(tmp_path / "ws", protocol, records, people=3)
    answers = {1: "aab", 2: "abc", 3: "aab", 4: "aaa", 5: "aa", 6: "aaa"}
    for task, letters in answers.items():
        for name, answer in zip(("Ada", "Bo", "Cy"), letters, strict=False):
            if (task, name) == (4, "Bo"):
                case.do("4-Bo", ev.Flagged(comment="blurred"))
            pages = () if task == 3 else (1,)
            case.answer(f"{task}-{name}", {"a": "seal", "b": "whale", "c": "1,200"}[answer], *pages)
    case.reviews.acceptance.settle(CAMPAIGN)
    return case


def test_the_preview_says_what_becomes_gold_and_what_is_left_out(case: Reviewed) -> None:
    """The majority's answer; why the others have to be looked at one by one."""
    previews = {preview.key: preview for preview in propose(case.reviews, ALL, "Sofia")}
    assert {key: preview.left_out for key, preview in previews.items()} == {
        "t/1": "",
        "t/2": "A tie, for you to decide: Answer. Take one person’s version, or choose another "
        "way.",
        "t/3": "",
        "t/4": "It is flagged.",
        "t/5": "Annotators are still working on it.",
        "t/6": "",
    }
    (answer,) = previews["t/1"].votes
    assert (answer.value, answer.in_favour, answer.others) == ("seal", 2, (("whale", 1),))
    assert (previews["t/1"].annotators, previews["t/1"].pages) == (3, (("b.pdf", 1),))
    assert previews["t/6"].confirms and not previews["t/1"].confirms


def test_what_is_accepted_is_what_was_previewed(case: Reviewed) -> None:
    """By whom, with the reason; what changed since is refused; the same again changes nothing."""
    proposed = propose(case.reviews, ALL, "Sofia")
    case.answer("3-Cy", "seal")
    results = list(accept(case.reviews, proposed, "Sofia", "looked through", "bulk/1"))
    assert [result.key for result in results] == ["t/1", "t/3", "t/6"]
    assert results[0] == AcceptanceResult("t/1")
    assert "Cy has resubmitted this task" in results[1].refused
    task_work = case.reviews.streams.task_work(1)
    assert task_work.gold is not None and task_work.gold.state.review is not None
    review = task_work.gold.state.review
    assert (review.decided_by, review.reason) == ("Sofia", "looked through")
    assert task_work.gold.state.answer_text == "seal"
    assert [status(case, task) for task in (1, 6)] == ["decided", "decided"]
    before = case.log.state(task_work.gold.attempt).last_seq
    repeated = accept(case.reviews, proposed, "Sofia", "looked through", "bulk/1")
    assert next(repeated) == results[0]
    assert case.log.state(task_work.gold.attempt).last_seq == before


def test_two_supervisors_cannot_decide_one_task_twice(case: Reviewed) -> None:
    """The same preview in two browsers: the second one is told who was first."""
    previews = [propose(case.reviews, (1,), name) for name in ("Sofia", "Sven")]
    assert list(accept(case.reviews, previews[0], "Sofia", "", "bulk/1")) == [
        AcceptanceResult("t/1")
    ]
    (second,) = accept(case.reviews, previews[1], "Sven", "", "bulk/2")
    assert "Sofia has decided this task" in second.refused
    gold = case.reviews.streams.gold(1)
    assert [e.type for e in case.log.events(gold.attempt_id)].count("adjudicated") == 1
    case.reviews.take(2, "Sven", "e1")
    assert propose(case.reviews, (2,), "Sofia")[0].left_out == "Sven is reviewing it."


def test_incomplete_gold_is_not_accepted_in_bulk_either(tmp_path: Path) -> None:
    """Of two people's different pages each is open, until a reviewer marks or rejects it."""
    protocol = with_overrides(preset("search"), {"overlap": 2, "review.check_share": 0.0})
    case = campaign(tmp_path / "ws", protocol, [{"id": "t/1", "question": "Who?"}])
    case.answer("1-Ada", "seal", 1)
    case.answer("1-Bo", "seal", 2)
    (proposed,) = propose(case.reviews, (1,), "Sofia")
    sentence = "“Evidence pages”: open on 2 pages: page 1 of b.pdf, page 2 of b.pdf."
    assert proposed.left_out.startswith(sentence)
    forced = [type(proposed)(**{**vars(proposed), "left_out": ""})]
    (refused,) = accept(case.reviews, forced, "Sofia", "", "bulk/1")
    assert refused.refused.startswith(sentence)


def against_dataset(root: Path) -> Reviewed:
    """Four tasks with a dataset's gold: a majority, two unanimous answers, other pages."""
    protocol = with_overrides(
        preset("search"), {"overlap": 3, "review.accept": "off", "review.check_share": 0.0}
    )
    gold = {1: "0.83", 2: "0.61", 3: "0.83", 4: "0.61"}
    records = [
        {
            "id": f"t/{n}",
            "question": f"How much {n}?",
            "answer_variants": [[answer]],
            "evidence": [{"document": "b.pdf", "page": 2 if n == 4 else 1}],
        }
        for n, answer in gold.items()
    ]
    case = campaign(root, protocol, records, people=3)
    answers_by_task = {
        1: ("0.61", "0.61", "0.83"),
        2: ("0.61",) * 3,
        3: ("0.61",) * 3,
        4: ("0.61",) * 3,
    }
    for task, answers in answers_by_task.items():
        for name, answer in zip(("Ada", "Bo", "Cy"), answers, strict=True):
            case.answer(f"{task}-{name}", answer, 1)
    case.reviews.acceptance.settle(CAMPAIGN)
    return case


def test_the_preview_counts_votes_and_compares_with_the_dataset(tmp_path: Path) -> None:
    """0.61, 0.61, 0.83 is two votes to one, and not what the dataset says: 0.83."""
    case = against_dataset(tmp_path / "ws")
    previews = propose(case.reviews, (1, 2, 3, 4), "Sofia")
    (majority,) = previews[0].votes
    assert (majority.label, majority.value, majority.dataset) == ("Answer", "0.61", "0.83")
    assert (majority.in_favour, majority.others) == (2, (("0.83", 1),))
    assert [preview.contradicts_dataset for preview in previews] == [True, False, True, False]
    assert [[*preview.unlike_dataset] for preview in previews] == [
        ["answer"],
        [],
        ["answer"],
        ["evidence"],
    ]
    assert (previews[3].pages, previews[3].dataset_pages) == ((("b.pdf", 1),), (("b.pdf", 2),))


def test_only_what_is_left_on_is_accepted(tmp_path: Path) -> None:
    """Of four shown tasks the two that were left on."""
    case = against_dataset(tmp_path / "ws")
    previews = propose(case.reviews, (1, 2, 3, 4), "Sofia")
    left_on = [preview for preview in previews if not preview.contradicts_dataset]
    results = list(accept(case.reviews, left_on, "Sofia", "", "bulk/1"))
    assert results == [AcceptanceResult("t/2"), AcceptanceResult("t/4")]
    decided = [status(case, task) for task in (1, 2, 3, 4)]
    assert decided == ["conflict", "decided", "conflict", "decided"]


@pytest.mark.parametrize("said", ["kept", "wrong"])
def test_what_is_said_of_the_datasets_answers_holds_where_gold_contradicts_them(
    said: ev.DatasetAnswers, tmp_path: Path
) -> None:
    """Where the gold is what the dataset has, its answers are kept in any case."""
    case = against_dataset(tmp_path / "ws")
    proposed = propose(case.reviews, (2, 3), "Sofia")
    assert [preview.contradicts_answers for preview in proposed] == [False, True]
    assert all(not r.refused for r in accept(case.reviews, proposed, "Sofia", "", "b", said))
    stored = [
        event.payload.dataset_answers
        for task in (2, 3)
        for event in case.log.events(case.reviews.streams.gold(task).attempt_id)
        if isinstance(event.payload, ev.Adjudicated)
    ]
    assert stored == ["kept", said]


def test_a_preview_that_no_longer_holds_is_refused(tmp_path: Path) -> None:
    """The dataset's gold, or the campaign's overlap: the work is the same, the preview is not."""
    case = against_dataset(tmp_path / "ws")
    previews = propose(case.reviews, (2, 4), "Sofia")
    with write_transaction(case.workspace.engine) as connection:
        record = case.reviews.streams.task_work(2).task.record | {"answer_variants": [["0.99"]]}
        connection.execute(update(Task).where(Task.id == 2).values(record=record))
    results = list(accept(case.reviews, previews, "Sofia", "", "bulk/1"))
    assert results[0].refused.startswith("What would become gold, or what the dataset says of it")
    assert results[1] == AcceptanceResult("t/4")
    previews = propose(case.reviews, (2,), "Sofia")
    with write_transaction(case.workspace.engine) as connection:
        protocol = with_overrides(case.reviews.streams.task_work(2).task.protocol, {"overlap": 4})
        connection.execute(update(Campaign).values(protocol=protocol.model_dump(mode="json")))
    (result,) = accept(case.reviews, previews, "Sofia", "", "bulk/2")
    assert result.refused.startswith("Annotators are still working on it")


def test_gold_other_than_the_shown_is_refused_in_the_decision_itself(tmp_path: Path) -> None:
    """The last guard is in the transaction that stores the decision."""
    case = against_dataset(tmp_path / "ws")
    (preview,) = propose(case.reviews, (2,), "Sofia")
    assert preview.merged is not None
    other = preview.merged.model_copy(update={"answer_text": "0.99"})
    with pytest.raises(ConflictError, match="since it was shown"):
        case.reviews.decide(2, "Sofia", {}, "", preview.version, "e1", shown=other)
    assert status(case, 2) == "conflict"


def test_fields_are_voted_on_where_there_is_no_answer(tmp_path: Path) -> None:
    """A verdict of three people, by its label, beside the dataset's."""
    protocol = with_overrides(preset("judge"), {"overlap": 3, "review.accept": "off"})
    record = {
        "id": "t/1",
        "question": "Who?",
        "answer_variants": [["seal"]],
        "predictions": [{"system": "s", "answer": "whale"}],
    }
    case = campaign(tmp_path / "ws", protocol, [record], people=3)
    for name, verdict in (("Ada", "correct"), ("Bo", "incorrect"), ("Cy", "incorrect")):
        fields = {"verdict": verdict} | (
            {"issue": "wrong_content"} if verdict == "incorrect" else {}
        )
        payloads = [ev.FieldSet(field=field, value=value) for field, value in fields.items()]
        case.do(f"1-{name}", *payloads, ev.Submitted(outcome="completed"))
    (preview,) = propose(case.reviews, (1,), "Sofia")
    verdict_votes = preview.votes[0]
    assert (verdict_votes.label, verdict_votes.value) == ("The prediction is", "Incorrect")
    assert (verdict_votes.in_favour, verdict_votes.others) == (2, (("Correct", 1),))
