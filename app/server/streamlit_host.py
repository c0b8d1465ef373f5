"""Streamlit's host configuration, which disables its dialogs over the workspace."""

from __future__ import annotations

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from pagetrail.app.services.addresses import HOME

_PATH = f"{HOME}_stcore/host-config"
# No other site may send messages to this app, framed or not.
_CONFIG = {
    "allowedOrigins": [],
    "useExternalAuthToken": False,
    "enableCustomParentMessages": False,
    "enforceDownloadInNewTab": False,
    "metricsUrl": "",
    "blockErrorDialogs": True,
    "resourceCrossOriginMode": None,
}


class HostConfig:
    """Middleware: answers Streamlit's host-config address, which routes cannot override.

    Otherwise Streamlit's "Connection error" dialog would block the page when the server is
    unreachable, although the workspace keeps working and stores changes in its outbox.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "GET" and scope["path"] == _PATH:
            answer = JSONResponse(_CONFIG, headers={"Cache-Control": "no-cache"})
            await answer(scope, receive, send)
            return
        await self._app(scope, receive, send)
