"""Attempts as tasks for judges of trajectories, and what is made of their verdicts."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.protocols.protocol import preset
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reading.source import WrittenFiles
from pagetrail.exports.reports.metrics.input_rows import UNDECIDED_ATTEMPTS, measure_attempts
from pagetrail.exports.reports.metrics.judging.judge_verdicts import Verdict
from pagetrail.exports.reports.metrics.judging.sampled_answers import judged_sample
from pagetrail.exports.reports.metrics.judging.trajectory_tasks import trajectory_tasks
from pagetrail.exports.run import export
from pagetrail.exports.sampling import SampleRequest, draw_sample
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.snapshot.snapshot import snapshot
from tests.exports.campaigns import CAMPAIGN, make_stage
from tests.exports.worked_campaigns import ANNEX, OPENED, REPORT, page
from tests.support.factory import searched

TASK = {
    "id": "q1",
    "question": "How many otters?",
    "answer_variants": [["42"]],
    "evidence": [page(3)],
}


def test_steps_are_told_and_nobody_is_named(tmp_path: Path) -> None:
    """Pages read one after another are one step; typing is none; the file can be imported."""
    stage = make_stage(tmp_path / "ws", preset("search"), [TASK])
    read = [
        ev.PageViewed(document=document, page=number, via="document")
        for document, number in ((REPORT, 1), (REPORT, 2), (ANNEX, 1))
    ]
    stage.did(
        "q1",
        "Ada",
        OPENED,
        *read,
        searched(total_hits=2, pages=(3, 2)),
        ev.AnswerEdited(text="41"),
        ev.CitationAdded(document=ANNEX, page=1),
        ev.Submitted(outcome="answered"),
    )
    tally = WrittenFiles()
    with open_source(stage.workspace, CAMPAIGN, identify=True) as source:
        (row,) = trajectory_tasks(source, tally)
    assert row["id"] == "q1#1"
    assert [step["what"] for step in row["steps"]] == [
        f"Read {REPORT} pages 1, 2",
        f"Read {ANNEX} page 1",
        # The judges' replay reads it so: tests/js/steps.test.js.
        f"Searched for “otters”: 2 pages found, 2 shown\n1. {REPORT} page 3; 2. {REPORT} page 2",
        "Wrote as the answer “41”",
        f"Cited {ANNEX} page 1",
        "Submitted with an answer",
    ]
    assert row["candidates"] == [page(1), page(2), page(1, ANNEX), page(3)]
    assert row["prediction"] == {"system": "Ada", "answer": ["41"]}
    path = tmp_path / "tasks.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    report = import_tasks(stage.workspace, path, campaign="Judged", protocol="trajectory")
    assert (report.bad, report.imported) == ([], 1)


@pytest.mark.parametrize(
    ("failures", "failure"),
    [([], None), (["a"], "a"), (["a", "b"], None), (["a", "b", "b"], "b")],
)
def test_a_tie_of_judges_names_no_failure(failures: list[str], failure: str | None) -> None:
    """The kind that most of them named counts."""
    assert Verdict("q1#1", Counter(), failures=failures).failure == failure


@pytest.mark.parametrize("identify", [False, True])
def test_undecided_answers_can_be_judged_alone(tmp_path: Path, identify: bool) -> None:
    """Those that the rule leaves open, and a share of those that it decided, with their sample.

    Results find who answered whether the file has names or pseudonyms.

    They suit the preset ``judge`` too, so an answer without steps is among them. An exact answer
    needs no judge. Nothing of the sample is in the tasks that judges get.
    """
    answers = {"q1": "42 of 57", "q2": "42", "q3": "the river otter", "q4": "43"}
    tasks = [
        {**TASK, "id": id_, "answer_variants": [["sea otters" if id_ == "q3" else "42"]]}
        for id_ in answers
    ]
    stage = make_stage(tmp_path / "ws", preset("search"), tasks)
    for id_, answer in answers.items():
        payloads = [OPENED, ev.AnswerEdited(text=answer), ev.CitationAdded(document=REPORT, page=3)]
        stage.did(id_, "Ada", *payloads, ev.Submitted(outcome="answered"))
    out = tmp_path / "out"
    manifest = export(
        stage.workspace, CAMPAIGN, "trajectory-tasks", out, undecided=True, identify=identify
    )
    assert manifest.choices["answers"] == "undecided"
    decided = next(entry for entry in manifest.left_out if entry.reason == "decided")
    assert decided.ids == ["2-Ada"]
    path = out / "tasks.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    answers_by_stratum = {
        (row["prediction"]["answer"][0], *row["pagetrail_sample"]["stratum"]) for row in rows
    }
    assert answers_by_stratum == {
        ("42 of 57", "undecided"), ("the river otter", "undecided"), ("43", "incorrect"),
    }  # fmt: skip
    report = import_tasks(stage.workspace, path, campaign="Judged", protocol="judge")
    assert (report.bad, report.imported) == ([], 3)
    with snapshot(stage.workspace) as database:
        judging = database.campaign("Judged")
        sample = database.sample(judging.id)
        assert not any("pagetrail_sample" in task.record for task in database.tasks(judging.id))
    assert sample is not None and sample.design.source == CAMPAIGN
    assert sample.design.strata == {("incorrect",): 1, ("undecided",): 2}
    assert {sample.inclusion_probability(row["id"]) for row in rows} == {1.0}
    again = SampleRequest(
        into="Other", n=1, source=CAMPAIGN, allocation="undecided", fields=("verdict",)
    )
    report_of_draw = draw_sample(stage.workspace, again, dry=True)
    assert {key for s in report_of_draw.strata for key in s.keys} == {row["id"] for row in rows}
    with open_source(stage.workspace, CAMPAIGN) as source:
        measured_rows = measure_attempts(source)
        judged = judged_sample(source, "Judged")
    assert judged is not None and judged.missing == 0
    assert measured_rows.facts[UNDECIDED_ATTEMPTS] == 2
    with pytest.raises(PagetrailError, match="does not choose among answers"):
        export(stage.workspace, CAMPAIGN, "gold", tmp_path / "gold", undecided=True)
