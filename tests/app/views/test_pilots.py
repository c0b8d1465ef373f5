"""The pilots screen from the entry point: what it shows, to whom, and the rows it stores."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update
from streamlit.testing.v1 import AppTest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command
from pagetrail.app.pilots.decisions import NOTICE
from pagetrail.app.pilots.own_status import pilot_status as own_status
from pagetrail.app.services.composition import Services
from pagetrail.storage.attempts.queries import attempt as attempt_row
from pagetrail.storage.batches.my_batches import claimable_campaigns
from pagetrail.storage.batches.my_batches import pilot_status as my_pilot_status
from pagetrail.storage.database.tables import QualificationRow, User
from pagetrail.storage.importers.tasks.pilot_gold import correct_gold
from pagetrail.storage.importers.tasks.task_changes import task_details
from pagetrail.storage.people.accounts import find_person
from pagetrail.storage.qualification.submissions import feedback_command
from tests.app.screens import as_person, at_screen
from tests.app.signed_in import attempts_of
from tests.app.workspace.test_pilot_feedback import GOLD_WORDS, RIGHT, leaks, pilot
from tests.support.audit_log import audited

__all__ = ["pilot"]

WRONG = "badgers\nstoats"
"""Wrong by any rule: the gold has one item."""
VIEWS = ("People", "Tasks", "One person")


def hand_in(
    services: Services, name: str, task_number: int, *, right: bool, answer: str = WRONG
) -> None:
    """Somebody hands a task of the pilot in, and is shown the gold."""
    attempt = attempts_of(services, name, "Trial")[task_number]
    row = attempt_row(services.workspace.engine, attempt)
    payloads: list[dict[str, Any]] = [{"type": kind, **payload} for _, kind, payload in RIGHT]
    if not right:
        payloads[1]["text"] = answer
    payloads.append({"type": "submitted", "outcome": "answered"})
    commands = [
        Command(str(n), ev.parse_payload(payload.pop("type"), payload))
        for n, payload in enumerate(payloads)
    ]
    outcome = services.recorder.record(row.context(), commands)
    assert outcome.refusals == {}
    feedback = feedback_command(row, outcome.state)
    assert feedback is not None
    services.recorder.record(row.context(), [feedback])


@pytest.fixture
def judged_pilot(pilot: Services) -> Services:
    """Alma has one right and one wrong, Bruno one wrong; both have the first task wrong."""
    first = attempts_of(pilot, "alma", "Trial")
    keys = [attempt_row(pilot.workspace.engine, a).key for a in first]
    hand_in(pilot, "alma", keys.index("p1"), right=False)
    hand_in(pilot, "alma", keys.index("p2"), right=True)
    brunos_attempts = attempts_of(pilot, "bruno", "Trial")
    keys = [attempt_row(pilot.workspace.engine, a).key for a in brunos_attempts]
    hand_in(pilot, "bruno", keys.index("p1"), right=False)
    return pilot


def pilots(services: Services, monkeypatch: pytest.MonkeyPatch, view: str = "People") -> AppTest:
    """The screen as the supervisor sees it."""
    at = at_screen(services, "sven", monkeypatch, "pilots").run()
    assert not at.exception
    if view != "People":
        at = at.button_group(key="view").set_value(view).run()
    assert not at.exception
    return at


def frame(at: AppTest, column: str) -> Any:
    """The first table with that column."""
    return next(table.value for table in at.dataframe if column in table.value.columns)


def texts(at: AppTest) -> str:
    """Everything that is shown as text."""
    return "\n".join(element.value for element in [*at.text, *at.caption, *at.markdown])


def stored(services: Services) -> list[tuple[str, str, str]]:
    """decision, reason, by of every stored row."""
    with services.workspace.engine.connect() as connection:
        rows = connection.execute(select(QualificationRow).order_by(QualificationRow.id))
        return [(row.decision, row.reason, row.by) for row in rows]


def decide(at: AppTest, name: str, decision: str, reason: str) -> AppTest:
    """Fill the form in and press its button."""
    at.radio(key=f"pilot-decision-{name}").set_value(decision)
    at.text_input(key=f"pilot-reason-{name}").set_value(reason)
    button = next(b for b in at.button if b.label == "Record the decision")
    at = button.click().run()
    assert not at.exception
    return at


def test_without_a_pilot_the_screen_explains_how_to_create_one(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The way to the first pilot, and nothing else."""
    at = pilots(services, monkeypatch)
    assert "Administration → Campaigns" in at.info[0].value
    assert not at.dataframe and not at.selectbox


