"""The review rule and the overlap change after a campaign is made; what is open follows."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import select

from pagetrail.annotation import events as ev
from pagetrail.annotation.errors import ConflictError, Forbidden, NotFoundError, ProtocolError
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.storage.batches.changeable_settings import change_settings, changeable_settings
from pagetrail.storage.campaigns.lifecycle import archive_campaign
from pagetrail.storage.campaigns.lookup import protocol_of_campaign
from pagetrail.storage.database.tables import ReviewTask
from pagetrail.storage.people.accounts import find_person
from pagetrail.storage.review.facets import status_counts
from tests.support.audit_log import audited
from tests.support.review_campaign import CAMPAIGN, Reviewed, campaign

NAME = "Random"


def reviewed(folder: Path, people: int = 3, **changes: object) -> Reviewed:
    """One task of so many people, who may differ; nothing is drawn to be checked."""
    defaults = {"overlap": people, "evidence.required": False, "review.check_share": 0.0}
    protocol = with_overrides(preset("search"), defaults | changes)
    return campaign(folder / "ws", protocol, [{"id": "t/1", "question": "Who?"}], people=people)


def status(case: Reviewed) -> tuple[str, int]:
    """The task's status and its version of gold, once everything is settled."""
    case.reviews.acceptance.settle(CAMPAIGN)
    with case.workspace.engine.connect() as connection:
        row = connection.execute(select(ReviewTask.status, ReviewTask.gold_version)).one()
    return row.status, row.gold_version


def test_a_majority_accepts_what_was_open_and_its_gold_is_the_majoritys(tmp_path: Path) -> None:
    """Two of three agree: a conflict before, gold now, with everybody named."""
    case = reviewed(tmp_path)
    for name, answer in (("Ada", "whale"), ("Bo", "whale"), ("Cy", "seal")):
        case.answer(f"1-{name}", answer, 1 if name != "Cy" else 2)
    assert status(case) == ("conflict", 0)
    sofia = find_person(case.workspace, "Sofia")
    changed = change_settings(
        case.workspace, sofia, NAME, {"review.accept": "majority", "review.parts.evidence": 0.5}
    )
    assert [(c.key, c.before, c.after) for c in changed] == [
        ("review.accept", "agreed", "majority"),
        ("review.parts.evidence", None, 0.5),
    ]
    assert status(case) == ("accepted", 1)
    task_work = case.reviews.streams.task_work(1)
    assert task_work.gold is not None and task_work.gold.state.review is not None
    gold = task_work.gold.state
    assert gold.answer_text == "whale"
    assert [c.page for c in gold.citations] == [1]
    assert gold.review is not None
    assert [source.annotator for source in gold.review.sources] == ["Ada", "Bo", "Cy"]
    assert gold.review.reason == "2 of 3 agree."
    merged = next(e.payload for e in case.log.events(task_work.gold.attempt))
    assert isinstance(merged, ev.GoldMerged)
    assert [source.annotator for source in merged.sources] == ["Ada", "Bo"]
    assert audited(case.workspace) == [
        ("Sofia", "review_settings_changed",
         "Random: review.accept agreed → majority; review.parts.evidence none → 0.5")
    ]  # fmt: skip


def test_whoever_skips_agrees_with_nobody(tmp_path: Path) -> None:
    """Two of four is no majority."""
    case = reviewed(tmp_path, 4, **{"review.accept": "majority"})
    case.answer("1-Ada", "whale")
    case.answer("1-Bo", "whale")
    case.answer("1-Cy", "seal")
    case.do("1-Di", ev.Skipped(reason="no idea"))
    assert status(case) == ("conflict", 0)


def test_a_threshold_that_leaves_a_tie_makes_no_gold(tmp_path: Path) -> None:
    """Outcomes may differ, but nobody knows which of the two is right."""
    case = reviewed(tmp_path, 2, **{"review.parts": {"outcome": 1, "answer": 1}})
    case.answer("1-Ada", "whale")
    case.do("1-Bo", ev.Submitted(outcome="not_found"))
    assert status(case) == ("conflict", 0)


def test_gold_stays_when_the_rule_becomes_stricter(tmp_path: Path) -> None:
    """What is decided or accepted stays gold."""
    case = reviewed(tmp_path, 2)
    case.answer("1-Ada", "whale")
    case.answer("1-Bo", "whale")
    assert status(case) == ("accepted", 1)
    change_settings(case.workspace, None, NAME, {"review.accept": "off", "review.people": 3})
    assert status(case) == ("accepted", 1)


def test_one_annotator_per_task_does_not_fill_the_queue(tmp_path: Path) -> None:
    """One of two waits; where one is wanted, nobody has to look; flagged, somebody has."""
    case = reviewed(tmp_path, 2)
    case.answer("1-Ada", "whale")
    change_settings(case.workspace, None, NAME, {"overlap": 1})
    case.reviews.acceptance.settle(CAMPAIGN)
    assert status_counts(case.workspace.engine, [CAMPAIGN]) == {"alone": 1}
    case.do("1-Ada", ev.Reopened(), ev.Flagged(comment="blurred"), ev.Submitted(outcome="answered"))
    assert status(case) == ("single", 0)


def test_only_these_settings_change_and_nobody_overwrites_another(tmp_path: Path) -> None:
    """What annotators see stays; a setting must be as it was seen; archived ones are read-only."""
    case = reviewed(tmp_path, 2)
    read_settings = changeable_settings(protocol_of_campaign(case.workspace, NAME))
    assert read_settings["overlap"] == 2 and read_settings["review.people"] == 2
    for key, value in (("search.top_k", 9), ("review.nothing", 1), ("review.people", 0),
                       ("review.parts.boxes", 0.5)):  # fmt: skip
        with pytest.raises(ProtocolError):
            change_settings(case.workspace, None, NAME, {key: value})
    with pytest.raises(NotFoundError):
        change_settings(case.workspace, None, "Nothing", {"overlap": 3})
    with pytest.raises(Forbidden):
        ada = find_person(case.workspace, "Ada")
        change_settings(case.workspace, ada, NAME, {"overlap": 3})
    assert change_settings(case.workspace, None, NAME, {"overlap": 2}) == []
    assert change_settings(
        case.workspace, None, NAME, {"overlap": 3}, expected_values=read_settings
    )
    with pytest.raises(ConflictError, match="Somebody else has changed overlap"):
        change_settings(case.workspace, None, NAME, {"overlap": 4}, expected_values=read_settings)
    assert change_settings(
        case.workspace, None, NAME, {"review.people": 3}, expected_values=read_settings
    )
    archive_campaign(case.workspace, None, NAME, unfinished=True)
    with pytest.raises(ConflictError, match="archived"):
        change_settings(case.workspace, None, NAME, {"overlap": 2})
