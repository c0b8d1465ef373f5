"""The rows of a campaign: who is in, and what becomes of everything else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.errors import NotFoundError, PagetrailError
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.metrics.input_rows import Measured, measure_attempts
from pagetrail.exports.run import export
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.attempts.system_attempts import ensure_attempt, ensure_system
from tests.exports.campaigns import CAMPAIGN
from tests.exports.reports.metrics.answered import P1, Scene, Try, make_scene, task
from tests.exports.reports.metrics.judged import JUDGED_CAMPAIGN, judged_scene
from tests.support.factory import AttemptDriver


def read(scene: Scene, **options: Any) -> Measured:
    """The rows of the scene."""
    with open_source(scene.stage.workspace, CAMPAIGN) as source:
        return measure_attempts(source, **options)


def reasons(measurement: Measured) -> dict[tuple[str, str], int]:
    """(what, reason) → count."""
    return {(entry.what, entry.reason): entry.count for entry in measurement.left_out}


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """Two people and two systems at four tasks, in every status that there is."""
    scene = make_scene(
        tmp_path_factory.mktemp("scene"), [task(f"q{n}", P1) for n in range(1, 5)], ("Ada", "Bo")
    )
    scene.person("Ada", {"q1": Try(), "q2": Try("99")})
    scene.person("Bo", {"q1": Try()})
    scene.skip("Bo", "q2")
    scene.stage.did("q3", "Ada", ev.Opened(session="tab-1"))
    scene.system("gpt", {"q1": Try(), "q2": Try()}, results_known=False)
    scene.system("llama", {"q1": Try()}, timed=True)
    return scene


def test_who_is_in(scene: Scene) -> None:
    """Submitted attempts of people under pseudonyms and of systems under their names, by task."""
    measurement = read(scene)
    assert [(row.task, row.system, row.person) for row in measurement.rows] == [
        ("q1", "annotator-1", True),
        ("q1", "annotator-2", True),
        ("q1", "gpt", False),
        ("q1", "llama", False),
        ("q2", "annotator-1", True),
        ("q2", "gpt", False),
    ]
    assert measurement.systems == ["gpt", "llama"]
    assert [row.system for row in measurement.of_system("llama")] == ["llama"]
    assert {(row.campaign, row.batch) for row in measurement.rows} == {(CAMPAIGN, "Aquarius")}


def test_everything_is_accounted_for(scene: Scene) -> None:
    """All attempts of the campaign are a row or left out for one reason; skips are a fact."""
    measurement = read(scene)
    assert reasons(measurement) == {
        ("attempt", "never_opened"): 3,
        ("attempt", "status_open"): 1,
        ("attempt", "status_skipped"): 1,
    }
    assert len(measurement.rows) + sum(reasons(measurement).values()) == 4 * 2 + 3
    assert measurement.facts == {
        "Tasks of the campaign": 4,
        "Tasks measured": 2,
        "Attempts measured": 6,
        "Attempts of people": 3,
        "Attempts of systems": 3,
        "Annotators": 2,
        "Systems": 2,
        "Attempts at unanswerable tasks": 0,
        "Attempts undecided, counted as incorrect": 0,
        "Attempts skipped": 1,
        "Attempts without times": 2,
        "Attempts without result lists": 2,
    }


def test_only_named_systems_are_compared(scene: Scene) -> None:
    """The others are counted; with no name there are people only."""
    measurement = read(scene, compare=["llama"])
    assert [row.system for row in measurement.rows if not row.person] == ["llama"]
    assert reasons(measurement)["attempt", "system_not_compared"] == 2
    assert [row.person for row in read(scene, compare=[]).rows] == [True] * 3


@pytest.mark.parametrize("name", ["claude", "Ada", "annotator-1"])
def test_an_unknown_system_is_refused(scene: Scene, name: str) -> None:
    """The message names those there are; people are no systems."""
    with pytest.raises(NotFoundError, match=f"no work of a system '{name}'. Systems: gpt, llama"):
        read(scene, compare=["gpt", name])


def test_a_campaign_without_systems_says_so(tmp_path: Path) -> None:
    """There is nothing to choose from."""
    with pytest.raises(NotFoundError, match="It has none yet"):
        read(make_scene(tmp_path, [task("q1", P1)]), compare=["gpt"])


def test_people_may_be_identified(scene: Scene) -> None:
    """Where that is asked for, under their own names."""
    with open_source(scene.stage.workspace, CAMPAIGN, identify=True) as source:
        assert {row.system for row in measure_attempts(source, compare=[]).rows} == {"Ada", "Bo"}


def test_verdicts_decide_the_answers_that_they_were_given_on(tmp_path: Path) -> None:
    """Two judges that differ: the lower verdict. Word order does not matter, another answer does;
    people are found by pseudonym, also as the MADQA export calls them.
    """
    measurement = read(judged_scene(tmp_path), judgements=JUDGED_CAMPAIGN)
    assert {(row.task, row.system): row.correctness.judgement for row in measurement.rows} == {
        ("q1", "annotator-1"): 0,
        ("q2", "annotator-1"): 0.5,
        ("q3", "annotator-1"): None,
        ("q1", "gpt"): 0,
        ("q2", "gpt"): 0.5,
        ("q3", "gpt"): None,
    }


def test_verdicts_are_accounted_for(tmp_path: Path) -> None:
    """Those on tasks and systems that are not measured, and on answers that have changed."""
    measurement = read(judged_scene(tmp_path), judgements=JUDGED_CAMPAIGN)
    assert reasons(measurement)["prediction", "no_attempt_matches"] == 2
    assert reasons(measurement)["prediction", "another_answer_was_judged"] == 1
    assert {name: measurement.facts[name] for name in list(measurement.facts)[-6:]} == {
        "Judges": 2,
        "Attempts judged": 4,
        "Attempts not judged": 2,
        "Predictions judged": 7,
        "Predictions on which judges differ": 1,
        "Judgements of one’s own answer": 2,
    }


def test_without_a_name_nobody_judges(tmp_path: Path) -> None:
    """A campaign of judges in the same workspace decides nothing by itself."""
    measurement = read(judged_scene(tmp_path))
    assert all(row.correctness.judgement is None for row in measurement.rows)
    assert "Judges" not in measurement.facts


def test_what_gives_no_verdicts_is_refused(scene: Scene) -> None:
    """No such campaign, and one that asks for no verdict."""
    with pytest.raises(NotFoundError, match="no campaign 'Nobody'"):
        read(scene, judgements="Nobody")
    with pytest.raises(PagetrailError, match="gives no verdicts") as refused:
        read(scene, judgements=CAMPAIGN)
    assert refused.value.code == "no_verdicts"


def test_judgements_of_own_answers_are_marked(tmp_path: Path) -> None:
    """Ada judged two answers of hers: counted, said with the judges, marked in the export."""
    scene = judged_scene(tmp_path)
    assert read(scene, judgements=JUDGED_CAMPAIGN).facts["Judgements of one’s own answer"] == 2
    report = scene.report(judgements=JUDGED_CAMPAIGN)
    (judges,) = (section for section in report.sections if section.title == "Judges")
    assert "2 judgements are of the judge's own answer." in judges.notes
    export(scene.stage.workspace, JUDGED_CAMPAIGN, "judgements", tmp_path / "out")
    rows = map(json.loads, (tmp_path / "out/judgements.jsonl").read_text("utf-8").splitlines())
    marked = [(row["question_id"], row["annotator"]) for row in rows if row["own_answer"]]
    assert marked == [("q1", "annotator-1"), ("q2", "annotator-1")]


def test_verdicts_of_machines_are_no_yardstick(tmp_path: Path) -> None:
    """A system that judges too is counted, and moves no verdict of people."""
    scene = judged_scene(tmp_path)
    engine, clock = scene.stage.workspace.engine, scene.clock
    judge = ensure_system(scene.stage.workspace, "llm-judge", clock=clock)
    row = ensure_attempt(scene.stage.workspace, JUDGED_CAMPAIGN, "q2#1", judge, clock=clock)
    driver = AttemptDriver(SqlEventLog(engine), row.context(), clock)
    for payload in (
        ev.Opened(session="tab-1"),
        ev.FieldSet(field="verdict", value="incorrect"),
        ev.FieldSet(field="issue", value="refusal"),
        ev.Submitted(outcome="completed"),
    ):
        assert not driver.do(payload).refusals
    measurement = read(scene, judgements=JUDGED_CAMPAIGN)
    (judged_row,) = [row for row in measurement.of_system("gpt") if row.task == "q2"]
    assert judged_row.correctness.judgement == 0.5
    assert reasons(measurement)["verdict", "of_a_system"] == 1
    assert measurement.facts["Judges"] == 2
