"""The word diff of two texts, in a real browser."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest
from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


def diff(modules: Page, pairs: list[tuple[str, str]]) -> list[list[dict[str, Any]]]:
    """The parts of each pair."""
    found: list[list[dict[str, Any]]] = modules.evaluate(
        """async (pairs) => {
            const { diffWords } = await import("/shared/text_diff.js");
            return pairs.map(([before, after]) => diffWords(before, after));
        }""",
        [list(pair) for pair in pairs],
    )
    return found


def sides(parts: list[dict[str, Any]]) -> tuple[str, str]:
    """Both texts put together again."""
    before = "".join(part["text"] for part in parts if part["kind"] != "added")
    after = "".join(part["text"] for part in parts if part["kind"] != "removed")
    return before, after


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "", ""),
        ("same words", "same words", "same words"),
        ("", "new", "[+new]"),
        ("old", "", "[-old]"),
        ("Net sales 42", "Net sales 47", "Net sales [-42][+47]"),
        ("one two three", "four five three", "[-one two][+four five] three"),
        ("a b c", "a c", "a [-b ]c"),
        ("in spring.", "in spring!", "in spring[-.][+!]"),
        ("Straße", "Strasse", "[-Straße][+Strasse]"),
        ("e\u0301tude 🦦", "e\u0301tude 🦡", "e\u0301tude [-🦦][+🦡]"),
    ],
)
def test_changes_are_shown_by_words(modules: Page, before: str, after: str, expected: str) -> None:
    """Whole words change, punctuation apart; a run of changed words is one change."""
    (parts,) = diff(modules, [(before, after)])
    marks = {"same": "{}", "removed": "[-{}]", "added": "[+{}]"}
    assert "".join(marks[part["kind"]].format(part["text"]) for part in parts) == expected


def test_no_character_is_lost(modules: Page) -> None:
    """The parts always make up both texts, and neighbours of one kind are one part."""
    rng = random.Random(5)
    words = ["a", "b", "b ", " ", "\n", "ä", "42", ".", "🦦", "<td>", "a b"]
    pairs = [
        tuple("".join(rng.choices(words, k=rng.randint(0, 12))) for _ in range(2))
        for _ in range(400)
    ]
    for (before, after), parts in zip(pairs, diff(modules, pairs), strict=True):
        assert sides(parts) == (before, after)
        kinds = [part["kind"] for part in parts]
        assert all(kind != following for kind, following in itertools.pairwise(kinds))
        assert all(part["text"] for part in parts)


@pytest.mark.parametrize("changed", [3_000, 9_000])
def test_long_texts_are_compared_in_larger_pieces(modules: Page, changed: int) -> None:
    """Texts of the largest size keep their common words, or are replaced as a whole."""
    before = " ".join(f"{n}a" for n in range(changed))
    after = " ".join(f"{n}a" if n % 2 else f"{n}b" for n in range(changed))
    (parts,) = diff(modules, [(before, after)])
    assert sides(parts) == (before, after)
