"""Adjudicated answers: variants, the dataset's, the reviewer's own; and tables row by row."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.completeness import gold_missing
from pagetrail.annotation.attempts.form_state import RecordRow
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.page_state import Citation
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.comparison.gold_submission import GoldSubmission, gold_submission
from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.events.review import DATASET
from pagetrail.annotation.protocols.protocol import Protocol, preset, with_overrides
from pagetrail.annotation.review import Pick, Submission, merge
from pagetrail.annotation.review.answer_merging import dataset_parts
from pagetrail.annotation.review.merging import draft_state
from pagetrail.annotation.review.selections import Row

SEARCH = with_overrides(preset("search"), {"answer.unanswerable": True})
TABLE = with_overrides(
    preset("search"),
    {
        "fields": [
            {"name": "table", "label": "Table", "kind": "records",
             "columns": [{"name": "year", "label": "Year"}, {"name": "n", "label": "Number"}]}
        ]
    },
)  # fmt: skip


def size(_document: str, _page: int) -> tuple[float, float]:
    return 612.0, 792.0


def person(name: str, answer: str, page: int, protocol: Protocol = SEARCH, **more: Any) -> Any:
    """Somebody who answered from a page."""
    state = {
        "status": "submitted",
        "outcome": "answered",
        "answer_text": answer,
        "citations": [Citation(document="b.pdf", page=page, seq=1)],
        **more,
    }
    return Submission(Form(protocol, AttemptState.model_validate(state)), name, name)


def dataset(protocol: Protocol = SEARCH, **record: Any) -> GoldSubmission:
    return replace(gold_submission(protocol, {"id": "t"} | record), attempt=DATASET)


def gold(
    people: list[Submission], picks: dict[str, Pick], dataset_gold: GoldSubmission | None = None
) -> ev.GoldMerged:
    seqs = {submission.attempt: 5 for submission in people}
    return merge(people, picks, people[0].form.protocol.review, size, seqs, dataset_gold)


def answers(draft: ev.GoldMerged, protocol: Protocol = SEARCH) -> list[tuple[str, ...]]:
    """The accepted answers of the gold, as everything that compares answers reads them."""
    return list(Submission(Form(protocol, draft_state(draft))).accepted)


PEOPLE = [
    person("a", "Sir Aldous Fenhallow", 1),
    person("b", "Fenhallow", 2),
    person("c", "fenhallow.", 2),
    person("d", "", 3, outcome="not_found"),
]


def test_several_answers_are_accepted_each_once_the_first_one_first() -> None:
    """What says the same is one variant; who found nothing adds none, and the outcome follows."""
    all_variants = Pick("variants", sides=("d", "b", "a", "c"))
    draft = gold(PEOPLE, {"answer": all_variants})
    assert answers(draft) == [("Fenhallow",), ("Sir Aldous Fenhallow",)]
    assert (draft.answer_text, draft.variants) == ("Fenhallow", ("Sir Aldous Fenhallow",))
    assert draft.outcome == "answered"
    choice = next(choice for choice in draft.choices if choice.part == "answer")
    assert (choice.how, choice.sides, choice.tied) == ("variants", ("b", "a", "c"), False)
    not_found = gold(PEOPLE, {"answer": Pick("variants", sides=("d",))})
    assert (not_found.outcome, answers(not_found)) == ("not_found", [])
    outcome_picked = gold(PEOPLE, {"answer": all_variants, "outcome": Pick("side", "d")})
    assert (outcome_picked.outcome, answers(outcome_picked)) == ("not_found", [])


def test_accepted_answers_bring_the_first_ones_pages_where_the_rule_leaves_none() -> None:
    """As one person's answer does; so two keys make complete gold of three who differ."""
    people = [person(name, name, page) for name, page in (("a", 1), ("b", 2), ("c", 3))]
    draft = gold(people, {"answer": Pick("variants", sides=("b", "a"))})
    assert [(page.page, page.reviewer) for page in draft.evidence] == [(2, True)]
    assert gold_missing(Form(SEARCH, draft_state(draft))) == {}


def test_the_datasets_answer_is_one_more_to_take() -> None:
    """All that it accepts, with its pages, also ones nobody cited; beside people's if wanted."""
    dataset_gold = dataset(
        answer_variants=[["Fenhallow"], ["A. Fenhallow"]],
        evidence=[{"document": "b.pdf", "page": 9}],
    )
    assert dataset_parts(dataset_gold) == ("outcome", "answer", "evidence")
    people = [person("a", "Vaulx", 1), person("b", "Marguerite Vaulx", 2)]
    draft = gold(people, {"answer": Pick("side", DATASET)}, dataset_gold)
    assert answers(draft) == [("Fenhallow",), ("A. Fenhallow",)]
    assert [(page.page, page.annotators) for page in draft.evidence] == [(9, 0)]
    assert gold_missing(Form(SEARCH, draft_state(draft))) == {}
    combined = gold(people, {"answer": Pick("variants", sides=("a", DATASET))}, dataset_gold)
    assert answers(combined) == [("Vaulx",), ("Fenhallow",), ("A. Fenhallow",)]
    assert [page.page for page in combined.evidence] == [1]
    one_by_one = {"evidence": Pick("pick", pages=(("b.pdf", 9), ("b.pdf", 1)))}
    assert [page.page for page in gold(people, one_by_one, dataset_gold).evidence] == [1, 9]


