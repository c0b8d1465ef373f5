"""The text of a page in a real browser: opening it, typing in it, and deciding many patches.

The page has 20,000 characters and 200 patches. The clock of a key starts at its time stamp, which
Chromium gives it, and stops in the task after the next frame, when what it changed is painted. The
reference is the same keys in a plain text area of the same text, as an editor without Pagetrail
would be. Opening is from the click on the task until its text is in the editor.
"""

from __future__ import annotations

import random

from playwright.sync_api import Page

from benchmarks.harness import Benchmark, Measurement, Setup
from benchmarks.key_paints import (
    key_paints,
    page_workspace,
    plain_paints,
    seconds_to_open,
    stored_payloads,
    watch_paints,
)
from benchmarks.support import attempts_by_task, browser, person_name, serving, signed_in_page
from pagetrail.annotation.events.transcripts import TextEdited
from tests.e2e.support.readiness import wait_until_judgeable

CHARACTERS = 20_000
PATCHES = 200
KEYS = ["x" if n % 6 else " " for n in range(150)]
DECISIONS = 40
TARGET_KEY_P95_MS = 50
TARGET_OPENING_MS = 300
TARGET_DECISION_P95_MS = 100
_WORDS = "harbour report table north quarter figure of the and in measured annual"


def measure(_setup: Setup) -> list[Measurement]:
    """Open the text, type in the middle of it, and decide its patches."""
    text = long_text()
    tasks = [_task("short", "Short text.", 0), _task("long", text, PATCHES)]
    with (
        page_workspace("transcribe", text, tasks) as root,
        browser() as chromium,
        serving(root) as server,
    ):
        page = signed_in_page(chromium, server, person_name(0))
        attempts = attempts_by_task(root, person_name(0))
        short, long = attempts["short"], attempts["long"]
        is_open = "node.textContent.startsWith('Long ')"
        openings = seconds_to_open(page, server, (short, long), "transcript-editor", is_open)
        watch_paints(page)
        typed = _typing(page)
        plain = plain_paints(page, KEYS, "Long text of many words. " * 800)
        decided = _decisions(page)
        page.context.close()
        stored = sum(
            payload.added_chars
            for payload in stored_payloads(root, long)
            if isinstance(payload, TextEdited)
        )
    return [
        Measurement.of_durations(
            f"text of {CHARACTERS:,} characters and {PATCHES} patches: opened",
            openings,
            target_ms=TARGET_OPENING_MS,
        ),
        Measurement.of_durations(
            "… key to paint while typing",
            typed,
            target_p95_ms=TARGET_KEY_P95_MS,
            reference=("plain text area", plain),
        ),
        Measurement("… characters typed that are not stored", len(KEYS) - stored, "", 0),
        Measurement.of_durations(
            "… patch accepted or rejected by a key, to paint",
            decided,
            target_p95_ms=TARGET_DECISION_P95_MS,
        ),
    ]


def _typing(page: Page) -> list[float]:
    editor = page.get_by_test_id("transcript-editor")
    editor.click(position={"x": 200, "y": 200})
    page.keyboard.press("End")
    return key_paints(page, KEYS)


def _decisions(page: Page) -> list[float]:
    page.get_by_test_id("page-pane").focus()
    page.keyboard.press("j")
    keys = ["vx"[n % 2] for n in range(DECISIONS)]
    return key_paints(page, keys, before=wait_until_judgeable)


def long_text() -> str:
    """Paragraphs of words, from the same seed each time."""
    rng = random.Random(30)
    words = _WORDS.split()
    paragraphs = [" ".join(rng.choices(words, k=60)) for _ in range(80)]
    return ("Long text.\n\n" + "\n\n".join(paragraphs))[:CHARACTERS]


def _task(name: str, text: str, patches: int) -> dict[str, object]:
    step = len(text) // max(1, patches)
    places = [text.index(" ", step * number) + 1 for number in range(patches)]
    return {
        "id": name,
        "question": "Make the text say what the page says.",
        "transcript": text,
        "patches": [
            {
                "at": at,
                "old": text[at : at + 2],
                "new": text[at : at + 2].upper(),
                "reason": "Capitals.",
            }
            for at in places
        ],
        "model": "scribe-1",
    }


BENCHMARK = Benchmark("text_editor", measure)
