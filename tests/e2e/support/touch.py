"""Fingers on a touch screen."""

from __future__ import annotations

from playwright.sync_api import CDPSession

from tests.e2e.support.drawing import Point
from tests.e2e.support.screen import Screen


class Hand:
    """Fingers on a touch screen, sent to the browser as a device would."""

    def __init__(self, screen: Screen) -> None:
        self._session: CDPSession = screen.page.context.new_cdp_session(screen.page)

    def _send(self, kind: str, points: list[Point]) -> None:
        fingers = [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(points)]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})

    def down(self, *points: Point) -> None:
        """Report these fingers as touching; the last one has just come down."""
        self._send("touchStart", list(points))

    def move(self, *points: Point) -> None:
        """Move the fingers on the screen to these points."""
        self._send("touchMove", list(points))

    def up(self, *left: Point) -> None:
        """Lift all fingers except these."""
        self._send("touchEnd", list(left))

    def lose(self) -> None:
        """Cancel the touches, as the system does for its own gestures."""
        self._send("touchCancel", [])

    def drag(self, start: Point, end: Point) -> None:
        """Put one finger down, move it and lift it."""
        self.down(start)
        for part in (0.3, 0.6, 1):
            self.move(
                (start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1]))
            )
        self.up()
