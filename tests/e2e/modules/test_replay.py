"""The replay's pure modules, in a real browser: the state at any event, and the clock."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.state import Response, apply
from pagetrail.annotation.protocols.protocol import preset
from pagetrail.annotation.replay.builder import script
from pagetrail.annotation.replay.lifetimes import in_words
from pagetrail.app.replay.script_json import script_json
from pagetrail.storage.attempts.replay_lists import Place
from tests.e2e.support.random_work import EVERYTHING, states
from tests.e2e.support.replay_steps import ALMA, BRUNO
from tests.support.factory import events_at

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

ASSETS = Path(__file__).parents[3] / "app" / "components" / "assets"
ORIGIN = "http://replay.test"

READ = """async (data) => {
  const { Track } = await import("/replay/script_state.js");
  const { verdict } = await import("/shared/box_state.js");
  const track = new Track(data);
  const name = (page) => [track.pages[page].document, track.pages[page].number];
  const read = (seq) => {
    const search = track.search(seq);
    const place = track.page(seq);
    const boxes = {};
    for (let page = 0; page < track.pages.length; page += 1) {
      for (const box of track.boxes(page, seq)) {
        boxes[box.id] = [name(page), box.rect, box.label, verdict(box)];
      }
    }
    return {
      query: search?.query ?? null,
      page: place ? name(place.page) : null,
      citations: track.citations(seq).map(name),
      boxes,
      count: track.countBoxes(seq),
      texts: ["answer", "question", "note"].map((text) => track.text(text, seq)),
      fields: track.fields(seq).map(([field, page, box, value]) =>
        [field, page === null ? null : name(page), box, value]),
    };
  };
  const seqs = Array.from({ length: track.length }, (_, i) => i + 1);
  // Forwards, then backwards: what was looked up before must not matter.
  return [seqs.map(read), seqs.reverse().map(read).reverse()];
}"""


@pytest.fixture(scope="module")
def modules(chromium: Browser) -> Iterator[Page]:
    """A page that can import the modules of both components; no server is needed."""
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


def as_sent(events: list[ev.Event]) -> dict[str, Any]:
    """The script as the browser gets it."""
    data = script_json(
        script(events), lambda pages: {page: Place("0" * 64, 612.0, 792.0) for page in pages}
    )
    return {**data, "labels": []}


def expected(state: Response) -> dict[str, Any]:
    """What a fold holds, in the form of ``READ``."""
    place, search = state.position, state.searches[-1] if state.searches else None
    boxes = [box for box in state.boxes.boxes if not box.deleted]
    return {
        "query": search.query if search else None,
        "page": [place.document, place.page] if place else None,
        "citations": [[c.document, c.page] for c in state.citations],
        "boxes": {
            box.id: [[box.document, box.page], list(box.rect), box.label, box.verdict]
            for box in boxes
        },
        "count": len(boxes),
        "texts": [state.answer_text, state.question_text or "", state.note],
        "fields": [
            [v.field, [v.document, v.page] if v.document else None, v.box, in_words(v.value)]
            for v in state.fields
        ],
    }


def in_order(state: dict[str, Any]) -> dict[str, Any]:
    """Fields by name: one that is set to what it held already moves in the fold, and not here."""
    return {**state, "fields": sorted(state["fields"], key=repr)}


@pytest.mark.parametrize("seed", range(4))
def test_the_browser_shows_what_the_fold_holds(modules: Page, seed: int) -> None:
    """After each of 200 random events, read forwards and backwards."""
    protocol = (EVERYTHING, *map(preset, ("search", "relevance", "verify")))[seed]
    # Without any look the browser shows something else on purpose.
    history = events_at((0, ev.PageViewed(document="a.pdf", page=2, via="given")))
    for event, _ in states(random.Random(seed), protocol, 200):
        history.append(event.model_copy(update={"seq": event.seq + 1}))
    state, wanted = Response(), []
    for event in history:
        state = apply(state, event)
        wanted.append(in_order(expected(state)))
    for shown in modules.evaluate(READ, as_sent(history)):
        assert list(map(in_order, shown)) == wanted


CLOCK = """async ([tracks, steps]) => {
  const { Track } = await import("/replay/script_state.js");
  const { Player } = await import("/replay/player.js");
  const player = new Player(tracks.map((data) => new Track(data)));
  return steps.map(([name, ...args]) => {
    if (name === "speed") player.speed = args[0];
    else player[name](...args);
    return [player.t, ...tracks.map((_, side) => player.seq(side)), player.playing];
  });
}"""


def clock(modules: Page, pasts: list[Any], *steps: tuple[Any, ...]) -> Any:
    """Time, seq of each attempt, and whether it plays, after each step."""
    return modules.evaluate(
        CLOCK, [[as_sent(events_at(*past)) for past in pasts], [list(step) for step in steps]]
    )


def test_one_clock_counts_both_from_their_first_event(modules: Page) -> None:
    """At 9 s, four events of one and six of the other; before the first of all, nothing yet."""
    late = [(seconds + 100, payload) for seconds, payload in BRUNO]
    assert clock(modules, [ALMA, late], ("seek", 9_000), ("seek", 0), ("seek", 1e9)) == [
        [9_000, 6, 4, False],
        [0, 1, 1, False],
        [616_000, 12, 6, False],
    ]


def test_steps_stop_at_each_event_also_where_several_share_a_time(modules: Page) -> None:
    """What is shown is up to the event that was stepped to, not everything of its time."""
    past = [(0, ev.Opened(session="t")), (1, ev.Paused()), (1, ev.Resumed()), (1, ev.TabHidden())]
    steps = [("step", 1)] * 4 + [("step", -1)] * 2 + [("jump", 0, 2), ("seek", 1_000)]
    shown = clock(modules, [past], *[("go", 0), *steps])
    assert [seq for _, seq, _ in shown] == [1, 2, 3, 4, 4, 3, 2, 2, 4]
    assert [t for t, _, _ in shown][:3] == [0, 1_000, 1_000]


def test_stepping_back_from_between_two_events_stops_at_the_earlier(modules: Page) -> None:
    """As in any player: first to the beginning of what is on, then to what was before."""
    shown = clock(modules, [ALMA], ("seek", 5_000), ("step", -1), ("step", -1))
    assert [(t, seq) for t, seq, _ in shown] == [(5_000, 3), (4_000, 3), (2_000, 2)]


def test_long_gaps_are_played_as_five_seconds(modules: Page) -> None:
    """601 s pass in 5; with the gaps as they were they take 601; the end stops the clock."""
    toggle, gap = ("toggle",), 13_000
    played = clock(modules, [ALMA], ("speed", 1), ("seek", gap), toggle, ("advance", 2_500))
    assert played[-1][0] == pytest.approx(gap + 601_000 / 2)
    whole = clock(
        modules,
        [ALMA],
        ("setSkip", False),
        ("speed", 60),
        ("seek", gap),
        toggle,
        ("advance", 2_500),
    )
    assert whole[-1][0] == pytest.approx(gap + 150_000)
    ended = clock(modules, [ALMA], ("speed", 1), ("seek", gap), toggle, ("advance", 60_000), toggle)
    assert ended[-2] == [616_000, 12, False]
    assert ended[-1] == [0, 1, True], "played again from the beginning"
