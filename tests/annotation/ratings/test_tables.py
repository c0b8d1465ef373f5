"""Rating tables from people's work: what is a rating, of what unit, among which categories."""

from __future__ import annotations

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.agreement import coefficients
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.protocols.protocol import (
    Protocol,
    parse,
    preset,
    preset_names,
    with_overrides,
)
from pagetrail.annotation.ratings.tables import FieldRatings, Ratings, Unit
from tests.annotation.events.elements import element
from tests.annotation.given_pages import A3, B1, B2, GIVEN_PAGES, TOML, on_page
from tests.support.factory import events_at

RELEVANCE = preset("relevance")
FIELDS = (
    TOML
    + """
[[fields]]
name = "sure"
label = "Sure"
kind = "boolean"

[[fields]]
name = "grade"
label = "Grade"
kind = "ordinal"
options = [
    { value = "high", label = "High", code = 2 },
    { value = "low", label = "Low", code = 0.5 },
    { value = "none", label = "None", code = 0 },
    { value = "nil", label = "Nil", code = 0 },
]

[[fields]]
name = "kinds"
label = "Kinds"
kind = "multi"
options = [{ value = "a", label = "A" }, { value = "b", label = "B" }]

[[fields]]
name = "size"
label = "Size"
kind = "number"

[[fields]]
name = "note"
label = "Note"
kind = "text"
"""
)


def form(
    protocol: Protocol,
    *payloads: ev.Payload,
    pages: tuple[tuple[str, int], ...] | None = GIVEN_PAGES,
) -> Form:
    """What somebody submitted, folded from their events."""
    state = fold(events_at(*((float(n), payload) for n, payload in enumerate(payloads))))
    return Form(protocol, state, pages)


def task(name: str, value: object) -> ev.FieldSet:
    """A field of the task is set."""
    return ev.FieldSet.model_validate({"field": name, "value": value})


def graded(page: tuple[str, int], grade: str, *modalities: str) -> list[ev.Payload]:
    """A page is graded, and its modalities named."""
    payloads: list[ev.Payload] = [ev.FieldSet(field="relevance", value=grade, **on_page(page))]
    if modalities:
        payloads.append(ev.FieldSet(field="modalities", value=modalities, **on_page(page)))
    return payloads


def tables(protocol: Protocol, *forms: tuple[str, str, Form]) -> dict[str, FieldRatings]:
    """The tables of (task, rater, form), by key."""
    ratings = Ratings(protocol)
    for key, rater, rated_form in forms:
        ratings.add(key, rater, Submission(rated_form))
    return {table.scheme.key: table for table in ratings.tables()}


def test_page_grades_make_a_table_of_units_and_raters() -> None:
    """Grades of pages are ordered by (task, page) and rater, as codes, in an order of their own."""
    ada = form(RELEVANCE, task("query_quality", "good"), *graded(B1, "2"), *graded(A3, "0"))
    bob = form(RELEVANCE, task("query_quality", "good"), *graded(B1, "1"), *graded(B2, "0"))
    rating_tables = tables(RELEVANCE, ("q2", "bob", bob), ("q1", "bob", ada), ("q2", "ada", ada))
    relevance = rating_tables["relevance"]
    assert relevance.raters == ("ada", "bob")
    assert relevance.units == (
        Unit("q1", *A3),
        Unit("q1", *B1),
        Unit("q2", *A3),
        Unit("q2", *B1),
        Unit("q2", *B2),
    )
    assert relevance.table == [[None, 0.0], [None, 2.0], [0.0, None], [2.0, 1.0], [None, 0.0]]
    assert relevance.clusters == ["q1", "q1", "q2", "q2", "q2"]
    assert relevance.counts == [3, 1, 2]


