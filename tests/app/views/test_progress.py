"""The dashboard from the entry point: its results, its filters, and who may see it."""

from __future__ import annotations

import pytest
from sqlalchemy import select
from streamlit.testing.v1 import AppTest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command
from pagetrail.app.progress import sections
from pagetrail.app.progress.report_computation import CampaignSummary, DashboardView
from pagetrail.app.services.composition import Services
from pagetrail.app.services.computations import Computation
from pagetrail.app.workspace.annotator_actions import open_assignment
from pagetrail.storage.attempts import queries
from pagetrail.storage.batches import my_batches
from pagetrail.storage.database.tables import EventRow
from pagetrail.storage.people.accounts import add_user, find_person
from tests.app.screens import MAIN, at_screen

VIEW = "progress"


def hand_in(services: Services, name: str, answers: dict[str, str | None]) -> None:
    """The person's tasks of the campaign Otters: an answer each, or a skip."""
    person = find_person(services.workspace, name)
    (row,) = [
        row for row in my_batches.assignments(services.workspace.engine, person.id)
        if row.campaign == "Otters"
    ]  # fmt: skip
    open_assignment(services, person, row.assignment_id)
    for task in queries.batch_tasks(services.workspace.engine, row.assignment_id):
        attempt = queries.attempt(services.workspace.engine, task.attempt_id)
        if attempt.key not in answers:
            continue
        answer = answers[attempt.key]
        payloads: list[ev.Payload] = [ev.Opened(session="tab")]
        if answer is None:
            payloads.append(ev.Skipped(reason="cannot <b>read</b> it"))
        else:
            payloads += [
                ev.CitationAdded(document="report.pdf", page=1),
                ev.AnswerEdited(text=answer),
                ev.Submitted(outcome="answered"),
            ]
        commands = [Command(f"c{n}", payload) for n, payload in enumerate(payloads)]
        outcome = services.recorder.record(attempt.context(), commands)
        assert not outcome.refusals


def tiles(at: AppTest) -> dict[str, str]:
    """Label → result."""
    return {metric.label: metric.value for metric in at.metric}


def captions(at: AppTest) -> str:
    """All small print."""
    return "\n".join(caption.value for caption in at.caption)


@pytest.fixture
def worked_services(services: Services) -> Services:
    """Alma has answered one task and skipped one, Bruno has answered the first otherwise."""
    hand_in(services, "alma", {"q1": "in rivers", "q2": None})
    hand_in(services, "bruno", {"q1": "on land"})
    return services