def test_what_the_dataset_holds_to_be_unanswerable_is_so() -> None:
    """The outcome comes with it; what it has no answer or page for cannot be taken from it."""
    dataset_gold = dataset(unanswerable=True, evidence=[])
    people = [person("a", "42", 1), person("b", "43", 1)]
    draft = gold(people, {"answer": Pick("side", DATASET)}, dataset_gold)
    assert (draft.outcome, answers(draft)) == ("unanswerable", [])
    for part in ("evidence", "boxes"):
        with pytest.raises(Refusal):
            gold(people, {part: Pick("side", DATASET)}, dataset_gold)
    for empty_dataset in (None, dataset()):
        with pytest.raises(Refusal, match="no longer submitted"):
            gold(people, {"answer": Pick("side", DATASET)}, empty_dataset)
    assert draft == gold(people, {"answer": Pick("side", DATASET)}, dataset_gold)
    assert gold(people, {}, dataset_gold) == gold(people, {}), "nothing of it unless it is taken"


def test_the_reviewer_writes_what_is_accepted() -> None:
    """Several texts, each a line per answer; there is an answer then, whatever people found."""
    people = [person("a", "", 1, outcome="not_found"), person("b", "", 2, outcome="not_found")]
    texts = ("otter\nseal", " ", "Seal\nOtter", "otters and seals")
    draft = gold(people, {"answer": Pick("edited", texts=texts)})
    assert answers(draft) == [("otter", "seal"), ("otters and seals",)]
    assert draft.outcome == "answered"
    empty = gold(people, {"answer": Pick("edited", texts=("  ",))})
    assert answers(empty) == []
    assert "answer" in gold_missing(Form(SEARCH, draft_state(empty)))
    for too_much in (("x" * 20_001,), tuple(f"word{n}" for n in range(501))):
        with pytest.raises(Refusal, match="at most"):
            gold(people, {"answer": Pick("edited", texts=too_much)})


@pytest.mark.parametrize("pick", [Pick("variants"), Pick("variants", sides=("a", "gone"))])
def test_variants_of_nobody_are_refused(pick: Pick) -> None:
    """An empty list, and somebody whose work is no longer submitted."""
    with pytest.raises(Refusal):
        gold(PEOPLE, {"answer": pick})


def rows(*cells: tuple[str, str, str], model: bool = False) -> list[RecordRow]:
    """Rows by id, year and number; of a model the number was 0."""
    return [
        RecordRow(
            field="table",
            row=id_,
            values={"year": year, "n": n},
            model={"year": year, "n": "0"} if model else None,
            seq=1,
        )
        for id_, year, n in cells
    ]


def table(draft: ev.GoldMerged) -> list[tuple[str, str, str]]:
    return [(row.row, row.values["year"], row.values["n"]) for row in draft.rows]


def row(attempt: str, id_: str) -> Row:
    return attempt, None, None, id_


def test_a_table_is_put_together_row_by_row() -> None:
    """In the order of the picks; two people's rows of one id are two rows, each taken once."""
    left = rows(("r1", "2020", "1"), ("r2", "2021", "2"))
    right = rows(("r1", "2020", "1.0"), ("r2", "2021", "3"), ("r3", "2022", "4"))
    people = [person("a", "x", 1, TABLE, rows=left), person("b", "x", 1, TABLE, rows=right)]
    picked_rows = (row("a", "r1"), row("b", "r2"), row("a", "r2"), row("b", "r3"), row("a", "r1"))
    draft = gold(people, {"table": Pick("pick", rows=picked_rows)})
    assert table(draft) == [
        ("g0-r1", "2020", "1"),
        ("g1-r2", "2021", "3"),
        ("g0-r2", "2021", "2"),
        ("g1-r3", "2022", "4"),
    ]
    assert table(gold(people, {"table": Pick("intersection")})) == [("g0-r1", "2020", "1")]
    assert table(gold(people, {"table": Pick("side", "b")}))[0] == ("r1", "2020", "1.0")
    with pytest.raises(Refusal, match="row no longer exists"):
        gold(people, {"table": Pick("pick", rows=(row("a", "r3"),))})
    with pytest.raises(Refusal, match="no longer submitted"):
        gold(people, {"table": Pick("pick", rows=(row("c", "r1"),))})


def test_of_a_models_row_one_version_is_taken_under_its_own_id() -> None:
    """The last pick wins; it is still the model's row."""
    left, right = (rows(("m1", "2020", n), model=True) for n in ("1", "2"))
    people = [person("a", "x", 1, TABLE, rows=left), person("b", "x", 1, TABLE, rows=right)]
    pick = Pick("pick", rows=(row("a", "m1"), row("b", "m1")))
    assert table(gold(people, {"table": pick})) == [("m1", "2020", "2")]
    assert table(gold(people, {"table": Pick("intersection")})) == []


def test_what_all_have_is_the_same_whoever_comes_first() -> None:
    """A row that is there twice counts twice."""
    left = rows(("r1", "2020", "4.50"), ("r2", "2020", "4.5"), ("r3", "2021", "x"))
    right = rows(("s1", "2021", "X."), ("s2", "2020", "4.5"), ("s3", "2020", "4.5"))
    people = [person("a", "x", 1, TABLE, rows=left), person("b", "x", 1, TABLE, rows=right)]
    tables = [
        [cells[1:] for cells in table(gold(order, {"table": Pick("intersection")}))]
        for order in (people, people[::-1])
    ]
    assert tables[0] == tables[1]
    assert sorted(tables[0]) == [("2020", "4.5"), ("2020", "4.5"), ("2021", "X.")]