def test_ordinal_fields_rate_by_their_codes() -> None:
    """Declared codes, rising, are the categories; options of one code are one category."""
    protocol = parse(FIELDS, source="own")
    rating_tables = tables(
        protocol,
        ("t", "ada", form(protocol, task("grade", "none"))),
        ("t", "bob", form(protocol, task("grade", "nil"))),
        ("t", "cyd", form(protocol, task("grade", "high"))),
    )["grade"]
    assert rating_tables.scheme.categories == (0.0, 0.5, 2.0)
    assert rating_tables.scheme.category_labels == ("None / Nil", "Low", "High")
    assert (rating_tables.scheme.level, rating_tables.scheme.weights) == ("ordinal", "ordinal")
    assert rating_tables.table == [[0.0, 0.0, 2.0]]


def test_kinds_of_fields_have_their_levels() -> None:
    """Yes or no is nominal, numbers are interval without categories, texts are not rated."""
    protocol = parse(FIELDS, source="own")
    submitted_form = form(protocol, task("sure", False), task("size", 3), task("note", "otters"))
    rating_tables = tables(protocol, ("t", "ada", submitted_form))
    assert rating_tables["sure"].table == [["no"]]
    assert (rating_tables["sure"].scheme.level, rating_tables["sure"].scheme.weights) == (
        "nominal",
        "identity",
    )
    assert rating_tables["size"].table == [[3.0]]
    assert (rating_tables["size"].scheme.level, rating_tables["size"].scheme.categories) == (
        "interval",
        (),
    )
    assert list(rating_tables) == ["sure", "grade", "kinds:a", "kinds:b", "size"]


def test_categories_come_from_the_definition() -> None:
    """Every preset declares its categories without a single rating having come in."""
    sizes = {
        name: {s.key: len(s.categories) for s in Ratings(preset(name)).schemes}
        for name in preset_names()
    }
    assert sizes["judge"] == {"verdict": 3, "issue": 6}
    assert sizes["relevance"]["query_quality"] == 2
    assert sizes["relevance"]["relevance"] == 3
    assert sizes["relevance"]["task-outcome"] == 2
    assert sizes["verify"] == {"element-verdict": 3, "element-label": 5}
    assert sizes["verify_transcript"] == {"patches.decision": 2}
    assert sizes["trajectory"] == {"verdict": 3, "category": 4, "first_wrong": 0, "steps.mark": 3}
    assert sizes["author"] == {}, "no two people rate the same question"


def test_options_left_blank_mean_none_where_nothing_is_required() -> None:
    """A field of several options that may be left blank, and was, chose none of them."""
    protocol = parse(FIELDS, source="own")
    rating_tables = tables(
        protocol,
        ("t", "ada", form(protocol, task("kinds", ("b",)))),
        ("t", "bob", form(protocol)),
    )
    assert rating_tables["kinds:a"].table == [["no", "no"]]
    assert rating_tables["kinds:b"].table == [["yes", "no"]]


def test_an_option_is_rated_where_it_was_a_choice() -> None:
    """Modalities of a page graded 0 are N/A without a choice: no rating, neither yes nor no."""
    good = task("query_quality", "good")
    ada = form(RELEVANCE, good, *graded(B1, "2", "text"), *graded(B2, "0"))
    bob = form(RELEVANCE, good, *graded(B1, "1", "table", "text"), *graded(B2, "1", "chart"))
    rating_tables = tables(RELEVANCE, ("q", "ada", ada), ("q", "bob", bob))
    assert rating_tables["modalities:table"].units == (Unit("q", *B1), Unit("q", *B2))
    assert rating_tables["modalities:table"].table == [["no", "yes"], [None, "no"]]
    assert rating_tables["modalities:text"].table == [["yes", "yes"], [None, "no"]]
    assert rating_tables["modalities:na"].units == ()


def test_a_field_that_is_not_asked_is_missing() -> None:
    """The main issue is asked of wrong predictions alone; of right ones there is no rating."""
    judge = preset("judge")
    rating_tables = tables(
        judge,
        ("t", "ada", form(judge, task("verdict", "correct"))),
        ("t", "bob", form(judge, task("verdict", "incorrect"), task("issue", "refusal"))),
    )
    assert rating_tables["verdict"].table == [[1.0, 0.0]]
    assert rating_tables["issue"].raters == ("bob",)
    assert rating_tables["issue"].table == [["refusal"]]


