"""The replay of one or two attempts as a Streamlit v2 component.

It draws pages, boxes and colours with the workspace's modules, and sends nothing to the server.
"""

from __future__ import annotations

from collections.abc import Mapping

from typing_extensions import TypedDict

from pagetrail.annotation.messages import gettext
from pagetrail.app.components.loader import component, messages_address
from pagetrail.app.components.screen_keys import ScreenKey, screen_keys
from pagetrail.app.replay.attempt_data import AttemptScript
from pagetrail.app.services.addresses import PREFIX


class ReplayData(TypedDict):
    """The replay's data; see ``replay``."""

    attempts: list[AttemptScript]
    question: str
    token: str
    prefix: str
    signature: str
    messages: str | None
    keys: list[ScreenKey]


def replay(
    attempts: list[AttemptScript],
    *,
    question: str,
    token: str,
    signature: str,
    keys: Mapping[str, str],
) -> None:
    """Mount the replay.

    Args:
        attempts: one or two, as ``app.replay.attempt_data.replay_json`` makes them.
        question: shown above the replay.
        token: gives access to page images.
        signature: identifies the attempts' content; the player continues while it is the same.
        keys: those that the person has changed, by id.
    """
    data: ReplayData = {
        "attempts": attempts,
        "question": question,
        "token": token,
        "prefix": PREFIX,
        "signature": signature,
        "messages": messages_address(),
        "keys": screen_keys("Replay", keys),
    }
    component("replay", failure=gettext("The replay could not be loaded. Reload the page."))(
        data=data, key="replay", height="content"
    )
