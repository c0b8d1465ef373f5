"""The sections on answers and on annotators, with results worked out by hand."""

from __future__ import annotations

import json
import random
from statistics import fmean

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.agreement import coefficients
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.annotation.statistics.task_bootstrap import mean_interval
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.agreement.report import AgreementOptions, agreement
from pagetrail.exports.reports.render.formatting import basis_words
from tests.exports.campaigns import CAMPAIGN
from tests.exports.conftest import StageOf
from tests.exports.reports.agreement.people import (
    GOOD,
    People,
    cell_values,
    graded,
    lines,
    on,
    rows_of_kind,
    table,
)

SEARCH = preset("search")


def answered(people: People, key: str, person: str, answer: str, *pages: int) -> None:
    """Somebody answers from these pages; an empty answer was not found."""
    cited = [ev.CitationAdded(**on(page)) for page in pages]
    if answer:
        people.did(key, person, ev.AnswerEdited(text=answer), *cited, outcome="answered")
    else:
        people.did(key, person, *cited, outcome="not_found")


def campaign() -> People:
    """Three tasks of two people and one of three, in two domains."""
    people = People(SEARCH)
    for key, domain in (("q1", "Energy"), ("q2", "Energy"), ("q3", "Water"), ("q4", "Water")):
        people.task(key, domain=domain)
    answered(people, "q1", "ada", "42", 1, 2)
    answered(people, "q1", "bob", "42", 2, 3)
    answered(people, "q2", "ada", "otter", 1)
    answered(people, "q2", "bob", "")
    answered(people, "q3", "ada", "")
    answered(people, "q3", "bob", "")
    answered(people, "q4", "ada", "7", 5)
    answered(people, "q4", "bob", "7", 5)
    answered(people, "q4", "cyd", "8", 6)
    return people


def test_answers_are_means_over_pairs_then_tasks() -> None:
    """q1 agrees, q2 has one answer, q3 none, q4 one pair of three: means of tasks by hand."""
    cells = lines(campaign().report(), "answers")["Pooled"]
    assert cell_values(cells, "tasks", "pairs", "both", "one", "none") == [4, 6, 4, 1, 1]
    assert cells["same_outcome"].value == pytest.approx(fmean([1, 0, 1, 1]))
    assert cells["exact_match"].value == pytest.approx(fmean([1, 0, 1 / 3]))
    assert cells["anls"].value == pytest.approx(fmean([1, 0, 1 / 3]))
    assert cells["anls_both"].value == pytest.approx(fmean([1, 1 / 3]))
    assert cells["page_f1"].value == pytest.approx(fmean([1 / 2, 0, 1 / 3]))
    assert cells["page_jaccard"].value == pytest.approx(fmean([1 / 3, 0, 1 / 3]))
    assert cells["doc_f1"].value == pytest.approx(fmean([1, 0, 1]))


def test_answers_by_group() -> None:
    """Rows are domains; macro is the mean of their results."""
    rows = lines(campaign().report(), "answers")
    assert rows["Energy"]["page_f1"].value == pytest.approx(1 / 4)
    assert rows["Water"]["page_f1"].value == pytest.approx(1 / 3)
    assert rows["Macro"]["page_f1"].value == pytest.approx((1 / 4 + 1 / 3) / 2)
    assert rows["Water"]["page_f1"].flag == "one_cluster", "q3 has nothing to compare"


def test_intervals_of_answers_resample_tasks() -> None:
    """The interval is that of the task means."""
    cell = lines(campaign().report(replicates=300, seed=3), "answers")["Pooled"]["anls"]
    scored = [("q1", 1.0), ("q2", 0.0), ("q4", 1 / 3)]
    expected = mean_interval(scored, replicates=300, seed=3)
    assert (cell.low, cell.high, cell.se) == pytest.approx(
        (expected.low, expected.high, expected.se)
    )
    assert cell.flag == "few_clusters"


def test_columns_follow_the_protocol() -> None:
    """No citations, no page results; a single outcome, no share of it; prose is told to be so."""
    columns = {c.key for c in table(People(preset("relevance")).report(), "answers").columns}
    assert "page_f1" not in columns
    assert {"same_outcome", "exact_match", "anls"} <= columns
    single_outcome = People(with_overrides(SEARCH, {"answer.not_found": False})).report()
    assert "same_outcome" not in {c.key for c in table(single_outcome, "answers").columns}
    evidence = People(with_overrides(SEARCH, {"answer.kind": "off"})).report()
    assert [c.key for c in table(evidence, "answers").columns] == [
        "group",
        "tasks",
        "pairs",
        "page_f1",
        "doc_f1",
        "page_jaccard",
    ]
    (section,) = [s for s in People(preset("relevance")).report().sections if s.title == "Answers"]
    assert any("prose" in note for note in section.notes)


