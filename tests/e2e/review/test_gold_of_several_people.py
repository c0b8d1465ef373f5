"""Gold decisions in a real browser: several tasks chosen and accepted at once, an answer
taken with its evidence, and pilots that stay out of the queue."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Locator, expect

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.events import Event
from pagetrail.app.services.composition import Services
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.review.facets import reviewed_campaigns
from pagetrail.storage.review.filters import Filters
from pagetrail.storage.review.queue import queue
from tests.e2e.support.review_steps import Review, gold_events, submit_answer
from tests.e2e.support.screen import Watch, press, wait_until_drawn
from tests.e2e.support.server_process import ServerProcess
from tests.e2e.support.small_workspace import ANNOTATORS, STUDY
from tests.support.campaigns import add_campaign, open_batches

pytestmark = pytest.mark.browser

DOSES, PILOT = "Doses", "Doses pilot"
ANSWERS = {
    "d1": ("0.61", "0.61", (1,), (1,)),  # as the dataset says
    "d2": ("0.61", "0.61", (2,), (2,)),  # the dataset says 0.83
    "d3": ("0.83", "0.83", (3,), (3,)),  # on another page than the dataset's
    "d4": ("0.61", "0.83", (1, 2, 3), (3, 4)),  # people differ
}
"""Task: both people's answers and pages."""
DATASET = {"d1": "0.61", "d2": "0.83", "d3": "0.83", "d4": "0.61"}
_ROW_PX, _HEAD_PX = 35, 36


def plant(workspace: Workspace) -> dict[str, int]:
    """Import a campaign without automatic acceptance and a pilot, and submit answers to both."""
    evidence = [{"document": STUDY, "page": 1}]
    rows = [
        {"id": key, "question": f"Which dose, {key}?", "answer_variants": [[answer]]}
        | {"evidence": [{"document": STUDY, "page": 2}] if key == "d2" else evidence}
        for key, answer in DATASET.items()
    ]
    for campaign, campaign_rows, settings in (
        (PILOT, rows[:1], {"pilot.enabled": True}),
        (DOSES, rows, {"review.accept": "off"}),
    ):
        add_campaign(
            workspace, campaign, campaign_rows, protocol="search", settings=settings, overlap=2
        )
    open_batches(workspace, ANNOTATORS, [DOSES, PILOT])
    services = Services(workspace)
    for key, (alma, bruno, hers, his) in ANSWERS.items():
        submit_answer(workspace, "alma", key, alma, hers, DOSES)
        submit_answer(workspace, "bruno", key, bruno, his, DOSES)
    submit_answer(workspace, "alma", "d1", "1", (1,), PILOT)
    submit_answer(workspace, "bruno", "d1", "2", (2,), PILOT)
    for campaign_id in reviewed_campaigns(workspace.engine, pilots=True).values():
        services.reviews.acceptance.settle(campaign_id)
    campaign_id = reviewed_campaigns(workspace.engine)[DOSES]
    review_queue = queue(workspace.engine, [campaign_id], Filters(), services.clock.now())
    return {row.key: row.task_id for row in review_queue.rows}


@pytest.fixture
def tasks(workspace: Workspace) -> dict[str, int]:
    """The tasks of the campaign by key; planted before the server starts."""
    return plant(workspace)


@pytest.fixture
def supervisor(
    tasks: dict[str, int],
    new_context: Callable[..., BrowserContext],
    server: ServerProcess,
    stored: Callable[[str], list[Event]],
    watch: Watch,
) -> Callable[[str], Review]:
    """Opens an address as a supervisor."""
    watch.allow(r"/review(ing)?/_stcore/")

    def opened(address: str) -> Review:
        screen = Review(new_context().new_page(), server.url, stored)
        screen.sign_in("sven", address)
        return screen

    return opened


def gold_of(workspace: Workspace, task: int) -> AttemptState | None:
    """The decided gold of a task; None where there is none."""
    task_work = Services(workspace).reviews.streams.task_work(task)
    review = task_work.gold.state.review if task_work.gold else None
    return task_work.gold.state if task_work.gold and review and review.decided else None


def cell(frame: Locator, column: int, row: int) -> Locator:
    """A cell of a table on screen, both counted from 0."""
    return frame.get_by_test_id(f"glide-cell-{column}-{row}")


def tick(frame: Locator, row: int) -> None:
    """Click the checkbox in the first column of a row, once the table has its place."""
    wait_until_drawn(frame.page)
    frame.click(position={"x": 58, "y": _HEAD_PX + _ROW_PX * row + _ROW_PX / 2})


