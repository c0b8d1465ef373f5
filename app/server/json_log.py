"""The server's log as one JSON object per line, for log collectors.

A line has ``time``, ``level``, ``logger`` and ``message``; a line about a request has instead of
the message ``method``, ``route``, ``status``, ``ms``, ``person`` (a pseudonym) and ``attempt``.
It never contains what people write or sign in with: no raw addresses, bodies or headers. Of an
    exception it has the type and place only, since libraries quote data in their messages.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import traceback
from collections.abc import Sequence
from datetime import UTC, datetime
from time import monotonic
from typing import Any

from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pagetrail.annotation.clock import iso
from pagetrail.app.server.navigation import SCREENS
from pagetrail.app.services.addresses import HOME

_requests = logging.getLogger("pagetrail.requests")
_ATTEMPT = re.compile("[0-9a-f]{32}")
_LONGEST = 2_000


class JsonLines(logging.Formatter):
    """Formats a log record as a line."""

    def format(self, record: logging.LogRecord) -> str:
        """One line of JSON."""
        line: dict[str, Any] = {
            "time": iso(datetime.fromtimestamp(record.created, UTC)),
            "level": record.levelname.lower(),
            "logger": record.name,
        }
        line |= getattr(record, "request", None) or {"message": _message(record)}
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            line["error"] = type(error).__name__
            line["trace"] = [
                f"{frame.filename}:{frame.lineno} {frame.name}"
                for frame in traceback.extract_tb(error.__traceback__)
            ]
        return json.dumps(line, ensure_ascii=False)


def _message(record: logging.LogRecord) -> str:
    """The message, with exceptions replaced by their type."""
    if isinstance(record.args, tuple):
        record.args = tuple(
            type(argument).__name__ if isinstance(argument, BaseException) else argument
            for argument in record.args
        )
    return record.getMessage()[:_LONGEST]


def log_as_json() -> None:
    """Log everything, including requests, to standard error as lines of JSON."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers = [handler]
    _requests.setLevel(logging.INFO)
    logging.captureWarnings(True)
    # Streamlit gives each of its loggers its own handler.
    from streamlit import logger as streamlit_logger  # noqa: PLC0415 - half a second to import

    def through_root(logger: logging.Logger) -> None:
        logger.handlers.clear()
        logger.propagate = True

    streamlit_logger.setup_formatter = through_root
    streamlit_logger.update_formatter()


class RequestLog:
    """Middleware: logs each request and web socket when it has ended.

    If requests are not logged, it costs one comparison.

    Args:
        routes: the project's own; their templates are logged instead of raw addresses.
    """

    def __init__(self, app: ASGIApp, routes: Sequence[Route]) -> None:
        self._app = app
        self._routes = routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or not _requests.isEnabledFor(logging.INFO):
            await self._app(scope, receive, send)
            return
        status: int | None = None
        started = monotonic()

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            elif message["type"] == "websocket.accept":
                status = 101
            elif message["type"] == "websocket.close" and status is None:
                status = 403
            await send(message)

        state = scope.setdefault("state", {})
        try:
            await self._app(scope, receive, noting)
        finally:
            route, attempt = self._route_and_attempt(scope)
            fields = {
                "method": scope.get("method", "WEBSOCKET"),
                "route": route,
                "status": status,
                "ms": round((monotonic() - started) * 1000, 1),
                "person": state.get("pseudonym"),
                "attempt": attempt,
            }
            level = logging.ERROR if (status or 500) >= 500 else logging.INFO
            _requests.log(level, "request", extra={"request": fields})

    def _route_and_attempt(self, scope: Scope) -> tuple[str, str | None]:
        """The route's template, and the attempt in the address."""
        path: str = scope["path"]
        for route in self._routes:
            if match := route.path_regex.match(path):
                attempt = match.groupdict().get("attempt", "")
                return route.path, attempt if _ATTEMPT.fullmatch(attempt) else None
        relative = path.removeprefix(HOME.rstrip("/")).strip("/")
        return (f"{HOME}{relative}" if relative in SCREENS else "streamlit"), None
