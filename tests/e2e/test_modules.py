"""The component's pure modules, in a real browser, against the same rules in Python."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from annotation import events as ev
from annotation.response import Response, apply
from tests.factory import events_at

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

ASSETS = Path(__file__).parents[2] / "app" / "components" / "workspace" / "assets"
ORIGIN = "http://modules.test"
SHARED = (
    "status",
    "outcome",
    "skip_reason",
    "answer_text",
    "note",
    "flag",
    "citations",
    "position",
    "view",
    "paused",
    "hidden",
    "n_page_views",
)


@pytest.fixture(scope="module")
def modules(chromium: Browser) -> Iterator[Page]:
    """A page that can import the component's modules; no server is needed."""
    page = chromium.new_page()

    def answer(route: Route) -> None:
        name = route.request.url.rpartition("/")[2]
        if name:
            route.fulfill(path=ASSETS / name, content_type="text/javascript")
        else:
            route.fulfill(body="<!doctype html>", content_type="text/html")

    page.route(f"{ORIGIN}/**", answer)
    page.goto(f"{ORIGIN}/")
    yield page
    page.close()


def random_payload(rng: random.Random) -> ev.AnyPayload:
    """Any event that a client may send, on few pages so that they meet again."""
    where = {"document": rng.choice(["a.pdf", "b.pdf"]), "page": rng.randint(1, 3)}
    found: dict[str, Any] = rng.choice([{}, {"search_id": "s1", "rank": rng.randint(1, 5)}])
    makers = (
        lambda: ev.Opened(session="s"),
        lambda: ev.PageViewed(**where, **found, via="next"),
        lambda: ev.ViewChanged(fit="none", zoom=rng.randint(50, 400), rotation=90),
        lambda: ev.CitationAdded(**where, **found),
        lambda: ev.CitationRemoved(**where),
        lambda: ev.AnswerEdited(text=rng.choice(["", "x\ny", " z "])),
        lambda: ev.NoteEdited(text=rng.choice(["", "note"])),
        lambda: ev.Flagged(comment=rng.choice(["", "why"])),
        lambda: ev.Unflagged(),
        lambda: ev.Paused(),
        lambda: ev.Resumed(),
        lambda: ev.TabHidden(),
        lambda: ev.TabShown(),
        lambda: ev.Reconnected(offline_ms=5),
        lambda: ev.GuidelinesOpened(),
        lambda: ev.Skipped(reason="broken"),
        lambda: ev.Submitted(outcome="not_found"),
        lambda: ev.Reopened(),
    )
    return rng.choice(makers)()


@pytest.mark.parametrize("seed", range(8))
def test_the_browser_folds_as_the_server_does(modules: Page, seed: int) -> None:
    """After each of 200 random events, both hold the same state."""
    rng = random.Random(seed)
    events = events_at(*((float(n), random_payload(rng)) for n in range(200)))
    state = Response()
    expected = []
    for event in events:
        state = apply(state, event)
        expected.append(state.model_dump(mode="json", include=set(SHARED)))
    sent = [{"type": e.type, "payload": e.fields(), "seq": e.seq} for e in events]
    folded = modules.evaluate(
        """async ([start, events, shared]) => {
            const { apply } = await import("/fold.js");
            let state = start;
            return events.map((event) => {
              state = apply(state, event);
              return Object.fromEntries(shared.map((key) => [key, state[key]]));
            });
        }""",
        [Response().model_dump(mode="json"), sent, list(SHARED)],
    )
    assert folded == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "one",
        " one \r\n\r\n two\x0bthree\x0cfour\u2028five\u2029six\x85seven",
        "\ufeffmark\n\u00a0no-break\u00a0\n\u3000wide\u3000",
        "a\x1cb\x1dc\x1ed\x1fe",
        "tab\tinside\n\t\n",
    ],
)
def test_the_preview_parses_answers_as_the_server_does(modules: Page, text: str) -> None:
    """What the annotator sees as answers is what is exported."""
    shown = modules.evaluate("async (text) => (await import('/fold.js')).parseAnswers(text)", text)
    assert shown == Response(answer_text=text).answer


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_page_points_and_client_points_are_inverse(modules: Page, rotation: int) -> None:
    """Corners and odd points survive the way to the screen and back to 1e-9 points."""
    width, height = 612.0, 791.5
    turned = (height, width) if rotation % 180 else (width, height)
    scale = 1.37
    frame = {"left": 33.3, "top": -127.9, "width": turned[0] * scale, "height": turned[1] * scale}
    points = [(0, 0), (width, 0), (0, height), (width, height), (10.1, 700.3)]
    back = modules.evaluate(
        """async ([points, frame, size, rotation]) => {
            const { toPagePoint, toClientPoint } = await import("/geometry.js");
            return points.map(([x, y]) => {
              const there = toClientPoint({ x, y }, frame, size, rotation);
              const here = toPagePoint(there, frame, size, rotation);
              return [there.x, there.y, here.x, here.y];
            });
        }""",
        [points, frame, [width, height], rotation],
    )
    for (x, y), (screen_x, screen_y, page_x, page_y) in zip(points, back, strict=True):
        assert (page_x, page_y) == pytest.approx((x, y), abs=1e-9)
        assert frame["left"] - 1e-6 <= screen_x <= frame["left"] + frame["width"] + 1e-6
        assert frame["top"] - 1e-6 <= screen_y <= frame["top"] + frame["height"] + 1e-6


def test_the_list_of_modules_is_the_folder() -> None:
    """What is fetched side by side at the start is what there is."""
    source = (ASSETS / "main.js").read_text(encoding="utf-8")
    for path in ASSETS.glob("*.js"):
        if path.name != "main.js":
            assert path.stem in source, path.name
