"""Reviewers and annotators at the same task at the same moment."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from threading import Barrier

import pytest
from sqlalchemy import select

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command
from pagetrail.annotation.errors import ConflictError, Refusal
from pagetrail.annotation.review import Pick
from pagetrail.storage.attempts import queries
from pagetrail.storage.database.tables import ReviewTask
from pagetrail.storage.review.actions import ReviewedVersion, Reviews
from pagetrail.storage.review.gold_streams import GoldStreams
from tests.storage.review.test_actions import PROTOCOL, RECORDS
from tests.support.at_once import run_at_once
from tests.support.review_campaign import CAMPAIGN, Reviewed, campaign

ROUNDS = 25


def _decide(
    reviewed: Reviewed,
    name: str,
    number: int,
    version: ReviewedVersion,
    start: Barrier,
    outcomes: dict[str, str | None],
) -> None:
    reviewer = Reviewed(reviewed.workspace, reviewed.clock)
    start.wait()
    try:
        reviewer.reviews.decide(
            1, name, {"outcome": Pick("majority")}, "", version, f"{name}-{number}"
        )
    except (ConflictError, Refusal) as error:
        outcomes[name] = error.code
    else:
        outcomes[name] = None


def _hand_in_anew(reviewed: Reviewed, number: int, start: Barrier) -> None:
    """In one call, or in three with room between them for others."""
    context = queries.attempt(reviewed.workspace.engine, "1-Bo").context()
    payloads: list[ev.Payload] = [
        ev.Reopened(),
        ev.AnswerEdited(text=f"answer {number}"),
        ev.Submitted(outcome="answered"),
    ]
    commands = [Command(f"n{number}-{index}", payload) for index, payload in enumerate(payloads)]
    start.wait()
    for sent in [commands] if number % 3 else [[command] for command in commands]:
        reviewed.recorder.record(context, sent)


def test_deciding_while_an_annotator_hands_in_anew_loses_neither(tmp_path: Path) -> None:
    """Every round both act at once, two reviewers among them. The new work is always stored; at
    most one decides, on the work that they saw; and the task is decided with those very sources,
    or changed, or still to be decided.
    """
    reviewed = campaign(tmp_path / "ws", PROTOCOL, RECORDS)
    reviewed.answer("1-Ada", "42", 1)
    reviewed.answer("1-Bo", "forty", 2)
    decided = changed = 0
    for number in range(ROUNDS):
        version = reviewed.current_version(1)
        before = reviewed.state("1-Bo").last_seq
        outcomes: dict[str, str | None] = {}
        start = Barrier(3)
        decisions = [
            partial(_decide, reviewed, name, number, version, start, outcomes)
            for name in ("Sofia", "Sven")
        ]
        run_at_once([*decisions, partial(_hand_in_anew, reviewed, number, start)])

        bo = reviewed.state("1-Bo")
        assert (bo.answer, bo.status, bo.last_seq) == (
            [f"answer {number}"],
            "submitted",
            before + 3,
        )
        won = [name for name, refusal in outcomes.items() if refusal is None]
        assert len(won) <= 1
        assert set(outcomes) == {"Sofia", "Sven"}
        gold = reviewed.reviews.streams.gold(1)
        review = reviewed.state(gold.attempt_id).review
        reviewed.reviews.acceptance.settle(CAMPAIGN)
        with reviewed.workspace.engine.connect() as connection:
            stands = connection.execute(
                select(ReviewTask.status).where(ReviewTask.task_id == 1)
            ).scalar_one()
        if won:
            assert review is not None
            assert review.decided_by == won[0]
            assert {s.attempt: s.seq for s in review.sources} == version.sources
            assert stands == "changed"
            changed += 1
            reviewed.reviews.take_up(1, "Sofia", "again", f"up-{number}")
            reviewed.reviews.release(1, "Sofia", f"free-{number}")
        else:
            assert review is None or not review.decided
            assert stands == "conflict"
            decided += 1
        kinds = [e.type for e in reviewed.log.events(gold.attempt_id)]
        assert kinds.count("adjudicated") == kinds.count("gold_merged") == changed
    assert changed + decided == ROUNDS


@pytest.mark.parametrize("act", ["decide", "put_together"])
def test_an_act_sent_again_while_it_is_carried_out_is_no_conflict(
    act: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second comes to its end between the first's reading and writing: both are answered, and
    it is stored once.
    """
    reviewed = campaign(tmp_path / "ws", PROTOCOL, RECORDS)
    reviewed.answer("1-Ada", "42", 1)
    reviewed.answer("1-Bo", "forty", 2)
    reason = ("so",) if act == "decide" else ()
    picks = {part: Pick("side", "1-Bo") for part in ("answer", "evidence")}
    request = (1, "Sven", picks, *reason, reviewed.current_version(1), "e1")
    merged = GoldStreams.merged_draft

    def overtaken(streams: GoldStreams, task: int, picks: Mapping[str, Pick]) -> ev.GoldMerged:
        monkeypatch.undo()
        getattr(Reviewed(reviewed.workspace, reviewed.clock).reviews, act)(*request)
        return merged(streams, task, picks)

    monkeypatch.setattr(GoldStreams, "merged_draft", overtaken)
    state = getattr(reviewed.reviews, act)(*request).state
    assert state.review.version == (act == "decide")
    kinds = [e.type for e in reviewed.log.events(reviewed.reviews.streams.gold(1).attempt_id)]
    assert kinds == ["gold_merged", "adjudicated"][: 1 + len(reason)]


def test_settling_one_task_from_everywhere_at_once_makes_gold_once(tmp_path: Path) -> None:
    """The thread beside the server, a supervisor's screen and the command do the same at once."""
    reviewed = campaign(tmp_path / "ws", PROTOCOL, RECORDS)
    review_services = [Reviewed(reviewed.workspace, reviewed.clock).reviews for _ in range(3)]
    for task in (1, 2, 3, 4):
        for name in ("Ada", "Bo"):
            reviewed.answer(f"{task}-{name}", "seal", 3)
        start = Barrier(3)
        gold_counts: list[int] = []

        def settle_one(reviews: Reviews, task: int, start: Barrier, gold_counts: list[int]) -> None:
            start.wait()
            gold_counts.append(int(reviews.acceptance.settle_task(task)))

        def settle_all(reviews: Reviews, start: Barrier, gold_counts: list[int]) -> None:
            start.wait()
            gold_counts.append(reviews.acceptance.settle(CAMPAIGN))

        run_at_once(
            [
                partial(settle_one, review_services[0], task, start, gold_counts),
                partial(settle_one, review_services[1], task, start, gold_counts),
                partial(settle_all, review_services[2], start, gold_counts),
            ]
        )
        gold = reviewed.reviews.streams.gold(task).attempt_id
        kinds = [e.type for e in reviewed.log.events(gold)]
        assert kinds == ["gold_merged", "adjudicated"]
        # Whoever accepted it says so; the others saw that it was done.
        assert sum(gold_counts) == 1
        assert len(gold_counts) == 3
