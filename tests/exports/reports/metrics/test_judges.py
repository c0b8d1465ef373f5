"""The section on judges: imported verdicts next to people's judgements, worked out by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.metrics.input_rows import measure_attempts
from pagetrail.exports.reports.metrics.report import MetricsOptions, metrics
from pagetrail.exports.reports.model import Cell, Report
from pagetrail.storage.campaigns.lookup import get_open_campaign
from pagetrail.storage.campaigns.samples import SampleDesign, store_draw
from pagetrail.storage.campaigns.verdict_sets import JudgeInfo
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.importers.files.rows import RawRow, TaskFile
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.importers.verdicts.importer import import_verdicts
from tests.exports.campaigns import CAMPAIGN
from tests.exports.reports.metrics.answered import P1, Scene, Try, line, lines, make_scene, task
from tests.exports.reports.metrics.judged import JUDGED_CAMPAIGN, judging
from tests.exports.reports.metrics.test_whole import sound
from tests.storage.task_data import write_jsonl

N_TASKS = 8
EXACT = ("q0", "q1")
JUDGEMENTS = {
    "q2": "correct",
    "q3": "correct",
    "q4": "partial",
    "q5": "incorrect",
    "q6": "incorrect",
}
FIRST_RUN = {"q0": 0, "q2": 1, "q3": 0.5, "q4": 0, "q5": 0, "q6": 0.5, "q7": 1}
SECOND_RUN = {"q2": 1, "q3": 1, "q4": 0, "q5": 0, "q6": 0, "q7": 1}


def verdict_file(path: Path, system: str, verdicts: dict[str, float]) -> Path:
    """One row per task."""
    rows = [{"task": key, "system": system, "verdict": v} for key, v in verdicts.items()]
    return write_jsonl(path, rows)


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    """gpt answers two of eight tasks with the gold; people judge five of the others.

    llama answers two tasks, of which nobody judges any. The judge has two runs.
    """
    tasks = [task(f"q{n}", P1, category=f"c{n % 2}") for n in range(N_TASKS)]
    scene = make_scene(tmp_path, tasks, ("Ada", "Bo"))
    answers = {f"q{n}": Try("42" if f"q{n}" in EXACT else f"7{n}") for n in range(N_TASKS)}
    scene.system("gpt", answers)
    scene.system("llama", {"q0": Try(None), "q2": Try("7")})
    judging(
        scene,
        [
            ("q0", "gpt", "42", "Ada", "incorrect"),
            *((key, "gpt", f"7{key[1]}", "Ada", v) for key, v in JUDGEMENTS.items()),
        ],
    )
    for run, verdicts in enumerate((FIRST_RUN, SECOND_RUN), start=1):
        judge = JudgeInfo("panel", "m-1", round=2, run=run)
        import_set(scene, tmp_path, "gpt", verdicts, f"run {run}", judge)
    import_set(scene, tmp_path, "llama", {"q2": 1}, "run 1", JudgeInfo("panel"))
    return scene


def import_set(
    scene: Scene, folder: Path, system: str, verdicts: dict[str, float], name: str, judge: JudgeInfo
) -> None:
    """Import verdicts without anything left out."""
    file = verdict_file(folder / f"{system}-{name}.jsonl", system, verdicts)
    report = import_verdicts(scene.stage.workspace, file, campaign=CAMPAIGN, name=name, judge=judge)
    assert not report.left_out


def report_of(scene: Scene, verdicts: str | None = None, **options: Any) -> Report:
    """The report with few replicates."""
    with open_source(scene.stage.workspace, CAMPAIGN, verdicts=verdicts) as source:
        return metrics(source, MetricsOptions(replicates=20, **options))


def test_verdicts_decide_and_people_calibrate(scene: Scene) -> None:
    """Accuracy goes by the imported verdicts, sensitivity and specificity by people."""
    report = report_of(scene, "run 1", judgements=JUDGED_CAMPAIGN)
    sound(report)
    # By the verdicts q2, q3, q6 and q7 are correct, q1 by gold; the verdict on q0 decides, too.
    assert line(report, "results", side="gpt")["accuracy"].value == 5 / 8
    cells = line(report, "judges-agreement", judge="run 1")
    # q2 and q5 have the same verdict; q3 differs, q4 is called wrong, q6 partly correct.
    assert (cells["answers"].value, cells["agreement"].value) == (5, 2 / 5)
    assert cells["sensitivity"].value == pytest.approx(2 / 3)
    assert cells["specificity"].value == pytest.approx(1 / 2)
    assert cells["sensitivity"].low is not None
    (section,) = (part for part in report.sections if part.title == "Judges")
    assert section.notes == [
        "The imported verdicts “run 1” decide which answers are correct in this report.",
        f"Reference: the annotators' verdicts in campaign {JUDGED_CAMPAIGN}.",
    ]


def test_confusion_table(scene: Scene) -> None:
    """Exact matches are not in it, although q0 has a verdict and a judgement."""
    report = report_of(scene, judgements=JUDGED_CAMPAIGN)
    rows = [
        tuple(row.cells[key].value for key in ("people", "correct", "partial", "incorrect"))
        for row in report_table_rows(report, "judges-confusion", "run 1")
    ]
    assert rows == [("correct", 1, 1, 0), ("partly correct", 0, 0, 1), ("incorrect", 0, 1, 1)]


def report_table_rows(report: Report, key: str, judge: str) -> list[Any]:
    """A judge's rows of a table."""
    return lines(report, key, judge=judge)


