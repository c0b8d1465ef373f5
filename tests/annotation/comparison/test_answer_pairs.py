"""Agreement on answers and evidence, pair by pair, with values worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.page_state import Citation
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.comparison.answer_pairs import MEASURES, answer_pair, task_answers
from pagetrail.annotation.protocols.protocol import preset

P1, P2, P3, Q1 = ("a.pdf", 1), ("a.pdf", 2), ("a.pdf", 3), ("b.pdf", 1)

SEARCH = preset("search")


def submission_with(
    *answer: str, pages: tuple[tuple[str, int], ...] = (), outcome: str = ""
) -> Submission:
    """What one person submitted; without an answer it was not found."""
    state = AttemptState.model_validate(
        {
            "status": "submitted",
            "outcome": outcome or ("answered" if answer else "not_found"),
            "answer_text": "\n".join(answer),
            "citations": [Citation(document=d, page=p, seq=1) for d, p in dict.fromkeys(pages)],
        }
    )
    return Submission(Form(SEARCH, state))


def test_two_people_who_agree_on_everything() -> None:
    """The same answer up to case and order, from the same pages, is 1 throughout."""
    a = submission_with("Ada", "42", pages=(P1, Q1))
    b = submission_with("42", "ada", pages=(Q1, P1))
    pair = answer_pair(a, b)
    assert all(getattr(pair, name) == 1 for name in MEASURES)


def test_citations_in_part() -> None:
    """{a1, a2} and {a2, a3, b1}: page F1 2/5, Jaccard 1/4, doc F1 2/3."""
    pair = answer_pair(
        submission_with("x", pages=(P1, P2)), submission_with("x", pages=(P2, P3, Q1))
    )
    assert pair.page_f1 == pytest.approx(2 / 5)
    assert pair.page_jaccard == pytest.approx(1 / 4)
    assert pair.doc_f1 == pytest.approx(2 / 3)


def test_one_answer_of_two() -> None:
    """Two answers against one of them: no exact match; ANLS* is 1/2 both ways."""
    pair = answer_pair(submission_with("otter", "beaver"), submission_with("otter"))
    assert (pair.exact_match, pair.anls) == (0, 0.5)


def test_one_who_gave_nothing_counts_zero() -> None:
    """An answer against none, and citations against none: 0, and not among those who both did."""
    pair = answer_pair(submission_with("42", pages=(P1,)), submission_with())
    assert (pair.same_outcome, pair.exact_match, pair.anls) == (0, 0, 0)
    assert (pair.page_f1, pair.doc_f1, pair.page_jaccard) == (0, 0, 0)
    assert pair.anls_both is None


def test_nothing_against_nothing_is_no_comparison() -> None:
    """Two who found nothing agree on the outcome; there is nothing else to compare."""
    pair = answer_pair(submission_with(), submission_with())
    assert pair.same_outcome == 1
    assert all(getattr(pair, name) is None for name in MEASURES if name != "same_outcome")


def test_pairs_of_a_task_are_averaged() -> None:
    """Three people, three pairs: means over the pairs that have the result, and their kinds."""
    people = [
        submission_with("42", pages=(P1,)),
        submission_with("42", pages=(P2,)),
        submission_with(),
    ]
    agreement = task_answers("t", people)
    assert (agreement.n_pairs, agreement.n_both, agreement.n_one, agreement.n_none) == (3, 1, 2, 0)
    assert agreement.means["same_outcome"] == pytest.approx(1 / 3)
    assert agreement.means["exact_match"] == pytest.approx(1 / 3)
    assert agreement.means["anls_both"] == 1
    assert agreement.means["page_f1"] == 0
    assert agreement.means["doc_f1"] == pytest.approx(1 / 3)


def test_one_person_makes_no_pair() -> None:
    """A task of one annotator has no pairs, and nothing is defined."""
    agreement = task_answers("t", [submission_with("42")])
    assert agreement.n_pairs == 0
    assert set(agreement.means.values()) == {None}


answers = st.lists(st.sampled_from(["42", "forty-two", "otters", "Otters!", "."]), max_size=3)
people = st.builds(
    lambda answer, pages: submission_with(*answer, pages=tuple(pages)),
    answers,
    st.lists(st.sampled_from([P1, P2, P3, Q1]), max_size=4),
)


@given(people, people)
def test_pairs_are_symmetric_and_bounded(a: Submission, b: Submission) -> None:
    """Whoever comes first, all results are the same and are between 0 and 1."""
    forward, reverse = answer_pair(a, b), answer_pair(b, a)
    assert forward == reverse
    values = [getattr(forward, name) for name in MEASURES]
    assert all(value is None or 0 <= value <= 1 for value in values)
