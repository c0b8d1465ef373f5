"""What annotators agree on against the dataset is held for a reviewer, and can be found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from pagetrail.annotation import events as ev
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import ReviewTask
from pagetrail.storage.review.filters import Filters
from pagetrail.storage.review.queue import queue
from tests.storage.review.test_actions import status
from tests.support.review_campaign import CAMPAIGN, Reviewed, campaign

PEOPLE = ("Ada", "Bo", "Cy")
ANSWERS = {"a": "0.61", "b": "0.83", "c": "0.83 or 0.9"}


def reviewed(root: Path, letters: str, people: int = 3, **settings: Any) -> Reviewed:
    """One task, whose dataset says 0.83 on page 1; answers by letter.

    Args:
        settings: of the protocol, with ``__`` for the dot.
    """
    changed = {name.replace("__", "."): value for name, value in settings.items()}
    protocol = with_overrides(
        preset("search"), {"overlap": people, "review.check_share": 0.0, **changed}
    )
    record = {
        "id": "t/1",
        "question": "How much?",
        "answer_variants": [["0.83"]],
        "evidence": [{"document": "b.pdf", "page": 1}],
    }
    case = campaign(root, protocol, [record], people=people)
    for name, letter in zip(PEOPLE, letters, strict=False):
        case.answer(f"1-{name}", ANSWERS[letter], 2)
    case.reviews.acceptance.settle(CAMPAIGN)
    return case


def queue_keys(case: Reviewed, **filters: Any) -> list[str]:
    """Keys of the default queue with these filters."""
    page = queue(case.workspace.engine, [CAMPAIGN], Filters(**filters), case.clock.now())
    return [row.key for row in page.rows]


@pytest.mark.parametrize(
    ("letters", "settings", "expected", "unanimous"),
    [
        ("bbb", {}, "accepted", False),  # other pages than the dataset's do not contradict it
        ("aaa", {}, "conflict", True),
        ("aaa", {"review__accept": "off"}, "conflict", True),
        ("ccc", {}, "conflict", False),  # whether this contradicts it, the rule cannot tell
        ("aab", {"review__accept": "majority"}, "conflict", False),
        ("bba", {"review__accept": "majority"}, "accepted", False),
    ],
)
def test_what_contradicts_the_dataset_is_not_accepted_automatically(
    tmp_path: Path, letters: str, settings: dict[str, Any], expected: str, unanimous: bool
) -> None:
    """Nor by the majority; the filter finds what all agree on."""
    case = reviewed(tmp_path / "ws", letters, **settings)
    assert status(case, 1) == expected
    assert queue_keys(case, contradicts_dataset=True) == (["t/1"] if unanimous else [])


def test_one_annotators_work_that_needs_no_second_one_is_held_too(tmp_path: Path) -> None:
    """Overlap and people are one: nobody else would notice."""
    case = reviewed(tmp_path / "ws", "a", people=1, review__people=1, review__keep=1)
    assert status(case, 1) == "conflict"
    assert queue_keys(case, contradicts_dataset=True) == ["t/1"]
    right = reviewed(tmp_path / "right", "b", people=1, review__people=1, review__keep=1)
    assert status(right, 1) == "accepted"


def test_an_unanimous_refusal_of_a_question_with_an_answer_is_held(tmp_path: Path) -> None:
    """“No answer found” by everybody, where the dataset has one."""
    case = reviewed(tmp_path / "ws", "", people=2)
    for name in PEOPLE[:2]:
        case.do(f"1-{name}", ev.Submitted(outcome="not_found"))
    case.reviews.acceptance.settle(CAMPAIGN)
    assert status(case, 1) == "conflict"
    assert queue_keys(case, contradicts_dataset=True) == ["t/1"]


def test_a_reviewers_decision_stands_against_the_dataset(tmp_path: Path) -> None:
    """It is decided, and stays among what all agreed on against the dataset."""
    case = reviewed(tmp_path / "ws", "aaa")
    case.reviews.decide(1, "Sofia", {}, "the dataset is wrong", case.current_version(1), "e1")
    assert status(case, 1) == "decided"
    assert queue_keys(case, contradicts_dataset=True) == []
    assert queue_keys(case, statuses=("decided",), contradicts_dataset=True) == ["t/1"]


def test_what_older_versions_accepted_against_the_dataset_is_to_be_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Confirming it is a reviewer's decision like any other."""
    with monkeypatch.context() as older:
        older.setattr(
            "pagetrail.storage.review.task_rows.needs_reviewer", lambda _gold, _dataset: False
        )
        case = reviewed(tmp_path / "ws", "aaa")
        assert status(case, 1) == "accepted"
    with write_transaction(case.workspace.engine) as connection:
        connection.execute(update(ReviewTask).values(stale=True))
    case.reviews.acceptance.settle(CAMPAIGN)
    assert status(case, 1) == "check"
    assert queue_keys(case, contradicts_dataset=True) == ["t/1"]
    case.reviews.confirm(1, "Sofia", "", case.current_version(1), "e1")
    assert status(case, 1) == "decided"
