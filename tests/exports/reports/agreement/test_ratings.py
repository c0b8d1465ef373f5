"""The section on ratings: rows by group, what is left out and what undefined, worked by hand."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation import events as ev
from pagetrail.annotation.agreement import bootstrap, coefficients
from pagetrail.annotation.errors import PagetrailError, RatingError
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.exports.reports.agreement.groups import AGREEMENT_FIELDS
from pagetrail.exports.reports.model import Cell, Report
from pagetrail.exports.reports.render.report_folder import write_report
from pagetrail.storage.people.profiles import Profile
from tests.annotation.events.elements import element
from tests.exports.reports.agreement.people import (
    GOOD,
    POOR,
    People,
    cell_values,
    graded,
    lines,
    rows_of_kind,
    table,
)
from tests.support.randomness import examples

RELEVANCE = preset("relevance")
GRADES = {
    # task → (domain, one string per person: the grades of pages 1, 2, 3)
    "q1": ("Energy", {"ada": "210", "bob": "200"}),
    "q2": ("Energy", {"ada": "000", "bob": "001", "cyd": "001"}),
    "q3": ("Water", {"bob": "222", "cyd": "212"}),
    "q4": ("Water", {"ada": "000"}),
    "q5": (None, {"ada": "110", "cyd": "110"}),
}


def relevance(grades: Any = GRADES) -> People:
    """Queries whose pages people graded."""
    people = People(RELEVANCE)
    for key, (domain, marks_by_person) in grades.items():
        people.task(key, pages=(1, 2, 3), domain=domain)
        for person, marks in marks_by_person.items():
            pages = [graded(page, grade) for page, grade in enumerate(marks, start=1)]
            people.did(key, person, GOOD, *pages, outcome="answered")
    return people


def by_hand(*keys: str) -> list[list[float | None]]:
    """Units × (ada, bob, cyd) of those tasks."""
    people = ("ada", "bob", "cyd")
    return [
        [float(GRADES[key][1][p][page]) if p in GRADES[key][1] else None for p in people]
        for key in keys
        for page in range(3)
    ]


def test_rows_are_groups_then_pooled_then_macro() -> None:
    """One row a domain, tasks without one last, then both meanings of overall."""
    ratings = table(relevance().report(), "ratings-relevance")
    labels = [(row.kind, row.cells["group"].value) for row in ratings.rows]
    assert labels == [
        ("row", "Energy"),
        ("row", "Water"),
        ("row", "(none)"),
        ("pooled", "Pooled"),
        ("macro", "Macro"),
    ]
    assert ratings.columns[0].label == "Domain"


def test_counts_of_a_row() -> None:
    """Energy: 6 pages, pairs 3 · 1 + 3 · 3; Water: 3 pages twice and 3 once; 4 tasks in all."""
    rows = lines(relevance().report(), "ratings-relevance")
    counts = ("units", "once", "pairs", "clusters")
    assert cell_values(rows["Energy"], *counts) == [6, 0, 12, 2]
    assert cell_values(rows["Water"], *counts) == [3, 3, 3, 1]
    assert cell_values(rows["Pooled"], *counts) == [12, 3, 18, 4]


@pytest.mark.parametrize(
    ("row", "keys"), [("Pooled", ("q1", "q2", "q3", "q4", "q5")), ("Energy", ("q1", "q2"))]
)
def test_figures_are_those_of_the_hand_made_table(row: str, keys: tuple[str, ...]) -> None:
    """Each coefficient of a row is that of its units, computed directly over the codes."""
    cells = lines(relevance().report(), "ratings-relevance")[row]
    ratings = by_hand(*keys)
    expected = coefficients(ratings, categories=[0, 1, 2], weights="ordinal", level="ordinal")
    for key in ("krippendorff_alpha", "gwet_ac", "fleiss_kappa", "conger_kappa"):
        assert cells[key].value == pytest.approx(expected[key].value, abs=1e-12)
    assert cells["weighted_agreement"].value == pytest.approx(expected["percent_agreement"].value)
    assert cells["gwet_ac"].se == pytest.approx(expected["gwet_ac"].se)


def test_agreement_of_a_scale_is_the_share_of_the_same_grade() -> None:
    """Beside the weighted one: Energy's pages agree by 1, 0, 1 and 1, 1, 1/3 → 13/18."""
    cells = lines(relevance().report(), "ratings-relevance")["Energy"]
    assert cells["percent_agreement"].value == pytest.approx(13 / 18)
    assert cells["weighted_agreement"].value > cells["percent_agreement"].value


