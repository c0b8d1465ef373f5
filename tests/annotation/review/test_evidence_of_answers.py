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
    name: str, answer: str, *pages: int, outcome: Outcome = "answered", **given: Any
) -> Submission:
    """What somebody submitted; the name is the attempt's id too."""
    state = AttemptState(
        status="submitted",
        outcome=outcome,
        answer_text=answer,
        citations=tuple(Citation(document="b.pdf", page=page, seq=1) for page in pages),
        **given,
    )
    return Submission(Form(SEARCH, state), name, name)


def dataset(**record: Any) -> GoldSubmission:
    """What the task came with."""
    return replace(gold_submission(SEARCH, {"id": "t"} | record), attempt=DATASET)


def merged(
    people: Sequence[Submission], picks: Mapping[str, Pick], given: GoldSubmission | None = None
) -> GoldMerged:
    """The draft that the picks make."""
    seqs = {work.attempt: 1 for work in people}
    return merge(people, picks, SEARCH.review, lambda _name, _page: (600.0, 800.0), seqs, given)


def pages(draft: GoldMerged) -> list[int]:
    return [kept.page for kept in draft.evidence]


def mixed(
    people: Sequence[Submission], picks: Mapping[str, Pick], given: GoldSubmission | None = None
) -> MixedEvidence | None:
    """What the screen says of that draft."""
    draft = merged(people, picks, given)
    gold = Submission(Form(SEARCH, draft_state(draft)))
    return mixed_evidence(people, gold, draft.choices, given)


TRIO = [person("ada", "57", 1, 4, 5), person("bo", "42", 1, 2), person("cy", "forty", 2, 3)]


def test_taking_an_answer_takes_all_its_pages() -> None:
    """Not those that two people cited: half of the pages would be lost."""
    assert pages(merged(TRIO, {})) == [1, 2]
    draft = merged(TRIO, {"answer": Pick("side", "ada")})
    assert pages(draft) == [1, 4, 5]
    chosen = {choice.part: (choice.how, choice.side) for choice in draft.choices}
    assert chosen["evidence"] == ("side", "ada")
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
    some = {"answer": Pick("variants", sides=("bo", "cy"))}
    assert pages(merged(TRIO, some)) == [1, 2]
    apart = [person("bo", "42", 1), person("cy", "forty", 3)]
    assert pages(merged(apart, some)) == [1]


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
    found = mixed(TRIO, fewer)
    assert found is not None
    assert (found.added, len(found.left_out)) == ((), 2)


def test_pages_of_anybody_with_the_same_answer_are_no_mixture() -> None:
    """Nor is what nobody answered: the reviewer wrote it, and pages without an answer."""
    same = [person("ada", "42", 1), person("bo", "42.0", 1, 2), person("cy", "42", 2, 3)]
    assert mixed(same, {"evidence": Pick("union")}) is None
    assert mixed(same, {}) is None
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
    found = mixed(people, {})
    assert found is not None
    assert (found.answered, found.taken) == (("ada", "bo"), None)
    assert (found.added, found.left_out) == ((("b.pdf", 3),), ())


@pytest.mark.parametrize("how", HOWS["evidence"])
def test_every_way_of_evidence_can_be_described(how: Any) -> None:
    """The description never fails, and never reports pages that the gold does not add or drop."""
    pick = {"side": Pick("side", "bo"), "pick": Pick("pick", pages=(("b.pdf", 3),))}
    picks = {"answer": Pick("side", "ada"), "evidence": pick.get(how, Pick(how))}
    found = mixed(TRIO, picks)
    assert found is not None
    kept = set(pages(merged(TRIO, picks)))
    assert {page for _, page in found.added} == kept - {1, 4, 5}
    assert {page for _, page in found.left_out} == {1, 4, 5} - kept
