"""Counts what a person does in a browser: keys outside of typed text, clicks and drags."""

from __future__ import annotations

from tests.e2e.support.screen import Screen

_COUNT = """(countsTyping) => {
  window.actions = 0;
  window.countsTyping = countsTyping;
  if (window.countsActions) return;
  window.countsActions = true;
  const typed = (event) => !window.countsTyping
    && /^(INPUT|TEXTAREA)$/.test(event.composedPath()[0].tagName)
    && event.key.length === 1 && !event.ctrlKey;
  addEventListener("keydown", (event) => {
    const isModifier = ["Control", "Shift", "Alt", "Meta"].includes(event.key);
    if (!isModifier && !event.repeat && !typed(event)) window.actions += 1;
  }, true);
  addEventListener("pointerdown", () => { window.actions += 1; }, true);
}"""


def count_from_now(screen: Screen, *, typing: bool = False) -> None:
    """Begin to count at 0; with ``typing``, each character typed into a field counts, too."""
    screen.page.evaluate(_COUNT, typing)


def counted_actions(screen: Screen) -> int:
    """How many keys were pressed, and how often a button of the mouse, since counting began."""
    count: int = screen.page.evaluate("() => window.actions")
    return count