def test_a_value_that_does_not_count_any_more_is_no_rating() -> None:
    """An issue set before the verdict became right rates nothing, as it is exported nowhere."""
    judge = preset("judge")
    submitted_form = form(
        judge, task("verdict", "partial"), task("issue", "verbosity"), task("verdict", "correct")
    )
    assert tables(judge, ("t", "ada", submitted_form))["issue"].units == ()


def test_an_implied_value_counts() -> None:
    """A required field that offers a single option has that value without being set."""
    protocol = parse(
        TOML
        + """
[[fields]]
name = "sort"
label = "Sort"
kind = "choice"
required = true
options = [{ value = "only", label = "Only" }]
""",
        source="own",
    )
    assert tables(protocol, ("t", "ada", form(protocol)))["sort"].table == [["only"]]


def test_an_ended_task_rates_nothing_of_its_pages() -> None:
    """A poor query rates the query's quality alone, also where pages were graded before."""
    submitted_form = form(
        RELEVANCE,
        task("query_quality", "good"),
        *graded(B1, "2", "text"),
        task("query_quality", "poor"),
        ev.Submitted(outcome="completed"),
    )
    rating_tables = tables(RELEVANCE, ("q", "ada", submitted_form))
    assert rating_tables["query_quality"].table == [["poor"]]
    assert not any(table.units for key, table in rating_tables.items() if key != "query_quality")


def test_outcomes_are_those_that_the_protocol_allows() -> None:
    """The outcome is rated among what the campaign allows; without an answer there is none."""
    search = with_overrides(preset("search"), {"answer.unanswerable": True})
    outcomes = ("answered", "not_found", "unanswerable")
    forms = [form(search, ev.Submitted(outcome=outcome), pages=None) for outcome in outcomes]
    rating_tables = tables(search, ("t", "a", forms[0]), ("t", "b", forms[1]), ("t", "c", forms[2]))
    assert rating_tables["task-outcome"].scheme.categories == outcomes
    assert rating_tables["task-outcome"].table == [list(outcomes)]
    assert list(tables(preset("search"))) == ["task-outcome"]
    assert tables(preset("search"))["task-outcome"].scheme.categories == ("answered", "not_found")
    single_outcome = with_overrides(preset("search"), {"answer.not_found": False})
    assert tables(single_outcome) == {}, "a single outcome is no choice"
    assert "task-outcome" not in tables(preset("judge"))


def test_elements_of_a_model_are_units_and_drawn_boxes_are_not() -> None:
    """Elements that all were given have verdict and label; unjudged and own boxes have none."""
    verify = preset("verify")
    seeded = ev.ElementsSeeded(
        document=B2[0], page=B2[1], elements=tuple(element(n) for n in range(1, 12))
    )
    drawn_box = ev.BoxDrawn(
        box="b-1", document=B2[0], page=B2[1], rect=(1, 2, 50, 60), label="Text"
    )
    ada = form(
        verify,
        seeded,
        ev.BoxAccepted(box="e1"),
        ev.BoxLabelled(box="e2", label="Table"),
        ev.BoxDeleted(box="e10"),
        drawn_box,
    )
    bob = form(verify, seeded, ev.BoxAccepted(box="e1"), ev.BoxAccepted(box="e2"), drawn_box)
    rating_tables = tables(verify, ("t", "ada", ada), ("t", "bob", bob))
    assert [unit.item for unit in rating_tables["element-verdict"].units] == ["e1", "e2", "e10"]
    assert rating_tables["element-verdict"].table == [
        ["accepted", "accepted"],
        ["corrected", "accepted"],
        ["deleted", None],
    ]
    assert rating_tables["element-label"].table == [["Text", "Text"], ["Table", "Text"]]


