"""Pages that a model scored for a task, and which of them are graded.

Pages from the cut on are graded, and a random sample of the others, mixed in among them, so that
nobody who grades can tell which is which.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from pagetrail.annotation.tasks.stratified_sampling import draw_units

PAGE_SCORES = "page_scores"
"""Field of an imported row; it is no field of a task's record."""

Selection = Literal["above", "sampled", "below"]
"""From the cut on; below it and drawn; below it and not graded."""


class ScoredPage(NamedTuple):
    """A page with a model's score for a task."""

    document: str
    page: int
    score: float
    selection: Selection

    @property
    def is_graded(self) -> bool:
        """Whether the task gives the page to be graded."""
        return self.selection != "below"


class TaskPageScores(NamedTuple):
    """The scored pages of a task.

    Attributes:
        inclusion_probability: with which each page below the cut was drawn.
        pages: by document and page.
    """

    inclusion_probability: float
    pages: Sequence[ScoredPage]


def select_pages(
    tasks: Mapping[str, Sequence[ScoredPage]], rate: float, seed: int
) -> dict[str, TaskPageScores]:
    """The pages of tasks, with a simple random sample of those below the cut drawn.

    The sample is one of all (task, page) pairs below the cut together, without replacement; it is
    the first of them in the order of ``SHA-256(f"{seed}:{task}, {document}, {page}")``.

    Args:
        tasks: id of each task → its pages, ``above`` or ``below``.
        rate: share of the pages below the cut; at least one is drawn unless it is 0.
    """
    pages_below = {
        f"{task}, {page.document}, {page.page}": (task, page)
        for task, pages in tasks.items()
        for page in pages
        if page.selection == "below"
    }
    n = max(1, round(rate * len(pages_below))) if pages_below and rate else 0
    drawn_keys: set[str] = set()
    if n:
        (stratum,) = draw_units(dict.fromkeys(pages_below, ()), n, seed)
        drawn_keys = set(stratum.keys)
    sampled = {pages_below[key] for key in drawn_keys}
    probability = len(drawn_keys) / len(pages_below) if pages_below else 0.0
    return {
        task: TaskPageScores(
            probability,
            sorted(
                page._replace(selection="sampled") if (task, page) in sampled else page
                for page in pages
            ),
        )
        for task, pages in tasks.items()
    }
