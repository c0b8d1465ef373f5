"""The component's pure modules, in a real browser, against the same rules in Python."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.state import Response, apply
from pagetrail.annotation.protocols.protocol import preset, preset_names
from tests.e2e.support.random_work import EVERYTHING, states
from tests.support.factory import events_at

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

ASSETS = Path(__file__).parents[3] / "app" / "components" / "assets"
ORIGIN = "http://modules.test"
SHARED = (
    "status",
    "closed",
    "outcome",
    "skip_reason",
    "answer_text",
    "note",
    "flag",
    "citations",
    "boxes",
    "fields",
    "rows",
    "question_text",
    "draft_seq",
    "checks",
    "feedback",
    "position",
    "view",
    "paused",
    "hidden",
    "n_page_views",
    "returned",
    "comments",
)


@pytest.fixture(scope="module")
def modules(chromium: Browser) -> Iterator[Page]:
    """A page that can import the component's modules; no server is needed."""
    page = chromium.new_page()

    def answer(route: Route) -> None:
        name = route.request.url.removeprefix(f"{ORIGIN}/")
        if name:
            route.fulfill(path=ASSETS / name, content_type="text/javascript")
        else:
            route.fulfill(body="<!doctype html>", content_type="text/html")

    page.route(f"{ORIGIN}/**", answer)
    page.goto(f"{ORIGIN}/")
    yield page
    page.close()


def folded(modules: Page, events: list[ev.Event]) -> Any:
    """The browser's state after each event, as far as both sides fold."""
    sent = [
        {"type": e.type, "payload": e.fields(), "seq": e.seq, "id": e.client_event_id}
        for e in events
    ]
    return modules.evaluate(
        """async ([start, events, shared]) => {
            const { apply } = await import("/workspace/state/attempt_state.js");
            let state = start;
            return events.map((event) => {
              state = apply(state, event);
              return Object.fromEntries(shared.map((key) => [key, state[key]]));
            });
        }""",
        [Response().model_dump(mode="json"), sent, list(SHARED)],
    )


def shared(state: Response) -> dict[str, Any]:
    """The part of a state that both sides fold."""
    held = state.model_dump(mode="json", include=set(SHARED))
    # Whose a comment is, and when it came, is the server's to say.
    held["comments"] = [{**comment, "by": None, "at": None} for comment in held["comments"]]
    return held


@pytest.mark.parametrize("seed", range(8))
def test_the_browser_folds_as_the_server_does(modules: Page, seed: int) -> None:
    """After each of 250 random events, both hold the same state."""
    protocol = (EVERYTHING, *map(preset, preset_names()))[seed]
    history = list(states(random.Random(seed), protocol, 250))
    expected = [shared(state) for _, state in history]
    assert folded(modules, [event for event, _ in history]) == expected
    last = history[-1][1]
    assert last.boxes.boxes and (last.fields or not protocol.fields), "the sequence did nothing"


def test_both_forget_the_same_old_changes(modules: Page) -> None:
    """Only the last 50 changes of a page can be undone, and another page keeps its own."""
    where = {"document": "a.pdf", "page": 1}
    box = {"rect": (1, 2, 3, 4), "label": "Text"}
    steps: list[ev.AnyPayload] = [ev.BoxDrawn(box="other", document="a.pdf", page=2, **box)]
    steps += [ev.BoxDrawn(box=f"b-{n}", **where, **box) for n in range(60)]
    # The change's id is the client event id that ``events_at`` gives: c2 is the first on page 1.
    steps += [ev.Undone(**where, change=f"c{n}") for n in range(61, 1, -1)]
    steps += [ev.Undone(document="a.pdf", page=2, change="c1")]
    events = events_at(*((float(n), step) for n, step in enumerate(steps)))
    state, expected = Response(), []
    for event in events:
        state = apply(state, event)
        expected.append(shared(state))
    assert folded(modules, events) == expected
    assert [b.id for b in state.boxes.boxes if not b.deleted] == [f"b-{n}" for n in range(10)]


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
    shown = modules.evaluate(
        "async (text) => (await import('/workspace/state/attempt_state.js')).parseAnswers(text)",
        text,
    )
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
            const { toPagePoint, toClientPoint } = await import("/shared/page_geometry.js");
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


@pytest.mark.parametrize(("name", "suffix"), [("MODULES", "js"), ("SHEETS", "css")])
def test_the_lists_are_the_folder(name: str, suffix: str) -> None:
    """What is fetched side by side at the start is what there is, no more and no less."""
    folder = ASSETS / "workspace"
    source = (folder / "main.js").read_text(encoding="utf-8")
    match = re.search(rf"const {name} = \[(.*?)\];", source, re.DOTALL)
    assert match is not None
    listed = {
        (folder / entry).resolve().relative_to(ASSETS).as_posix().removesuffix(".css")
        for entry in re.findall(r'"([^"]+)"', match[1])
    }
    there = {
        path.relative_to(ASSETS).as_posix().removesuffix(f".{suffix}")
        for below in ("workspace", "shared")
        for path in (ASSETS / below).rglob(f"*.{suffix}")
    }
    assert listed == there - {"workspace/main"}