def test_intervals_resample_tasks() -> None:
    """A row's interval is the bootstrap over its tasks, few of them flagged; of one task none."""
    report = relevance().report(replicates=500, seed=11)
    rows = lines(report, "ratings-relevance")
    keys = ("q1", "q2", "q3", "q4", "q5")
    direct = bootstrap(
        by_hand(*keys),
        categories=[0, 1, 2],
        weights="ordinal",
        level="ordinal",
        clusters=[key for key in keys for _ in range(3)],
        replicates=500,
        seed=11,
    )["gwet_ac"]
    cell = rows["Pooled"]["gwet_ac"]
    assert (cell.low, cell.high) == pytest.approx(direct.ci)
    assert cell.flag == "few_clusters"
    water = rows["Water"]["gwet_ac"]
    assert (water.low, water.high, water.flag) == (None, None, "one_cluster")
    assert isinstance(water.value, float)


def test_draws_in_which_a_figure_is_undefined_are_counted() -> None:
    """Drawing one of two tasks twice leaves alpha undefined where all agree: the note says so."""
    grades = {
        "q1": (None, {"ada": "000", "bob": "000"}),
        "q2": (None, {"ada": "222", "bob": "220"}),
    }
    ratings = table(relevance(grades).report(replicates=400), "ratings-relevance")
    (note,) = [note for note in ratings.notes if "Undefined in some of the 400 draws" in note]
    # Both draws fall on q1 in a quarter of all cases.
    count = int(note.split("α (ordinal) ")[1].split(",")[0].rstrip("."))
    assert 60 < count < 140
    assert "Gwet" not in note


def test_macro_is_the_mean_of_the_groups() -> None:
    """Each group counts the same, and the macro row has no counts."""
    report = relevance().report()
    rows = lines(report, "ratings-relevance")
    groups = [rows[name]["gwet_ac"].value for name in ("Energy", "Water", "(none)")]
    assert rows["Macro"]["gwet_ac"].value == pytest.approx(sum(groups) / 3)
    (macro,) = rows_of_kind(report, "ratings-relevance", "macro")
    assert macro.cells["units"] == Cell()


def test_shares_of_the_categories() -> None:
    """How often each grade was given, unused categories included, units rated once too."""
    prevalence = table(relevance().report(), "agreement-prevalence")
    counts = {
        row.cells["category"].value: row.cells["ratings"].value
        for row in prevalence.rows
        if row.cells["field"].value == "Relevance"
    }
    grades = "".join(
        mark for _, marks_by_person in GRADES.values() for mark in marks_by_person.values()
    )
    assert counts == {
        "Not relevant": grades.count("0"),
        "Critically relevant": grades.count("1"),
        "Fully relevant": grades.count("2"),
    }
    quality = [row for row in prevalence.rows if row.cells["field"].value == "Query quality"]
    assert [row.cells["ratings"].value for row in quality] == [10, 0]


def test_every_field_is_in_the_overview() -> None:
    """One line per question, in the protocol's order; fields of several options have a line for
    each, and one for their mean.
    """
    report = relevance().report()
    overview = lines(report, "agreement-overview")
    label = "Modalities of the relevant content"
    options = [name for name in lines(report, "ratings-modalities") if name != "Macro"]
    assert list(overview) == [
        "Query quality",
        "Relevance",
        *(f"{label}: {option}" for option in options),
        f"{label}: macro",
        "Outcome",
    ]
    assert overview["Relevance"]["level"].value == "ordinal"
    macro = lines(report, "ratings-modalities")["Macro"]
    assert overview[f"{label}: macro"]["gwet_ac"] == macro["gwet_ac"]


def test_facts_count_what_the_report_rests_on() -> None:
    """Tasks by number of annotators, people, attempts, and units by number of ratings."""
    people = relevance()
    people.task("q6", pages=(1,))
    people.did("q5", "bob", POOR)
    assert people.report().facts == {
        "tasks": 6,
        "tasks with work": 5,
        "tasks with one annotator": 1,
        "tasks with several annotators": 4,
        "annotators": 3,
        "attempts": 11,
        "attempts ended early": 1,
        # q4 and its three pages; of q5 bob rated the query alone
        "units rated by one": 4,
        "units rated by several": 16,
    }