def test_a_label_that_is_not_declared_is_counted_and_left_out() -> None:
    """A model's own class among a closed list of others is no rating, and is accounted for."""
    verify = preset("verify")
    seeded = ev.ElementsSeeded(document=B2[0], page=B2[1], elements=(element(1, label="Formula"),))
    ratings = Ratings(verify)
    ratings.add("t", "ada", Submission(form(verify, seeded, ev.BoxAccepted(box="e1"))))
    assert ratings.undeclared == {"element-label": 1}
    verdict, label = ratings.tables()
    assert verdict.table == [["accepted"]]
    assert label.units == ()


def test_fields_of_boxes_are_rated_on_shared_elements_alone() -> None:
    """A box field has ratings where the element was given to all, not where somebody drew."""
    protocol = parse(
        TOML
        + """
[boxes]
enabled = true
seed = true
labels = [{ name = "Text" }]

[[fields]]
name = "shape"
label = "Shape"
kind = "choice"
scope = "box"
options = [{ value = "round", label = "Round" }, { value = "wide", label = "Wide" }]
""",
        source="own",
    )
    submitted_form = form(
        protocol,
        ev.ElementsSeeded(document=B2[0], page=B2[1], elements=(element(1),)),
        ev.BoxDrawn(box="b-1", document=B2[0], page=B2[1], rect=(1, 2, 50, 60), label="Text"),
        ev.FieldSet(field="shape", box="e1", value="round"),
        ev.FieldSet(field="shape", box="b-1", value="wide"),
    )
    shape = tables(protocol, ("t", "ada", submitted_form))["shape"]
    assert shape.units == (Unit("t", *B2, "e1"),)
    assert shape.table == [["round"]]


def test_closed_columns_are_rated_on_the_rows_of_the_model() -> None:
    """A decision on each patch is rated by row; rows added or deleted have no rating."""
    chart = preset("verify_chart")
    values = {"labels": "2024", "value": "42", "tolerance": "0"}
    seeded = ev.RowsSeeded.model_validate(
        {"field": "data_points", "rows": [{"id": f"m{n}", "values": values} for n in (1, 2, 3)]}
    )

    def judge_row(row: str, verdict: str) -> ev.RowSet:
        return ev.RowSet(field="data_points", row=row, values={"verdict": verdict})

    submitted_form = form(
        chart,
        seeded,
        judge_row("r1", "right"),
        judge_row("r2", "corrected"),
        ev.RowDeleted(field="data_points", row="r2"),
        judge_row("r-1", "corrected"),
    )
    rating_tables = tables(chart, ("t", "ada", submitted_form))["data_points.verdict"]
    assert rating_tables.units == (Unit("t", item="r1"),)
    assert rating_tables.table == [["right"]]
    assert rating_tables.scheme.categories == ("right", "corrected")


def test_places_give_the_same_coefficients_as_categories() -> None:
    """Coefficients of the places of categories are those of the declared codes themselves."""
    codes = {"2": 2.0, "1": 1.0, "0": 0.0}
    grades = ["210", "211", "002", "000", "121", "120"]
    rated_forms = [
        (f"q{n}", rater, form(RELEVANCE, task("query_quality", "good"), *graded(B1, grade)))
        for n, unit in enumerate(grades)
        for rater, grade in zip(("ada", "bob", "cyd"), unit, strict=True)
    ]
    rating_tables = tables(RELEVANCE, *rated_forms)["relevance"]
    by_hand = coefficients(
        [[codes[grade] for grade in unit] for unit in grades],
        categories=[0, 1, 2],
        weights="ordinal",
        level="ordinal",
    )
    by_place = coefficients(
        rating_tables.rating_matrix, categories=range(3), weights="ordinal", level="ordinal"
    )
    assert {key: value.value for key, value in by_place.items()} == pytest.approx(
        {key: value.value for key, value in by_hand.items()}, abs=1e-15
    )


def test_without_work_there_are_tables_without_ratings() -> None:
    """An empty campaign has its tables, empty ones."""
    rating_tables = tables(RELEVANCE)
    assert rating_tables["relevance"].units == ()
    assert rating_tables["relevance"].raters == ()
    assert rating_tables["relevance"].table == []
    assert rating_tables["relevance"].counts == [0, 0, 0]
    assert rating_tables["relevance"].rating_matrix.shape == (0, 0)
