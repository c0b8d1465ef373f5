"""An answer brings the evidence it rests on, and gold that mixes two people's work says so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.page_state import Citation
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.comparison.gold_submission import GoldSubmission, gold_submission
from pagetrail.annotation.events import GoldMerged
from pagetrail.annotation.events.review import DATASET
from pagetrail.annotation.events.work import Outcome
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.annotation.review import Pick, merge
from pagetrail.annotation.review.evidence_of_answers import MixedEvidence, mixed_evidence
from pagetrail.annotation.review.merging import draft_state
from pagetrail.annotation.review.selections import HOWS

SEARCH = with_overrides(preset("search"), {"answer.unanswerable": True})


def person(
    name: str, answer: str, *pages: int, outcome: Outcome = "answered", **fields: Any
) -> Submission:
    """What somebody submitted; the name is the attempt's id too."""
    state = AttemptState(
        status="submitted",
        outcome=outcome,
        answer_text=answer,
        citations=tuple(Citation(document="b.pdf", page=page, seq=1) for page in pages),
        **fields,
    )
    return Submission(Form(SEARCH, state), name, name)


def dataset(**record: Any) -> GoldSubmission:
    """What the task came with."""
    return replace(gold_submission(SEARCH, {"id": "t"} | record), attempt=DATASET)


def merged(
    people: Sequence[Submission],
    picks: Mapping[str, Pick],
    dataset_gold: GoldSubmission | None = None,
) -> GoldMerged:
    """The draft that the picks make."""
    seqs = {submission.attempt: 1 for submission in people}
    return merge(
        people, picks, SEARCH.review, lambda _name, _page: (600.0, 800.0), seqs, dataset_gold
    )


def pages(draft: GoldMerged) -> list[int]:
    return [citation.page for citation in draft.evidence]


def mixed(
    people: Sequence[Submission],
    picks: Mapping[str, Pick],
    dataset_gold: GoldSubmission | None = None,
) -> MixedEvidence | None:
    """What the screen says of that draft."""
    draft = merged(people, picks, dataset_gold)
    gold = Submission(Form(SEARCH, draft_state(draft)))
    return mixed_evidence(people, gold, draft.choices, dataset_gold)


TRIO = [person("ada", "57", 1, 4, 5), person("bo", "42", 1, 2), person("cy", "forty", 2, 3)]


def test_taking_an_answer_takes_all_its_pages() -> None:
    """Not those that two people cited: half of the pages would be lost."""
    assert pages(merged(TRIO, {})) == [1, 2]
    draft = merged(TRIO, {"answer": Pick("side", "ada")})
    assert pages(draft) == [1, 4, 5]
    sources = {choice.part: (choice.how, choice.side) for choice in draft.choices}
    assert sources["evidence"] == ("side", "ada")
    assert mixed(TRIO, {"answer": Pick("side", "ada")}) is None


def test_evidence_that_was_chosen_stays() -> None:
    """In whichever order the reviewer chose; and without a choice of an answer, as proposed."""
    answer, evidence = {"answer": Pick("side", "ada")}, {"evidence": Pick("side", "cy")}
    assert pages(merged(TRIO, answer | evidence)) == [2, 3]
    assert pages(merged(TRIO, evidence | answer)) == [2, 3]
    assert pages(merged(TRIO, {"answer": Pick("edited", texts=("1",))})) == [1, 2]


def test_no_answer_brings_no_pages_of_others() -> None:
    """Somebody's “unanswerable” does not keep what others cited for their answers."""
    people = [*TRIO[:2], person("cy", "", outcome="unanswerable")]
    for part in ("answer", "outcome"):
        draft = merged(people, {part: Pick("side", "cy")})
        assert (draft.outcome, pages(draft)) == ("unanswerable", []), part
    assert pages(merged(people, {"outcome": Pick("side", "ada")})) == [1]


def test_several_accepted_answers_keep_the_proposal_while_it_has_a_page() -> None:
    """They have pages of several people; without any, those of the first."""
    picks = {"answer": Pick("variants", sides=("bo", "cy"))}
    assert pages(merged(TRIO, picks)) == [1, 2]
    people = [person("bo", "42", 1), person("cy", "forty", 3)]
    assert pages(merged(people, picks)) == [1]


def test_the_datasets_answer_brings_its_pages() -> None:
    """All that it names; where it names none those proposed; none for a task without an answer."""
    take = {"answer": Pick("side", DATASET)}
    evidence = [{"document": "b.pdf", "page": 7}]
    assert pages(merged(TRIO, take, dataset(answer_variants=[["9"]], evidence=evidence))) == [7]
    assert pages(merged(TRIO, take, dataset(answer_variants=[["9"]]))) == [1, 2]
    draft = merged(TRIO, take, dataset(unanswerable=True, evidence=[]))
    assert (draft.outcome, pages(draft)) == ("unanswerable", [])
    assert not any(choice.tied for choice in draft.choices)


def test_one_persons_answer_with_anothers_pages_is_described() -> None:
    """What was added to the pages of whose answer it is, and what was left out of them."""
    picks = {"answer": Pick("side", "ada"), "evidence": Pick("side", "bo")}
    assert mixed(TRIO, picks) == MixedEvidence(
        answered=("ada",),
        taken="ada",
        added=(("b.pdf", 2),),
        left_out=(("b.pdf", 4), ("b.pdf", 5)),
    )
    fewer = {"answer": Pick("side", "ada"), "evidence": Pick("pick", pages=(("b.pdf", 1),))}
    mixture = mixed(TRIO, fewer)
    assert mixture is not None
    assert (mixture.added, len(mixture.left_out)) == ((), 2)


def test_pages_of_anybody_with_the_same_answer_are_no_mixture() -> None:
    """Nor is what nobody answered: the reviewer wrote it, and pages without an answer."""
    people = [person("ada", "42", 1), person("bo", "42.0", 1, 2), person("cy", "42", 2, 3)]
    assert mixed(people, {"evidence": Pick("union")}) is None
    assert mixed(people, {}) is None
    assert mixed(TRIO, {"answer": Pick("edited", texts=("1",))}) is None
    assert mixed(TRIO, {"answer": Pick("none")}) is None


def test_a_proposal_that_mixes_says_so_too() -> None:
    """Two agree on the answer, and the only page that two cited is the third person's as well."""
    people = [
        person("ada", "42", 1),
        person("bo", "42", 2),
        person("cy", "57", 3),
        person("di", "17", 3),
    ]
    mixture = mixed(people, {})
    assert mixture is not None
    assert (mixture.answered, mixture.taken) == (("ada", "bo"), None)
    assert (mixture.added, mixture.left_out) == ((("b.pdf", 3),), ())


@pytest.mark.parametrize("way", HOWS["evidence"])
def test_every_way_of_evidence_can_be_described(way: Any) -> None:
    """The description never fails, and never reports pages that the gold does not add or drop."""
    pick = {"side": Pick("side", "bo"), "pick": Pick("pick", pages=(("b.pdf", 3),))}
    picks = {"answer": Pick("side", "ada"), "evidence": pick.get(way, Pick(way))}
    mixture = mixed(TRIO, picks)
    assert mixture is not None
    kept_pages = set(pages(merged(TRIO, picks)))
    assert {page for _, page in mixture.added} == kept_pages - {1, 4, 5}
    assert {page for _, page in mixture.left_out} == {1, 4, 5} - kept_pages
