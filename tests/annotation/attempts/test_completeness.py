"""What is missing before a task can be submitted, part by part, and the refusal that says so."""

from __future__ import annotations

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.completeness import missing
from pagetrail.annotation.events.work import Outcome
from pagetrail.annotation.protocols.check_results import Finding
from pagetrail.annotation.protocols.protocol import Protocol, preset, with_overrides
from tests.annotation.events.elements import element
from tests.annotation.given_pages import (
    A3,
    B1,
    B2,
    GIVEN_PAGES,
    box,
    given_driver,
    on_page,
    record_all,
    refused,
)
from tests.support.factory import AttemptDriver, cited, memory_driver

RELEVANCE = preset("relevance")
FINDING = Finding(check="giveaway", status="warning", message="The question names its page.")


def missing_parts(driver: AttemptDriver, outcome: Outcome = "answered") -> dict[str, str]:
    """What is missing in the attempt."""
    return missing(driver.context.form(driver.state), outcome)


def set_field(name: str, value: object, page: tuple[str, int] | None = None) -> ev.FieldSet:
    """A field of the task or of a page."""
    location = on_page(page) if page else {}
    return ev.FieldSet.model_validate({"field": name, "value": value, **location})


def test_a_relevance_task_from_nothing_to_done() -> None:
    """Each step takes its part off the list, and at the end the task is submitted."""
    driver = given_driver(RELEVANCE)
    assert missing_parts(driver) == {
        "answer": "The answer is empty. Write it.",
        "query_quality": "“Query quality” is not set.",
        "relevance": "“Relevance” is not set for 3 pages: page 1 of b.pdf, page 2 of b.pdf, "
        "page 3 of annual report.pdf.",
    }
    record_all(
        driver,
        set_field("query_quality", "good"),
        set_field("relevance", "2", B1),
        set_field("relevance", "0", A3),
    )
    assert missing_parts(driver) == {
        "answer": "The answer is empty. Write it.",
        "boxes": "No box is drawn on page 1 of b.pdf.",
        "relevance": "“Relevance” is not set for page 2 of b.pdf.",
        "modalities": "“Modalities of the relevant content” is not set for page 1 of b.pdf.",
    }
    record_all(
        driver, set_field("relevance", "0", B2), box("a", B1), set_field("modalities", ["text"], B1)
    )
    assert set(missing_parts(driver)) == {"answer"}
    assert missing_parts(driver, "unanswerable") == {}
    record_all(driver, ev.AnswerEdited(text="Otters."))
    assert missing_parts(driver) == {}
    assert record_all(driver, ev.Submitted(outcome="answered")).state.status == "submitted"


def test_a_poor_query_needs_nothing_else() -> None:
    """The task ends with the query's quality, whatever was started, and is submitted as done."""
    driver = given_driver(RELEVANCE)
    record_all(
        driver,
        set_field("query_quality", "good"),
        set_field("relevance", "2", B1),
        set_field("query_quality", "poor"),
    )
    assert missing_parts(driver, "completed") == {}
    for outcome in ("answered", "unanswerable", "not_found"):
        refusal = refused(driver, ev.Submitted.model_validate({"outcome": outcome}))
        assert refusal.code == "wrong_outcome"
    assert record_all(driver, ev.Submitted(outcome="completed")).state.outcome == "completed"


def test_a_refused_submission_says_everything_on_the_first_part() -> None:
    """All sentences in one message; the field is the first part that is missing."""
    driver = record_all(given_driver(RELEVANCE), set_field("query_quality", "good"))
    refusal = refused(driver, ev.Submitted(outcome="answered"))
    assert (refusal.code, refusal.field) == ("incomplete", "answer")
    assert refusal.message.startswith("The answer is empty. Write it. “Relevance” is not set")


def test_a_box_that_is_deleted_is_missing_again() -> None:
    """Boxes are counted as they are on the page."""
    driver = record_all(given_driver(RELEVANCE), set_field("relevance", "2", B1), box("a"))
    assert "boxes" not in missing_parts(driver)
    record_all(driver, ev.BoxDeleted(box="a"))
    assert "page 1 of b.pdf" in missing_parts(driver)["boxes"]


def test_given_elements_must_each_be_judged() -> None:
    """Accepting, correcting and deleting count; drawn boxes need no judgement."""
    record = {"elements": [element(n).model_dump(mode="json") for n in (1, 2, 3)]}
    driver = given_driver(preset("verify"), record)
    record_all(driver, box("own", B2))
    assert missing_parts(driver, "completed") == {
        "boxes": "Not checked yet: 3 elements on page 2 of b.pdf. Accept, correct or delete each."
    }
    record_all(driver, ev.BoxAccepted(box="e1"), ev.BoxLabelled(box="e2", label="Table"))
    assert "1 element on page 2" in missing_parts(driver, "completed")["boxes"]
    record_all(driver, ev.BoxDeleted(box="e3"))
    assert missing_parts(driver, "completed") == {}
    record_all(driver, ev.BoxAccepted(box="e1", accepted=False))
    assert "1 element" in missing_parts(driver, "completed")["boxes"]
    free = given_driver(with_overrides(preset("verify"), {"boxes.check_all": False}), record)
    assert missing_parts(free, "completed") == {}


def test_long_lists_of_places_are_cut() -> None:
    """Three pages are named, the rest is counted."""
    pages = tuple(("annual report.pdf", n) for n in range(1, 13))
    sentence = missing_parts(given_driver(RELEVANCE, pages=pages))["relevance"]
    assert "12 pages: page 1 of annual report.pdf, " in sentence
    assert sentence.endswith("page 3 of annual report.pdf and 9 more.")


