"""A campaign in which three people disagree in every possible way, one way per task."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pymupdf

from pagetrail.annotation.protocols.protocol import parse
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import record_events
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import add_user, find_person
from tests.e2e.support.small_workspace import PASSWORD
from tests.support.campaigns import add_campaign, make_collection, open_batches
from tests.support.looks import as_on_screen

RIVERS = "rivers.pdf"
SIZE = (420, 560)
CAMPAIGN = "Rivers"
ANNOTATORS = ("ada", "bo", "cleo")
SUPERVISORS = ("sven", "sue")
PROTOCOL = parse(
    """
    name = "everything"
    title = "Everything at once"
    overlap = 3
    [evidence]
    max_pages = 5
    [answer]
    kind = "list"
    [boxes]
    enabled = true
    labels = [{ name = "Text" }, { name = "Table" }]
    [review]
    check_share = 0.0
    [[fields]]
    name = "clear"
    label = "Clear question"
    kind = "choice"
    required = true
    options = [{ value = "yes", label = "Yes" }, { value = "no", label = "No" }]
    [[fields]]
    name = "relevance"
    label = "Relevance"
    scope = "page"
    kind = "ordinal"
    options = [
        { value = "0", label = "Not relevant", code = 0 },
        { value = "1", label = "Partly", code = 1 },
        { value = "2", label = "Fully", code = 2 },
    ]
    """,
    source="everything.toml",
)
TASKS = ("agreed", "answers", "evidence", "outcomes", "values", "regions")


@dataclass(frozen=True)
class Deed:
    """One person's planned work on a task.

    Attributes:
        answer: empty for "no answer found".
        pages: pages of the document that are cited.
        grade: of the first cited page; None leaves it out.
        box: drawn on the first cited page, points.
    """

    answer: str = "42"
    pages: tuple[int, ...] = (1,)
    clear: str = "yes"
    grade: str | None = None
    box: tuple[float, float, float, float] | None = None


@dataclass(frozen=True)
class Plan:
    """Everybody's planned work on a task, in the order of ``ANNOTATORS``."""

    key: str
    deeds: tuple[Deed, Deed, Deed] = field(default_factory=lambda: (Deed(), Deed(), Deed()))


PLANS = (
    Plan("agreed"),
    Plan("answers", (Deed("42"), Deed("forty"), Deed("57"))),
    Plan("evidence", (Deed(pages=(1,)), Deed(pages=(1, 2)), Deed(pages=(2, 3)))),
    Plan("outcomes", (Deed(), Deed(answer="", pages=()), Deed())),
    Plan("values", (Deed(clear="yes"), Deed(clear="no"), Deed(clear="no"))),
    Plan(
        "regions",
        (
            Deed(grade="2", box=(40, 60, 240, 160)),
            Deed(grade="2", box=(50, 70, 240, 160)),
            Deed(grade="1", box=(220, 300, 380, 420)),
        ),
    ),
)

IN_THE_BROWSER = {
    "ada": ("agreed", "regions"),
    "bo": ("evidence", "outcomes"),
    "cleo": ("agreed",),
}
"""One task of each kind; what is done in it is done in the rest without a browser."""


def deliver(services: Services, name: str, attempt: str, deed: Deed) -> None:
    """Do a task as planned without a browser, and submit it."""
    events: list[dict[str, Any]] = [
        {"type": "opened", "session": "tab"},
        {"type": "field_set", "field": "clear", "value": deed.clear},
    ]
    for number in deed.pages:
        page = {"document": RIVERS, "page": number}
        events += [
            {"type": "page_viewed", "via": "next", **page},
            {"type": "citation_added", **page},
        ]
    if deed.grade is not None:
        page = {"document": RIVERS, "page": deed.pages[0]}
        events.append({"type": "field_set", "field": "relevance", "value": deed.grade, **page})
    if deed.box is not None:
        page = {"document": RIVERS, "page": deed.pages[0]}
        events.append({"type": "box_drawn", "box": "b1", "rect": deed.box, "label": "Text", **page})
    if deed.answer:
        events.append({"type": "answer_edited", "text": deed.answer})
    events.append({"type": "submitted", "outcome": "answered" if deed.answer else "no_answer"})
    person = find_person(services.workspace, name)
    for number, payload in enumerate(events):
        type_ = payload.pop("type")
        event = {
            "id": f"{attempt[:8]}-{number}",
            "type": type_,
            "payload": as_on_screen(type_, payload),
        }
        reply = record_events(services, person, attempt, {"session": "tab", "events": [event]})
        assert not reply["refusals"], reply["refusals"]


def build(root: Path) -> Workspace:
    """Make the workspace in ``root / "ws"``; every attempt is open and nobody has worked."""
    workspace = make_collection(root, {RIVERS: _rivers})
    for name in ANNOTATORS:
        add_user(workspace, name, "annotator", PASSWORD)
    for name in SUPERVISORS:
        add_user(workspace, name, "supervisor", PASSWORD)
    rows = [{"id": key, "question": f"How many otters, as to {key}?"} for key in TASKS]
    add_campaign(workspace, CAMPAIGN, rows, protocol=PROTOCOL, overlap=3, seed=5)
    open_batches(workspace, ANNOTATORS)
    return workspace


def _rivers(path: Path) -> None:
    document = pymupdf.open()
    for number in (1, 2, 3):
        page = document.new_page(width=SIZE[0], height=SIZE[1])
        page.insert_textbox((40, 60, 380, 200), f"otters of river {number}", fontsize=18)
        page.draw_rect((220, 300, 380, 420), color=(0.1, 0.3, 0.6), fill=(0.85, 0.9, 1))
    document.save(path)
    document.close()
