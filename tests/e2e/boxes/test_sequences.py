"""Random work on boxes with mouse and keys, over reloads and two tabs, against a plain model.

Boxes are in the cells of a grid, so that none covers another and the one that is meant is hit.
What the person does is accounted for in snapshots; after each action the stored boxes and those on
screen are what the account says.
"""

from __future__ import annotations

from random import Random

import pytest
from playwright.sync_api import expect

from pagetrail.annotation.attempts.state import fold
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.projections import rebuild
from tests.e2e.conftest import OpenScreen
from tests.e2e.support.box_workspace import DRAWING, MARKS, PLAIN, SIZES, TURNED
from tests.e2e.support.drawing import (
    Sheet,
    box_event_types,
    open_page,
    press_at_once,
    remaining_boxes,
)
from tests.e2e.support.screen import Screen, wait_until
from tests.support.box_model import PageModel, Snapshot

ACTIONS = 22
SEED = 11164
"""With these every kind of action comes: undoing on the other page and in the other tab, redoing
after a reload."""
CELL = 100.0
TOLERANCE = 0.6
"""Points by which a box may be off where the pointer was sent: about half a pixel."""
LABELS = {"1": "Text", "2": "Table", "3": "Picture"}
Rect = tuple[float, ...]
_READ_BOXES = """nodes => nodes.map((node) => [
  node.dataset.id, node.dataset.label,
  ...["x", "y", "width", "height"].map((n) => node.querySelector(".box-line").getAttribute(n)),
])"""