def test_what_does_not_count_is_left_out_and_counted() -> None:
    """Systems, unfinished work and second attempts are in no result and in the account."""
    people = relevance()
    before = people.report()
    people.did("q1", "model-a", GOOD, graded(1, 0), outcome="answered", role="system")
    people.did("q1", "cyd", GOOD, graded(1, 0), outcome=None)
    people.did("q1", "ada", GOOD, graded(1, 0), outcome="answered", setting="zz-later")
    after = people.report()
    left = {(entry.what, entry.reason): entry.count for entry in after.left_out}
    assert left == {
        ("attempt", "system"): 1,
        ("attempt", "status_open"): 1,
        ("attempt", "second_of_the_same_person"): 1,
    }
    assert after.sections == before.sections
    assert after.facts == before.facts


def test_a_poor_query_rates_no_page() -> None:
    """Who ended the task is in no pair on its pages, but in one on the query's quality."""
    people = relevance({"q1": ("Energy", {"ada": "210", "bob": "210"})})
    people.did("q1", "cyd", POOR)
    report = people.report()
    assert lines(report, "ratings-relevance")["Pooled"]["pairs"].value == 3
    assert lines(report, "ratings-query-quality")["Pooled"]["pairs"].value == 3
    assert lines(report, "ratings-query-quality")["Pooled"]["percent_agreement"].value == 1 / 3


@pytest.mark.parametrize("by", AGREEMENT_FIELDS)
def test_rows_by_every_grouping(by: str) -> None:
    """Tasks are told apart by what their record, batch or pages say."""
    people = People(RELEVANCE)
    more = {
        "domain": "Energy",
        "document_category": "Report",
        "query_type": ["numerical", "boolean"],
        "language": "french",
        "query_format": "keyword",
        "modality": ["tabular", "free_text"],
        "difficulty": "hard",
        "split": "test",
    }
    people.task("q1", pages=(1,), batch="Virgo", **more)
    people.task("q2", pages=(2, 3), batch="Aries")
    people.profiles = {"ada": Profile(("de",), ("charts",), "Leeds")} | {"bob": Profile()}
    for key, page in (("q1", 1), ("q2", 2)):
        for person in ("ada", "bob"):
            people.did(key, person, GOOD, graded(page, 1), outcome="answered")
    groups = list(lines(people.report(by=by), "ratings-relevance"))
    assert (
        groups[:-2]
        == {
            "domain": ["Energy", "(none)"],
            "category": ["Report", "(none)"],
            "query_type": ["boolean + numerical", "(none)"],
            "language": ["french", "(none)"],
            "batch": ["Virgo", "Aries"],
            "document": ["report.pdf"],
            "condition": ["(none)"],
            "query_format": ["keyword", "(none)"],
            "modality": ["free_text + tabular", "(none)"],
            "difficulty": ["hard", "(none)"],
            "split": ["test", "(none)"],
            "hop": ["single page", "several pages"],
            "gold_pages": ["1", "2"],
            "gold_documents": ["1"],
            "question_words": ["3"],
            "annotator.group": ["Leeds", "(none)"],
            "annotator.languages": ["de", "(none)"],
            "annotator.skills": ["charts", "(none)"],
        }[by]
    )


def test_two_fields_give_a_cross_table() -> None:
    """Rows by the first, columns by the second, and all units of a row or a column at the end."""
    people = relevance(
        {
            "q1": ("Energy", {"ada": "210", "bob": "200"}),
            "q2": ("Energy", {"ada": "210", "bob": "210"}),
            "q3": ("Water", {"ada": "000", "bob": "012"}),
        }
    )
    for key, language in (("q1", "de"), ("q2", "en"), ("q3", "de")):
        people.records[key]["language"] = language
    report = people.report(by=("domain", "language"))
    groups = [
        (row.cells["group"].value, row.cells["group_2"].value)
        for row in table(report, "ratings-relevance").rows
    ]
    assert groups == [
        ("Energy", "de"),
        ("Energy", "en"),
        ("Water", "de"),
        ("Pooled", None),
        ("Macro", None),
    ]
    cross = table(report, "cross-ratings-relevance")
    assert [column.label for column in cross.columns] == ["Domain", "de", "en", "All"]
    by_domain = lines(people.report(by="domain"), "ratings-relevance")
    by_language = lines(people.report(by="language"), "ratings-relevance")
    rows = {str(row.cells["group"].value): row.cells for row in cross.rows}
    assert list(rows) == ["Energy", "Water", "All"]
    assert rows["Energy"]["all"].value == by_domain["Energy"]["gwet_ac"].value
    assert rows["All"]["language=de"].value == by_language["de"]["gwet_ac"].value
    assert rows["All"]["all"].value == by_domain["Pooled"]["gwet_ac"].value
    assert rows["Water"]["language=en"] == Cell(), "nothing there"
    assert rows["Energy"]["language=de"].n == 3
    assert any(chart.key == "chart-cross-ratings-relevance" for chart in report.charts)


