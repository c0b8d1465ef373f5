"""What the scripted supervisor plants."""

from __future__ import annotations

import json
from pathlib import Path

from pagetrail.annotation.protocols.protocol import preset, preset_names
from pagetrail.annotation.protocols.review_parts import review_parts
from scripts.supervisor_plans import CAMPAIGNS
from scripts.supervisor_run import plant, wrong_gold


def test_every_preset_is_planted() -> None:
    """A choice names a part of the preset's protocol, and each task has gold to compare with."""
    assert set(CAMPAIGNS) == set(preset_names())
    for name, tasks in CAMPAIGNS.items():
        parts = {"*", *review_parts(preset(name))}
        for planted in tasks:
            assert planted.gold
            assert set(planted.choices) <= parts, (name, planted.differs)
            json.dumps(planted.record)


def test_work_that_nobody_has_decided_is_not_the_gold_that_was_planted(tmp_path: Path) -> None:
    """The real work of three people in one campaign; a check that everything passes proves
    nothing."""
    plant(tmp_path, ["judge"])
    warnings = wrong_gold(tmp_path / "ws")
    assert [line.split(":")[0] for line in warnings] == ["WRONG GOLD judge-1", "WRONG GOLD judge-2"]
