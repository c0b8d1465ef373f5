"""Gold is confirmed, corrected or dropped; two windows and double clicks decide once."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.errors import ConflictError, Refusal
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.annotation.review.gold_correction import GoldCorrection
from pagetrail.storage.projections import rebuild
from pagetrail.storage.review.gold_checks import GoldChecks
from tests.support.review_campaign import Reviewed, campaign

GOLD = {
    "id": "t/1",
    "question": "How many?",
    "answer_variants": [["41"], ["forty-one"]],
    "evidence": [{"document": "b.pdf", "page": 1}],
}


def checked(folder: Path, record: dict[str, object], **changes: object) -> Reviewed:
    protocol = with_overrides(preset("search"), {"overlap": 2, "review.accept": "off"} | changes)
    case = campaign(folder / "ws", protocol, [record])
    case.answer("1-Ada", "42", 2)
    case.answer("1-Bo", "42", 2)
    return case


def events(case: Reviewed) -> list[str]:
    gold = case.reviews.streams.gold(1)
    return [event.type for event in case.log.events(gold.attempt_id)]


def test_confirmation_and_drop_are_events_and_leave_the_gold(tmp_path: Path) -> None:
    case = checked(tmp_path, GOLD)
    checks = GoldChecks(case.reviews.streams)

    for _ in range(2):  # the second click of a double click
        checks.confirm(1, "Sofia", 0, "e1")
    state = checks.drop(1, "Sofia", "two answers are right", 1, "e2").state

    assert events(case) == ["gold_checked", "gold_checked"]
    assert state.review is None  # there is no version
    assert rebuild(case.workspace.engine, check=True).clean


def test_drop_needs_a_reason(tmp_path: Path) -> None:
    case = checked(tmp_path, GOLD)

    with pytest.raises(Refusal, match=r"[Ee]mpty|blank|reason|Write"):
        GoldChecks(case.reviews.streams).drop(1, "Sofia", "  ", 0, "e1")

    assert events(case) == []


def test_second_window_is_refused(tmp_path: Path) -> None:
    case = checked(tmp_path, GOLD)
    checks = GoldChecks(case.reviews.streams)
    checks.confirm(1, "Sofia", 0, "e1")

    with pytest.raises(ConflictError, match="another window"):
        checks.drop(1, "Grace", "ambiguous", 0, "e2")

    assert events(case) == ["gold_checked"]


def test_task_that_another_reviewer_holds_is_refused(tmp_path: Path) -> None:
    case = checked(tmp_path, GOLD)
    case.reviews.take(1, "Grace", "g1")

    with pytest.raises(ConflictError, match="Grace"):
        GoldChecks(case.reviews.streams).confirm(1, "Sofia", 1, "e1")


def test_correction_is_the_next_version_and_keeps_what_it_does_not_name(tmp_path: Path) -> None:
    case = checked(tmp_path, GOLD)
    checks = GoldChecks(case.reviews.streams)
    correction = GoldCorrection(answers=[["42"], ["forty-two"]])

    for _ in range(2):
        state = checks.correct(1, "Sofia", correction, "page 2 says so", 0, "e1").state

    assert events(case) == ["gold_merged", "adjudicated", "gold_checked"]
    assert state.answer_text == "42"
    assert state.review is not None
    assert (state.review.version, state.review.variants) == (1, ("forty-two",))
    assert [(c.document, c.page) for c in state.citations] == [("b.pdf", 1)]

    again = GoldCorrection(unanswerable=True, answers=[])
    state = checks.correct(1, "Sofia", again, "", 3, "e2").state

    assert events(case)[3:] == ["gold_reopened", "gold_merged", "adjudicated", "gold_checked"]
    assert (state.outcome, state.citations) == ("not_found", ())
    assert rebuild(case.workspace.engine, check=True).clean


def test_empty_or_unchanged_correction_is_refused_and_nothing_stored(tmp_path: Path) -> None:
    case = checked(tmp_path, GOLD)
    checks = GoldChecks(case.reviews.streams)

    for correction in (
        GoldCorrection(answers=[[" "]]),
        GoldCorrection(answers=[["41"], ["forty-one"]]),
        GoldCorrection(answers=[["42"]], evidence=[]),
    ):
        with pytest.raises(Refusal):
            checks.correct(1, "Sofia", correction, "", 0, "e1")

    assert events(case) == []


def test_reviewed_version_replaces_the_imported_gold(tmp_path: Path) -> None:
    case = checked(tmp_path, GOLD)
    checks = GoldChecks(case.reviews.streams)
    with pytest.raises(Refusal, match="decided in review"):
        checks.adopt_reviewed(1, "Sofia", 0, "e0")
    case.reviews.decide(1, "Sofia", {}, "page 2", case.current_version(1), "d1")

    checks.adopt_reviewed(1, "Sofia", 2, "e1")

    gold = case.reviews.streams.gold(1)
    payload = list(case.log.events(gold.attempt_id))[-1].payload
    assert payload == ev.GoldChecked(decision="corrected", version=1)


def test_decided_gold_is_corrected_where_the_task_came_without(tmp_path: Path) -> None:
    case = checked(tmp_path, {"id": "t/1", "question": "How many?"})
    checks = GoldChecks(case.reviews.streams)
    with pytest.raises(Refusal, match="no gold"):
        checks.correct(1, "Sofia", GoldCorrection(answers=[["43"]]), "", 0, "e0")
    case.reviews.decide(1, "Sofia", {}, "page 2", case.current_version(1), "d1")

    state = checks.correct(1, "Sofia", GoldCorrection(answers=[["43"]]), "", 2, "e1").state

    assert (state.answer_text, [c.page for c in state.citations]) == ("43", [2])
    assert state.review is not None and state.review.version == 2
