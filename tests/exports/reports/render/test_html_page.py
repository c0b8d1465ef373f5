"""The HTML report as a browser and a screen reader meet it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from pagetrail.exports.reports.render.html_page import html_text
from tests.exports.reports.sample import SCRIPT, report, without_charts


@dataclass
class Page(HTMLParser):
    """Tags with their attributes, in order, and whether they are closed in order."""

    tags: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    words: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in ("meta", "link"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append((self.open[-1] if self.open else "", data))

    def all(self, name: str) -> list[str]:
        """Every value of an attribute."""
        return [attributes[name] for _, attributes in self.tags if name in attributes]

    def text(self, tag: str) -> list[str]:
        """Words directly in tags of that name."""
        return [data.strip() for at, data in self.words if at == tag and data.strip()]


@cache
def page() -> Page:
    """The report made by hand, parsed."""
    parsed_page = Page()
    parsed_page.feed(html_text(report()))
    parsed_page.close()
    assert not parsed_page.open
    return parsed_page


def test_nothing_is_run_and_nothing_is_loaded() -> None:
    """No script, no handler, no address but places in the page itself."""
    tags = {tag for tag, _ in page().tags}
    assert not tags & {"script", "iframe", "object", "embed", "img", "form", "base", "image", "use"}
    for _, attributes in page().tags:
        assert not [name for name in attributes if name.startswith("on")]
        for name in ("src", "href", "xlink:href", "action", "srcset"):
            assert attributes.get(name, "#").startswith(("#", "data:,"))
    style = "".join(page().text("style"))
    assert "url(" not in style and "@import" not in style
    for value in page().all("fill") + page().all("stroke") + page().all("clip-path"):
        assert not value.startswith("url(") or value.startswith("url(#")


def test_a_policy_forbids_what_is_not_there() -> None:
    """A browser would refuse scripts and addresses even if a name brought them in."""
    policy = next(a["content"] for _, a in page().tags if "http-equiv" in a)
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline';")
    assert "script-src" not in policy


def test_names_are_text() -> None:
    """Markup in names is shown as it was typed."""
    assert SCRIPT in page().text("bdi")
    assert f"Metrics of {SCRIPT}" in page().text("title")


def test_ids_are_unique_and_references_resolve() -> None:
    """Links of the contents, labels and descriptions all lead somewhere."""
    ids = page().all("id")
    assert len(ids) == len(set(ids))
    used = [link[1:] for link in page().all("href") if link.startswith("#")]
    for name in ("aria-labelledby", "aria-describedby"):
        used += [reference for value in page().all(name) for reference in value.split()]
    assert used and set(used) <= set(ids)


def test_a_screen_reader_finds_its_way() -> None:
    """Headings skip no level, tables have captions and headers, images have words."""
    levels = [int(tag[1]) for tag, _ in page().tags if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(later - earlier <= 1 for earlier, later in pairwise(levels))
    tags = [tag for tag, _ in page().tags]
    assert tags.count("table") == tags.count("caption") == 1
    assert {a.get("scope") for tag, a in page().tags if tag == "th"} == {"col", "row"}
    pictures = [a for _, a in page().tags if a.get("role") == "img"]
    assert len(pictures) == tags.count("svg") == len(report().charts)
    assert all("aria-describedby" in a for a in pictures)
    assert [a["aria-hidden"] for tag, a in page().tags if tag == "svg"] == ["true"] * len(pictures)
    assert ("html", {"lang": "en"}) in page().tags


def test_an_undefined_figure_is_heard_with_its_reason() -> None:
    """The letter is for the eye; the words follow the dash for the ear, and are beneath."""
    words = "undefined: there are no attempts to measure"
    assert page().text("span").count(f"({words})") == 2
    assert words in page().text("li")


def test_everything_around_the_figures_is_there() -> None:
    """Facts, choices, what is left out, how to read the results and what columns mean."""
    text = " ".join(data for _, data in page().words)
    for words in (
        "Attempts measured",
        "Idle cap s",
        "2 attempts: skipped",
        "1 query: odd",
        "How to read the results",
        "Share of right answers; MADQA, 2603.12180.",
    ):
        assert words in text
    assert "Nothing to show." in page().text("p")


@pytest.mark.parametrize("identified", [True, False])
def test_a_report_with_names_warns(identified: bool) -> None:
    """Who gets the file sees that people are named in it."""
    text = html_text(replace(without_charts(), identified=identified))
    assert ("People appear under their own names." in text) is identified


def test_styles_serve_light_dark_and_print() -> None:
    """Both schemes of colours, and paper."""
    style = "".join(page().text("style"))
    assert "prefers-color-scheme: dark" in style
    assert "@media print" in style
    assert not re.search(r"font-size:\s*\d+px", style)


def test_the_same_report_gives_the_same_page() -> None:
    """No date, no counter, no order of a set."""
    assert html_text(report()) == html_text(report())
