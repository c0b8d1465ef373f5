"""Suspect gold on the screen: the queue, the three decisions, two windows and double clicks."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select
from streamlit.testing.v1 import AppTest

from pagetrail.app.services.composition import Services
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Task
from pagetrail.storage.people.accounts import add_user
from tests.app.conftest import PASSWORD
from tests.app.review_case import Case, under_review
from tests.app.screens import at_screen

GOLD, ANSWER = "4711", "30"


@pytest.fixture
def case(services: Services) -> Case:
    """Gold and answers that the rule can compare: all answers are wrong."""
    engine = services.workspace.engine
    with write_transaction(engine) as connection:
        for key, record in connection.execute(select(Task.key, Task.record)).all():
            connection.execute(
                Task.__table__.update()  # type: ignore[attr-defined]
                .where(Task.key == key)
                .values(record={**record, "answer_variants": [[GOLD]]})
            )
    return under_review(services, take=False, answers=(ANSWER, "50"))


def opened(services: Services, monkeypatch: pytest.MonkeyPatch, name: str = "sven") -> AppTest:
    at = at_screen(services, name, monkeypatch, "gold", campaign="Otters").run()
    assert not at.exception
    return at


def button(at: AppTest, label: str) -> Any:
    return next(b for b in at.button if b.label == label)


def events(services: Services, case: Case) -> list[str]:
    return [event.type for event in services.log.events(case.gold)]


def test_queue_shows_reasons_and_everybodys_answers(
    services: Services, monkeypatch: pytest.MonkeyPatch, case: Case
) -> None:
    at = opened(services, monkeypatch)

    queue, evidence = (frame.value for frame in at.dataframe)
    assert queue["Why"][0] == "Nobody solved it"
    assert evidence["Who"][0] == "Gold"
    assert GOLD in list(evidence["Answer"])
    assert ANSWER in list(evidence["Answer"])
    assert list(evidence["Counts as correct"])[1:] == ["no", "no"]


def test_confirmation_moves_on_with_a_click(
    services: Services, monkeypatch: pytest.MonkeyPatch, case: Case
) -> None:
    at = opened(services, monkeypatch)

    button(at, "The gold is right").click().run()

    assert not at.exception and not at.error
    assert events(services, case) == ["gold_checked"]
    assert at.dataframe[0].value["Decision"][0] == "Confirmed"
    first_question = at.subheader[0].value
    button(at, "Next task").click().run()
    assert at.subheader[0].value != first_question


def test_correction_is_stored_as_a_version(
    services: Services, monkeypatch: pytest.MonkeyPatch, case: Case
) -> None:
    at = opened(services, monkeypatch)

    answer = next(area for area in at.text_area if area.label == "Right answer")
    assert answer.value == GOLD
    answer.set_value("fifty otters")
    next(area for area in at.text_area if area.label == "or, just as right").set_value("50 otters")
    pages = next(area for area in at.text_area if area.label.startswith("Evidence"))
    pages.set_value("report.pdf 2")
    button(at, "Store as the next version").click().run()

    assert not at.error
    assert events(services, case) == ["gold_merged", "adjudicated", "gold_checked"]
    state = services.log.state(case.gold)
    assert state.answer_text == "fifty otters"
    assert state.review is not None and state.review.variants == ("50 otters",)
    assert [c.page for c in state.citations] == [2]
    assert "fifty otters" in at.dataframe[1].value["Answer"][0]


@pytest.mark.parametrize(
    ("meaning", "variants"),
    [("several", ("fifty otters", "50 otters")), ("one", ("fifty otters\n50 otters",))],
)
def test_a_pasted_list_asks_whether_it_is_one_answer(
    meaning: str,
    variants: tuple[str, ...],
    services: Services,
    monkeypatch: pytest.MonkeyPatch,
    case: Case,
) -> None:
    """Nothing is stored before that is said; a line is an item, as on every other screen."""
    at = opened(services, monkeypatch)
    answer = next(area for area in at.text_area if area.label == "Right answer")
    at = answer.set_value("fifty otters\n50 otters").run()
    button(at, "Store as the next version").click().run()
    assert "say whether the 2 lines" in at.error[0].value
    assert events(services, case) == []

    next(radio for radio in at.radio if radio.label == "These 2 lines are").set_value(meaning)
    button(at, "Store as the next version").click().run()

    assert not at.error
    state = services.log.state(case.gold)
    assert state.review is not None
    assert (state.answer_text, *state.review.variants) == variants


def test_page_that_cannot_be_read_is_named(
    services: Services, monkeypatch: pytest.MonkeyPatch, case: Case
) -> None:
    at = opened(services, monkeypatch)

    pages = next(area for area in at.text_area if area.label.startswith("Evidence"))
    pages.set_value("page two")
    button(at, "Store as the next version").click().run()

    assert "page two" in at.error[0].value
    assert events(services, case) == []


def test_drop_without_a_reason_is_refused(
    services: Services, monkeypatch: pytest.MonkeyPatch, case: Case
) -> None:
    at = opened(services, monkeypatch)

    button(at, "Leave the task out of results").click().run()
    assert at.error
    assert events(services, case) == []
    next(i for i in at.text_input if i.key.endswith("drop-reason")).set_value("two readings")
    button(at, "Leave the task out of results").click().run()

    assert not at.error
    assert events(services, case) == ["gold_checked"]
    assert at.dataframe[0].value["Decision"][0] == "Dropped"


def test_second_window_is_told_and_stores_nothing(
    services: Services, monkeypatch: pytest.MonkeyPatch, case: Case
) -> None:
    first, second = opened(services, monkeypatch), opened(services, monkeypatch)
    button(first, "The gold is right").click().run()

    next(i for i in second.text_input if i.key.endswith("drop-reason")).set_value("unclear")
    button(second, "Leave the task out of results").click().run()

    assert "another window" in second.error[0].value
    assert events(services, case) == ["gold_checked"]


def test_role_that_was_taken_away_decides_nothing(
    services: Services, monkeypatch: pytest.MonkeyPatch, case: Case
) -> None:
    add_user(services.workspace, "root", "admin", PASSWORD)
    at = opened(services, monkeypatch)
    as_annotator = at_screen(services, "alma", monkeypatch, "gold", campaign="Otters")

    button(at, "The gold is right").click().run()

    assert events(services, case) == []
    assert "for supervisors" in " ".join(error.value for error in at.error)
    as_annotator.run()
    assert not as_annotator.dataframe and not as_annotator.button
