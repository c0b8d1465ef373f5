"""Kinds of content beside the labels of boxes, and verdicts on rows that were changed."""

from __future__ import annotations

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.completeness import gold_missing, missing
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.protocols.protocol import Protocol, parse, preset
from pagetrail.annotation.protocols.sections import ReviewPart
from pagetrail.annotation.review.merging import draft_state, merge
from tests.annotation.given_pages import (
    A3,
    B1,
    B2,
    TOML,
    box,
    given_driver,
    on_page,
    record_all,
    refused,
)
from tests.support.factory import AttemptDriver

RELEVANCE = preset("relevance")
CHART = preset("verify_chart")
POINTS = {
    "data_points": [
        {"labels": "2022", "value": "7", "tolerance": ""},
        {"labels": "2023", "value": "9", "tolerance": ""},
    ]
}


def set_field(name: str, value: object, page: tuple[str, int] | None = None) -> ev.FieldSet:
    """A field of the task or of a page."""
    location = on_page(page) if page else {}
    return ev.FieldSet.model_validate({"field": name, "value": value, **location})


def graded(modalities: list[str], *labels: str) -> AttemptDriver:
    """A task whose first page has these kinds and boxes, and nothing else is missing."""
    driver = given_driver(RELEVANCE)
    record_all(driver, set_field("query_quality", "good"), ev.AnswerEdited(text="7"))
    record_all(
        driver,
        set_field("relevance", "2", B1),
        set_field("relevance", "0", B2),
        set_field("relevance", "0", A3),
    )
    for number, label in enumerate(labels):
        drawn_box = box(f"b{number}", B1)
        record_all(driver, drawn_box.model_copy(update={"label": label}))
    return record_all(driver, set_field("modalities", modalities, B1))


def differs(driver: AttemptDriver) -> str:
    """What is said of the field that differs from the boxes; nothing else may be missing."""
    sentences = missing(driver.context.form(driver.state), "answered")
    assert set(sentences) <= {"modalities"}
    return sentences.get("modalities", "")


def confirmed(
    chosen_values: tuple[str, ...], drawn_values: tuple[str, ...]
) -> ev.ContradictionConfirmed:
    """Both are right on the first page."""
    return ev.ContradictionConfirmed(
        field="modalities", **on_page(B1), chosen=chosen_values, drawn=drawn_values, seen_ms=900
    )


def test_six_chart_boxes_do_not_pass_as_text() -> None:
    """The submission is refused on the field, which names the page."""
    driver = graded(["text"], *["Chart"] * 6)
    refusal = refused(driver, ev.Submitted(outcome="answered"))
    assert (refusal.code, refusal.field) == ("incomplete", "modalities")
    assert "differ on page 1 of b.pdf" in refusal.message


@pytest.mark.parametrize(
    ("modalities", "labels", "agrees"),
    [
        (["chart"], ["Chart"] * 6, True),
        (["text", "table"], ["Table", "Text", "Text"], True),
        (["text", "table"], ["Text"], False),
        (["text"], ["Text", "Table"], False),
    ],
)
def test_both_say_the_same_or_not(modalities: list[str], labels: list[str], agrees: bool) -> None:
    """Each chosen kind has a box, and each box's kind is chosen."""
    assert (differs(graded(modalities, *labels)) == "") == agrees


def test_it_is_resolved_on_either_side() -> None:
    """By choosing another kind, or by labelling the box otherwise."""
    assert not differs(
        record_all(graded(["text"], "Chart"), set_field("modalities", ["chart"], B1))
    )
    assert not differs(
        record_all(graded(["text"], "Chart"), ev.BoxLabelled(box="b0", label="Text"))
    )


def test_it_is_confirmed_as_it_is_and_only_so() -> None:
    """A later change asks again; only what differs can be confirmed."""
    driver = graded(["text"], "Chart")
    assert refused(driver, confirmed(("text",), ("table",))).code == "no_contradiction"
    record_all(driver, confirmed(("text",), ("chart",)))
    assert not differs(driver)
    record_all(driver, set_field("modalities", ["text", "table"], B1))
    assert differs(driver)
    record_all(driver, confirmed(("text", "table"), ("chart",)))
    assert record_all(driver, ev.Submitted(outcome="answered")).state.status == "submitted"
    agreeing = graded(["chart"], "Chart")
    assert refused(agreeing, confirmed(("chart",), ("chart",))).code == "no_contradiction"