def test_several_tasks_are_chosen_and_only_they_become_gold(
    supervisor: Callable[[str], Review], tasks: dict[str, int], workspace: Workspace
) -> None:
    """Votes, the dataset's gold and what differs are there; what contradicts it is off."""
    page = supervisor(f"/review?campaign={DOSES}").page
    press(page.get_by_role("button", name="Accept several…"))
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("3 of 4 can be accepted as shown.")
    expect(dialog).to_contain_text("1 differs from the dataset and is not ticked.")
    expect(dialog).to_contain_text("1 task to be looked at one by one")
    frame = dialog.get_by_test_id("stDataFrame").first
    expect(cell(frame, 6, 2)).to_have_text("Evidence pages")
    table_rows = {
        cell(frame, 1, row).text_content(): [
            cell(frame, column, row).text_content() for column in range(3, 7)
        ]
        for row in range(3)
    }
    assert table_rows == {
        "d2": ["0.61", "2 of 2", "0.83", "Answer"],
        "d1": ["0.61", "2 of 2", "0.61", ""],
        "d3": ["0.83", "2 of 2", "0.83", "Evidence pages"],
    }
    expect(dialog.get_by_role("button", name="Accept 2 tasks")).to_be_visible()
    tick(frame, [*table_rows].index("d3"))
    expect(dialog.get_by_role("button", name="Accept 1 task")).to_be_visible()
    tick(frame, [*table_rows].index("d2"))
    expect(dialog.get_by_role("button", name="Accept 2 tasks")).to_be_visible()
    press(dialog.get_by_text("are wrong: only those of the gold are accepted"))
    wait_until_drawn(page)
    dialog.get_by_role("textbox", name="Reason").fill("looked through")
    dialog.get_by_role("textbox", name="Reason").press("Tab")
    press(dialog.get_by_role("button", name="Accept 2 tasks"))
    expect(page.get_by_text("2 tasks accepted.")).to_be_visible()
    decided = {key: gold_of(workspace, task) for key, task in tasks.items()}
    assert {key for key, gold in decided.items() if gold is not None} == {"d1", "d2"}
    assert decided["d2"] is not None
    assert decided["d2"].answer_text == "0.61"
    assert decided["d2"].review is not None
    assert decided["d2"].review.reason == "looked through"


def test_a_filter_finds_what_all_agree_on_against_the_dataset(
    supervisor: Callable[[str], Review],
) -> None:
    """It is one switch, and the task says why it is there."""
    screen = supervisor(f"/review?campaign={DOSES}")
    page = screen.page
    expect(page.get_by_text("4 tasks, the largest differences first.")).to_be_visible()
    press(page.get_by_text("Unanimous but differs from the dataset"))
    expect(page.get_by_text("1 task. Choose a row to open it.")).to_be_visible()
    expect(cell(page.get_by_test_id("stDataFrame").first, 3, 0)).to_have_text("d2")
    press(page.get_by_role("button", name="Review the next one"))
    expect(screen.part("agreed")).to_contain_text(
        "Annotators agree on something else than the dataset."
    )


def test_the_dataset_is_hidden_until_asked_for_and_can_be_called_wrong(
    supervisor: Callable[[str], Review], tasks: dict[str, int], workspace: Workspace
) -> None:
    """Its page is in no list before; the checkbox about its answers comes with it."""
    screen = supervisor(f"/reviewing?task={tasks['d3']}")
    screen.wait_for_task(tasks["d3"])
    pages = screen.page.get_by_role("complementary", name="Page")
    expect(pages).to_contain_text("1 of 1")
    expect(screen.part("dataset-wrong")).to_have_count(0)
    screen.press("d")
    expect(screen.part("dataset-gold")).to_contain_text("0.83")
    expect(pages).to_contain_text("1 of 2")
    screen.press("ArrowRight")
    expect(pages).to_contain_text("evidence of the dataset")
    press(screen.part("dataset-wrong"))
    screen.press("Control+Enter")
    (adjudicated,) = gold_events(workspace, screen.page, tasks["d3"], "adjudicated")
    assert isinstance(adjudicated.payload, ev.Adjudicated)
    assert adjudicated.payload.dataset_answers == "wrong"


def test_taking_an_answer_takes_its_evidence_and_mixtures_are_named(
    supervisor: Callable[[str], Review], tasks: dict[str, int], workspace: Workspace
) -> None:
    """One key takes all of somebody's pages; with those of another the bar says so."""
    screen = supervisor(f"/reviewing?task={tasks['d4']}")
    screen.wait_for_task(tasks["d4"])
    expect(screen.part("mixed-evidence")).to_have_text("")
    screen.press("1")
    expect(screen.gold("evidence")).to_have_text("3 pages")
    ways = screen.page.locator("[data-part=evidence]").get_by_test_id("ways")
    expect(ways.locator("option:checked")).to_have_text("1 alma")
    expect(screen.part("mixed-evidence")).to_have_text("")
    screen.press("n", "2")
    expect(screen.gold("evidence")).to_have_text("2 pages")
    expect(screen.part("mixed-evidence")).to_have_text(
        "alma’s answer with other evidence: page 4 added (bruno), pages 1 and 2 left out."
    )
    screen.press("u")
    expect(screen.gold("evidence")).to_have_text("3 pages")
    expect(screen.part("mixed-evidence")).to_have_text("")
    screen.press("Control+Enter")
    (merged,) = gold_events(workspace, screen.page, tasks["d4"], "gold_merged")
    assert merged.fields()["answer_text"] == "0.61"
    assert [evidence["page"] for evidence in merged.fields()["evidence"]] == [1, 2, 3]


def test_pilots_are_in_the_queue_only_when_asked_for(supervisor: Callable[[str], Review]) -> None:
    """Neither the default nor all campaigns; a switch, or the pilot's progress, brings them in."""
    page = supervisor("/review?across=yes").page
    expect(page.get_by_text("4 tasks, by campaign")).to_be_visible()
    press(page.get_by_text("Pilots too"))
    expect(page.get_by_text("5 tasks, by campaign")).to_be_visible()
    page.goto(page.url.split("review")[0] + f"?campaign={PILOT}")
    expect(page.get_by_text("The gold of a pilot is known")).to_be_visible()
    press(page.get_by_role("link", name="Review them nevertheless"))
    expect(page.get_by_text("1 task. Choose a row to open it.")).to_be_visible()
