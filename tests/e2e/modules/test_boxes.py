"""Rectangles, snapping, looks and refusals of boxes, as the browser works them out."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest
from playwright.sync_api import Page

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.work_validation import check_box
from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.geometry.box import inside, normalised
from pagetrail.annotation.geometry.page import PageSize
from pagetrail.annotation.protocols.protocol import Protocol, parse, preset
from tests.e2e.support.random_work import PAGES, states

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

SIZE = (419.53, 595.28)
PAGE = PageSize(width=SIZE[0], height=SIZE[1])
HANDLES = ("nw", "n", "ne", "e", "se", "s", "sw", "w")


def call(modules: Page, module: str, name: str, *arguments: Any) -> Any:
    """What a module's function returns for JSON values."""
    return modules.evaluate(
        "async ([module, name, list]) => (await import(`/${module}.js`))[name](...list)",
        [module, name, list(arguments)],
    )


def many(modules: Page, name: str, cases: list[list[Any]]) -> list[Any]:
    """What a function of rects.js returns for each list of arguments."""
    results: list[Any] = modules.evaluate(
        """async ([name, cases]) => {
            const found = (await import("/shared/rectangles.js"))[name];
            return cases.map((list) => found(...list));
        }""",
        [name, cases],
    )
    return results


def random_rect(rng: random.Random, least: float = 3.0) -> list[float]:
    """A box on the page, on the grid of hundredths that is stored."""
    x0 = round(rng.uniform(0, SIZE[0] - least), 2)
    y0 = round(rng.uniform(0, SIZE[1] - least), 2)
    return [
        x0,
        y0,
        round(rng.uniform(x0 + least, SIZE[0]), 2),
        round(rng.uniform(y0 + least, SIZE[1]), 2),
    ]


def two_decimals(rect: list[float]) -> bool:
    """Whether the server would store these very numbers."""
    return all(value == round(value, 2) for value in rect)


def test_a_drawn_rectangle_is_ordered_clipped_and_rounded(modules: Page) -> None:
    """Whichever corners it was drawn between, far outside of the page or not."""
    rng = random.Random(1)
    corners = [[rng.uniform(-300, 900) for _ in range(4)] for _ in range(300)] + [
        [-9.0, -9.0, 999.0, 999.0]
    ]
    cases = [[{"x": a, "y": b}, {"x": c, "y": d}, SIZE] for a, b, c, d in corners]
    for corner, rect in zip(corners, many(modules, "between", cases), strict=True):
        x0, y0, x1, y1 = rect
        assert x0 <= x1 and y0 <= y1
        assert inside(rect, PAGE, tolerance=0)
        assert two_decimals(rect)
        ordered = normalised(corner)
        for value, meant, limit in zip(rect, ordered, (*SIZE, *SIZE), strict=True):
            assert value == pytest.approx(min(max(meant, 0), limit), abs=0.005001)
    assert rect == [0, 0, *SIZE]


def test_a_moved_box_keeps_its_size_and_its_page(modules: Page) -> None:
    """As far as the page lets it, however far it is dragged; a step of 1 is a step of 1."""
    rng = random.Random(2)
    cases = [
        [random_rect(rng), rng.uniform(-700, 700), rng.uniform(-700, 700), SIZE] for _ in range(400)
    ]
    for (rect, dx, dy, _), found in zip(cases, many(modules, "moved", cases), strict=True):
        assert inside(found, PAGE, tolerance=0.0051)
        assert two_decimals(found)
        for low, step, length in ((0, dx, SIZE[0]), (1, dy, SIZE[1])):
            side = rect[low + 2] - rect[low]
            assert found[low + 2] - found[low] == pytest.approx(side, abs=0.011)
            meant = min(max(rect[low] + step, 0), length - side)
            assert found[low] == pytest.approx(meant, abs=0.0051)
    assert call(modules, "shared/rectangles", "moved", [10, 20, 30, 50], 1, -1, SIZE) == [
        11,
        19,
        31,
        49,
    ]


def test_a_given_box_off_the_page_by_a_rounding_does_not_jump(modules: Page) -> None:
    """An imported box that sticks out by hundredths stays when the move is none."""
    rect = [-0.04, 10, SIZE[0] + 0.04, 50]
    assert call(modules, "shared/rectangles", "moved", rect, 0, 5, SIZE) == [
        -0.04,
        15,
        SIZE[0] + 0.04,
        55,
    ]