def test_gold_takes_what_annotators_confirmed() -> None:
    """Where one of them confirmed the same, nobody has to do so again; else gold is refused."""
    driver = graded(["text"], "Chart")
    record_all(driver, confirmed(("text",), ("chart",)), ev.Submitted(outcome="answered"))
    form = driver.context.form(driver.state)
    people = [Submission(form, annotator, annotator) for annotator in "ab"]
    merged = merge(people, {}, ReviewPart(), lambda *_page: (612.0, 792.0), {"a": 1, "b": 1})
    assert gold_missing(Form(RELEVANCE, draft_state(merged), form.given)) == {}
    without_confirmation = merged.model_copy(update={"confirmed": ()})
    sentences = gold_missing(Form(RELEVANCE, draft_state(without_confirmation), form.given))
    assert "differ on page 1 of b.pdf" in sentences["modalities"]


def row(values: dict[str, str], number: int = 1) -> ev.RowSet:
    """Cells of one of the model's rows."""
    return ev.RowSet(field="data_points", row=f"r{number}", values=values)


def cells(driver: AttemptDriver, number: int = 1) -> dict[str, str]:
    """The row as stored."""
    return driver.state.rows[number - 1].values


def test_a_changed_point_is_corrected_and_never_right() -> None:
    """Whether it was judged right before, after, or in the same change."""
    driver = given_driver(CHART, POINTS)
    record_all(driver, row({"verdict": "right"}), row({"value": "8"}))
    assert (cells(driver)["value"], cells(driver)["verdict"]) == ("8", "corrected")
    assert driver.events[-1].fields()["values"] == {"value": "8", "verdict": "corrected"}
    assert refused(driver, row({"verdict": "right"})).code == "changed_row"
    assert refused(driver, row({"value": "1", "verdict": "right"}, 2)).code == "changed_row"
    record_all(driver, row({"value": "1"}, 2))
    assert cells(driver, 2)["verdict"] == "corrected"


def test_a_point_that_is_as_it_was_is_judged_again() -> None:
    """The verdict goes that came by itself; then it can be right."""
    driver = record_all(given_driver(CHART, POINTS), row({"value": "8"}), row({"value": "7"}))
    assert cells(driver)["verdict"] == ""
    assert record_all(driver, row({"verdict": "right"})) and cells(driver)["verdict"] == "right"


def test_points_changed_together_are_corrected_only_where_they_were_judged() -> None:
    """A change of all labels says nothing about values that nobody has checked."""
    driver = record_all(given_driver(CHART, POINTS), row({"verdict": "right"}))
    rows = {name: {"labels": "new"} for name in ("r1", "r2")}
    record_all(driver, ev.RowsSet(field="data_points", rows=rows))
    assert cells(driver)["verdict"] == "corrected"
    assert cells(driver, 2).get("verdict", "") == ""
    judged = {"r2": {"labels": "newer", "verdict": "right"}}
    assert refused(driver, ev.RowsSet(field="data_points", rows=judged)).code == "changed_row"
    record_all(driver, row({"tolerance": "1"}, 2))
    assert cells(driver, 2)["verdict"] == "corrected"


def test_an_annotators_own_point_may_have_any_verdict() -> None:
    """No model row exists that it could differ from."""
    own_row = ev.RowSet(field="data_points", row="r-own", values={"value": "3", "verdict": "right"})
    assert (
        record_all(given_driver(CHART, POINTS), own_row).state.rows[-1].values["verdict"] == "right"
    )


def test_older_protocols_require_nothing_new() -> None:
    """Neither rule holds where the campaign's protocol does not say so."""
    old = CHART.model_dump(mode="json")
    old["fields"][0]["columns"][3].pop("when_changed")
    driver = given_driver(Protocol.model_validate(old), POINTS)
    record_all(driver, row({"verdict": "right"}), row({"value": "8"}))
    assert cells(driver)["verdict"] == "right"


@pytest.mark.parametrize(
    "wrong",
    [
        'kind = "multi"\nscope = "task"\noptions = [{ value = "a", label = "A" }]\n'
        "matches_boxes = true",
        'kind = "records"\ncolumns = [{ name = "v", label = "V", kind = "choice", '
        'options = ["a"], when_changed = "b" }]',
    ],
)
def test_what_a_protocol_cannot_say(wrong: str) -> None:
    """Kinds of a task, and a verdict that is no option."""
    with pytest.raises(PagetrailError, match=r"matches|when_changed"):
        parse(f'{TOML}\n[[fields]]\nname = "f"\nlabel = "F"\n{wrong}\n', source="own.toml")
