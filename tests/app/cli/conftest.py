"""Charts of reports are drawn once per module."""

from tests.support.charts_drawn_once import charts_drawn_once

__all__ = ["charts_drawn_once"]
