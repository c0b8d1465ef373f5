"""The replay of one or two attempts as a Streamlit v2 component.

It uses the workspace's drawing of pages, boxes and colours. It sends nothing to the server.
"""

from __future__ import annotations

from typing import Any

from pagetrail.app.components.loader import component
from pagetrail.app.services.addresses import PREFIX


def replay(
    attempts: list[dict[str, Any]], *, question: str, token: str, step_ms: int, signature: str
) -> None:
    """Mount the replay.

    Args:
        attempts: one or two, as ``app.replay.attempt_data.side_json`` makes them.
        question: above both.
        token: with which the images of pages are fetched.
        step_ms: how long a step of an attempt without times is played.
        signature: of the attempts as they are; while it is the same, what is on screen goes on.
    """
    component("replay")(
        data={
            "attempts": attempts,
            "question": question,
            "token": token,
            "prefix": PREFIX,
            "stepMs": step_ms,
            "signature": signature,
        },
        key="replay",
        height="content",
    )
