"""The replay of one or two attempts as a Streamlit v2 component.

It uses the workspace's drawing of pages, boxes and colours. It sends nothing to the server.
"""

from __future__ import annotations

from typing import Any

from pagetrail.app.components.loader import component
from pagetrail.app.services.addresses import PREFIX


def replay(attempts: list[dict[str, Any]], *, question: str, token: str, signature: str) -> None:
    """Mount the replay.

    Args:
        attempts: one or two, as ``app.replay.attempt_data.side_json`` makes them.
        question: above both.
        token: with which the images of pages are fetched.
        signature: of the attempts as they are; while it is the same, what is on screen goes on.
    """
    component("replay")(
        data={
            "attempts": attempts,
            "question": question,
            "token": token,
            "prefix": PREFIX,
            "signature": signature,
        },
        key="replay",
        height="content",
    )
