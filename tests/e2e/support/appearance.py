"""What the browser makes of a screen: contrast of its texts, and what assistive technology gets."""

from __future__ import annotations

from typing import Any

from tests.e2e.support.screen import Screen

AA = 4.5
"""The contrast that WCAG 2.2 AA asks of ordinary text."""

NAMED_ROLES = {
    *("button", "link", "textbox", "searchbox", "dialog", "region", "progressbar", "toolbar"),
}
"""Roles that are nothing without a name."""

CONTRAST = """(selectors) => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (css) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = css;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const parent = (e) => e.parentElement ?? e.getRootNode().host ?? null;
  const ground = (element) => {
    const layers = [];
    for (let e = element; e; e = parent(e)) {
      const colour = rgba(getComputedStyle(e).backgroundColor);
      if (colour[3]) layers.push(colour);
      if (colour[3] === 255) break;
    }
    return layers.reverse().reduce(
      (under, [r, g, b, a]) => [r, g, b].map((v, i) => (v * a + under[i] * (255 - a)) / 255),
      [255, 255, 255],
    );
  };
  const luminance = (colour) => {
    const [r, g, b] = colour.map((v) => v / 255)
      .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => {
    const [x, y] = [luminance(a), luminance(b)].sort((m, n) => n - m);
    return (x + 0.05) / (y + 0.05);
  };
  const root = [...document.querySelectorAll("*")].map((e) => e.shadowRoot)
    .find((r) => r?.querySelector(".pt"));
  const found = {};
  for (const selector of selectors) {
    for (const e of root.querySelectorAll(selector)) {
      if (!e.checkVisibility() || e.matches(":disabled")) continue;
      const value = ratio(rgba(getComputedStyle(e).color).slice(0, 3), ground(e));
      found[selector] = Math.min(found[selector] ?? 21, value);
    }
  }
  return found;
}"""
"""Smallest contrast by selector, over the elements in sight that can be used."""


def nodes_of(screen: Screen) -> list[dict[str, Any]]:
    """The nodes of the accessibility tree."""
    session = screen.page.context.new_cdp_session(screen.page)
    nodes: list[dict[str, Any]] = session.send("Accessibility.getFullAXTree")["nodes"]
    return [node for node in nodes if not node.get("ignored")]
