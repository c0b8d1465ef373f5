"""The results of a metrics report, worked out by hand."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from pagetrail.exports.reports.model import Cell, Report
from tests.exports.reports.metrics.answered import (
    B1,
    MISSING,
    P1,
    P2,
    P3,
    Scene,
    Try,
    line,
    lines,
    make_scene,
    section,
    table,
    task,
    value,
)

STAGES = {
    "none": "No answer",
    "retrieval": "Retrieval: no gold document",
    "navigation": "Navigation: gold document, no gold page",
    "comprehension": "Comprehension: gold page, incorrect answer",
    "correct": "Correct",
}


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """Five tasks: one page, two pages, two documents, one page, and one without an answer.

    Ada solves q1 and q4, Grace q1 too; the system solves q1, q2 and q4, citing a page that does
    not exist; it has no times, and no result lists.
    """
    scene = make_scene(
        tmp_path_factory.mktemp("scene"),
        [
            task("q1", P1, domain="Birds"),
            task("q2", P1, P2, domain="Fish"),
            task("q3", P1, B1, domain="Fish"),
            task("q4", P3, domain="Fish"),
            task("u1", answer=None, domain="Fish"),
        ],
    )
    scene.person(
        "Ada",
        {
            "q1": Try(searches=[[P1]], cites=[P1]),
            "q2": Try("17", searches=[[P3], [B1], [P2, P1]], cites=[P1, P2]),
            "q3": Try(None, searches=[[P2], [P3]]),
            "q4": Try(searches=[[P1], [P3]], cites=[P2], step_s=50),
            "u1": Try(None, searches=[[P1]]),
        },
    )
    scene.person("Grace", {"q1": Try(cites=[B1]), "u1": Try("3")})
    scene.system(
        "gpt",
        {
            "q1": Try(searches=[[]] * 2, cites=[P1, MISSING]),
            "q2": Try(searches=[[]] * 2, cites=[P1]),
            "q3": Try("18", cites=[MISSING]),
            "q4": Try(searches=[[]], cites=[P3]),
        },
        iterations={"q1": 4, "q2": 6, "q3": 9},
        results_known=False,
    )
    return scene


@pytest.fixture(scope="module")
def report(scene: Scene) -> Report:
    """Its report."""
    return scene.report()


def test_accuracy_and_attribution_of_people(report: Report) -> None:
    """Two attempts at q1 are averaged before the mean over four tasks."""
    cells = line(report, "results", side="Humans")
    assert (cells["attempts"].value, cells["tasks"].value) == (5, 4)
    assert cells["accuracy"].value == (1 + 0 + 0 + 1) / 4
    assert cells["accuracy_single"].value == 1
    assert cells["accuracy_cross_page"].value == cells["accuracy_cross_doc"].value == 0
    # Ada's page 1 is q1's; Grace's is not. All of q2, nothing of q3, the wrong page of q4.
    assert cells["page_f1"].value == pytest.approx((0.5 + 1 + 0 + 0) / 4)
    assert cells["doc_f1"].value == pytest.approx((0.5 + 1 + 0 + 1) / 4)
    assert cells["anls"].value == pytest.approx((1 + 0 + 0 + 1) / 4)


def test_a_cited_page_that_does_not_exist_is_wrong(report: Report) -> None:
    """q1: one of two pages; q2: one page of two; q3: nothing; q4: right."""
    cells = line(report, "results", side="gpt")
    assert cells["page_f1"].value == pytest.approx((2 / 3 + 2 / 3 + 0 + 1) / 4)
    assert cells["doc_f1"].value == pytest.approx((2 / 3 + 1 + 0 + 1) / 4)


def test_effort_of_people(report: Report) -> None:
    """Searches 1, 3, 2, 2 and 0 count as 1, 3, 2, 2 and 1 steps, in the order of the export:
    Ada and Grace at q1, then q2, q3 and q4.

    The two attempts at q1 weigh 1/2 each, so half of the weight is right. Of D at 1, 2 and 3:
    1 − 1·0.5, 2 − 3·0.5 and 0. MADQA's own value counts every attempt once: 0.8 after q1.
    """
    cells = line(report, "results", side="Humans")
    assert cells["kuiper"].value == pytest.approx(0.5)
    assert cells["kuiper_normalised"].value == pytest.approx(0.5 / math.sqrt(4 * 0.5 * 0.5))
    assert cells["kuiper_file_order"].value == pytest.approx(0.8)
    assert cells["wasted_effort"].value == pytest.approx((5 / 2) / (3 / 2))
    assert cells["searches"].value == pytest.approx((0.5 + 3 + 2 + 2) / 4)


def test_effort_of_a_system(report: Report) -> None:
    """Steps are 2, 2, 1 and, of q3 that was not searched for, the file's 9 iterations; nothing is
    said of times. By iterations q1 took 4, q2 6, q3 9 and q4 its one search.
    """
    cells = line(report, "results", side="gpt")
    assert cells["wasted_effort"].value == pytest.approx(9 / ((2 + 2 + 1) / 3))
    # Right at 1 and 2, wrong at 9: D rises by 1/4 three times.
    assert cells["kuiper"].value == pytest.approx(0.75)
    assert cells["active_s"] == Cell(reason="no_times")
    by_iterations = line(report, "effort", side="gpt", effort="Iterations")
    assert by_iterations["wasted_effort"].value == pytest.approx(9 / ((4 + 6 + 1) / 3))
    assert by_iterations["kuiper"].value == pytest.approx(0.75)


def test_times_of_people(report: Report) -> None:
    """Ada: 4, 7, 3 and 5 events after the first, 5 s apart, at q4 50 s; Grace: 3.

    Grace's 15 s and Ada's 20 s at q1 weigh 1/2 each: half of the weight took 20 s or less.
    """
    capped = line(report, "times", side="Humans", time="Active, idle cap 60 s")
    assert capped["mean"].value == pytest.approx((17.5 + 35 + 15 + 250) / 4)
    assert capped["median"].value == (20 + 35) / 2
    assert [row.cells["mean"].reason for row in lines(report, "times", side="gpt")] == [
        "no_times"
    ] * 5
    assert value(report, "times", "untimed", side="gpt", time="Wall") == 4
    buckets = lines(report, "accuracy-by-time", side="Humans")
    assert [row.cells["attempts"].value for row in buckets] == [4, 0, 1, 0]
    assert [row.cells["accuracy"].value for row in buckets] == [
        pytest.approx(1 / 3),
        None,
        1,
        None,
    ]


def test_all_kinds_of_effort_are_there(report: Report) -> None:
    """Means of right and wrong answers, and who has no such effort."""
    of_people = {
        row.cells["effort"].value: row.cells for row in lines(report, "effort", side="Humans")
    }
    searches = of_people["Searches"]
    assert (searches["mean_correct"].value, searches["mean_incorrect"].value) == (1.5, 2.5)
    # Grace did not search; an effort of 0 is left out.
    assert (searches["attempts"].value, searches["not_positive"].value) == (4, 1)
    assert of_people["Time to submission, s"]["mean_correct"].value == pytest.approx(
        (17.5 + 250) / 2
    )
    of_system = line(report, "effort", side="gpt", effort="Active time, s")
    assert of_system["wasted_effort"] == Cell(reason="no_times")
    assert of_system["missing"].value == 4


def test_accuracy_under_a_budget(report: Report) -> None:
    """Of q1's weight half was right without a search and half with one, q4's with two."""
    points = [row.cells for row in lines(report, "accuracy-by-searches", side="Humans")]
    assert [(cells["budget"].value, cells["accuracy"].value) for cells in points] == [
        (0, 1 / 8),
        (1, 2 / 8),
        (2, 4 / 8),
        (3, 4 / 8),
    ]
    assert [cells["within"].value for cells in points] == [1, 2, 4, 5]


def test_the_cascade(report: Report) -> None:
    """Correct is correct: Grace with another document, Ada with another page of q4. The system has
    no right document at q3. Both attempts at q1 together are a quarter of the tasks.
    """
    for participant, counts, weights in (
        ("Humans", (1, 0, 0, 1, 3), (1, 0, 0, 1, 2)),
        ("gpt", (0, 1, 0, 0, 3), (0, 1, 0, 0, 3)),
    ):
        cells_by_stage = {
            row.cells["stage"].value: row.cells
            for row in lines(report, "cascade", side=participant)
        }
        assert [cells_by_stage[stage]["attempts"].value for stage in STAGES.values()] == list(
            counts
        )
        assert [cells_by_stage[stage]["share"].value for stage in STAGES.values()] == [
            weight / 4 for weight in weights
        ]
    assert (
        cells_by_stage["Correct"]["share"].value
        == line(report, "results", side="gpt")["accuracy"].value
    )


def test_what_searching_found(report: Report) -> None:
    """Four attempts of people searched. Page: q1 at once, q2 by the third and q4 by the second
    query, q3 never; document: all at the first query. The system's results are not known.
    """
    cells = line(report, "search", side="Humans")
    assert (cells["attempts"].value, cells["no_search"].value) == (4, 1)
    assert (cells["first_page"].value, cells["first_document"].value) == (1 / 4, 1)
    assert cells["recovery_page"].value == 2 / 3
    assert cells["recovery_document"] == Cell(reason="no_first_miss")
    points = [row.cells["page"].value for row in lines(report, "found-by-query", side="Humans")]
    assert points == [1 / 4, 2 / 4, 3 / 4]
    system = line(report, "search", side="gpt")
    assert system["first_page"] == Cell(reason="results_not_logged")
    assert (system["unknown"].value, system["no_search"].value) == (3, 1)
    assert system["queries_mean"].value == 5 / 4
    assert lines(report, "found-by-query", side="gpt") == []


def test_who_solved_what(report: Report) -> None:
    """Both people and the system solve q1, Ada and the system q4, the system alone q2, nobody q3:
    observed 3/4, expected (2·3 + 2·1)/16. Who was first at q1 plays no part.
    """
    cells = line(report, "comparison", a="Humans", b="gpt")
    assert [cells[name].value for name in ("both", "only_a", "only_b", "neither")] == [2, 0, 1, 1]
    assert cells["observed"].value == 3 / 4
    assert cells["expected"].value == pytest.approx(1 / 2)
    assert cells["kappa"].value == pytest.approx(1 / 2)
    assert cells["difference"].value == pytest.approx(2 / 4 - 3 / 4)
    failed = line(report, "disagreements", side="Humans", stage=STAGES["comprehension"])
    assert (failed["attempts"].value, failed["tasks"].value) == (1, 1)


def test_tasks_without_an_answer_stand_apart(report: Report) -> None:
    """Ada finds that there is none, Grace answers and cites; the system has no attempt."""
    cells = line(report, "unanswerable", side="Humans")
    assert (cells["attempts"].value, cells["tasks"].value) == (2, 1)
    assert [cells[name].value for name in ("accuracy", "answered", "cited")] == [0.5] * 3
    assert line(report, "unanswerable", side="gpt")["accuracy"] == Cell(reason="no_rows")


def test_by_domain_pooled_and_macro(report: Report) -> None:
    """Birds 1, fish 1/3: pooled 2/4, macro 2/3. The mean of groups has no interval."""
    for group, expected in (("Birds", 1), ("Fish", 1 / 3), ("Pooled", 1 / 2), ("Macro", 2 / 3)):
        cell = line(report, "by-domain", group=group, side="Humans")["accuracy"]
        assert cell.value == pytest.approx(expected)
    kinds = [row.kind for row in table(report, "by-domain").rows]
    assert kinds == ["row"] * 4 + ["pooled"] * 2 + ["macro"] * 2


def test_by_two_fields(scene: Scene) -> None:
    """Combinations with attempts, then cross tables: domains as rows, hop types as columns."""
    report = scene.report(by=["domain", "hop"])
    groups = [
        tuple(row.cells[key].value for key in ("group", "group_2", "side"))
        for row in table(report, "by-domain-hop").rows
        if row.kind == "row"
    ]
    assert groups == [
        ("Birds", "single page", "Humans"),
        ("Birds", "single page", "gpt"),
        ("Fish", "single page", "Humans"),
        ("Fish", "single page", "gpt"),
        ("Fish", "several pages", "Humans"),
        ("Fish", "several pages", "gpt"),
        ("Fish", "several documents", "Humans"),
        ("Fish", "several documents", "gpt"),
    ]
    cross = table(report, "cross-accuracy")
    labels = [column.label for column in cross.columns]
    assert labels[3:] == ["single page", "several pages", "several documents", "All"]
    fish = line(report, "cross-accuracy", side="Humans", group="Fish")
    assert [fish[f"hop={name}"].value for name in labels[3:6]] == [1, 0, 0]
    assert fish["all"].value == pytest.approx(1 / 3)
    everything = line(report, "cross-accuracy", side="Humans", group="All")
    pooled = line(report, "by-domain-hop", side="Humans", group="Pooled")
    assert everything["all"].value == pooled["accuracy"].value == 1 / 2
    assert (
        line(report, "cross-accuracy", side="Humans", group="Birds")["hop=several pages"] == Cell()
    )
    assert "chart-cross-accuracy-1" in {chart.key for chart in report.charts}
    assert report.choices["Group by"] == "domain, hop"


def test_difficulty_is_what_other_systems_solve(tmp_path: Path) -> None:
    """Of people by all systems, of a system by the others; a stated difficulty comes first."""
    scene = make_scene(tmp_path, [task(key, P1) for key in ("q1", "q2")], ("Ada",))
    scene.person("Ada", {"q1": Try(), "q2": Try()})
    scene.system("gpt", {"q1": Try(), "q2": Try("18")})
    scene.system("llama", {"q1": Try(), "q2": Try()})
    report = scene.report(by="difficulty")
    found = [
        (row.cells["group"].value, row.cells["side"].value)
        for row in table(report, "by-difficulty").rows
        if row.kind == "row" and row.cells["attempts"].value
    ]
    assert found == [
        ("easy", "Humans"),
        ("easy", "gpt"),
        ("easy", "llama"),
        ("medium", "Humans"),
        ("hard", "llama"),
    ]
    assert value(report, "by-difficulty", "tasks", group="easy", side="gpt") == 2
    stated = make_scene(tmp_path / "stated", [task("q1", P1, difficulty="hard")], ("Ada",))
    stated.person("Ada", {"q1": Try()})
    rows = table(stated.report(by="difficulty"), "by-difficulty").rows
    assert rows[0].cells["group"].value == "hard"


def test_by_annotator_and_profile(scene: Scene) -> None:
    """People by name or profile; systems are in no group."""
    groups = {
        row.cells["group"].value for row in table(scene.report(by="annotator"), "by-annotator").rows
    }
    assert groups == {"annotator-1", "annotator-2", "(none)", "Pooled", "Macro"}
    report = scene.report(by="annotator.group")
    assert value(report, "by-annotator-group", "attempts", group="(none)", side="Humans") == 5


def test_what_decided(report: Report) -> None:
    """All attempts, at unanswerable tasks too."""
    cells = line(report, "decided", side="Humans")
    names = ("attempts", "judgement", "exact_match", "quantity", "list", "anls_star", "outcome")
    assert [cells[name].value for name in names] == [7, 0, 3, 1, 1, 0, 2]
    assert (cells["undecided"].value, cells["anls_alone"].value) == (0, 0)


def test_each_annotator_may_be_a_side(scene: Scene) -> None:
    """Beside people together; nobody is compared with all people, of whom they are one."""
    report = scene.report(by_annotator=True)
    assert [row.cells["side"].value for row in table(report, "results").rows] == [
        "Humans",
        "annotator-1",
        "annotator-2",
        "gpt",
    ]
    assert value(report, "results", "accuracy", side="annotator-1") == 2 / 4
    pairs = [
        (row.cells["a"].value, row.cells["b"].value) for row in table(report, "comparison").rows
    ]
    assert pairs == [
        ("Humans", "gpt"),
        ("annotator-1", "annotator-2"),
        ("annotator-1", "gpt"),
        ("annotator-2", "gpt"),
    ]
    # Ten lines for each pair of thirty annotators would be no table to read.
    assert {row.cells["a"].value for row in table(report, "disagreements").rows} == {"Humans"}


def test_people_only(scene: Scene) -> None:
    """Without a system there is nothing to compare, and the report says so."""
    report = scene.report(compare=[])
    assert [row.cells["side"].value for row in table(report, "results").rows] == ["Humans"]
    assert not section(report, "Comparison")
    assert any(note.startswith("Comparison is left out") for note in report.sections[0].notes)


def test_an_interval_over_tasks(tmp_path: Path) -> None:
    """Sixty tasks, a third of them right: within 1.96 binomial standard errors, a tenth off."""
    keys = [f"q{n}" for n in range(60)]
    scene = make_scene(tmp_path, [task(key, P1) for key in keys], ("Ada",))
    scene.system("gpt", {key: Try("42" if n % 3 == 0 else "7") for n, key in enumerate(keys)})
    cell = line(scene.report(replicates=4_000), "results", side="gpt")["accuracy"]
    se = math.sqrt((1 / 3) * (2 / 3) / 60)
    assert cell.se == pytest.approx(se, rel=0.05)
    assert cell.low == pytest.approx(1 / 3 - 1.96 * se, abs=0.02)
    assert cell.high == pytest.approx(1 / 3 + 1.96 * se, abs=0.02)
    assert cell.flag is None


def test_a_system_that_only_drew_boxes_has_no_row(tmp_path: Path) -> None:
    """A note names it; its attempts are still counted."""
    scene = make_scene(tmp_path, [task("q1", P1)])
    scene.system("gpt", {"q1": Try()})
    scene.system("vlm", {"q1": Try(None, outcome="completed")}, results_known=False)
    report = scene.report()
    for part in report.tables:
        assert not {"vlm"} & {row.cells["side"].value for row in part.rows if "side" in row.cells}
    notes = [note for note in table(report, "results").notes if "vlm" in note]
    assert notes == [
        "Systems that drew boxes and gave no answers have no row: vlm. Their boxes are scored "
        "under Agreement."
    ]
    assert report.facts["Attempts of systems"] == 2
    assert report.facts["Systems"] == 2
    assert [row.cells["side"].value for row in table(report, "results").rows] == ["gpt"]


def test_people_have_a_row_where_a_system_only_drew_boxes(tmp_path: Path) -> None:
    scene = make_scene(tmp_path, [task("q1", P1)])
    scene.system("vlm", {"q1": Try(None, outcome="completed")}, results_known=False)
    assert [row.cells["side"].value for row in table(scene.report(), "results").rows] == ["Humans"]