def test_figures_of_a_campaign_a_batch_and_a_person(
    worked_services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four answers are wanted: three are done, one of them skipped; Bruno's are two."""
    at = at_screen(worked_services, "sven", monkeypatch, VIEW, campaign="Otters").run()
    assert not at.exception and not at.error
    assert tiles(at)["Done"] == "75.0 %" and tiles(at)["Skipped"] == "1"
    assert "3 of 4" in captions(at)
    batches = at.dataframe[0].value
    assert list(batches["expected"]) == [4, 4]
    annotator = next(box for box in at.selectbox if box.label == "Annotator")
    assert annotator.options == ["alma", "bruno"]
    at = annotator.select("bruno").run()
    assert not at.exception
    assert tiles(at)["Done"] == "50.0 %" and "1 of 2" in captions(at)
    assert tiles(at)["Skipped"] == "0"


def test_the_address_says_what_is_seen(
    worked_services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link with campaign, batch, annotator and tab opens on exactly that."""
    at = at_screen(worked_services, "sven", monkeypatch, VIEW, campaign="Otters").run()
    code = next(box for box in at.selectbox if box.label == "Batch").options[0]
    linked = AppTest.from_file(str(MAIN), default_timeout=120)  # opens on this screen
    address = {"campaign": "Otters", "batch": code, "annotator": "alma", "part": "Agreement"}
    for name, value in address.items():
        linked.query_params[name] = value
    linked.run()
    assert not linked.exception
    selections = {box.label: box.value for box in linked.selectbox}
    assert selections == {"Campaign": "Otters", "Batch": code, "Annotator": "alma"}
    assert tiles(linked)["Done"] == "100 %" and "2 of 2" in captions(linked)
    assert [tab.label for tab in linked.tabs if tab.dataframe] == ["Agreement"]
    linked.query_params["part"] = "Quality"
    linked.run()
    (quality,) = [tab for tab in linked.tabs if tab.dataframe]
    people = quality.dataframe[0].value
    assert quality.label == "Quality" and list(people.iloc[:, 0]) == ["alma"]


def test_flags_and_skips_are_listed_as_text(
    worked_services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what was said, character for character."""
    at = at_screen(worked_services, "sven", monkeypatch, VIEW, campaign="Otters").run()
    assert "Skipped: cannot <b>read</b> it" in [text.value for text in at.text]


def test_a_skip_is_marked_as_handled_and_leaves_the_list(
    worked_services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stored as an event of the gold stream, by the supervisor; the filter finds it again."""
    at = at_screen(worked_services, "sven", monkeypatch, VIEW, campaign="Otters").run()
    button = next(button for button in at.button if button.label == "Mark as handled")
    at = button.click().run()
    assert not at.exception
    assert "No flag or skip is waiting for a supervisor." in captions(at)
    with worked_services.workspace.engine.connect() as connection:
        handled = select(EventRow.attempt_id).where(EventRow.type == "problem_handled")
        (gold,) = connection.execute(handled).scalars()
    events = [
        event for event in worked_services.log.events(gold) if event.type == "problem_handled"
    ]
    assert [(event.actor, event.fields()["handled"]) for event in events] == [("sven", True)]
    at = at.segmented_control(key="notable-which").set_value("handled").run()
    assert [button.label for button in at.button if "andled" in button.label] == ["Not handled"]


def test_a_skipped_task_is_given_to_somebody_who_is_free(
    worked_services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who that could be is looked up when somebody asks, not whenever the screen is drawn."""
    carla = add_user(worked_services.workspace, "carla", "annotator", "correct horse")
    at = at_screen(worked_services, "sven", monkeypatch, VIEW, campaign="Otters").run()
    assert "Give it to" not in [box.label for box in at.selectbox]
    (handle,) = [button for button in at.button if button.label == "Mark as handled"]
    attempt = str(handle.key).removeprefix("handle-")
    at.session_state[f"open-give-{attempt}"] = True
    at = at.run()
    assert at.selectbox(key=f"give-to-{attempt}").options == ["carla"]
    at = at.button(key=f"give-{attempt}").click().run()
    assert at.success[0].value.startswith("carla has task q2: batch ")
    (assignment,) = my_batches.assignments(worked_services.workspace.engine, carla.id)
    assert (assignment.campaign, assignment.tasks) == ("Otters", 1)


def test_a_screen_may_wait_for_several_computations(
    worked_services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each shows how far it is, and a way to cancel; then the screen goes on."""
    delayed: list[Computation] = []
    wait = Computation.wait

    def slowly(computation: Computation, seconds: float) -> bool:
        ended = wait(computation, seconds)
        if computation in delayed:
            return ended
        delayed.append(computation)
        return False

    monkeypatch.setattr(Computation, "wait", slowly)
    at = at_screen(
        worked_services, "sven", monkeypatch, VIEW, campaign="Otters", part="Agreement"
    ).run()
    assert not at.exception and len(delayed) >= 3
    assert [tab.label for tab in at.tabs if tab.dataframe] == ["Agreement"]


def test_new_work_is_seen_at_once(
    worked_services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is kept for a moment is not shown after it."""
    at = at_screen(worked_services, "sven", monkeypatch, VIEW, campaign="Otters").run()
    assert "3 of 4" in captions(at)
    hand_in(worked_services, "bruno", {"q2": "fish"})
    at = at.run()
    assert "4 of 4" in captions(at)
    assert tiles(at)["Done"] == "100 %"


def test_another_tab_draws_the_whole_screen_again_if_somebody_has_worked(
    worked_services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A click on a tab runs the tabs alone; their numbers must not be newer than those above."""
    reruns: list[str] = []
    late_submitters: list[str] = []

    def after_a_click(app: Services, dashboard_view: DashboardView, head: CampaignSummary) -> None:
        for name in late_submitters:
            hand_in(worked_services, name, {"q2": "in rivers"})
        sections._show_tabs(app, dashboard_view, head)

    monkeypatch.setattr(sections, "show_tabs", after_a_click)
    monkeypatch.setattr(sections.st, "rerun", lambda: reruns.append("the whole screen"))
    at = at_screen(worked_services, "sven", monkeypatch, VIEW, campaign="Otters").run()
    assert not at.exception and not reruns
    late_submitters.append("bruno")
    at.run()
    assert not at.exception and reruns == ["the whole screen"]


def test_an_unknown_filter_in_the_address_shows_everything(
    worked_services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A batch that is not there, typed by hand: no exception, and nothing is left out."""
    at = at_screen(worked_services, "sven", monkeypatch, VIEW)
    at.query_params["campaign"] = "Otters"
    at.query_params["batch"] = "Nowhere"
    at.run()
    assert not at.exception
    assert "3 of 4" in captions(at)