def test_the_answer_box_and_its_way_out() -> None:
    """The sentence names “No answer found” only where the campaign has it."""
    driver = memory_driver(preset("search"))
    assert "or submit “No answer found”" in missing_parts(driver)["answer"]
    assert "No answer found" not in missing_parts(memory_driver(preset("author")))["answer"]
    assert missing_parts(driver, "not_found") == {}


def test_blank_texts_are_no_texts() -> None:
    """A required text of spaces and an empty list are not set; no and 0 are."""
    fields = (
        {"name": "why", "label": "Why", "kind": "text", "required": True},
        {
            "name": "of",
            "label": "Of",
            "kind": "multi",
            "required": True,
            "options": ({"value": "a", "label": "A"}, {"value": "b", "label": "B"}),
        },
        {"name": "fine", "label": "Fine", "kind": "boolean", "required": True},
        {"name": "count", "label": "Count", "kind": "number", "required": True},
    )
    driver = given_driver(with_overrides(preset("judge"), {"fields": fields}))
    record_all(
        driver,
        set_field("why", " \n\t"),
        set_field("of", []),
        set_field("fine", False),
        set_field("count", 0),
    )
    assert set(missing_parts(driver, "completed")) == {"why", "of"}


def chart() -> Protocol:
    """Data points of a chart, and nothing else."""
    protocol = preset("verify_chart")
    table = protocol.model_dump()["fields"][:1]
    return with_overrides(protocol, {"fields": table})


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "“Data points” has no row."),
        ([{"labels": "2019"}], "“Data points”: 1 row without Labels, Value, Judged."),
        ([{"labels": "2019", "value": " "}, {}], "“Data points”: 2 rows without"),
    ],
)
def test_rows_of_a_table(rows: list[dict[str, str]], message: str) -> None:
    """A required table needs a row, and each row its required cells; blanks are none."""
    driver = given_driver(chart(), {"data_points": rows})
    assert missing_parts(driver, "completed")["data_points"].startswith(message)


def test_deleted_rows_are_not_asked_for_cells() -> None:
    """What the model made up is deleted, not filled in."""
    driver = given_driver(chart(), {"data_points": [{"labels": "2019"}, {"labels": "x"}]})
    cells = {"value": "4", "verdict": "corrected"}
    record_all(driver, ev.RowSet(field="data_points", row="r1", values=cells))
    assert "1 row without" in missing_parts(driver, "completed")["data_points"]
    record_all(driver, ev.RowDeleted(field="data_points", row="r2"))
    assert missing_parts(driver, "completed") == {}
    record_all(driver, ev.RowDeleted(field="data_points", row="r1"))
    assert missing_parts(driver, "completed") == {"data_points": "“Data points” has no row."}


def authoring(*blocking: str) -> AttemptDriver:
    """A question with everything but its checks."""
    driver = memory_driver(with_overrides(preset("author"), {"question.blocking": blocking}))
    return record_all(
        driver,
        ev.QuestionEdited(text="How many otters?"),
        ev.AnswerEdited(text="42"),
        cited(3),
        set_field("hop", "single"),
    )


def test_a_written_question_is_needed_and_checked_last() -> None:
    """The checks are asked for only once everything that they look at is there."""
    driver = memory_driver(preset("author"))
    assert list(missing_parts(driver)) == ["question", "answer", "evidence", "hop"]
    record_all(driver, ev.QuestionEdited(text=" \n"))
    assert "question" in missing_parts(driver)
    driver = authoring()
    assert missing_parts(driver) == {"checks": "The checks are out of date. Run them again."}


def test_checks_must_have_seen_the_last_change() -> None:
    """A change of question, answer or evidence makes them old; a note or a field does not."""
    driver = authoring()
    record_all(driver, ev.Checked(at_seq=driver.state.last_seq, findings=(FINDING,)))
    assert missing_parts(driver) == {}
    record_all(driver, ev.NoteEdited(text="ask Ada"), set_field("query_type", "numerical"))
    assert missing_parts(driver) == {}
    for change in (ev.AnswerEdited(text="43"), cited(4), ev.QuestionEdited(text="How many?")):
        record_all(driver, change)
        assert set(missing_parts(driver)) == {"checks"}
        record_all(driver, ev.Checked(at_seq=driver.state.draft_seq, findings=()))
        assert missing_parts(driver) == {}


def test_checks_that_ran_before_the_last_change_arrived() -> None:
    """What counts is what they have seen, not when they were stored."""
    driver = authoring()
    checked_seq = driver.state.last_seq
    record_all(driver, ev.AnswerEdited(text="43"), ev.Checked(at_seq=checked_seq, findings=()))
    assert set(missing_parts(driver)) == {"checks"}


def test_a_warning_bars_only_where_the_guideline_says_so() -> None:
    """The finding's own sentence is what is shown; passed and skipped checks bar nothing."""
    driver = authoring("giveaway", "overlap")
    passed = Finding(check="overlap", status="skipped", message="There is no gold page.")
    other = Finding(check="duplicate", status="warning", message="It was asked before.")
    record_all(driver, ev.Checked(at_seq=driver.state.last_seq, findings=(passed, FINDING, other)))
    assert missing_parts(driver) == {"checks": "The question names its page."}
    assert refused(driver, ev.Submitted(outcome="answered")).field == "checks"


@pytest.mark.parametrize("name", ["search", "oracle", "relevance", "verify", "qa_review", "judge"])
def test_an_untouched_task_is_never_complete(name: str) -> None:
    """No preset can be submitted as answered or done without having been worked on."""
    record = {"elements": [element(1).model_dump(mode="json")]}
    driver = given_driver(preset(name), record, GIVEN_PAGES)
    outcome: Outcome = "completed" if preset(name).answer.kind == "off" else "answered"
    assert missing_parts(driver, outcome)
    assert refused(driver, ev.Submitted(outcome=outcome)).code == "incomplete"
