"""The workspace screen as a Streamlit v2 component.

The browser code is in ``frontend``, and ``app.routes.assets`` serves it; what Streamlit gets is a
loader. All actions go to the event route; the component's state is only a fallback for when routes
cannot be reached.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from typing_extensions import TypedDict

from pagetrail.annotation.messages import gettext
from pagetrail.app.components.loader import component, messages_address
from pagetrail.app.components.screen_keys import ScreenKey, screen_keys
from pagetrail.app.components.sentences import screen_sentences
from pagetrail.app.workspace.fallback_transport import FallbackReply
from pagetrail.app.workspace.payload import AttemptPayload


class WorkspaceScreenData(TypedDict):
    """The data of the workspace screen; see ``workspace``."""

    boot: AttemptPayload
    home: str
    base: str
    reply: FallbackReply | None
    sentences: dict[str, str]
    messages: str | None
    tour: bool
    keys: list[ScreenKey]


def workspace(
    boot: AttemptPayload,
    *,
    home: str,
    base: str,
    tour: bool,
    reply: FallbackReply | None,
    keys: Mapping[str, str],
    on_outbox: Callable[[], None],
    key: str,
) -> None:
    """Mount the screen of one attempt.

    Args:
        boot: the attempt to show first.
        home: address of "My batches".
        base: path prefix of all routes, without a trailing slash.
        tour: whether the screen begins with its tour.
        reply: the answer to the last message of the fallback transport.
        keys: those that the person has changed, by id.
        on_outbox: called when the fallback transport brings events.
        key: the component's key in the session.
    """
    data: WorkspaceScreenData = {
        "boot": boot,
        "home": home,
        "base": base,
        "reply": reply,
        "sentences": screen_sentences(),
        "messages": messages_address(),
        "keys": screen_keys("Workspace", keys),
        "tour": tour,
    }
    component("workspace", failure=gettext("The workspace could not be loaded. Reload the page."))(
        data=data,
        default={"outbox": None},
        on_outbox_change=on_outbox,
        key=key,
        height="content",
    )