def test_exact_matches_stay_outside_the_correction(scene: Scene) -> None:
    """Of 8 answers 2 match exactly; of the other 6 the judge calls 4 correct.

    θ = (4/6 + 1/2 − 1) / (2/3 + 1/2 − 1) = 1, so the corrected accuracy is 2/8 + 6/8.
    """
    report = report_of(scene, judgements=JUDGED_CAMPAIGN)
    cells = line(report, "judges-corrected", judge="run 1", side="gpt")
    keys = ("attempts", "without_judge", "judged", "not_judged", "calibration")
    assert [cells[key].value for key in keys] == [8, 2, 6, 0, 5]
    assert cells["raw"].value == 6 / 8
    assert cells["corrected"].value == pytest.approx(1)
    assert cells["judged_right"].value == 3 / 6
    row = line(report, "judges", judge="run 1")
    keys = ("verdicts", "used", "exact", "other", "compared", "round", "run", "who", "model")
    assert [row[key].value for key in keys] == [8, 7, 1, 0, 5, 2, 1, "panel", "m-1"]
    assert row["date"] == Cell(reason="not_stated")


def test_uncalibrated_system_is_flagged(scene: Scene) -> None:
    """Nobody judged llama's answers; without an answer no verdict is needed."""
    report = report_of(scene, judgements=JUDGED_CAMPAIGN)
    cells = line(report, "judges-corrected", judge="run 1", side="llama")
    assert cells["corrected"].flag == "not_calibrated_on"
    keys = ("without_judge", "judged", "calibration")
    assert [cells[key].value for key in keys] == [1, 1, 0]
    assert cells["raw"].value == 1 / 2
    own = line(report, "judges-corrected", judge="run 1", side="gpt")
    assert own["corrected"].flag != "not_calibrated_on"


def test_judges_by_participant_and_category(scene: Scene) -> None:
    """Even tasks are of one category, odd ones of the other."""
    report = report_of(scene, judgements=JUDGED_CAMPAIGN)
    assert line(report, "judges-by-participant", judge="run 1", side="gpt")["answers"].value == 5
    even, odd = report_table_rows(report, "judges-by-category", "run 1")
    assert (even.cells["answers"].value, odd.cells["answers"].value) == (3, 2)
    assert (even.cells["sensitivity"].value, odd.cells["sensitivity"].value) == (1 / 2, 1)


def test_repeated_runs(scene: Scene) -> None:
    """Of 6 answers in both runs, q3 and q6 flip, q6 between correct and incorrect."""
    report = report_of(scene)
    cells = line(report, "judges-runs", judge="panel")
    keys = ("round", "runs", "answers", "flips", "flip_share", "crossing")
    assert [cells[key].value for key in keys] == [2, 2, 6, 2, 2 / 6, 1]
    assert cells["mean"].value == pytest.approx((4 / 6 + 3 / 6) / 2)
    assert cells["sd"].value == pytest.approx((1 / 6) / 2**0.5)
    assert 0 < cells["alpha"].value < 1


def test_judges_without_people(scene: Scene) -> None:
    """Who judged and raw accuracy are shown; the section says that nobody has judged."""
    report = report_of(scene)
    sound(report)
    assert "judges-agreement" not in [table.key for table in report.tables]
    cells = line(report, "judges-corrected", judge="run 2", side="gpt")
    assert cells["raw"].value == 5 / 8
    assert cells["corrected"] == Cell(reason="not_calibrated")
    by_verdicts = report_of(scene, "run 2")
    assert line(by_verdicts, "judges", judge="run 2")["decides"].value == "yes"
    # Imported verdicts are nobody's judgements, also where they decide.
    assert "judges-confusion" not in [table.key for table in by_verdicts.tables]
    (section,) = (part for part in by_verdicts.sections if part.title == "Judges")
    assert section.notes[-1].startswith("Nobody has judged these answers")


def test_judging_campaign_without_judgements(scene: Scene, tmp_path: Path) -> None:
    """A campaign in which nobody has judged yet is no reference."""
    row = task("q2", P1, prediction={"system": "gpt", "answer": "72"})
    import_tasks(
        scene.stage.workspace,
        write_jsonl(tmp_path / "open.jsonl", [row]),
        campaign="Unjudged",
        protocol="judge",
    )
    report = report_of(scene, judgements="Unjudged")
    (section,) = (part for part in report.sections if part.title == "Judges")
    assert [note.split(",")[0] for note in section.notes] == ["Nobody has judged these answers"]