def test_who_meets_the_mark(judged_pilot: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """Results with intervals, each part, the verdict; only pilots can be chosen."""
    at = pilots(judged_pilot, monkeypatch)
    assert at.selectbox(key="pilot").options == ["Trial"]
    people = frame(at, "standing").set_index("person")
    assert list(people.index) == ["alma", "bruno"]
    assert people.loc["alma", ["done", "tasks", "judged", "right"]].tolist() == [2, 2, 2, 1]
    assert people.loc["alma", "share"].startswith("50.0 [9.5, 90.5]")
    assert people.loc["alma", "part_answer"] == 50.0
    assert people.loc["alma", "part_boxes"] == 100.0
    assert people["mark"].tolist() == ["failed", "not yet"]
    metrics = {metric.label: metric.value for metric in at.metric}
    assert metrics["Reach the pass mark"] == "0 of 2" and metrics["Pass mark"] == "100 %"
    assert any("0 of 2 people reach it" in caption.value for caption in at.caption)


def test_tasks_are_listed_by_error_rate(
    judged_pilot: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The task that nobody had right comes first, with a warning, its gold and all answers; and
    what alma says of its gold.
    """
    attempts = attempts_of(judged_pilot, "alma", "Trial")
    rows = [attempt_row(judged_pilot.workspace.engine, attempt) for attempt in attempts]
    first = next(row for row in rows if row.key == "p1")
    disputes = [ev.GoldDisputed(reason=reason) for reason in ("Otters eat fish.", "Fish, page 3.")]
    judged_pilot.recorder.record(first.context(), [Command(e.reason, e) for e in disputes])
    at = pilots(judged_pilot, monkeypatch, "Tasks")
    table = frame(at, "look")
    assert table["task"].tolist() == ["p1", "p2"]
    assert table["look"].tolist() == ["Everyone incorrect: check the gold", ""]
    assert "Almost nobody had p1 right" in at.warning[0].value
    assert "Disputed by people who saw the gold: p1." in at.warning[1].value
    assert "alma says that the gold is wrong:" in [caption.value for caption in at.caption]
    assert "Fish, page 3." in [text.value for text in at.text]
    answers = frame(at, "answer")
    assert answers["person"].tolist() == ["alma", "bruno"]
    assert answers["answer"].tolist() == ["badgers stoats"] * 2
    assert "zyxanswer" in texts(at)


def test_one_person_is_compared_with_the_gold(
    judged_pilot: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is wrong first, with the gold and a link to the replay; then all."""
    at = pilots(judged_pilot, monkeypatch, "One person")
    assert at.selectbox(key="person").options == ["alma", "bruno"]
    screen_text = texts(at)
    assert "badgers" in screen_text and "zyxcomment" in screen_text
    assert "wrong: Answer 0 %" in screen_text
    assert "What do otters eat, 2?" not in screen_text
    at = at.toggle(key="pilot-only-wrong").set_value(False).run()
    assert "What do otters eat, 2?" in texts(at)
    links = [element for element in at.main if element.type == "page_link"] or at.get("page_link")
    assert len(links) == 2


def test_a_decision_is_stored_and_opens_production(
    judged_pilot: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Admit, then by the mark: two rows with reasons, and production opens and closes."""
    alma = find_person(judged_pilot.workspace, "alma").id
    at = decide(pilots(judged_pilot, monkeypatch, "One person"), "alma", "admit", "one slip")
    assert stored(judged_pilot) == [("admit", "one slip", "sven")]
    assert at.success[0].value.startswith("alma: Admitted.")
    assert "Admitted by sven" in texts(at) and "one slip" in texts(at)
    assert "Real work" in claimable_campaigns(judged_pilot.workspace.engine, alma)
    at = at.run().run()  # a click counts once, however often the screen is drawn
    assert len(stored(judged_pilot)) == 1
    decide(at, "alma", "reset", "better not")
    assert stored(judged_pilot)[1:] == [("reset", "better not", "sven")]
    assert "Real work" not in claimable_campaigns(judged_pilot.workspace.engine, alma)


def test_a_supervisor_is_told_of_who_waits_and_judges_the_undecided_answers(
    pilot: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Named on the first view; a click on the task stores the judgement and opens production."""
    workspace = pilot.workspace
    keys = [attempt_row(workspace.engine, a).key for a in attempts_of(pilot, "alma", "Trial")]
    correct_gold(
        workspace, "Trial", "p1", {"answer_variants": [["7 km"]]}, "a length",
        edited_record=task_details(workspace, "Trial", "p1").record, by="sven",
    )  # fmt: skip
    hand_in(pilot, "alma", keys.index("p1"), right=False, answer="7 km or 9 km")
    hand_in(pilot, "alma", keys.index("p2"), right=True)
    alma = find_person(workspace, "alma").id
    at = pilots(pilot, monkeypatch)
    assert at.warning[0].value.startswith("Waiting for you: alma.")
    assert {metric.label: metric.value for metric in at.metric}["Waiting for review"] == "1"
    table = frame(at, "standing").set_index("person")
    assert table.loc["alma", ["right", "undecided"]].tolist() == [1, 1]
    assert table.loc["alma", "mark"] == "waiting for review"
    status = my_pilot_status(workspace.engine, alma)
    assert "1 waiting for review" in own_status(status.results["Trial"])
    at = pilots(pilot, monkeypatch, "One person")
    button = next(b for b in at.button if str(b.key).startswith("judge-True-"))
    at = button.click().run()
    assert not at.exception
    assert at.success[0].value == "alma: 2 of 2 right, passed. Before: waiting for review."
    assert stored(pilot) == [("regraded", "p1: right", "sven")]
    assert "Real work" in claimable_campaigns(workspace.engine, alma)


def test_corrected_gold_grades_everybody_again(
    judged_pilot: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The form needs a reason; stored are the gold and a row per person concerned."""
    at = pilots(judged_pilot, monkeypatch, "Tasks")
    at.text_area(key="pilot-gold-p1-answer-1").set_value("badgers\nstoats")
    store = next(b for b in at.button if b.label == "Correct the gold and grade again")
    at = store.click().run()
    assert "one answer or several" in at.error[0].value and stored(judged_pilot) == []
    lines = next(radio for radio in at.radio if radio.label == "These 2 lines are")
    at = lines.set_value("one").run()
    store = next(b for b in at.button if b.label == "Correct the gold and grade again")
    at = store.click().run()
    assert "needs a reason" in at.error[0].value and stored(judged_pilot) == []
    at.text_input(key="pilot-gold-p1-reason").set_value("badgers and stoats too")
    store = next(b for b in at.button if b.label == "Correct the gold and grade again")
    at = store.click().run()
    assert not at.exception and not at.error
    assert at.success[0].value == (
        "Gold corrected: p1. alma: 2 of 2 right, passed. Before: failed. bruno: 1 of 2 right, "
        "not yet."
    )
    assert stored(judged_pilot) == [("regraded", "p1: badgers and stoats too", "sven")] * 2
    record = task_details(judged_pilot.workspace, "Trial", "p1").record
    assert record["answer_variants"] == [["zyxanswer"], ["badgers", "stoats"]]
    alma = find_person(judged_pilot.workspace, "alma").id
    assert "Real work" in claimable_campaigns(judged_pilot.workspace.engine, alma)


def test_a_decision_needs_a_reason_and_says_what_is_missing(
    judged_pilot: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is stored without one; a retraining without a batch left gives the tasks again."""
    at = pilots(judged_pilot, monkeypatch, "One person")
    at = next(b for b in at.button if b.label == "Record the decision").click().run()
    assert at.error[0].value.startswith("Choose a decision first")
    at = decide(pilots(judged_pilot, monkeypatch, "One person"), "alma", "admit", " ")
    assert "needs a reason" in at.error[0].value
    assert stored(judged_pilot) == []
    at = decide(at, "alma", "retrain", "guesses")
    assert "They now have batch" in at.success[0].value
    assert stored(judged_pilot) == [("retrain", "guesses", "sven")]


def test_decision_on_stale_results_is_refused(
    judged_pilot: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bruno goes on while the screen is open: the click stores nothing and says what changed."""
    at = pilots(judged_pilot, monkeypatch, "One person")
    at = at.selectbox(key="person").set_value("bruno").run()
    at.radio(key="pilot-decision-bruno").set_value("admit")
    at.text_input(key="pilot-reason-bruno").set_value("fine so far")
    open_tasks = attempts_of(judged_pilot, "bruno", "Trial")
    rows = [attempt_row(judged_pilot.workspace.engine, a).key for a in open_tasks]
    hand_in(judged_pilot, "bruno", rows.index("p2"), right=True)
    at = next(b for b in at.button if b.label == "Record the decision").click().run()
    assert "1 of 2 judged tasks are now right, not 0 of 1" in at.error[0].value
    assert stored(judged_pilot) == []
    at = next(b for b in at.button if b.label == "Record the decision").click().run()
    assert stored(judged_pilot) == [("admit", "fine so far", "sven")]


def elements(node: Any) -> Iterator[Any]:
    """Every element below a block."""
    for child in getattr(node, "children", {}).values():
        yield child
        yield from elements(child)


@pytest.mark.parametrize("view", VIEWS)
def test_annotator_is_refused_and_audited(
    judged_pilot: Services, monkeypatch: pytest.MonkeyPatch, view: str
) -> None:
    """By the address of every view: a refusal, no gold in any element, a line in the log."""
    at = at_screen(judged_pilot, "bruno", monkeypatch, "pilots")
    at.query_params["view"] = view
    at.query_params["person"] = "alma"
    at.run()
    assert not at.exception
    assert [error.value for error in at.error] == [
        "This page is for supervisors. The access was noted."
    ]
    assert not at.dataframe and not at.selectbox and not at.button
    screen_content = [str(getattr(node, "proto", node)) for node in elements(at._tree)]
    assert len(screen_content) > 1
    assert [leaks(text) for text in screen_content] == [[]] * len(screen_content)
    assert ("bruno", "forbidden screen", "pilots") in audited(judged_pilot.workspace)


def test_the_supervisors_screen_does_hold_the_gold(
    judged_pilot: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that the test above looks for what is there to be seen."""
    at = pilots(judged_pilot, monkeypatch, "One person")
    screen_content = "".join(str(getattr(node, "proto", node)) for node in elements(at._tree))
    assert set(leaks(screen_content)) >= {"zyxanswer", "zyxcomment", "zyxrow"} & set(GOLD_WORDS)


def test_former_supervisor_decides_nothing(
    judged_pilot: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The screen was drawn for a supervisor; the click comes from an annotator."""
    at = pilots(judged_pilot, monkeypatch, "One person")
    at.radio(key="pilot-decision-alma").set_value("admit")
    at.text_input(key="pilot-reason-alma").set_value("because")
    with judged_pilot.workspace.engine.begin() as connection:
        connection.execute(update(User).where(User.name == "sven").values(role="annotator"))
    at = next(b for b in at.button if b.label == "Record the decision").click().run()
    assert stored(judged_pilot) == []
    assert NOTICE not in at.session_state
    assert [actor for actor, *_ in audited(judged_pilot.workspace, "forbidden oversight")] == [
        "sven"
    ]


def test_annotators_read_what_was_decided(
    judged_pilot: Services, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """On My batches: admitted, or asked to take the pilot again; never a reason or gold."""
    decide(pilots(judged_pilot, monkeypatch, "One person"), "alma", "admit", "zyxreason")
    at = as_person(judged_pilot, "alma", monkeypatch)
    screen_text = texts(at)
    assert "Your supervisor has admitted you." in screen_text and "zyxreason" not in screen_text
    decide(pilots(judged_pilot, monkeypatch, "One person"), "alma", "retrain", "zyxreason")
    at = as_person(judged_pilot, "alma", monkeypatch)
    assert "asks you to take the pilot again" in texts(at)
    assert "zyxreason" not in texts(at)
