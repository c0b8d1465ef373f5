"""Contrast and accessibility of a screen, as computed by the browser."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Page, ViewportSize, expect

from tests.e2e.support.browsers import wait_for
from tests.e2e.support.screen import PATIENCE_MS, Screen, wait_until, wait_until_drawn

AXE = Path(__file__).parents[3] / "node_modules" / "axe-core" / "axe.min.js"
AA = 4.5
"""The contrast that WCAG 2.2 AA asks of ordinary text."""

Scheme = Literal["light", "dark"]
SCHEMES: Sequence[Scheme] = ("light", "dark")

FULL: ViewportSize = {"width": 1366, "height": 768}
ZOOMED: ViewportSize = {"width": 683, "height": 384}
"""What a zoom of 200 % leaves of ``FULL``."""

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


def contrasts(screen: Screen, scheme: Scheme, selectors: list[str]) -> dict[str, float]:
    """Set a colour scheme; returns the smallest contrast in the workspace by selector."""
    screen.page.emulate_media(color_scheme=scheme)
    expect(screen.part("workspace")).to_have_attribute("data-theme", scheme)
    ratios: dict[str, float] = screen.page.evaluate(CONTRAST, selectors)
    return ratios


def roles_without_name(screen: Screen, roles: Collection[str]) -> list[str]:
    """The roles, among ``roles``, of elements without an accessible name."""
    return [
        node["role"]["value"]
        for node in nodes_of(screen)
        if node["role"]["value"] in roles and not node.get("name", {}).get("value", "").strip()
    ]


_SURFACES = """() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const all = (root) => [...root.querySelectorAll("*")].flatMap(
    (e) => (e.shadowRoot ? [e, ...all(e.shadowRoot)] : [e]));
  const isSurface = (e) => e === document.body
    || e.matches(".stApp, .pt, dialog[open], [role=dialog], :popover-open");
  return all(document).filter((e) => isSurface(e) && e.checkVisibility()).flatMap((e) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = getComputedStyle(e).backgroundColor;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, alpha] = canvas.getImageData(0, 0, 1, 1).data;
    const theme = 0.2126 * r + 0.7152 * g + 0.0722 * b < 128 ? "dark" : "light";
    return alpha === 255 ? [[e.dataset.testid ?? e.className ?? e.tagName, theme]] : [];
  });
}"""
"""The page, the task and each open dialog that has a colour of its own: its name and theme."""


def check_theme(page: Page, scheme: Scheme) -> None:
    """Check by their computed colours that the page and everything open on it have a theme.

    Raises:
        AssertionError: something has the other theme, or nothing has a colour.
    """
    surfaces: list[tuple[str, str]] = page.evaluate(_SURFACES)
    assert surfaces, "nothing has a background"
    assert {theme for _, theme in surfaces} == {scheme}, surfaces


_CHANGED = """() => {
  const all = (root) => [...root.querySelectorAll(":not(canvas *)")].flatMap(
    (e) => (e.shadowRoot ? [e, ...all(e.shadowRoot)] : [e]));
  const looks = new Set(["class", "style", "fill", "stroke", "color", "data-theme"]);
  const structure = all(document.body).map((e) => {
    const { x, y, width, height } = e.getBoundingClientRect();
    const attributes = [...e.attributes].filter(({ name }) => !looks.has(name));
    return [e.tagName, ...attributes.map(({ name, value }) => `${name}=${value}`),
            ...[x, y, width, height].map(Math.round)].join(" ");
  }).join("\\n");
  const isSame = window.lastStructure === structure;
  window.lastStructure = structure;
  return !isSame;
}"""
"""Whether elements, their attributes or places are others than when this was last evaluated.