def test_people_of_one_group_are_compared() -> None:
    """By an attribute of annotators, a pair across groups is none, and a changed profile counts."""
    people = relevance({"q1": (None, {"ada": "210", "bob": "200", "cleo": "210"})})
    people.profiles = {name: Profile(group="Leeds") for name in ("ada", "bob")}
    rows = lines(people.report(by="annotator.group"), "ratings-relevance")
    assert {name: row["pairs"].value for name, row in rows.items()} == {
        "Leeds": 3,
        "(none)": 0,
        "Pooled": 3,
        "Macro": None,
    }
    people.profiles["bob"] = Profile()
    rows = lines(people.report(by="annotator.group"), "ratings-relevance")
    assert rows["(none)"]["percent_agreement"].value == pytest.approx(2 / 3)


def test_pages_stand_under_their_own_document() -> None:
    """By document, a page counts for its own, and a task over two for neither of them."""
    people = People(RELEVANCE)
    pages = [{"document": name, "page": 1} for name in ("a.pdf", "b.pdf")]
    people.task("q1", candidates=pages, evidence=[])
    for person, grades in (("ada", "20"), ("bob", "21")):
        fields = [
            ev.FieldSet(field="relevance", value=grade, **page)
            for grade, page in zip(grades, pages, strict=True)
        ]
        people.did("q1", person, GOOD, *fields, outcome="answered")
    report = people.report(by="document")
    rows = lines(report, "ratings-relevance")
    assert rows["a.pdf"]["percent_agreement"].value == 1
    assert rows["b.pdf"]["percent_agreement"].value == 0
    quality = lines(report, "ratings-query-quality")
    assert quality["(several documents)"]["units"].value == 1


def test_an_unknown_grouping_is_refused() -> None:
    """The sentence names what is allowed."""
    with pytest.raises(PagetrailError, match="domain, category, query_type") as error:
        relevance().report(by="colour")
    assert error.value.code == "invalid_group"


def test_one_replicate_is_refused() -> None:
    """Nothing can be drawn from a single table."""
    with pytest.raises(RatingError, match="2,000 or more"):
        relevance().report(replicates=1)


def test_without_domains_there_are_overall_rows_alone() -> None:
    """Where no task has a domain the pooled row is alone, unless another grouping is asked."""
    people = relevance({"q1": (None, {"ada": "210", "bob": "200"})})
    assert list(lines(people.report(), "ratings-relevance")) == ["Pooled"]
    assert list(lines(people.report(by="batch"), "ratings-relevance")) == [
        "Aries",
        "Pooled",
        "Macro",
    ]


def empty() -> People:
    """A campaign that nobody worked on."""
    people = People(RELEVANCE)
    people.task("q1", pages=(1, 2), domain="Energy")
    return people


def single() -> People:
    """One person alone."""
    return relevance({"q1": ("Energy", {"ada": "210"}), "q2": ("Energy", {"ada": "000"})})


def never_met() -> People:
    """Two people who never met."""
    return relevance({"q1": ("Energy", {"ada": "210"}), "q2": ("Water", {"bob": "000"})})


