"""The guide for annotators, section by section."""

from __future__ import annotations

from typing import NamedTuple

from pagetrail.annotation.messages import N_


class GuideSection(NamedTuple):
    """A section of the guide; title and Markdown are messages.

    Attributes:
        anchor: its address within the page.
    """

    anchor: str
    title: str
    text: str


GUIDE_SECTIONS = (
    GuideSection(
        "screen",
        N_("The screen"),
        N_(
            "* **Top**: the question, and the search bar (`/`) where you search for pages.\n"
            "* **Centre**: results or the pages of the task, and the open page. Enter opens a "
            "result, ← and → turn pages, `c` cites the open page.\n"
            "* **Right**: your answer, one per line, what else is asked, and a private note. "
            "Ctrl+Enter submits.\n"
            "* **Left**: your batch, citations and earlier searches. Click one to run it again.\n\n"
            "Press `?` in a task for all keys."
        ),
    ),
    GuideSection(
        "search",
        N_("How the search reads your words"),
        N_(
            "* Every word must be on the page: `fuel costs` finds pages with both.\n"
            '* Quotes keep words together: `"operating result"`.\n'
            "* `OR` takes either word: `diesel OR electric`. `NOT` leaves a word out: "
            "`bridge NOT road`.\n"
            "* `*` stands for any ending: `electri*`. Beginnings that match too much are refused.\n"
            "* A whole question rarely finds anything. Use two or three words that the page itself "
            "would use.\n\n"
            "Language-model agents get the same search, so that people and agents can be compared."
        ),
    ),
    GuideSection(
        "finishing",
        N_("Finishing a task"),
        N_(
            "* **Submit**: you have an answer, and cite the pages it rests on.\n"
            "* **No answer found**: you looked and did not find it. This is a result, not a "
            "failure.\n"
            "* **Unanswerable**, where offered: you are sure that the collection does not have the "
            "answer.\n"
            "* **Skip**: you cannot work on the task. Say why.\n"
            "* **Flag** marks a task for your supervisor; you can still submit it."
        ),
    ),
    GuideSection(
        "saving",
        N_("Saving"),
        N_(
            "Everything is saved as you work; the time of the last save is at the top right. If "
            "the connection is lost, your work waits in the browser and is sent later. A submitted "
            "task can be reopened until its batch is closed."
        ),
    ),
    GuideSection(
        "clock",
        N_("The clock"),
        N_(
            "The clock counts working time only. Pause it when you take a break; the question is "
            "hidden meanwhile. It also stops when the tab is in the background."
        ),
    ),
)
