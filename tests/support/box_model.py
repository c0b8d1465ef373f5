"""A second, plain account of boxes on pages: snapshots, and the current one among them.

It shares nothing with ``annotation.attempts.boxes``, so that the two can be compared after any
sequence of changes. A command that the model takes must be stored, one that it does not take must
be refused.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

SAME_SIZE = 0.05

Snapshot = dict[str, tuple[tuple[float, ...], str]]
"""Rectangle and label by box id, of the boxes that are on a page."""

PageKey = tuple[str, int]
"""Document and page number."""


@dataclass
class PageModel:
    """One page: the snapshots after each change, with the change's id, and the present one."""

    history: int
    steps: list[tuple[str | None, Snapshot]] = field(default_factory=lambda: [(None, {})])
    at: int = 0

    @property
    def now(self) -> Snapshot:
        """What is on the page."""
        return self.steps[self.at][1]

    def change(self, id_: str, snapshot: Snapshot) -> None:
        """A new present; what was undone before is gone, and so is what is too long ago."""
        self.steps = [*self.steps[: self.at + 1], (id_, snapshot)][-self.history - 1 :]
        self.at = len(self.steps) - 1

    @property
    def undo(self) -> list[str | None]:
        """The ids of the changes that can be undone, the last one last."""
        return [id_ for id_, _ in self.steps[1 : self.at + 1]]

    @property
    def redo(self) -> list[str | None]:
        """The ids of the changes that can be made again, the next one last."""
        return [id_ for id_, _ in self.steps[: self.at : -1]]


class BoxModel:
    """All pages, and all ids that were ever given away.

    Args:
        initial: what is on the pages from the start and cannot be undone.
        history: how many changes of a page can be undone.
    """

    def __init__(self, initial: dict[PageKey, Snapshot] | None = None, history: int = 50) -> None:
        self.history = history
        self.pages: dict[PageKey, PageModel] = {}
        self.homes: dict[str, PageKey] = {}
        for page_key, snapshot in (initial or {}).items():
            self.pages[page_key] = PageModel(history, [(None, dict(snapshot))])
            self.homes |= dict.fromkeys(snapshot, page_key)

    def on(self, page_key: PageKey) -> PageModel:
        """The page's account."""
        return self.pages.setdefault(page_key, PageModel(self.history))

    def take(self, id_: str, type_: str, payload: dict[str, Any]) -> bool:
        """Whether the command must be stored; if so, what it changes has been changed."""
        if type_ in ("undone", "redone"):
            page = self.on((payload["document"], payload["page"]))
            step = -1 if type_ == "undone" else 1
            ids = page.undo if type_ == "undone" else page.redo
            if payload["change"] not in ids[-1:]:
                return False
            page.at += step
            return True
        box = payload["box"]
        if type_ == "box_drawn":
            if box in self.homes:
                return False
            self.homes[box] = (payload["document"], payload["page"])
            page = self.on(self.homes[box])
            page.change(id_, {**page.now, box: (_rounded(payload["rect"]), payload["label"])})
            return True
        page = self.on(self.homes.get(box, ("", 0)))
        if box not in page.now:
            return False
        rect, label = page.now[box]
        match type_:
            case "box_deleted":
                page.change(id_, {name: old for name, old in page.now.items() if name != box})
                return True
            case "box_labelled":
                label = payload["label"]
            case "box_moved":
                if not _same_size(rect, _rounded(payload["rect"])):
                    return False
                rect = _rounded(payload["rect"])
            case "box_resized":
                rect = _rounded(payload["rect"])
        page.change(id_, {**page.now, box: (rect, label)})
        return True

    def snapshots(self) -> dict[PageKey, Snapshot]:
        """What is on each page that has a box."""
        return {page_key: page.now for page_key, page in self.pages.items() if page.now}


def _rounded(rect: Any) -> tuple[float, ...]:
    return tuple(round(float(value), 2) for value in rect)


def _same_size(rect: tuple[float, ...], other: tuple[float, ...]) -> bool:
    sizes = [(r[2] - r[0], r[3] - r[1]) for r in (rect, other)]
    return all(abs(a - b) <= SAME_SIZE for a, b in zip(*sizes, strict=True))