@pytest.mark.parametrize("make", [empty, single, never_met])
@pytest.mark.parametrize("by", [None, "document", "batch"])
def test_a_report_without_anything_rated_twice(make: Any, by: str | None) -> None:
    """The report is there, each result undefined with its reason, and nothing warns."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        report = make().report(by=by)
    for key in ("ratings-relevance", "ratings-modalities", "boxes", "answers"):
        undefined = [
            cell
            for row in table(report, key).rows
            for name, cell in row.cells.items()
            if next(c.kind for c in table(report, key).columns if c.key == name)
            in ("share", "score")
            and name != "chosen"
        ]
        assert undefined
        assert all(cell.value is None and cell.reason for cell in undefined)
    assert report.charts == []


def test_everybody_the_same() -> None:
    """One category used by all: AC is 1, alpha and kappa are undefined; there is no interval."""
    grades = {f"q{n}": ("Energy", {"ada": "000", "bob": "000"}) for n in range(4)}
    cells = lines(relevance(grades).report(), "ratings-relevance")["Pooled"]
    assert (cells["gwet_ac"].value, cells["gwet_ac"].flag) == (1, "no_variation")
    assert cells["gwet_ac"].low is None
    for key in ("krippendorff_alpha", "fleiss_kappa", "conger_kappa", "cohen_kappa"):
        assert (cells[key].value, cells[key].reason) == (None, "no_variation")


def test_options_are_questions_of_their_own() -> None:
    """Text chosen by both, chart by one of two: 1 and 0, and 1/2 on average. N/A was no choice,
    the others were nobody's: both are named.
    """
    people = People(RELEVANCE)
    people.task("q1", pages=(1, 2))
    for person, kinds in (("ada", ("text",)), ("bob", ("text", "chart"))):
        modalities = ev.FieldSet(field="modalities", document="report.pdf", page=1, value=kinds)
        people.did("q1", person, GOOD, graded(1, 2), modalities, graded(2, 0), outcome="answered")
    report = people.report()
    rows = lines(report, "ratings-modalities")
    assert cell_values(rows["Text"], "chosen", "units", "percent_agreement") == [1, 1, 1]
    assert cell_values(rows["Chart"], "chosen", "units", "percent_agreement") == [0.5, 1, 0]
    assert rows["Macro"]["percent_agreement"].value == pytest.approx(1 / 2)
    assert cell_values(rows["Table"], "chosen", "percent_agreement") == [0, 1]
    assert "N/A" not in rows
    notes = table(report, "ratings-modalities").notes
    assert any("N/A" in note for note in notes)
    assert any("Nobody chose" in note and "Table" in note for note in notes)


def test_numbers_by_group() -> None:
    """Numbers have alpha and the share of the same number in each row; the rest say why not."""
    field = {"name": "size", "label": "Size", "kind": "number"}
    people = People(with_overrides(preset("verify"), {"fields": [field]}))
    sizes = {"q1": ("Energy", 1, 1), "q2": ("Energy", 2, 3), "q3": ("Water", 5, 5)}
    for key, (domain, *values) in sizes.items():
        people.task(key, domain=domain)
        for person, value in zip(("ada", "bob"), values, strict=True):
            people.did(key, person, ev.FieldSet(field="size", value=value))
    rows = lines(people.report(), "ratings-size")
    assert cell_values(rows["Energy"], "units", "percent_agreement") == [2, 0.5]
    # Of 1, 1, 2, 3: D_o = 2/4, D_e = 2 · (4·15 − 7²) / (4·3) = 22/12
    assert rows["Energy"]["krippendorff_alpha"].value == pytest.approx(1 - (1 / 2) / (22 / 12))
    assert rows["Water"]["krippendorff_alpha"].reason == "no_variation"
    assert rows["Pooled"]["gwet_ac"].reason == "no_declared_categories"
    assert rows["Macro"]["percent_agreement"].value == 3 / 4


def test_categories_that_are_not_declared_are_counted() -> None:
    """A model's own class that somebody accepts is in no result on labels, and in the account."""
    people = People(preset("verify"))
    strange = element(1, label="Formula")
    seeded = ev.ElementsSeeded(document="b.pdf", page=2, elements=(strange,))
    for person in ("ada", "bob"):
        people.did("v1", person, seeded, ev.BoxAccepted(box="e1"))
    report = people.report()
    (left,) = report.left_out
    assert (left.what, left.reason, left.count) == ("rating", "category_not_declared", 2)
    assert left.ids == ["element-label"]
    assert lines(report, "work-element-label")["Pooled"]["units"].value == 0
    assert lines(report, "work-element-verdict")["Pooled"]["units"].value == 1


def test_authors_rate_nothing() -> None:
    """Where everybody writes questions of their own there is nothing to agree on."""
    people = People(preset("author"))
    for person in ("ada", "bob"):
        people.did(
            "w1",
            person,
            ev.QuestionEdited(text="How many?"),
            ev.FieldSet(field="hop", value="single"),
            outcome="answered",
        )
    report = people.report()
    assert [section.title for section in report.sections] == ["Ratings"]
    assert report.tables == []
    assert "questions of their own" in report.sections[0].notes[0]