def test_answers_and_pages_are_what_a_search_campaign_is_about() -> None:
    """Annotators are compared on both, those who agree most first; by hand for each."""
    report = campaign().report()
    annotators = lines(report, "annotators")
    assert list(annotators) == ["ada", "bob", "cyd"]
    # ada: q1 (1 + 1/2) / 2, q2 0, q3 nothing to compare, q4 half of (1 + 1) / 2; cyd: q4 alone.
    assert cell_values(annotators["ada"], "rated", "shared") == [4, 4]
    assert annotators["ada"]["agreement"].value == pytest.approx(fmean([3 / 4, 0, 1 / 2]))
    assert annotators["ada"]["same_outcome"].value == pytest.approx(fmean([1, 0, 1, 1]))
    assert cell_values(annotators["cyd"], "rated", "shared", "agreement") == [1, 1, 0]
    assert "answers and cited pages" in report.sections[1].notes[0]
    assert [section.title for section in report.sections][-1] == "Ratings"
    (chart,) = [chart for chart in report.charts if chart.key == "chart-annotators"]
    spec = json.dumps(chart.spec)
    assert "Mean ANLS* and Page F1 (1: identical" in spec and "0: chance" not in spec
    pairs = {
        (line["a"].value, line["b"].value): line
        for line in (row.cells for row in table(report, "annotator-pairs").rows)
    }
    assert cell_values(pairs["ada", "bob"], "units", "exact_match") == [4, fmean([1, 0, 1])]
    assert cell_values(pairs["bob", "cyd"], "units", "agreement", "page_f1") == [1, 0, 0]


def test_a_careless_annotator_comes_out_last() -> None:
    """Though they set the scale and the outcome as most people do: what they answer differs.

    Two of three people answer alike, and differ on how hard the tasks were; the careless one
    writes anything, and always ticks the middle of the scale.
    """
    scale = {
        "name": "difficulty",
        "label": "Difficulty",
        "kind": "ordinal",
        "scope": "task",
        "options": [{"value": str(n), "label": str(n), "code": n} for n in range(3)],
    }
    people = People(with_overrides(SEARCH, {"fields": [scale]}))

    def did(key: str, person: str, difficulty: int, answer: str, page: int) -> None:
        people.did(
            key,
            person,
            ev.FieldSet(field="difficulty", value=str(difficulty)),
            ev.AnswerEdited(text=answer),
            ev.CitationAdded(**on(page)),
            outcome="answered",
        )

    for n in range(8):
        did(f"q{n}", "ada", 1 if n % 2 else 0, f"answer {n}", n + 1)
        did(f"q{n}", "careless", 1, "x", 30)
        did(f"q{n}", "eva", 0 if n % 4 else 1, f"answer {n}", n + 1)
    report = people.report()
    annotators = lines(report, "annotators")
    assert list(annotators) == ["ada", "eva", "careless"]
    assert cell_values(annotators["careless"], "agreement", "anls", "page_f1") == [0, 0, 0]
    assert cell_values(annotators["ada"], "agreement", "same_outcome") == [0.5, 1]
    # Pages that a campaign gives to be graded are what that one is about.
    assert "Relevance" in graded_pages().report().sections[-1].notes[0]


def test_each_result_has_its_own_n() -> None:
    """Pairs and tasks that it rests on, in words where the row counts others."""
    report = campaign().report()
    (pooled,) = rows_of_kind(report, "answers", "pooled")
    basis = {
        key: basis_words(table(report, "answers"), pooled, cell)
        for key, cell in pooled.cells.items()
    }
    assert (pooled.cells["same_outcome"].n, basis["same_outcome"]) == (6, "")
    assert (pooled.cells["anls"].n, pooled.cells["anls"].tasks) == (5, 3)
    assert basis["anls"] == "n = 5 pairs at 3 tasks"
    assert basis["anls_both"] == "n = 4 pairs at 2 tasks"


def graded_pages() -> People:
    """Ada and Bob on two pages, Cyd with Ada on one, Dan alone."""
    people = People(preset("relevance"))
    for key, grades in {
        "q1": {"ada": "21", "bob": "20"},
        "q2": {"ada": "00", "bob": "00"},
        "q3": {"ada": "2", "cyd": "0"},
        "q4": {"dan": "1"},
    }.items():
        people.task(key, pages=range(1, 1 + len(next(iter(grades.values())))))
        for person, marks in grades.items():
            pages = [graded(page, grade) for page, grade in enumerate(marks, start=1)]
            people.did(key, person, GOOD, *pages, outcome="answered")
    return people


def test_pairs_of_annotators() -> None:
    """Each pair that met, with its units, agreement and weighted kappa; others are counted."""
    report = graded_pages().report()
    pairs = {
        (row.cells["a"].value, row.cells["b"].value): row.cells
        for row in table(report, "annotator-pairs").rows
    }
    assert set(pairs) == {("ada", "bob"), ("ada", "cyd")}
    ab = pairs["ada", "bob"]
    assert cell_values(ab, "units", "clusters", "agreement") == [4, 2, 3 / 4]
    # Ordinal weights of 0, 1, 2: near 2/3, far 0. p_a = 11/12; ada (2, 1, 1)/4, bob (3, 0, 1)/4:
    # p_e = (2·3 + 2·0·(2/3) + 1·3·(2/3) + 1·1·(2/3) + 1·1) / 16 = 29/48
    assert ab["kappa"].value == pytest.approx((11 / 12 - 29 / 48) / (1 - 29 / 48))
    ac = pairs["ada", "cyd"]
    assert cell_values(ac, "units", "agreement") == [1, 0]
    assert any("4 of all pairs" in note for note in table(report, "annotator-pairs").notes)


