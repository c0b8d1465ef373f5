"""The screen of one task under review as a Streamlit v2 component.

Its modules are served like the workspace's and use some of them. All actions go to the review
routes; nothing comes back through Streamlit.
"""

from __future__ import annotations

from collections.abc import Mapping

from typing_extensions import TypedDict

from pagetrail.annotation.messages import gettext
from pagetrail.app.components.loader import component, messages_address
from pagetrail.app.components.screen_keys import ScreenKey, screen_keys
from pagetrail.app.components.sentences import screen_sentences


class ReviewScreenData(TypedDict):
    """The data of the review screen; see ``reviewing``."""

    task: int
    reviewer: int
    home: str
    base: str
    sentences: dict[str, str]
    messages: str | None
    keys: list[ScreenKey]


def reviewing(
    task_id: int, *, reviewer: int, home: str, base: str, keys: Mapping[str, str]
) -> None:
    """Mount the screen of a task under review.

    Args:
        task_id: the task to show first; the screen then moves to others without Streamlit.
        reviewer: id of the person, to whom unsaved choices in the browser belong.
        home: address of the first screen, with a trailing slash.
        base: path prefix of all routes, without a trailing slash.
        keys: those that the person has changed, by id.
    """
    data: ReviewScreenData = {
        "task": task_id,
        "reviewer": reviewer,
        "home": home,
        "base": base,
        "sentences": screen_sentences(),
        "messages": messages_address(),
        "keys": screen_keys("Review", keys),
    }
    component("reviewing", failure=gettext("The review could not be loaded. Reload the page."))(
        data=data, key="reviewing", height="content"
    )