@pytest.mark.parametrize("handle", HANDLES)
def test_a_handle_moves_its_edges_only(modules: Page, handle: str) -> None:
    """The others stay; no side gets shorter than the least, none leaves the page."""
    rng = random.Random(handle)
    cases = [
        [
            random_rect(rng, 5),
            handle,
            {"x": rng.uniform(-99, 600), "y": rng.uniform(-99, 800)},
            SIZE,
            5,
        ]
        for _ in range(200)
    ]
    free = {0: "w" in handle, 1: "n" in handle, 2: "e" in handle, 3: "s" in handle}
    for (rect, _, point, _, least), found in zip(
        cases, many(modules, "resized", cases), strict=True
    ):
        assert inside(found, PAGE, tolerance=0)
        assert two_decimals(found)
        assert found[2] - found[0] >= least - 0.011 and found[3] - found[1] >= least - 0.011
        for edge, may_move in free.items():
            if not may_move:
                assert found[edge] == rect[edge]
        wanted = point["x"]
        if handle == "e" and rect[0] + least <= wanted <= SIZE[0]:
            assert found[2] == pytest.approx(wanted, abs=0.0051)


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_steps_and_handles_follow_the_turned_view(modules: Page, rotation: int) -> None:
    """A step to the right is seen to go right, and a handle's cursor points where it is seen."""
    found = modules.evaluate(
        """async (rotation) => {
            const { pageStep, shownHandle, handlePoint, HANDLES } = await
            import("/shared/rectangles.js"); const { toClientPoint, turned } = await
            import("/shared/page_geometry.js"); const size = [400, 600];
            const [width, height] = turned(size, rotation);
            const frame = { left: 0, top: 0, width, height };
            const at = (x, y) => toClientPoint({ x, y }, frame, size, rotation);
            const [dx, dy] = pageStep(3, 5, rotation);
            const [a, b] = [at(200, 300), at(200 + dx, 300 + dy)];
            const ways = Object.keys(HANDLES).map((handle) => {
              const [x, y] = handlePoint([100, 100, 300, 500], handle);
              const [p, q] = [at(x, y), at(200, 300)];
              const across = Math.sign(Math.round(p.x - q.x));
              const down = Math.sign(Math.round(p.y - q.y));
              return [HANDLES[shownHandle(handle, rotation)], [across, down]];
            });
            return { step: [b.x - a.x, b.y - a.y], ways };
        }""",
        rotation,
    )
    assert found["step"] == pytest.approx([3, 5], abs=1e-9)
    for said, seen in found["ways"]:
        assert said == seen


def test_the_smallest_box_under_a_point_comes_first(modules: Page) -> None:
    """Of equal ones the later; a border reaches a little outside, the page beside it does not."""
    boxes = [
        {"id": "big", "rect": [0, 0, 100, 100]},
        {"id": "small", "rect": [40, 40, 60, 60]},
        {"id": "twin", "rect": [40, 40, 60, 60]},
        {"id": "far", "rect": [200, 200, 300, 300]},
    ]

    def ids(x: float, y: float, reach: float = 0) -> list[str]:
        found = call(modules, "shared/rectangles", "under", boxes, {"x": x, "y": y}, reach)
        return [box["id"] for box in found]

    assert ids(50, 50) == ["twin", "small", "big"]
    assert ids(10, 10) == ["big"]
    assert ids(150, 150) == []
    assert ids(102, 50) == [] and ids(102, 50, 3) == ["big"]


WORDS = [
    [100, 100, 140, 112, "left"],
    [145, 100, 190, 112, "right"],
    [100, 118, 180, 130, "below"],
    [400, 300, 440, 312, "elsewhere"],
]


def snap(modules: Page, rect: list[float], handle: str | None = None, least: float = 3) -> Any:
    """What snapping makes of a rectangle with a reach of 5 points."""
    return call(modules, "workspace/boxes/snapping", "snapped", rect, handle, WORDS, 5, least)


def test_edges_snap_to_the_words_beside_them(modules: Page) -> None:
    """Each edge to the nearest edge of its own kind within reach; the lines are told."""
    found = snap(modules, [97, 103, 186.5, 127])
    assert found["rect"] == [100, 100, 190, 130]
    assert sorted((g["axis"], g["at"]) for g in found["guides"]) == [
        *(("x", 100), ("x", 190), ("y", 100), ("y", 130)),
    ]