class Person:
    """A person working in one or two tabs, and a model of what should be stored."""

    def __init__(self, first: Sheet, open_tab: OpenScreen, seed: int) -> None:
        self.rng = Random(seed)
        self.open_tab = open_tab
        self.screens = [first.screen]
        self.screen = first.screen
        self.page = PLAIN
        self.model = PageModel(50)
        self.pages: dict[str, int] = {}
        """The page of each box and of each change."""
        self.changes = 0
        self.actions: list[str] = []

    @property
    def sheet(self) -> Sheet:
        """The page in the current tab."""
        return Sheet(self.screen, self.page)

    @property
    def now(self) -> Snapshot:
        """The boxes that the open page should have."""
        return self.on(self.page)

    def on(self, page: int) -> Snapshot:
        """The boxes that a page should have."""
        return {box: value for box, value in self.model.now.items() if self.pages[box] == page}

    def act(self) -> None:
        """Do a random action that is possible now."""
        model = self.model
        choices = [(2, self.turn_page), (1, self.reload), (2, self.other_tab)]
        if self.free_cells():
            choices.append((6 if len(self.now) < 4 else 2, self.draw))
        if self.now:
            choices += [(3, self.move), (3, self.resize), (2, self.nudge)]
            choices += [(2, self.label), (3, self.delete)]
        if model.undo:
            choices.append((5, self.undo))
        if model.redo:
            choices.append((5, self.redo))
        weights = [weight for weight, _ in choices]
        action = self.rng.choices([action for _, action in choices], weights)[0]
        self.actions.append(f"{action.__name__} on {self.page}")
        action()
        self.compare()

    def draw(self) -> None:
        """Draw a box in a free cell, starting at any of its corners."""
        x, y = self.rng.choice(self.free_cells())
        target = (x + 8, y + 8, x + self.rng.randint(40, 85), y + self.rng.randint(40, 85))
        corners = [(0, 1, 2, 3), (2, 3, 0, 1), (0, 3, 2, 1), (2, 1, 0, 3)]
        a, b, c, d = (target[i] for i in self.rng.choice(corners))
        stored_before = set(self.stored())
        self.sheet.drag((a, b), (c, d))
        self.changes += 1
        (new,) = set(self.wait_until_stored()) - stored_before
        self.record_change(new, target, self.stored()[new][1], is_counted=True)

    def move(self) -> None:
        """Drag a box by its middle into a free cell."""
        box, rect, label = self.select_box()
        if not self.free_cells():
            return
        x, y = self.rng.choice(self.free_cells())
        dx, dy = x + 8 - rect[0], y + 8 - rect[1]
        middle = ((rect[0] + rect[2]) / 2, (rect[1] + rect[3]) / 2)
        self.sheet.drag(middle, (middle[0] + dx, middle[1] + dy))
        self.record_change(box, (rect[0] + dx, rect[1] + dy, rect[2] + dx, rect[3] + dy), label)

    def resize(self) -> None:
        """Drag a box's lower right corner within its cell."""
        box, rect, label = self.select_box()
        size = [self.rng.randint(35, 80) for _ in range(2)]
        corner = (rect[0] + size[0], rect[1] + size[1])
        if max(abs(corner[0] - rect[2]), abs(corner[1] - rect[3])) < 5:
            corner = (corner[0] - 8, corner[1])
        self.sheet.pull("se", corner)
        self.record_change(box, (rect[0], rect[1], *corner), label)

    def nudge(self) -> None:
        """Move a box a few points by arrow keys, which the pause afterwards makes one change."""
        box, rect, label = self.select_box()
        steps = self.rng.randint(1, 4)
        press_at_once(self.screen, *["ArrowRight"] * steps)
        self.record_change(box, (rect[0] + steps, rect[1], rect[2] + steps, rect[3]), label)

    def label(self) -> None:
        """Give a box another label by its key."""
        box, rect, label = self.select_box()
        key = self.rng.choice([key for key, name in LABELS.items() if name != label])
        self.screen.page.keyboard.press(key)
        self.record_change(box, rect, LABELS[key])

    def delete(self) -> None:
        """The chosen box."""
        box, _, _ = self.select_box()
        self.screen.page.keyboard.press(self.rng.choice(["Delete", "Backspace"]))
        self.changes += 1
        rest = {name: value for name, value in self.model.now.items() if name != box}
        self.add_step(rest)

    def undo(self) -> None:
        """Undo up to three changes without waiting in between, on whichever pages they were."""
        for _ in range(self.rng.randint(1, min(3, len(self.model.undo)))):
            self.page = self.pages[str(self.model.undo[-1])]
            self.screen.page.keyboard.press("Control+z")
            self.changes += 1
            self.model.at -= 1
        self.wait_until_ready()

    def redo(self) -> None:
        """Redo up to three changes, by key or button."""
        for _ in range(self.rng.randint(1, min(3, len(self.model.redo)))):
            self.page = self.pages[str(self.model.redo[-1])]
            if self.rng.random() < 0.5:
                self.screen.page.keyboard.press("Control+Shift+z")
            else:
                self.screen.part("redo").click()
            self.changes += 1
            self.model.at += 1
        self.wait_until_ready()

    def turn_page(self) -> None:
        """Turn to the other page."""
        self.page = TURNED if self.page == PLAIN else PLAIN
        self.screen.part("page-next" if self.page == TURNED else "page-previous").click()
        self.wait_until_ready()

    def reload(self) -> None:
        """Reload the tab."""
        self.screen.page.reload()
        self.screen.wait_until_ready()
        self.wait_until_ready()

    def other_tab(self) -> None:
        """Switch to the other tab of the same browser; the first time, open it."""
        if len(self.screens) == 1:
            context = self.screen.page.context
            self.screens.append(self.open_tab("alma", "t1", campaign=DRAWING, context=context))
        self.screen = next(screen for screen in self.screens if screen is not self.screen)
        self.screen.page.bring_to_front()
        expect(self.screen.part("page-pane")).to_have_attribute("aria-busy", "false")
        number = int(self.screen.part("page-number").input_value())
        while number != self.page:
            step = 1 if number < self.page else -1
            self.screen.part("page-next" if step > 0 else "page-previous").click()
            number += step
            self.screen.wait_until_painted(MARKS, number)
        self.wait_until_ready()
        # It can undo what the other tab did once it has heard of it, on whichever page.
        for _ in range(2):
            self.turn_page()
            wait_until(self.screen.page, self.boxes_on_screen, self.matches_model)

    def wait_until_ready(self) -> None:
        """Wait until the whole page is painted, then choose the box tool and turn snapping off."""
        self.screen.wait_until_painted(MARKS, self.page)
        self.screen.part("fit-page").click()
        for part, pressed in (("tool-box", "true"), ("snap", "false")):
            if self.screen.part(part).get_attribute("aria-pressed") != pressed:
                self.screen.part(part).click()

    def select_box(self) -> tuple[str, Rect, str]:
        """Click the middle of a random box; returns its id, rectangle and label."""
        box = self.rng.choice(sorted(self.now))
        rect, label = self.now[box]
        self.sheet.click((rect[0] + rect[2]) / 2, (rect[1] + rect[3]) / 2)
        expect(self.screen.page.locator(".box-tag.selected")).to_have_attribute("data-id", box)
        return box, rect, label

    def record_change(
        self, box: str, target: Rect, label: str, *, is_counted: bool = False
    ) -> None:
        """Check a stored change against its target, then add the stored box to the model."""
        self.changes += not is_counted
        rect, stored_label = self.wait_until_stored()[box]
        assert max(abs(a - b) for a, b in zip(rect, target, strict=True)) <= TOLERANCE, (
            rect,
            target,
        )
        assert stored_label == label
        self.pages[box] = self.page
        self.add_step({**self.model.now, box: (rect, label)})

    def add_step(self, snapshot: Snapshot) -> None:
        """A change on the open page was made."""
        step = f"s{self.changes}"
        self.pages[step] = self.page
        self.model.change(step, snapshot)

    def free_cells(self) -> list[tuple[float, float]]:
        """The upper left corners of cells without a box."""
        width, height = SIZES[self.page]
        cells = [
            (x * CELL + 4, y * CELL + 4)
            for x in range(int((width - 8) // CELL))
            for y in range(int((height - 8) // CELL))
        ]
        occupied_rects = [rect for rect, _ in self.now.values()]
        return [
            (x, y)
            for x, y in cells
            if not any(
                r[0] < x + CELL and x < r[2] and r[1] < y + CELL and y < r[3]
                for r in occupied_rects
            )
        ]

    def stored(self) -> Snapshot:
        """The stored boxes of the open page."""
        return {
            box.id: (tuple(box.rect), str(box.label))
            for box in remaining_boxes(self.screen.events())
            if box.page == self.page
        }

    def wait_until_stored(self) -> Snapshot:
        """Wait until every change is stored; returns the stored boxes of the open page."""
        self.screen.wait_for_events(lambda events: len(box_event_types(events)) >= self.changes)
        return self.stored()

    def compare(self) -> None:
        """Check that the stored and the visible boxes match the model, without extra events."""
        assert self.wait_until_stored() == self.now
        assert len(box_event_types(self.screen.events())) == self.changes
        # A tab that was not at work is told of the other's changes, and follows.
        wait_until(self.screen.page, self.boxes_on_screen, self.matches_model)
        for part, there_is in (("undo", self.model.undo), ("redo", self.model.redo)):
            expect(self.screen.part(part)).to_be_enabled(enabled=bool(there_is))

    def boxes_on_screen(self) -> Snapshot:
        """The boxes on screen."""
        box_attributes: list[list[str]] = self.screen.page.get_by_test_id("box").evaluate_all(
            _READ_BOXES
        )
        edges = {box: tuple(map(float, rect)) for box, _, *rect in box_attributes}
        labels = {box: label for box, label, *_ in box_attributes}
        return {box: ((x, y, x + w, y + h), labels[box]) for box, (x, y, w, h) in edges.items()}

    def matches_model(self, screen_boxes: Snapshot) -> bool:
        """Whether boxes are those of the model, with the same rectangles and labels."""
        return screen_boxes.keys() == self.now.keys() and all(
            rect == pytest.approx(self.now[box][0], abs=0.01) and label == self.now[box][1]
            for box, (rect, label) in screen_boxes.items()
        )


def test_random_work_is_stored_as_it_was_done(screen_of: OpenScreen, workspace: Workspace) -> None:
    """All kinds of actions; at the end a reload of either tab shows what the log folds to."""
    person = Person(open_page(screen_of), screen_of, SEED)
    try:
        for _ in range(ACTIONS):
            person.act()
        person.other_tab()
        person.reload()
        person.turn_page()
        person.compare()
    except AssertionError as error:
        error.add_note(f"seed {SEED}: {', '.join(person.actions)}")
        raise
    kinds = {name.partition(" ")[0] for name in person.actions}
    assert len(kinds) == 11, kinds
    _check_log(person.screen, workspace)


def _check_log(screen: Screen, workspace: Workspace) -> None:
    """Check that the log has no gap or duplicate and that its fold equals the projection."""
    log = screen.events()
    assert [event.seq for event in log] == list(range(1, len(log) + 1))
    assert len({event.client_event_id for event in log}) == len(log)
    assert SqlEventLog(workspace.engine).state(screen.attempt) == fold(log)
    assert rebuild(workspace.engine, check=True).clean