The cells that a table's canvas holds for screen readers do not count: how many there are depends on
how far the table has been drawn.
"""

_END_TRANSITIONS = """() => {
  const roots = (root) => [root, ...[...root.querySelectorAll("*")].flatMap(
    (e) => (e.shadowRoot ? roots(e.shadowRoot) : []))];
  for (const animation of roots(document).flatMap((root) => root.getAnimations())) {
    if (animation instanceof CSSTransition) animation.finish();
  }
}"""


def set_scheme(page: Page, scheme: Scheme) -> None:
    """Set a colour scheme, wait until the page has it, and check that everything open has it."""
    page.emulate_media(color_scheme=scheme)
    wait_for(page, f"(scheme) => ({_SURFACES})().every(([, theme]) => theme === scheme)", scheme)
    _wait_until_complete(page)
    page.evaluate(_END_TRANSITIONS)
    check_theme(page, scheme)


def accessibility_problems(page: Page, name: str) -> list[str]:
    """What axe-core reports on a screen or dialog in both themes, at 200 and 100 %.

    The page is left in the light theme at 100 %. In the second theme at a size, only rules about
    colours are run, unless the theme has changed more than colours.
    """
    problems = []
    for zoom, size, schemes in ((200, ZOOMED, SCHEMES), (100, FULL, SCHEMES[::-1])):
        page.set_viewport_size(size)
        for scheme in schemes:
            set_scheme(page, scheme)
            changed = page.evaluate(_CHANGED)
            problems += [
                f"{name}, {scheme}, {zoom} %: {rule} {elements}"
                for rule, elements in axe_findings(page, only_colours=not changed)
            ]
    return problems


def _wait_until_complete(page: Page) -> None:
    if page.get_by_test_id("stApp").count():
        wait_until_drawn(page)
        expect(page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=PATIENCE_MS)


def axe_findings(page: Page, only_colours: bool = False) -> list[tuple[str, list[str]]]:
    """Violations that axe-core finds on the page: each rule with the offending elements.

    Its rules of WCAG 2.2 AA and its best practices; among the first is the size of targets, which
    axe-core leaves out unless asked. Nothing where it is not installed, except in CI, where that
    is an error. Streamlit rebuilds its navigation after a resize. Without the navigation's links
    axe-core compares the skip link with one in a shadow tree, and takes it for text outside a
    landmark; so it waits for them, and a run during which they were replaced is repeated.
    """
    if not AXE.exists() and not os.environ.get("CI"):
        return []
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    violations: list[tuple[str, list[str]]] = page.evaluate(
        """async ([onlyColours, patienceMs]) => {
          const rules = onlyColours ? { runOnly: ["color-contrast", "link-in-text-block"] }
            : { rules: { "target-size": { enabled: true } } };
          const isNavigationMissing = () =>
            document.querySelector("[data-testid=stSkipToContent]")
            && !document.querySelector(
              "[data-testid=stTopNavLink], [data-testid=stSidebarNavLink]");
          const end = performance.now() + patienceMs;
          for (;;) {
            while (isNavigationMissing()) {
              if (performance.now() > end) throw new Error("there is no navigation");
              await new Promise(requestAnimationFrame);
            }
            const links = [...document.querySelectorAll("a[href]")];
            const { violations } = await axe.run(document, {
              resultTypes: ["violations"], ...rules,
            });
            if (links.every((link) => link.isConnected))
              return violations.map(
                ({ id, nodes }) => [id, nodes.map(({ target }) => target.flat().join(" "))]);
          }
        }""",
        [only_colours, PATIENCE_MS],
    )
    return violations


def overflow(screen: Screen) -> float:
    """Client pixels by which the page overflows the window, at most 0 if everything fits."""
    scrolling: float = screen.page.evaluate(
        "() => { const e = document.scrollingElement;"
        " return Math.max(e.scrollHeight - innerHeight, e.scrollWidth - innerWidth); }"
    )
    return scrolling


def expect_no_overflow(screen: Screen) -> None:
    """Wait until the page fits its window, which may be laid out late after a change of its size.

    Raises:
        AssertionError: it does not; names the pixels by which it overflows.
    """
    wait_until(screen.page, lambda: overflow(screen), lambda pixels: pixels <= 0)


def expect_height(screen: Screen, part: str, least: float) -> None:
    """Wait until a part is at least so high, in client pixels.

    Raises:
        AssertionError: it stays lower; names its box.
    """
    wait_until(
        screen.page,
        screen.part(part).bounding_box,
        lambda box: box is not None and box["height"] >= least,
    )


def expect_in_sight(screen: Screen, part: str) -> None:
    """Wait until a part is completely visible; after a change of the window, it may move late.

    Raises:
        AssertionError: it stays cut off; names its box.
    """
    window = screen.page.viewport_size
    assert window is not None
    wait_until(
        screen.page,
        screen.part(part).bounding_box,
        lambda box: (
            box is not None
            and box["x"] >= 0
            and box["y"] >= 0
            and box["x"] + box["width"] <= window["width"]
            and box["y"] + box["height"] <= window["height"]
        ),
    )
