"""The replay of one or two attempts as a Streamlit v2 component.

It draws pages, boxes and colours with the workspace's modules, and sends nothing to the server.
"""

from __future__ import annotations

from typing import Any

from pagetrail.app.components.loader import component
from pagetrail.app.services.addresses import PREFIX


def replay(attempts: list[dict[str, Any]], *, question: str, token: str, signature: str) -> None:
    """Mount the replay.

    Args:
        attempts: one or two, as ``app.replay.attempt_data.replay_json`` makes them.
        question: shown above the replay.
        token: gives access to page images.
        signature: identifies the attempts' content; the player continues while it is the same.
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
