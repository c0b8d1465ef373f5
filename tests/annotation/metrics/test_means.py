"""Means over tasks, by hop type, unanswerable tasks apart."""

from __future__ import annotations

from annotation.metrics.means import score_report, scores, scores_by
from tests.annotation.metrics.made import make_row


def test_means_are_over_tasks() -> None:
    """q1 was answered twice, once right: (0.5 + 1) / 2; F1 of q1 (1 + 0) / 2, of q2 0.5."""
    found = scores(
        [make_row("q1"), make_row("q1", False, page=0.0, doc=1.0), make_row("q2", page=0.5)]
    )
    assert (found.attempts, found.tasks) == (3, 2)
    assert found.accuracy.value == found.score.value == 0.75
    assert (found.page_f1.value, found.doc_f1.value) == (0.5, 1)
    assert found.decided_by == {"exact_match": 3}


def test_rows_without_a_figure_are_counted() -> None:
    """A row without gold is no 0; the mean is of the others, and says how many it left out."""
    found = scores([make_row("q1"), make_row("q2", None, page=None, doc=None, hop=None)])
    assert found.accuracy.value == found.page_f1.value == 1
    assert found.accuracy.counts == {"n": 1, "attempts": 1, "left_out": 1}
    assert found.decided_by == {"exact_match": 1, "no_gold_answer": 1}


def test_nothing_measured_is_undefined() -> None:
    """No rows at all, and rows of which none has a figure, are told apart."""
    assert scores([]).accuracy.reason == "no_rows"
    assert scores([make_row(page=None, doc=None)]).page_f1.reason == "undefined_for_every_row"


def test_unanswerable_tasks_are_apart() -> None:
    """They move no other mean; one of two was recognised, the other got an answer and a page."""
    found = score_report(
        [
            make_row("q1"),
            make_row("u1", unanswerable=True, answered=False, cited=0, page=None, doc=None),
            make_row("u2", False, unanswerable=True, page=None, doc=None),
        ]
    )
    assert (found.answerable.tasks, found.answerable.accuracy.value) == (1, 1)
    assert found.unanswerable.tasks == 2
    assert found.unanswerable.accuracy.value == 0.5
    assert found.unanswerable.answered.value == found.unanswerable.cited.value == 0.5


def test_by_hop_type() -> None:
    """Each hop type has its own means; rows without gold stand by themselves."""
    rows = [
        make_row("q1", hop="single"),
        make_row("q2", False, hop="cross_doc"),
        make_row("q3", None, hop=None, page=None, doc=None),
    ]
    found = score_report(rows).by_hop
    assert {name: each.accuracy.value for name, each in found.items()} == {
        "(none)": None,
        "cross_doc": 0,
        "single": 1,
    }


def test_by_any_other_group() -> None:
    """Groups are sorted by name, and their rows add up."""
    rows = [make_row("q1", domain="Law"), make_row("q2", domain="Art"), make_row("q3")]
    found = scores_by(rows, lambda row: row.domain)
    assert list(found) == ["(none)", "Art", "Law"]
    assert sum(each.attempts for each in found.values()) == len(rows)
