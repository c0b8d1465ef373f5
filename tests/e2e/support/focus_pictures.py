"""Whether keyboard focus can be seen: images of each control with and without it compared."""

from __future__ import annotations

import time
from collections.abc import Iterator
from io import BytesIO
from typing import Any, NamedTuple

import numpy as np
from PIL import Image
from playwright.sync_api import FloatRect, Page

from tests.e2e.support.appearance import Scheme, set_scheme
from tests.e2e.support.screen import Screen

LEAST_CONTRAST = 3.0
"""Of the same pixel with and without focus (WCAG 2.2, 2.4.13)."""
MOST_STOPS = 400
_MARGIN = 8
_DRAWING_S = 10
_FOCUSED = """() => {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  if (!element || element === document.body || element === document.documentElement) return null;
  const seen = (window.focusStops ??= new Map());
  const repeated = seen.has(element);
  if (!repeated) seen.set(element, seen.size);
  // A control may be drawn by the box around it, as text inputs and hidden radio buttons are.
  let drawn = element;
  for (let n = 0; n < 3 && drawn.parentElement; n++) {
    const { width, height } = drawn.getBoundingClientRect();
    if (width >= 12 && height >= 12 && getComputedStyle(drawn).opacity !== "0") break;
    drawn = drawn.parentElement;
  }
  // Tables are drawn on a canvas below what scrolls; their cells are for screen readers.
  if (element.matches("canvas, td")) drawn = element.closest(".stDataFrame") ?? drawn;
  const within = (part, whole) => {
    for (let e = part; e; e = e.parentElement ?? e.getRootNode().host) if (e === whole) return true;
    return false;
  };
  const { x, y, width, height } = drawn.getBoundingClientRect();
  const inside = [[0.5, 0.5], [0.1, 0.5], [0.9, 0.5], [0.5, 0.1], [0.5, 0.9]].some(([h, v]) => {
    let top = document.elementFromPoint(x + width * h, y + height * v);
    while (top?.shadowRoot) {
      const deeper = top.shadowRoot.elementFromPoint(x + width * h, y + height * v);
      if (!deeper || deeper === top) break;
      top = deeper;
    }
    return top && (within(top, drawn) || within(drawn, top));
  });
  const name = element.getAttribute("aria-label") ?? element.innerText ?? "";
  const style = element.closest("[data-testid]")?.dataset.testid ?? "";
  return {
    order: seen.get(element),
    repeated,
    kind: [element.tagName, element.type, element.getAttribute("role"), style,
           element.className?.baseVal ?? element.className].join(" "),
    name: `${element.tagName.toLowerCase()} ${style} “${name.slice(0, 40)}”`,
    box: { x, y, width, height },
    inSight: inside,
  };
}"""


class FocusStop(NamedTuple):
    """A control that has the focus.

    Attributes:
        order: how many others had the focus before.
        kind: the same for controls that are drawn in the same way.
        box: in the window, in client pixels.
        is_in_sight: whether some of it is not covered.
    """

    order: int
    kind: str
    name: str
    box: FloatRect
    is_in_sight: bool

    @classmethod
    def read(cls, focus: dict[str, Any]) -> FocusStop:
        """The stop that ``_FOCUSED`` describes."""
        return cls(focus["order"], focus["kind"], focus["name"], focus["box"], focus["inSight"])


def focus_stops(page: Page) -> Iterator[FocusStop]:
    """Tab through a screen until the focus comes back to where it was before."""
    page.evaluate("() => { window.focusStops = new Map(); document.activeElement?.blur(); }")
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        focus: dict[str, Any] | None = page.evaluate(_FOCUSED)
        if focus is None or focus["repeated"]:
            return
        yield FocusStop.read(focus)
    raise AssertionError(f"the focus does not come back within {MOST_STOPS} stops")


def hidden_focus(screen: Screen, checked: set[str]) -> list[str]:
    """The controls whose focus cannot be seen in a theme, or that something covers meanwhile.

    The page is in the light theme, and is left in it.

    Args:
        checked: kinds of controls that are compared already; those of this screen are added.
    """
    page = screen.page
    problems, compared_stops = [], []
    for stop in focus_stops(page):
        if stop.kind in checked:
            problems += _problems_of_place(stop, "light")
        else:
            checked.add(stop.kind)
            compared_stops.append(stop)
            problems += _problems_of_stop(page, stop, "light")
    if compared_stops:
        set_scheme(page, "dark")
        for stop in compared_stops:
            page.evaluate(_FOCUS, [stop.order, {}])
            problems += _problems_of_stop(page, FocusStop.read(page.evaluate(_FOCUSED)), "dark")
        set_scheme(page, "light")
    return problems


def _problems_of_place(stop: FocusStop, scheme: Scheme) -> list[str]:
    return [] if stop.is_in_sight else [f"{stop.name}, {scheme}, is covered"]


def _problems_of_stop(page: Page, stop: FocusStop, scheme: Scheme) -> list[str]:
    """Compare a control, which has the focus, with itself once it has lost it."""
    clip = _clip(page, stop.box)
    # A line of one pixel around the control, or as much as there is of it in the window.
    least = 2 * (min(clip["width"], stop.box["width"]) + min(clip["height"], stop.box["height"]))
    give_up = time.monotonic() + _DRAWING_S
    while True:  # a canvas is drawn some frames after its focus has changed
        focused = _picture(page, clip)
        page.evaluate(_BLUR)
        changed = changed_pixels(focused, _picture(page, clip))
        page.evaluate(_FOCUS, [stop.order, {"preventScroll": True}])
        if changed >= least or time.monotonic() > give_up:
            break
    problems = _problems_of_place(stop, scheme)
    if changed < least:
        problems.append(f"{stop.name}, {scheme}: {changed} of {least:.0f} pixels change")
    return problems


_BLUR = """() => {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  element.blur();
}"""
_FOCUS = """([order, options]) => {
  const [element] = [...window.focusStops].find(([, number]) => number === order);
  element.focus(options);
}"""


def changed_pixels(left: Image.Image, right: Image.Image) -> int:
    """How many pixels of two images contrast by ``LEAST_CONTRAST`` or more."""
    lighter, darker = _luminance(left), _luminance(right)
    lighter, darker = np.maximum(lighter, darker), np.minimum(lighter, darker)
    return int(np.count_nonzero((lighter + 0.05) / (darker + 0.05) >= LEAST_CONTRAST))


def _luminance(picture: Image.Image) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The relative luminance of each pixel (WCAG)."""
    channels = np.asarray(picture.convert("RGB"), dtype=np.float64) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ np.array([0.2126, 0.7152, 0.0722]))


def _picture(page: Page, clip: FloatRect) -> Image.Image:
    return Image.open(BytesIO(page.screenshot(clip=clip, animations="disabled")))


def _clip(page: Page, box: FloatRect) -> FloatRect:
    """The box with a margin, as far as it is in the window."""
    window = page.viewport_size
    assert window is not None
    left, top = max(0, box["x"] - _MARGIN), max(0, box["y"] - _MARGIN)
    right = min(window["width"], box["x"] + box["width"] + _MARGIN)
    bottom = min(window["height"], box["y"] + box["height"] + _MARGIN)
    return {"x": left, "y": top, "width": max(1, right - left), "height": max(1, bottom - top)}
