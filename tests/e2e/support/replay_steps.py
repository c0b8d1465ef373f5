"""Attempts with known events, and the replay's screen as a test uses it."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

from pagetrail.annotation import events as ev
from pagetrail.annotation.events.search_results import SearchHit
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.database.workspace import Workspace
from tests.e2e.support.small_workspace import REPORT, STUDY
from tests.support.factory import events_at

Step = tuple[float, ev.Payload]


def search_event(n: int, query: str, *pages: int) -> ev.Searched:
    """A search that found pages of the study."""
    return ev.Searched(
        search_id=f"s{n}",
        query=query,
        parsed=query,
        top_k=5,
        total_hits=len(pages),
        took_ms=1,
        index_id="i",
        results=tuple(
            SearchHit(rank=rank, file=STUDY, page=page, score=1.0)
            for rank, page in enumerate(pages, start=1)
        ),
    )


def view_event(page: int, document: str = STUDY) -> ev.PageViewed:
    """A page view."""
    return ev.PageViewed(document=document, page=page, via="result")


def box(id_: str, page: int, y: float, label: str = "Text") -> ev.BoxDrawn:
    """A box of 100 × 40 points."""
    return ev.BoxDrawn(
        box=id_, document=STUDY, page=page, rect=(40.0, y, 140.0, y + 40.0), label=label
    )


ALMA: list[Step] = [
    (0, ev.Opened(session="tab")),
    (2, search_event(1, "otters spring", 1, 2)),
    (4, view_event(1)),
    (6, ev.CitationAdded(document=STUDY, page=1)),
    (8, view_event(3)),
    (9, box("b-1", 3, 100.0)),
    (10, box("b-2", 3, 200.0, "Table")),
    (11, ev.BoxMoved(box="b-1", rect=(50.0, 300.0, 150.0, 340.0))),
    (12, ev.BoxDeleted(box="b-2")),
    (13, ev.CitationRemoved(document=STUDY, page=1)),
    (614, ev.AnswerEdited(text="42 otters")),
    (616, ev.Submitted(outcome="answered")),
]
AIDED_STEPS: list[Step] = [
    (0, ev.Opened(session="tab")),
    (
        1,
        ev.BatchAidsCarried(
            bookmarks=(ev.CarriedBookmark(document=STUDY, page=1),), scratchpad="FY 2019"
        ),
    ),
    (2, ev.PageBookmarked(document=STUDY, page=3)),
    (4, ev.ScratchpadEdited(text="FY 2020")),
    (5, ev.BookmarkRemoved(document=STUDY, page=1)),
]
BRUNO: list[Step] = [
    (0, ev.Opened(session="tab")),
    (3, search_event(1, "autumn", 2)),
    (5, view_event(2)),
    (9, ev.CitationAdded(document=STUDY, page=2)),
    (11, view_event(17, REPORT)),
    (20, ev.Submitted(outcome="not_found")),
]


def write(workspace: Workspace, attempt: str, actor: str, steps: list[Step]) -> None:
    """Write events into the log of an attempt that has none."""
    with SqlEventLog(workspace.engine).writing(attempt) as stream:
        for event in events_at(*steps):
            stream.append(
                event.model_copy(
                    update={
                        "attempt_id": attempt,
                        "actor": actor,
                        "client_event_id": f"p{event.seq}",
                    }
                )
            )


class ReplayScreen:
    """The replay in a tab."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def part(self, testid: str) -> Locator:
        """A part of the replay."""
        return self.page.get_by_test_id(f"replay-{testid}")

    def column(self, number: int) -> Locator:
        """One attempt, from 0."""
        return self.part("column").nth(number)

    def jump(self, text: str) -> None:
        """Click an event in the list."""
        self.part("event").filter(has_text=text).click()

    def pane(self, column: int = 0) -> Locator:
        """The pane with one attempt's page."""
        return self.column(column).locator(".replay-pane")

    def boxes(self, column: int = 0) -> dict[str, str]:
        """The boxes on the page: label by id."""
        nodes = self.pane(column).get_by_test_id("box").all()
        return {
            str(node.get_attribute("data-id")): str(node.get_attribute("data-label"))
            for node in nodes
        }