def test_rounds_of_a_prompt(scene: Scene, tmp_path: Path) -> None:
    """The first run of each round counts; the chart has a point for each."""
    import_set(
        scene, tmp_path, "gpt", dict.fromkeys(JUDGEMENTS, 0), "old", JudgeInfo("panel", round=1)
    )
    report = report_of(scene, judgements=JUDGED_CAMPAIGN)
    sound(report)
    rows = lines(report, "judges-rounds")
    assert [
        (row.cells["round"].value, row.cells["set"].value, row.cells["agreement"].value)
        for row in rows
    ] == [(1, "old", 2 / 5), (2, "run 1", 2 / 5)]
    assert "judges-rounds-agreement" in [chart.key for chart in report.charts]


def test_judges_do_not_depend_on_the_order_of_import(scene: Scene, tmp_path: Path) -> None:
    """The sets are by judge, round and run."""
    with open_source(scene.stage.workspace, CAMPAIGN) as source:
        assert [judge.name for judge in measure_attempts(source).judges] == ["run 1", "run 2"]
    import_set(scene, tmp_path, "gpt", {"q2": 1}, "a", JudgeInfo("panel", "m-1", round=2, run=3))
    import_set(scene, tmp_path, "gpt", {"q2": 1}, "z", JudgeInfo("expert"))
    with open_source(scene.stage.workspace, CAMPAIGN) as source:
        names = [judge.name for judge in measure_attempts(source).judges]
    assert names == ["z", "run 1", "run 2", "a"]


def draw_sample(scene: Scene) -> None:
    """20 answers called correct, of which 3 are judged, and 5 called incorrect, of which 2 are."""
    strata = {("correct",): 20, ("incorrect",): 5}
    design = SampleDesign("predictions", CAMPAIGN, ("verdict",), "run 1", 7, "digest", strata)
    tasks = {
        f"{key}#{number}": ("correct" if FIRST_RUN[key] else "incorrect",)
        for number, key in enumerate(JUDGEMENTS, start=1)
    }
    with write_transaction(scene.stage.workspace.engine) as connection:
        judged = get_open_campaign(connection, JUDGED_CAMPAIGN)
        store_draw(connection, judged.id, design, tasks, scene.clock)


def test_drawn_sample_is_weighted(scene: Scene) -> None:
    """The judged answers weigh 20/3 and 5/2. People find 2 of the 3 and 1 of the 2 correct."""
    draw_sample(scene)
    report = report_of(scene, judgements=JUDGED_CAMPAIGN)
    sound(report)
    cells = line(report, "judges-agreement", judge="run 1")
    assert cells["answers"].value == 5
    assert cells["sensitivity"].value == pytest.approx((40 / 3) / (40 / 3 + 5 / 2))
    assert cells["specificity"].value == pytest.approx((5 / 2) / (5 / 2 + 20 / 3))
    even = report_table_rows(report, "judges-by-category", "run 1")[0]
    # q2 and q6 are called correct, q4 incorrect; their inclusion probabilities stay.
    assert even.cells["sensitivity"].value == pytest.approx((20 / 3) / (20 / 3 + 5 / 2))
    (section,) = (part for part in report.sections if part.title == "Judges")
    assert any("People judged a sample" in note for note in section.notes)


def test_beside_another_campaign_a_sample_is_weighted_too(scene: Scene, tmp_path: Path) -> None:
    """Each campaign's judges are compared on its own answers, with the weights of its sample."""
    draw_sample(scene)
    import_tasks(
        scene.stage.workspace,
        TaskFile([RawRow(0, task("q2", P1))]),
        campaign="Oracle",
        protocol="oracle",
        assign=False,
    )
    scene.system("gpt", {"q2": Try("72")}, campaign="Oracle")
    file = verdict_file(tmp_path / "oracle.jsonl", "gpt", {"q2": 1})
    judge = JudgeInfo("panel", "m-1", round=2, run=1)
    import_verdicts(scene.stage.workspace, file, campaign="Oracle", name="run 1", judge=judge)
    alone = report_of(scene, judgements=JUDGED_CAMPAIGN)
    together = report_of(scene, judgements=JUDGED_CAMPAIGN, beside=["Oracle"])
    sound(together)
    name = f"run 1 · {CAMPAIGN}"
    expected = line(alone, "judges-agreement", judge="run 1")
    cells = line(together, "judges-agreement", judge=name)
    assert {**cells, "judge": None} == {**expected, "judge": None}
    sides = {
        (row.cells["judge"].value, row.cells["side"].value)
        for row in lines(together, "judges-corrected")
        if str(row.cells["judge"].value).startswith("run 1")
    }
    gpt = [f"gpt · {campaign}" for campaign in (CAMPAIGN, "Oracle")]
    assert {(name, gpt[0]), ("run 1 · Oracle", gpt[1])} < sides
    assert not sides & {(name, gpt[1]), ("run 1 · Oracle", gpt[0])}
