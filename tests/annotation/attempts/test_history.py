"""What can be undone: events that reverse others, and what the server refuses of them."""

from __future__ import annotations

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.history import HistoryStep
from pagetrail.annotation.attempts.state import AttemptState, apply
from pagetrail.annotation.protocols.protocol import parse
from tests.annotation.given_pages import (
    B1,
    B2,
    TOML,
    box,
    given_driver,
    on_page,
    record_all,
    redo,
    refused,
    undo,
)
from tests.support.factory import AttemptDriver, events_at, memory_driver

FIELDS = parse(
    TOML
    + """
boxes = { enabled = true, labels = [{ name = "Text" }] }
[[fields]]
name = "grade"
label = "Grade"
scope = "page"
kind = "ordinal"
options = [{ value = "0", label = "No", code = 0 }, { value = "1", label = "Yes", code = 1 }]
""",
    source="fields.toml",
)


@pytest.fixture
def driver() -> AttemptDriver:
    """A task with a graded page and boxes."""
    return given_driver(FIELDS)


def grade(value: str | None, undoes: str | None = None) -> ev.FieldSet:
    """The grade of a page."""
    return ev.FieldSet(field="grade", **on_page(B1), value=value, undoes=undoes)


def last(steps: tuple[HistoryStep, ...]) -> str:
    """The id of the last step."""
    return steps[-1].id


def test_undoing_and_redoing_are_ordinary_events(driver: AttemptDriver) -> None:
    """They name the event that they reverse; other events say nothing of it."""
    record_all(driver, grade("0"), grade("1"))
    first = last(driver.state.undo)
    record_all(driver, grade("0", undoes=first))
    assert driver.state.value("grade", *B1) == "0"
    record_all(driver, grade("1", undoes=last(driver.state.redo)))
    assert driver.state.value("grade", *B1) == "1"
    assert not driver.state.redo
    assert [event.type for event in driver.events] == ["opened", *["field_set"] * 4]
    fields = [event.fields() for event in driver.events[1:]]
    assert ["undoes" in named for named in fields] == [False, False, True, True]
    assert fields[2]["undoes"] == first == driver.events[2].client_event_id
    assert fields[3]["undoes"] == driver.events[3].client_event_id


def test_the_change_of_another_tab_is_not_undone(driver: AttemptDriver) -> None:
    """A tab that has not seen the last change of a value cannot put back what it knows."""
    record_all(driver, grade("0"))
    known = last(driver.state.undo)
    record_all(driver, grade("1"))
    refusal = refused(driver, grade(None, undoes=known))
    assert refusal.code == "not_last"
    assert driver.state.value("grade", *B1) == "1"


@pytest.mark.parametrize("undoes", ["never", "other"])
def test_only_a_change_of_the_same_value_is_undone(driver: AttemptDriver, undoes: str) -> None:
    """Neither an unknown event nor that of another page."""
    record_all(driver, grade("0"), ev.FieldSet(field="grade", **on_page(B2), value="1"))
    names = {"never": "c9999", "other": last(driver.state.undo)}
    assert refused(driver, grade(None, undoes=names[undoes])).code == "not_last"


def test_boxes_and_fields_have_one_history(driver: AttemptDriver) -> None:
    """In the order in which they were done; an undone box is redone by its own event."""
    record_all(driver, grade("0"), box("b-1"), grade("1"))
    assert [step.part for step in driver.state.undo] == ["field", "box", "field"]
    record_all(driver, grade("0", undoes=last(driver.state.undo)), undo(driver))
    assert [step.part for step in driver.state.undo] == ["field"]
    assert [step.part for step in driver.state.redo] == ["field", "box"]
    record_all(driver, redo(driver))
    assert [step.part for step in driver.state.undo] == ["field", "box"]
    record_all(driver, ev.NoteEdited(text="new"))
    assert not driver.state.redo, "a new change leaves nothing to redo"


def test_citations_and_texts_come_back_as_they_were() -> None:
    """A citation with its search, a text whole."""
    driver = memory_driver()
    page = {"document": "annual report.pdf", "page": 3}
    record_all(
        driver,
        ev.CitationAdded(**page, search_id="s1", rank=2),
        ev.AnswerEdited(text="42"),
        ev.AnswerEdited(text="43"),
        ev.CitationRemoved(**page),
    )
    citation, answer = driver.state.undo[-1], driver.state.undo[-2]
    assert (citation.present, citation.search_id, citation.rank) == (True, "s1", 2)
    assert answer.value == "42"


def test_gold_that_is_merged_begins_a_new_history() -> None:
    """What was done to the draft before it was replaced cannot be undone."""
    edited, taken = events_at((0.0, ev.AnswerEdited(text="42")), (1.0, ev.ReviewTaken()))
    state = apply(AttemptState(), edited)
    assert state.undo
    assert not apply(state, taken).undo