def test_predictions_of_one_question_are_one_cluster() -> None:
    """Judges see several systems' answers to a question: questions are resampled, not answers."""
    people = People(preset("judge"))
    for n in range(4):
        for system in "ab":
            people.task(f"q{n}#{system}", question=f"Question {n}")
            for person, verdict in (("ada", "correct"), ("bob", "partial" if n else "correct")):
                people.did(f"q{n}#{system}", person, ev.FieldSet(field="verdict", value=verdict))
    report = people.report()
    pooled = lines(report, "ratings-verdict")["Pooled"]
    assert cell_values(pooled, "units", "clusters") == [8, 4]
    assert report.choices["resampled"] == "questions"


def test_every_table_has_a_file_of_its_own(tmp_path: Path) -> None:
    """Keys are unique and fit for files whatever the protocol calls its fields and columns."""
    names = ("overview", "element_verdict", "task_outcome", "a_b", "a__b", "a_b_")
    fields: list[Any] = [{"name": name, "label": name, "kind": "boolean"} for name in names]
    column = {"name": "b_c", "label": "C", "kind": "choice", "options": ("x", "y")}
    rows = {"label": "Rows", "kind": "records", "seed": "s"}
    fields += [
        {**rows, "name": "rows_a", "columns": [column]},
        {**rows, "name": "rows_a_b", "columns": [{**column, "name": "c"}]},
    ]
    protocol = with_overrides(preset("verify"), {"fields": fields, "answer.kind": "list"})
    people = People(protocol)
    for person in ("ada", "bob"):
        sure = [ev.FieldSet(field=name, value=person == "ada") for name in names]
        people.did("t", person, *sure, outcome="answered")
    report = people.report()
    keys = [table.key for table in report.tables]
    assert [key for key in keys if key.startswith(("ratings-a-b", "rows-"))] == [
        "ratings-a-b",
        "ratings-a-b-2",
        "ratings-a-b-3",
        "rows-rows-a-b-c",
        "rows-rows-a-b-c-2",
    ]
    write_report(report, tmp_path / "out")
    assert {path.stem for path in (tmp_path / "out" / "tables").glob("*.csv")} == set(keys)


def permuted(people: People, renamed: dict[str, str]) -> People:
    """The same work under other names, come in backwards."""
    other = People(people.protocol, dict(reversed(people.records.items())), batches=people.batches)
    for (key, person, role, setting), events in reversed(people.attempts.items()):
        other.attempts[key, renamed[person], role, setting] = events
    return other


@st.composite
def graded_tasks(draw: st.DrawFn) -> dict[str, Any]:
    """Small campaigns: tasks of two domains, any of three people, grades of up to three pages."""
    pages = st.text("012", min_size=3, max_size=3)
    people = st.dictionaries(st.sampled_from(["ada", "bob", "cyd"]), pages, max_size=3)
    tasks = draw(st.lists(st.tuples(st.sampled_from(["Energy", None]), people), max_size=5))
    return {f"q{n}": task for n, task in enumerate(tasks)}


@examples(20)
@given(graded_tasks(), st.permutations(["ada", "bob", "cyd"]))
def test_any_campaign_in_any_order(grades: dict[str, Any], names: list[str]) -> None:
    """Whatever was graded, the order of tasks and people changes nothing, names no result."""
    people = relevance(grades)
    unchanged = {name: name for name in names}
    report = people.report()
    assert permuted(people, unchanged).report() == report
    renamed = permuted(people, dict(zip(("ada", "bob", "cyd"), names, strict=True))).report()
    for key in ("ratings-relevance", "boxes", "answers"):
        assert numbers(renamed, key) == pytest.approx(numbers(report, key), abs=1e-9)


def numbers(report: Report, key: str) -> list[Any]:
    """All results of a table with their intervals, row by row."""
    return [
        cell
        for row in table(report, key).rows
        for cell in row.cells.values()
        for cell in (cell.value, cell.low, cell.high, cell.se)
        if isinstance(cell, float)
    ]


def test_order_and_names_change_nothing() -> None:
    """Tasks and people in any order give an equal report; people under other names the same
    results."""
    people = relevance()
    names = {"ada": "ada", "bob": "bob", "cyd": "cyd"}
    assert permuted(people, names).report(by="domain") == people.report(by="domain")
    renamed = permuted(people, {"ada": "zoe", "bob": "bob", "cyd": "abe"}).report()
    for key in ("ratings-relevance", "ratings-query-quality", "agreement-overview"):
        assert numbers(renamed, key) == pytest.approx(numbers(people.report(), key), abs=1e-12)
