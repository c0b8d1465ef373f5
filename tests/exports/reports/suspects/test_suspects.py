"""Suspect gold of a worked campaign: who is suspected and why, decisions, and scores after them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import pagetrail
from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Recorder
from pagetrail.annotation.costs.pay_rate import PayRate
from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.annotation.review.gold_correction import GoldCorrection
from pagetrail.exports.formats.gold import FILE
from pagetrail.exports.gold.gold_checks import read_checked_gold
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.metrics.report import MetricsOptions, metrics
from pagetrail.exports.reports.model import Report
from pagetrail.exports.reports.suspects.reading import SuspectGold, read_suspect_gold
from pagetrail.exports.reports.suspects.report import SuspectsOptions, suspects
from pagetrail.exports.run import export
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.campaigns.pay_rates import set_rate
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.importers.verdicts.importer import import_verdicts
from pagetrail.storage.review.actions import Reviews
from pagetrail.storage.review.gold_checks import GoldChecks, task_id_of
from tests.exports.adjudication import answered
from tests.exports.campaigns import CAMPAIGN, make_stage
from tests.exports.reports.metrics.answered import (
    P1,
    P2,
    Scene,
    Try,
    left_out,
    line,
    lines,
    make_scene,
    table,
    task,
    value,
)
from tests.exports.reports.metrics.judged import JUDGED_CAMPAIGN, judging
from tests.exports.worked_campaigns import box_drawn, page_field, task_field

SOLVED = [f"s{n}" for n in range(8)]


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    """Eight solved tasks; ``wrong`` where all say 43; ``hard`` where nobody has the same answer.

    Nobody has worked on ``idle``.
    """
    tasks = [task(key, P1) for key in (*SOLVED, "wrong", "hard", "idle")]
    protocol = with_overrides(
        preset("search"), {"review.control_share": 0.25, "review.families": {"GPT": ["gpt-*"]}}
    )
    made = make_scene(tmp_path, tasks, protocol=protocol)
    solved = {key: Try() for key in SOLVED}
    for name in ("Ada", "Grace"):
        odd = {"Ada": "57", "Grace": "100"}[name]
        made.person(name, solved | {"wrong": Try("43", cites=[P2]), "hard": Try(odd)})
    for name in ("gpt-a", "gpt-b"):
        made.system(name, solved | {"wrong": Try("43.0"), "hard": Try("42")})
    return made


def checks(scene: Scene) -> GoldChecks:
    stage = scene.stage
    recorder = Recorder(SqlEventLog(stage.workspace.engine), Corpus(stage.workspace), stage.clock)
    return GoldChecks(Reviews(stage.workspace, recorder, stage.clock).streams)


def id_of(scene: Scene, key: str) -> int:
    return task_id_of(scene.stage.workspace.engine, CAMPAIGN, key)


def read(scene: Scene) -> SuspectGold:
    with open_source(scene.stage.workspace, CAMPAIGN) as source:
        return read_suspect_gold(source)


def report(scene: Scene, **options: Any) -> Report:
    with open_source(scene.stage.workspace, CAMPAIGN) as source:
        return suspects(source, SuspectsOptions(replicates=50, **options))


def test_answers_are_grouped_by_the_rule_and_families_count_once(scene: Scene) -> None:
    gold = read(scene)

    labels = {p.name: p.labels["answer"] for p in gold.tasks["wrong"].participants}
    assert set(labels.values()) == {"answer: 43"}  # 43 and 43.0
    names = [(entry.participant, entry.person) for entry in gold.sample.accuracies]
    assert names[-1] == ("GPT", False)
    assert len(names) == 3
    assert gold.sample.assessed["wrong"].reasons == (
        "nobody_solved",
        "annotators_agree",
        "low_posterior",
    )
    hard = gold.tasks["hard"]
    assert {p.labels["answer"] for p in hard.participants} == {
        "gold",
        "answer: 57",
        "answer: 100",
    }
    assert gold.sample.without_labels == {"idle"}
    assert len(gold.sample.controls) == -(-len(gold.sample.unsuspected) // 4)


def test_undecided_answers_speak_neither_for_nor_against_gold(tmp_path: Path) -> None:
    """Nobody solved it, and two agree on it: yet no rule says that the gold differs."""
    made = make_scene(tmp_path, [task("open", P1), task("solved", P1)])
    for name in ("Ada", "Grace"):
        made.person(name, {"open": Try("42 or 43"), "solved": Try()})
    gold = read(made)
    assert [p.labels for p in gold.tasks["open"].participants] == [{}, {}]
    assert gold.sample.without_labels == {"open"}
    assert gold.sample.assessed["solved"].reasons == ()


def test_report_before_any_check(scene: Scene) -> None:
    made = report(scene)

    assert value(made, "gold-remaining", "remaining") is None
    assert line(made, "gold-remaining")["remaining"].reason == "no_control_checked"
    assert value(made, "gold-checks", "checked", stratum="All") == 0
    changes = {row.cells["change"].value for row in lines(made, "gold-scores")}
    assert changes == {0.0}
    queue = [row.cells["task"].value for row in table(made, "gold-queue").rows]
    assert queue == list(read(scene).sample.queue)


def test_control_sample_is_not_marked(scene: Scene) -> None:
    made, sample = report(scene), read(scene).sample

    words = {
        row.cells["task"].value: row.cells["reasons"].value
        for row in table(made, "gold-queue").rows
    }
    assert {words[key] for key in sample.controls} == {
        "Low probability in the model, or drawn at random"
    }
    assert "gold-queue" in {t.key for t in made.tables}
    assert all("posterior" not in column.key for t in made.tables for column in t.columns)


def test_decisions_change_the_scores_and_the_estimate(scene: Scene) -> None:
    control = min(read(scene).sample.controls)
    decide = checks(scene)
    decide.correct(
        id_of(scene, "wrong"), "Vera", GoldCorrection(answers=[["43"]], evidence=[P2]), "", 0, "e1"
    )
    decide.drop(id_of(scene, "hard"), "Vera", "two readings", 0, "e2")
    for number, key in enumerate(sorted(read(scene).sample.controls)):
        decide.confirm(id_of(scene, key), "Vera", 0, f"c{number}")

    made = report(scene)

    everything = line(made, "gold-checks", stratum="All")
    counts = [everything[name].value for name in ("confirmed", "corrected", "dropped")]
    assert counts == [len(read(scene).sample.controls), 1, 1]
    remaining = line(made, "gold-remaining")
    assert (remaining["wrong"].value, remaining["rate"].value) == (0, 0.0)
    assert remaining["remaining"].high > 0
    accuracy = line(made, "gold-scores", side="gpt-a", score="Accuracy", group=None)
    assert (accuracy["n_before"].value, accuracy["n_after"].value) == (10, 9)
    assert accuracy["before"].value == pytest.approx(9 / 10)
    assert accuracy["after"].value == 1.0  # hard is no longer counted, wrong is right
    assert control in {row.cells["task"].value for row in table(made, "gold-queue").rows}


def decide_both(scene: Scene) -> None:
    """Correct ``wrong`` and drop ``hard``."""
    decide = checks(scene)
    decide.correct(id_of(scene, "wrong"), "Vera", GoldCorrection(answers=[["43"]]), "", 0, "e1")
    decide.drop(id_of(scene, "hard"), "Vera", "two readings", 0, "e2")


def test_all_scores_that_depend_on_gold_have_a_before_and_an_after(scene: Scene) -> None:
    """Cost of a correct answer, comparison, time horizon and judges, besides the results."""
    set_rate(scene.stage.workspace, None, CAMPAIGN, None, PayRate.parse("2", "task", "USD"))
    decide_both(scene)

    made = report(scene)

    cost = line(made, "gold-scores", side="Humans", score="Cost per correct answer")
    assert cost["before"].value == pytest.approx(2 / (8 / 10))
    assert cost["after"].value == pytest.approx(2.0)
    difference = line(made, "gold-scores", group="Humans, gpt-a", score="Accuracy B")
    assert (difference["before"].value, difference["after"].value) == (0.9, 1.0)
    together = line(made, "gold-scores", side="gpt-b", group="Humans, either correct")
    assert (together["before"].value, together["after"].value) == (0.9, 1.0)
    scores = {row.cells["score"].value for row in lines(made, "gold-scores")}
    assert {"Accuracy", "Kappa", "Cost per correct answer"} <= scores
    assert "Cost per task" not in scores


@pytest.mark.parametrize(
    ("gold", "answer", "tasks"), [("corrected", "43", 10), ("original", "42", 11)]
)
def test_exports_by_checked_gold(
    scene: Scene, tmp_path: Path, gold: str, answer: str, tasks: int
) -> None:
    """Before the checks all eleven tasks with their gold; after them without the dropped one."""
    decide_both(scene)

    manifest = export(scene.stage.workspace, CAMPAIGN, "gold", tmp_path / "gold", gold=gold)

    rows = [json.loads(text) for text in (tmp_path / "gold" / FILE).read_text().splitlines()]
    answers = {row["id"]: row["answer_variants"] for row in rows}
    assert answers["wrong"] == [[answer]]
    assert len(answers) == tasks and ("hard" in answers) == (gold == "original")
    assert manifest.choices["gold"] == gold
    left = {entry.reason: entry.ids for entry in manifest.left_out}
    assert left.get("gold_dropped", []) == ([] if gold == "original" else ["hard"])
    scores = export(scene.stage.workspace, CAMPAIGN, "scores", tmp_path / "scores", gold=gold)
    assert scores.choices["gold"] == gold


def test_adjudicated_exports_leave_out_dropped_tasks(scene: Scene, tmp_path: Path) -> None:
    """Also where their gold was decided before; the reason is stated."""
    decide_both(scene)
    decide = checks(scene)
    solved = id_of(scene, "s1")
    decide.correct(solved, "Vera", GoldCorrection(answers=[["44"]]), "", 0, "e3")
    decide.drop(solved, "Vera", "two readings", 3, "e4")

    manifest = export(scene.stage.workspace, CAMPAIGN, "gold", tmp_path / "out", gold="adjudicated")

    rows = [json.loads(text) for text in (tmp_path / "out" / FILE).read_text().splitlines()]
    assert [row["id"] for row in rows] == ["wrong"]
    left = {entry.reason: entry.ids for entry in manifest.left_out}
    assert left["gold_dropped"] == ["s1"]


def test_formats_of_peoples_work_do_not_go_by_checked_gold(scene: Scene, tmp_path: Path) -> None:
    """The message names the formats that do."""
    with pytest.raises(PagetrailError, match=r"gold, .*scores.* do") as refused:
        export(scene.stage.workspace, CAMPAIGN, "coco", tmp_path / "out", gold="corrected")
    assert refused.value.code == "gold_not_taken"


def test_suspects_stay_the_same_while_they_are_checked(scene: Scene) -> None:
    before = read(scene).sample
    checks(scene).correct(
        id_of(scene, "wrong"), "Vera", GoldCorrection(answers=[["43"]]), "", 0, "e1"
    )

    after = read(scene).sample

    assert (after.queue, after.controls) == (before.queue, before.controls)


def test_metrics_with_corrected_gold(scene: Scene) -> None:
    decide = checks(scene)
    decide.correct(id_of(scene, "wrong"), "Vera", GoldCorrection(answers=[["43"]]), "", 0, "e1")
    decide.drop(id_of(scene, "hard"), "Vera", "two readings", 0, "e2")

    with open_source(scene.stage.workspace, CAMPAIGN) as source:
        made = metrics(source, MetricsOptions(gold="corrected", replicates=50))

    assert made.facts["Tasks with corrected gold"] == 1
    assert left_out(made)["task", "gold_dropped"] == 1
    assert value(made, "results", "accuracy", side="Humans") == 1.0


def test_a_dropped_task_leaves_every_table(tmp_path: Path) -> None:
    """No count, search or time of an unanswerable task that was dropped is left."""
    made = make_scene(tmp_path, [task("kept", P1), task("gone", answer=None)])
    made.person("Ada", {"kept": Try(), "gone": Try(None, searches=[[P1]] * 4, step_s=50)})
    made.system("agent", {"kept": Try(), "gone": Try("43")})
    before = made.report()
    assert before.facts["Tasks measured"] == 2

    checks(made).drop(id_of(made, "gone"), "Vera", "two readings", 0, "e1")

    after = made.report(gold="corrected")
    assert [after.facts[f"{name} measured"] for name in ("Tasks", "Attempts")] == [1, 2]
    assert after.facts["Tasks dropped for their gold"] == 1
    assert after.facts["Attempts at unanswerable tasks"] == 0
    assert left_out(after)["attempt", "gold_dropped"] == 2
    assert left_out(after)["task", "gold_dropped"] == 1
    for side in ("Humans", "agent"):
        was, now = (line(made_report, "results", side=side) for made_report in (before, after))
        assert now["rests_on"].value == "1 of 1: checked and corrected"
        for key in now.keys() - {"rests_on"}:
            assert now[key].value == was[key].value, key
    assert not any(made_table.key == "unanswerable" for made_table in after.tables)
    export(made.stage.workspace, CAMPAIGN, "dataset", tmp_path / "dataset", gold="corrected")
    for name, column in (("tasks", "id"), ("attempts", "task_id"), ("scores", "task")):
        rows = pq.read_table(tmp_path / "dataset" / "data" / f"{name}.parquet")
        assert set(rows.column(column).to_pylist()) == {"kept"}, name


def test_confirmed_correction_stays_a_correction_and_a_later_drop_counts(scene: Scene) -> None:
    decide, wrong = checks(scene), id_of(scene, "wrong")
    decide.correct(wrong, "Vera", GoldCorrection(answers=[["43"]]), "", 0, "e1")
    decide.confirm(wrong, "Vera", 3, "e2")
    with open_source(scene.stage.workspace, CAMPAIGN) as source:
        confirmed = read_checked_gold(source)
    decide.drop(wrong, "Vera", "unclear", 4, "e3")
    with open_source(scene.stage.workspace, CAMPAIGN) as source:
        dropped = read_checked_gold(source)

    assert confirmed.decisions == {"wrong": "corrected"}
    assert confirmed.corrected == {"wrong"}
    assert dropped.decisions == {"wrong": "dropped"}
    assert not dropped.corrected


def test_correction_replaces_all_accepted_answers(scene: Scene) -> None:
    decide, wrong = checks(scene), id_of(scene, "wrong")
    decide.correct(wrong, "Vera", GoldCorrection(answers=[["42"], ["43"]]), "", 0, "e1")
    decide.correct(wrong, "Vera", GoldCorrection(answers=[["42 otters"]]), "", 3, "e2")

    with open_source(scene.stage.workspace, CAMPAIGN) as source:
        after = read_checked_gold(source).after("wrong", {})

    assert after is not None
    assert after["answer_variants"] == [["42 otters"]]


def test_undone_correction_no_longer_counts(scene: Scene) -> None:
    decide, wrong = checks(scene), id_of(scene, "wrong")
    recorded = decide.correct(wrong, "Vera", GoldCorrection(answers=[["43"]]), "", 0, "e1")
    review = recorded.state.review
    assert review is not None and review.decided_seq is not None
    stage = scene.stage
    recorder = Recorder(SqlEventLog(stage.workspace.engine), Corpus(stage.workspace), stage.clock)
    Reviews(stage.workspace, recorder, stage.clock).undo(wrong, "Vera", review.decided_seq, "u1")

    with open_source(stage.workspace, CAMPAIGN) as source:
        checked = read_checked_gold(source)

    assert not checked.decisions
    assert checked.tasks["wrong"].after is None


def test_version_decided_in_review_can_be_adopted(tmp_path: Path) -> None:
    bench = answered(tmp_path / "ws")
    streams = bench.reviews.streams
    with open_source(bench.stage.workspace, CAMPAIGN) as source:
        before = read_checked_gold(source)
    assert before.tasks["q1"].reviewed_version == 1
    q1 = task_id_of(bench.stage.workspace.engine, CAMPAIGN, "q1")

    GoldChecks(streams).adopt_reviewed(q1, "Vera", before.tasks["q1"].seq, "e1")

    with open_source(bench.stage.workspace, CAMPAIGN) as source:
        after = read_checked_gold(source)
        sample = read_suspect_gold(source).sample
    record = after.after("q1", {})
    assert record is not None and record["answer_variants"] == [["seal"]]
    assert after.tasks["q1"].reviewed_version == 0
    assert "q1" not in sample.suspects, "people are right by it"


def import_verdict(scene: Scene, folder: Path, *rows: dict[str, object]) -> None:
    file = folder / "verdicts.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    imported = import_verdicts(scene.stage.workspace, file, campaign=CAMPAIGN, name="judge-a")
    assert imported.imported == len(rows)


def read_judged(scene: Scene, judgements: str | None = None) -> SuspectGold:
    with open_source(scene.stage.workspace, CAMPAIGN) as source:
        return read_suspect_gold(replace(source, verdicts="judge-a"), judgements=judgements)


def test_judge_that_rejects_the_annotators_common_answer_makes_a_task_suspect(
    scene: Scene, tmp_path: Path
) -> None:
    verdict = {"task": SOLVED[0], "system": "gpt-a", "answer": "42", "verdict": 0}
    import_verdict(scene, tmp_path, verdict, verdict | {"task": SOLVED[1], "verdict": 1})

    gold = read_judged(scene)

    assert gold.sample.assessed[SOLVED[0]].reasons == ("judge_differs",)
    assert gold.sample.assessed[SOLVED[1]].reasons == ()
    (judged,) = [p for p in gold.tasks[SOLVED[0]].participants if p.name == "gpt-a"]
    assert (judged.judge, judged.labels["answer"]) == (0.0, "answer: 42")


def test_judge_and_people_who_judged_the_same_answer_differ(scene: Scene, tmp_path: Path) -> None:
    verdict = {"task": "hard", "system": "gpt-a", "answer": "42", "verdict": 0}
    import_verdict(scene, tmp_path, verdict)
    judging(scene, [("hard", "gpt-a", "42", "Ada", "correct")])

    assert "judge_differs" in read_judged(scene, JUDGED_CAMPAIGN).sample.assessed["hard"].reasons
    assert "judge_differs" not in read_judged(scene).sample.assessed["hard"].reasons


def test_judgements_of_corrected_tasks_do_not_count(scene: Scene, tmp_path: Path) -> None:
    verdict = {"task": "wrong", "system": "gpt-a", "answer": "43.0", "verdict": 0}
    import_verdict(scene, tmp_path, verdict)
    checks(scene).correct(
        id_of(scene, "wrong"), "Vera", GoldCorrection(answers=[["43"]]), "", 0, "e1"
    )

    with open_source(scene.stage.workspace, CAMPAIGN) as source:
        judged = replace(source, verdicts="judge-a")
        before, after = (
            metrics(judged, MetricsOptions(gold=gold, replicates=50))
            for gold in ("task", "corrected")
        )

    assert value(before, "results", "accuracy", side="gpt-a") == pytest.approx(0.9)
    assert value(after, "results", "accuracy", side="gpt-a") == 1.0


def test_grades_are_labels_as_they_are(tmp_path: Path) -> None:
    pages = [{"document": P1[0], "page": number} for number in (1, 2)]
    grades = [{**page, "fields": {"relevance": 2}} for page in pages]
    record = {"id": "g1", "question": "otters?", "candidates": pages, "gold": {"pages": grades}}
    stage = make_stage(tmp_path / "ws", preset("relevance"), [record])
    for person in ("Ada", "Grace"):
        stage.did(
            "g1",
            person,
            ev.Opened(session="tab-1"),
            task_field("query_quality", "good"),
            page_field("relevance", 1, "2"),
            page_field("modalities", 1, ("text",)),
            box_drawn("b-1", 1, (80, 100, 290, 180)),
            page_field("relevance", 2, "0"),
            ev.AnswerEdited(text="Forty-two"),
            ev.Submitted(outcome="answered"),
        )

    with open_source(stage.workspace, CAMPAIGN) as source:
        gold = read_suspect_gold(source)

    parts = {part.part: part for part in gold.tasks["g1"].parts}
    first, second = (f"relevance, {P1[0]} page {number}" for number in (1, 2))
    assert parts.keys() == {first, second}
    assert (parts[first].label, parts[first].options) == ("2", ("2", "1", "0"))
    (ada, grace) = gold.tasks["g1"].participants
    assert ada.labels == grace.labels == {first: "2", second: "0"}
    assert "annotators_agree" in gold.sample.assessed["g1"].reasons


def test_frames_and_corrected_gold_in_a_notebook(scene: Scene) -> None:
    decide = checks(scene)
    decide.correct(id_of(scene, "wrong"), "Vera", GoldCorrection(answers=[["43"]]), "", 0, "e1")
    decide.drop(id_of(scene, "hard"), "Vera", "two readings", 0, "e2")

    with pagetrail.open(scene.stage.workspace.root) as workspace:
        frames = workspace.report("suspects", CAMPAIGN, replicates=50)
        gold = workspace.gold(CAMPAIGN, gold="corrected").set_index("task")

    assert "gold-scores" in frames
    assert gold.loc["wrong", "answer_variants"] == [["43"]]
    assert gold.loc["wrong", "decision"] == "corrected"
    assert "hard" not in gold.index