def test_edges_without_words_beside_them_stay(modules: Page) -> None:
    """Words far away do not pull, nor does an edge of the other kind."""
    assert snap(modules, [97, 500, 188, 550]) == {"rect": [97, 500, 188, 550], "guides": []}
    assert snap(modules, [142, 60, 170, 92])["rect"] == [145, 60, 170, 92]


def test_only_the_dragged_edges_snap(modules: Page) -> None:
    """Resizing by a handle leaves the other edges where they were."""
    assert snap(modules, [97, 103, 186.5, 127], "se")["rect"] == [97, 103, 190, 130]
    assert snap(modules, [97, 103, 186.5, 127], "w")["rect"] == [100, 103, 186.5, 127]


def test_snapping_never_makes_a_box_too_small(modules: Page) -> None:
    """An edge that would leave less than the least stays where it was drawn."""
    found = snap(modules, [137, 101, 143, 111], least=8)["rect"]
    assert found[0] == 137 or found[2] - found[0] >= 8


def test_every_label_has_a_look_of_its_own(modules: Page) -> None:
    """Of fifty labels no two share colour and dash; neighbours share neither."""
    names = [f"label {n}" for n in range(50)]
    looks = modules.evaluate(
        """async (names) => {
            const { looks } = await import("/shared/label_palette.js");
            const look = looks(names.map((name) => ({ name })));
            return [...names, null].map((name) => look(name));
        }""",
        names,
    )
    shown = [(look["line"], look["dash"]) for look in looks]
    assert len(set(shown)) == 51
    for (line, dash), (other, pattern) in itertools.pairwise(shown[:50]):
        assert line != other and dash != pattern


CONDITIONED = parse(
    """
    name = "conditioned"
    title = "Boxes on good pages"
    pages = "given"
    ends = { field = "usable", values = ["false"] }
    [boxes]
    enabled = true
    max_per_page = 2
    max_per_task = 4
    labels = [{ name = "Text" }, { name = "Table" }]
    when = { field = "grade", values = ["1", "2"] }
    [[fields]]
    name = "usable"
    label = "Usable"
    kind = "boolean"
    [[fields]]
    name = "grade"
    label = "Grade"
    scope = "page"
    kind = "ordinal"
    options = [
        { value = "0", label = "No", code = 0 },
        { value = "1", label = "Some", code = 1 },
        { value = "2", label = "Yes", code = 2 },
    ]
    """,
    source="conditioned.toml",
)


@pytest.mark.parametrize("protocol", [CONDITIONED, *map(preset, ("search", "verify", "relevance"))])
def test_the_browser_says_why_as_the_server_does(modules: Page, protocol: Protocol) -> None:
    """In random states, drawing on a page is refused in the same words by both, or by neither."""
    given = PAGES[:4]
    sentences = set()
    for _, state in states(random.Random(7), protocol, 240):
        if state.status != "open" or state.closed or rare(state.last_seq):
            continue
        form = Form(protocol, state, given)
        expected = [_refused(form, protocol, *place) for place in PAGES]
        said = modules.evaluate(
            """async ([protocol, state, given, places]) => {
                const { drawRefusal } = await import("/workspace/boxes/drawing_rules.js");
                const { Form } = await import("/workspace/state/form_state.js");
                const form = new Form(protocol, state, given);
                return places.map((place) => drawRefusal(form, place));
            }""",
            [
                protocol.model_dump(mode="json"),
                state.model_dump(mode="json"),
                [{"document": d, "page": n} for d, n in given],
                [{"document": d, "page": n} for d, n in PAGES],
            ],
        )
        assert said == expected
        sentences |= set(said)
    assert len(sentences) >= (1 if not protocol.boxes.enabled else 2), sentences


def rare(number: int) -> bool:
    """Whether a state is left out: one in four is enough."""
    return number % 4 != 0


def _refused(form: Form, protocol: Protocol, document: str, page: int) -> str | None:
    if protocol.boxes.enabled and form.given is not None and (document, page) not in form.given:
        return f"Page {page} of {document} is not among this task's pages."
    labels = protocol.boxes.labels
    drawn = ev.BoxDrawn(
        box="b-new",
        document=document,
        page=page,
        rect=(10, 10, 90, 90),
        label=labels[0].name if labels else "Text",
    )
    try:
        check_box(form, drawn, PAGE)
    except Refusal as refusal:
        return refusal.message
    return None
