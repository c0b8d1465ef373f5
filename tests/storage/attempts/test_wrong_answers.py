"""Lists that show wrong answers only."""

from __future__ import annotations

from pathlib import Path

from pagetrail.annotation import events as ev
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.storage.attempts.replay_lists import AttemptFilter, find
from pagetrail.storage.attempts.wrong_answers import wrong_attempts
from pagetrail.storage.progress.flagged_attempts import flagged_attempts
from tests.support.review_campaign import CAMPAIGN, campaign


def test_wrong_answers_are_those_that_no_gold_answer_matches(tmp_path: Path) -> None:
    """Also whoever found none; not without gold, nor what is not submitted."""
    protocol = with_overrides(preset("search"), {"overlap": 2, "evidence.required": False})
    records = [
        {"id": "t/1", "question": "Who?", "answer_variants": [["seal"], ["grey seal"]]},
        {"id": "t/2", "question": "Who else?"},
    ]
    case = campaign(tmp_path / "ws", protocol, records)
    engine = case.workspace.engine
    case.answer("1-Ada", "Grey seal")
    case.do("1-Bo", ev.Flagged(comment="hm"), ev.Submitted(outcome="not_found"))
    case.answer("2-Ada", "whale")
    case.do("2-Bo", ev.AnswerEdited(text="whale"))
    assert wrong_attempts(engine, "Random") == ["1-Bo"]
    wrong_page = find(engine, AttemptFilter(campaign="Random", wrong=True))
    assert ([row.attempt_id for row in wrong_page.rows], wrong_page.total) == (["1-Bo"], 1)
    assert flagged_attempts(engine, CAMPAIGN, wrong=wrong_attempts(engine, "Random"))[1] == 1
    assert flagged_attempts(engine, CAMPAIGN, wrong=[])[1] == 0
