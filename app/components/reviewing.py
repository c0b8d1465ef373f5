"""The screen of one task under review as a Streamlit v2 component.

Its modules are served as the workspace's are, and use the workspace's. Everything that is done goes
to the routes of reviews; nothing comes back through Streamlit.
"""

from __future__ import annotations

from pagetrail.app.components.loader import component
from pagetrail.app.components.sentences import SCREEN_SENTENCES


def reviewing(task_id: int, *, home: str, base: str) -> None:
    """Mount the screen of a task under review.

    Args:
        task_id: the task to show first; the screen goes on to others by itself.
        home: address of the first screen, with a slash at its end.
        base: the path before all routes, without a slash at its end.
    """
    data = {
        "task": task_id, "home": home, "base": base, "sentences": SCREEN_SENTENCES,
    }  # fmt: skip
    component("reviewing")(data=data, key="reviewing", height="content")