def test_pairs_have_the_kappa_of_their_table() -> None:
    """Value and standard error of each pair are those of the coefficients of two columns."""
    draw = random.Random(2)
    people = People(preset("relevance"))
    grades: dict[str, list[str]] = {}
    for n in range(12):
        people.task(f"q{n}", pages=(1, 2, 3))
        truth = [draw.choice("012") for _ in range(3)]
        for person in ("ada", "bob", "cyd"):
            marks = [g if draw.random() < 0.7 else draw.choice("012") for g in truth]
            grades.setdefault(person, []).extend(marks)
            pages = [graded(page, mark) for page, mark in enumerate(marks, start=1)]
            people.did(f"q{n}", person, GOOD, *pages, outcome="answered")
    for row in table(people.report(), "annotator-pairs").rows:
        columns = [grades[str(row.cells[name].value)] for name in ("a", "b")]
        expected = coefficients(
            [[int(a), int(b)] for a, b in zip(*columns, strict=True)],
            categories=[0, 1, 2],
            weights="ordinal",
        )["cohen_kappa"]
        assert row.cells["kappa"].value == pytest.approx(expected.value, abs=1e-12)
        assert row.cells["kappa"].se == pytest.approx(expected.se, abs=1e-12)


def test_an_annotator_against_all_others() -> None:
    """Ada's pairs with Bob and Cyd, stacked: AC2 of (2,2), (1,0), (0,0), (0,0) and (2,0)."""
    ada = lines(graded_pages().report(), "annotators")["ada"]
    pairs = [[2, 2], [1, 0], [0, 0], [0, 0], [2, 0]]
    expected = coefficients(pairs, categories=[0, 1, 2], weights="ordinal")["gwet_ac"]
    assert ada["gwet_ac"].value == pytest.approx(expected.value, abs=1e-12)
    assert cell_values(ada, "rated", "shared", "agreement") == [5, 5, 3 / 5]


def test_who_met_nobody_has_no_agreement() -> None:
    """Dan's units were rated by him alone: undefined, with the reason."""
    dan = lines(graded_pages().report(), "annotators")["dan"]
    assert cell_values(dan, "rated", "shared", "agreement") == [1, 0, None]
    assert dan["agreement"].reason == "no_pairable_unit"


def test_the_first_scale_is_the_main_question() -> None:
    """Relevance is a scale, and asked of pages; query quality, which comes first, is a choice."""
    notes = graded_pages().report().sections[-1].notes
    assert "Relevance" in notes[0]


def test_a_worked_campaign_from_the_database(stage_of: StageOf) -> None:
    """The scene of graded pages, through the recorder and a snapshot: grades 2, 1, 0 and 1, 0, 0;
    boxes on page 1 overlap, page 2 is one person's; nobody appears under their name."""
    with open_source(stage_of("relevance").workspace, CAMPAIGN) as source:
        report = agreement(source, AgreementOptions(replicates=50))
        second_report = agreement(source, AgreementOptions(replicates=50))
    assert report == second_report
    pooled = lines(report, "ratings-relevance")["Pooled"]
    assert cell_values(pooled, "units", "once", "pairs", "clusters") == [3, 3, 3, 1]
    assert pooled["percent_agreement"].value == pytest.approx(1 / 3)
    boxes = lines(report, "boxes")["Pooled"]
    assert cell_values(boxes, "pages", "both", "one_empty", "both_empty") == [3, 1, 1, 1]
    inside = (290 - 80) * (180 - 100)
    outer = (300.75 - 71.5) * (192.1 - 91.25)
    assert boxes["iou_both"].value == pytest.approx(inside / outer)
    assert boxes["iou"].value == pytest.approx(inside / outer / 2)
    left = {(entry.what, entry.reason): entry.count for entry in report.left_out}
    assert left == {
        ("attempt", "never_opened"): 2,
        ("attempt", "status_open"): 1,
        ("attempt", "status_skipped"): 1,
    }
    assert report.facts["attempts ended early"] == 1
    assert not report.identified
    assert "Ada" not in repr(report.sections)


@pytest.mark.parametrize(
    "scene", ["verify", "verify_chart", "verify_transcript", "qa_review", "judge", "author"]
)
def test_every_worked_campaign_has_a_report(stage_of: StageOf, scene: str) -> None:
    """Every kind of campaign gives a report whose undefined results all say why."""
    with open_source(stage_of(scene).workspace, CAMPAIGN) as source:
        report = agreement(source, AgreementOptions(replicates=20))
    assert report.protocol == scene
    for report_table in report.tables:
        for row in report_table.rows:
            for column in report_table.columns:
                cell = row.cells.get(column.key)
                is_uncomputed = row.kind == "macro" and column.kind in ("count", "text")
                assert is_uncomputed or cell is not None or column.key in ("chosen",), column.key
                if cell is not None:
                    assert (cell.value is None) == (cell.reason is not None)
