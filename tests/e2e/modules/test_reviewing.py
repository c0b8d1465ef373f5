"""The reviewing screen's pure modules in a real browser: choices, differences, rows, sets, keys."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

ASSETS = Path(__file__).parents[3] / "app" / "components" / "assets"
ORIGIN = "http://reviewing.test"


@pytest.fixture(scope="module")
def reviewing(chromium: Browser) -> Iterator[Page]:
    """A page that can import the component's modules and the workspace's; no server is needed."""
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


def call(page: Page, module: str, function: str, *arguments: Any) -> Any:
    """Call a module's function with JSON values."""
    return page.evaluate(
        """async ([module, name, values]) => {
            const loaded = await import(`/reviewing/${module}.js`);
            return loaded[name](...values);
        }""",
        [module, function, list(arguments)],
    )


def shown(runs: list[dict[str, Any]]) -> str:
    """Runs as one line, what differs in brackets."""
    return "".join(f"[{run['text']}]" if run["differs"] else run["text"] for run in runs)


def box(id_: str, **changes: Any) -> dict[str, Any]:
    """A box of page 1."""
    plain = {"document": "a.pdf", "page": 1, "rect": [0, 0, 10, 10], "label": "Text"}
    return {"id": id_, **plain, "content": None, "order": None, "model": False, **changes}


def side(attempt: str, **changes: Any) -> dict[str, Any]:
    """What somebody submitted: nothing but what is told."""
    empty: dict[str, Any] = {key: [] for key in ("answer", "citations", "fields", "boxes", "rows")}
    plain = {"attempt": attempt, "name": attempt, "status": "submitted", "outcome": "answered"}
    return {**empty, **plain, "question_text": None, **changes}


def data(*sides: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A task under review, as far as the modules read it."""
    ways = {"outcome": ["side", "majority"], "answer": ["side", "medoid", "none"]}
    ways |= {"evidence": ["side", "union", "intersection", "majority", "retention", "pick"]}
    plain: dict[str, Any] = {
        "parts": [],
        "ways": ways,
        "evidence": [],
        "protocol": {"fields": []},
        "zones": [],
    }
    plain |= {"unfinished": {"people": [], "places": 0}, "task": {"id": 7}}
    seen = {"sources": {s["attempt"]: 5 for s in sides}, "gold_seq": 0}
    return {**plain, "sides": list(sides), "seen": seen, "gold": None, "me": "me", **changes}


def test_all_modules_are_fetched_at_once() -> None:
    """What the first module lists to be fetched ahead is what there is, without itself."""
    folder = ASSETS / "reviewing"
    listed = (folder / "main.js").read_text(encoding="utf-8")
    listed = listed.partition("const MODULES = [")[2].partition("]")[0]
    there = {
        path.relative_to(folder).as_posix().removesuffix(".js") for path in folder.rglob("*.js")
    }
    assert set(re.findall(r'"([a-z_/]+)"', listed)) == there - {"main"}


@pytest.mark.parametrize(
    ("mine", "others", "expected"),
    [
        (["same"], [["same"]], ["same"]),
        (["Same  words"], [["same words"]], ["Same  words"]),
        (["42 otters"], [["57 otters"]], ["[42] otters"]),
        (["42 otters"], [["42 otters"], ["57 otters"]], ["42 otters"]),
        (["57 otters"], [["42 otters"], ["42 otters"]], ["[57] otters"]),
        (["Fenhallow"], [["Sir Fenhallow"], ["Sir Fenhallow"]], ["[]Fenhallow"]),
        (["Sir Fenhallow"], [["Sir Fenhallow"], ["Fenhallow"]], ["Sir Fenhallow"]),
        (["one two"], [["one two three"]], ["one two[]"]),
        (["red", "blue"], [["blue", "red"]], ["red", "blue"]),
        (["red", "blue"], [["blue"]], ["[red]", "blue"]),
        (["red"], [[]], ["[red]"]),
        (["red"], [], ["red"]),
        ([], [["red"]], []),
    ],
)
def test_what_most_others_have_otherwise_is_marked_string_by_string(
    reviewing: Page, mine: list[str], others: list[list[str]], expected: list[str]
) -> None:
    """Order and capital letters do not count; who stands alone is marked, gaps too."""
    assert [
        shown(runs)
        for runs in call(reviewing, "comparison/text_differences", "markedList", mine, others)
    ] == (expected)


def test_marked_runs_always_give_the_text(reviewing: Page) -> None:
    """Whatever is compared, nothing of the text is lost or doubled."""
    rng = random.Random(4)
    words = ["a", "bb", "Ç", " ", "  ", "\n", "1,5", "—", "🦦", "x-y"]
    for _ in range(60):
        texts = ["".join(rng.choices(words, k=rng.randrange(8))) for _ in range(3)]
        runs = call(reviewing, "comparison/text_differences", "markedText", texts[0], texts[1:])
        assert "".join(run["text"] for run in runs) == texts[0]


def test_the_ways_of_a_part_come_in_turn_and_only_those_it_allows(reviewing: Page) -> None:
    """From any way the cycle visits every way once; a part that has none says so."""
    ways = ["side", "union", "intersection", "majority", "retention", "pick", "none"]
    now, visited = "side", []
    for _ in range(4):
        now = call(reviewing, "decision/selections", "nextWay", ways, now)
        visited.append(now)
    assert sorted(visited) == ["intersection", "majority", "retention", "union"]
    assert call(reviewing, "decision/selections", "nextWay", ways, now) == visited[0]
    assert call(reviewing, "decision/selections", "nextWay", ["side", "none"], "side") is None


def test_picking_pages_begins_with_the_draft_and_is_its_own_inverse(reviewing: Page) -> None:
    """A page goes in and out again; the other picks are untouched."""
    place = {"document": "a.pdf", "page": 3}
    draft = [{"document": "a.pdf", "page": 1}]
    before = {"answer": {"how": "medoid"}}
    once = call(reviewing, "decision/selections", "togglePage", before, draft, place)
    assert once == {
        **before,
        "evidence": {"how": "pick", "pages": [["a.pdf", 1], ["a.pdf", 3]]},
    }
    twice = call(reviewing, "decision/selections", "togglePage", once, [], place)
    assert twice["evidence"]["pages"] == [["a.pdf", 1]]


def test_the_drafts_boxes_are_traced_to_who_drew_them(reviewing: Page) -> None:
    """Drawn boxes by the place of their side, a model's element by what it holds."""
    left = side("A", boxes=[box("b1"), box("e1", model=True, label="Text")])
    right = side("B", boxes=[box("b1"), box("e1", model=True, label="Table")])
    draft = [box("g1-b1"), box("e1", label="Table")]
    traced = call(reviewing, "decision/selections", "boxSources", draft, [left, right])
    assert traced == [["B", "b1"], ["B", "e1"]]
    sides = [left, right]
    other = call(
        reviewing, "decision/selections", "toggleBox", {}, draft, sides, "A", left["boxes"][1]
    )
    assert other["boxes"]["boxes"] == [["B", "b1"], ["A", "e1"]], "one version of an element"
    both = call(
        reviewing, "decision/selections", "toggleBox", {}, draft, sides, "A", left["boxes"][0]
    )
    assert both["boxes"]["boxes"] == [["B", "b1"], ["B", "e1"], ["A", "b1"]]
    gone = call(
        reviewing, "decision/selections", "toggleBox", both, draft, sides, "A", left["boxes"][0]
    )
    assert gone["boxes"]["boxes"] == [["B", "b1"], ["B", "e1"]]


def test_a_side_for_one_page_goes_beside_what_holds_for_the_others(reviewing: Page) -> None:
    """The way of the part stays; taking the same side again takes it back."""
    choice = {"part": "relevance", "how": "majority", "side": None}
    place = {"document": "a.pdf", "page": 2}
    picks = call(reviewing, "decision/selections", "sideAt", {}, choice, "relevance", place, "B")
    assert picks == {"relevance": {"how": "majority", "at": [["a.pdf", 2, "B"]]}}
    assert call(reviewing, "decision/selections", "chosenAt", picks, "relevance", place) == "B"
    changed = call(
        reviewing, "decision/selections", "sideAt", picks, choice, "relevance", place, "A"
    )
    assert changed["relevance"]["at"] == [["a.pdf", 2, "A"]]
    back = call(
        reviewing, "decision/selections", "sideAt", changed, choice, "relevance", place, "A"
    )
    assert back["relevance"]["at"] == []


def test_choices_that_rest_on_work_that_is_gone_are_dropped(reviewing: Page) -> None:
    """What can still be stays, so that nothing is chosen twice after somebody resubmits."""
    evidence = [{"document": "a.pdf", "page": 1, "by": ["A"]}]
    task = data(side("A", boxes=[box("b1")]), evidence=evidence)
    task["ways"]["boxes"] = ["side", "pick"]
    picks = {
        "answer": {"how": "side", "side": "B"},
        "outcome": {"how": "side", "side": "A"},
        "evidence": {"how": "pick", "pages": [["a.pdf", 1], ["a.pdf", 9]]},
        "boxes": {"how": "pick", "boxes": [["A", "b1"], ["A", "b2"], ["B", "b1"]]},
        "gone": {"how": "majority"},
    }
    assert call(reviewing, "decision/selections", "withoutMissing", picks, task) == {
        "outcome": {"how": "side", "side": "A"},
        "evidence": {"how": "pick", "pages": [["a.pdf", 1]]},
        "boxes": {"how": "pick", "boxes": [["A", "b1"]]},
    }


def test_parts_that_differ_come_first_and_every_page_once(reviewing: Page) -> None:
    """Agreed parts follow in their order; pages that differ come before the others."""
    parts = [
        {"part": "outcome", "label": "Outcome", "score": 0, "agreed": True, "places": []},
        {"part": "answer", "label": "Answer", "score": 0, "agreed": True, "places": []},
        {
            "part": "evidence",
            "label": "Evidence pages",
            "score": 0.5,
            "agreed": False,
            "places": [["b.pdf", 2]],
        },
    ]
    evidence = [
        {"document": "a.pdf", "page": 1, "by": ["A", "B"]},
        {"document": "b.pdf", "page": 2, "by": ["A"]},
    ]
    rows = call(
        reviewing,
        "comparison/comparison_rows",
        "rowsOf",
        data(side("A"), side("B"), parts=parts, evidence=evidence),
    )
    assert [row["part"] for row in rows] == ["evidence", "outcome", "answer"]
    assert [(p["document"], p["differs"]) for p in rows[0]["pages"]] == [
        ("b.pdf", True),
        ("a.pdf", False),
    ]


def test_versions_of_an_element_are_put_beside_each_other(reviewing: Page) -> None:
    """Who deleted it has none; space in a text makes no difference, a label does."""
    kept = {"model": True, "order": 1}
    left = side("A", boxes=[box("e1", content="a  b", **kept), box("e2", **kept)])
    right = side("B", boxes=[box("e1", content="A b", **kept), box("d1")])
    task = data(left, right)
    found = call(
        reviewing,
        "comparison/comparison_rows",
        "elementsOf",
        task,
        {"document": "a.pdf", "page": 1},
    )
    assert {(e["id"], e["differs"]) for e in found} == {("e1", False), ("e2", True), ("d1", True)}
    assert [e["differs"] for e in found] == [True, True, False]
    lost = next(e for e in found if e["id"] == "e2")
    assert [version is not None for version in lost["versions"]] == [True, False]


@pytest.mark.parametrize("people", [1, 2, 3])
def test_every_page_is_in_the_region_of_those_who_cited_it(reviewing: Page, people: int) -> None:
    """A region's anchor lies in the circles of its members and in no other circle."""
    attempts = [f"p{i}" for i in range(people)]
    evidence = [
        {"document": "a.pdf", "page": n, "by": [a for i, a in enumerate(attempts) if n >> i & 1]}
        for n in range(1, 2**people)
    ]
    drawn = call(reviewing, "comparison/evidence_sets", "venn", evidence, attempts)
    assert len(drawn["regions"]) == 2**people - 1
    for region in drawn["regions"]:
        members = {int(i) for i in region["key"].split(",")}
        (page,) = region["pages"]
        assert {f"p{i}" for i in members} == set(page["by"])
        inside = {
            i
            for i, ring in enumerate(drawn["circles"])
            if (region["x"] - ring["cx"]) ** 2 + (region["y"] - ring["cy"]) ** 2 < ring["r"] ** 2
        }
        assert inside == members


def test_combinations_of_many_people_hold_every_page_once(reviewing: Page) -> None:
    """The larger a group of people, the earlier it comes."""
    attempts = [f"p{i}" for i in range(6)]
    rng = random.Random(2)
    evidence = [
        {"document": "a.pdf", "page": n, "by": rng.sample(attempts, rng.randrange(1, 7))}
        for n in range(40)
    ]
    groups = call(reviewing, "comparison/evidence_sets", "combinations", evidence, attempts)
    pages = [page["page"] for group in groups for page in group["pages"]]
    assert sorted(pages) == list(range(40))
    sizes = [len(group["members"]) for group in groups]
    assert sizes == sorted(sizes, reverse=True)
    assert len({group["key"] for group in groups}) == len(groups)


def test_a_saved_draft_is_what_one_begins_with_while_it_rests_on_the_work(reviewing: Page) -> None:
    """Not when somebody handed in since, unless it was edited by hand."""
    sources = [{"attempt": "A", "annotator": "A", "seq": 5}]
    choices = [{"part": "answer", "how": "side", "side": "A"}]
    gold = {"choices": choices, "edited": False, "sources": sources, "draft": side("g")}
    task = data(side("A"), gold=gold)
    assert call(reviewing, "decision/stored_draft", "storedFirst", task) is True
    assert call(reviewing, "decision/stored_draft", "storedPicks", task) == {
        "answer": {"how": "side", "side": "A"}
    }
    task["seen"]["sources"]["A"] = 9
    assert call(reviewing, "decision/stored_draft", "storedFirst", task) is False
    gold["edited"] = True
    assert call(reviewing, "decision/stored_draft", "storedFirst", task) is True


def test_changes_between_two_looks_are_told_by_name(reviewing: Page) -> None:
    """Handed in, anew, and taken up again; what the reviewer does is no news."""
    before = data(side("A"), side("B"), holder=None)
    after = data(side("A"), side("C"), holder="me")
    after["seen"]["sources"] = {"A": 7, "C": 1}
    assert sorted(call(reviewing, "comparison/comparison_rows", "changes", before, after)) == [
        "A has handed this task in anew.",
        "B has taken this task up again.",
        "C has handed this task in.",
    ]
    assert call(reviewing, "comparison/comparison_rows", "changes", after, after) == []


@pytest.mark.parametrize(
    ("pressed", "expected"),
    [
        ({"key": "n"}, {"run": "nextConflict"}),
        ({"key": "2", "code": "Digit2"}, {"run": "takeSide", "number": 2}),
        ({"key": "@", "code": "Digit2", "shift": True}, {"run": "takeAll", "number": 2}),
        ({"key": "Enter", "ctrl": True}, {"run": "accept"}),
        ({"key": "Enter"}, None),
        ({"key": "ArrowRight"}, {"run": "nextPage"}),
        ({"key": "ArrowRight", "ctrl": True}, {"run": "nextTask"}),
        ({"key": "n", "ctrl": True}, None),
        ({"key": "n", "alt": True}, None),
        ({"key": "1", "code": "Digit1", "ctrl": True}, None),
    ],
)
def test_keys_mean_what_the_help_says(
    reviewing: Page, pressed: dict[str, Any], expected: dict[str, Any] | None
) -> None:
    """Digits count by their place on the keyboard; the browser's own keys are left alone."""
    plain = {"ctrl": False, "shift": False, "alt": False}
    assert call(reviewing, "shortcuts", "meaning", {**plain, **pressed}) == expected


def test_an_act_is_sent_again_under_its_id_until_answered_and_a_refusal_is_final(
    reviewing: Page,
) -> None:
    """Two lost answers and one failure of the server, then it is done; 409 is not tried again."""
    result = reviewing.evaluate(
        """async () => {
            const { Acts } = await import("/reviewing/requests.js");
            const { ApiError } = await import("/shared/api.js");
            const said = [];
            const sent = [];
            const acts = new Acts({
              base: "", onConnection: (trying) => said.push(trying), wait: async () => {},
            });
            const failures = [
              new ApiError("network", "gone"), new ApiError("retry", "busy", { status: 503 }),
            ];
            acts.api.request = async (method, path, body) => {
              sent.push([path, body.id]);
              if (failures.length) throw failures.shift();
              return { done: true };
            };
            const answer = await acts.send(7, "take", {});
            failures.push(new ApiError("retry", "taken", { status: 409, code: "taken" }));
            const refused = await acts.send(7, "decide", {}).catch((error) => error.code);
            return { answer, refused, said, sent };
        }"""
    )
    assert result["answer"] == {"done": True}
    assert result["refused"] == "taken"
    assert result["said"] == [True, True, False]
    paths = [path for path, _ in result["sent"]]
    ids = [id_ for _, id_ in result["sent"]]
    assert paths == ["/reviews/7/take"] * 3 + ["/reviews/7/decide"]
    assert len(set(ids[:3])) == 1
    assert ids[3] != ids[0]


def test_only_the_last_preview_is_shown(reviewing: Page) -> None:
    """An earlier question's answer that comes late is dropped, and so is its failure."""
    found = reviewing.evaluate(
        """async () => {
            const { Acts } = await import("/reviewing/requests.js");
            const acts = new Acts({ base: "", onConnection: () => {} });
            const waiting = [];
            acts.api.request = () =>
              new Promise((resolve, reject) => waiting.push([resolve, reject]));
            const asked = [acts.preview(1, {}), acts.preview(1, {}), acts.preview(1, {})];
            waiting[2][0]("last");
            waiting[0][0]("first");
            waiting[1][1](new Error("lost"));
            return Promise.all(asked);
        }"""
    )
    assert found == [None, None, "last"]


def test_the_place_in_the_queue_in_words(reviewing: Page) -> None:
    """A queue that was narrowed down says so; both ends and the end of all are told."""
    for queue, text in (
        ({"position": 3, "of": 17, "filtered": False}, "3 of 17"),
        ({"position": 3, "of": 1017, "filtered": True}, "3 of 1,017, filtered"),
        ({"position": None, "of": 2, "filtered": False}, "2 in the queue"),
        ({"position": None, "of": 0, "filtered": True}, "0 in the filtered queue"),
    ):
        assert call(reviewing, "queue", "placeWords", queue)["text"] == text
    narrowed, whole = {"filtered": True}, {"filtered": False}
    assert call(reviewing, "queue", "endWords", narrowed, 1).endswith("in the filtered queue.")
    assert call(reviewing, "queue", "endWords", whole, -1) == "This is the first task of the queue."
    assert call(reviewing, "queue", "doneWords", narrowed).startswith("No other task of the filt")
    assert call(reviewing, "queue", "doneWords", whole).startswith("The queue is done")


def test_the_queue_outlives_a_visit_to_the_workspace(reviewing: Page) -> None:
    """The way back names the task alone; the queue is there again, for that task and once."""
    said = reviewing.evaluate(
        """async () => {
            const queue = await import("/reviewing/queue.js");
            const at = (query) => window.history.replaceState(null, "", `/?${query}`);
            const seen = [];
            at(`task=5&queue=${encodeURIComponent("who=bruno&text=a b")}`);
            queue.keepQueue(5);
            for (const task of [6, 5, 5]) {
                at(`task=${task}`);
                queue.restoreQueue(task);
                seen.push(queue.queueHere());
            }
            at(`task=5&queue=${encodeURIComponent("who=bruno&text=a b")}`);
            queue.showTask(7);
            seen.push(window.location.search);
            seen.push(queue.queueScreen("/", "Rivers & seas"));
            at("");
            return seen;
        }"""
    )
    assert said[:3] == ["", "who=bruno&text=a b", ""]
    assert said[3] == "?task=7&queue=who%3Dbruno%26text%3Da+b"
    assert said[4] == "/review?who=bruno&text=a+b&campaign=Rivers+%26+seas"


def test_what_was_sent_back_keeps_its_place_among_the_others(reviewing: Page) -> None:
    """Without the work that went back it differs less: the next task is still the next one."""
    around = {"next": 8, "previous": 6, "following": 8}
    gone = {"next": None, "previous": 3, "following": 3, "position": None, "of": 4}
    task = {"holder": "me", "token": "t", "draft": None}
    before = data(side("a"), queue={**around, "position": 2, "of": 5}, **task)
    after = data(side("a", returned=True, status="open"), queue=gone, **task)
    queues = reviewing.evaluate(
        """async ([before, after]) => {
            const { Session } = await import("/reviewing/session.js");
            const acts = { use() {}, forget() {}, send: async () => after };
            const session = new Session(acts, () => {});
            session.adopt(before, true);
            const seen = [];
            for (const act of ["comment", "return", "comment"]) {
                await session.act(act, {});
                seen.push(session.data.queue);
                if (act === "comment" && seen.length === 1) session.adopt(before, false);
            }
            session.adopt(after, true);
            return [...seen, session.data.queue];
        }""",
        [before, after],
    )
    assert queues == [gone, {**gone, **around}, {**gone, **around}, gone]


def waiting(*people: tuple[str, str], places: int = 0) -> dict[str, Any]:
    """A task that waits for these people, with how far they are."""
    named = [{"name": name, "state": state} for name, state in people]
    return data(side("a"), unfinished={"people": named, "places": places})


def test_who_is_still_at_it_is_said_and_names_the_decision(reviewing: Page) -> None:
    """By name as long as it fits a button; places that nobody has are counted."""
    one, two = ("bruno", "returned"), ("cleo", "new")
    for found, sentence, label in (
        (waiting(one), "Still to hand it in: bruno (sent back).", "Decide without bruno"),
        (
            waiting(one, two),
            "Still to hand it in: bruno (sent back) and cleo (not begun).",
            "Decide without bruno and cleo",
        ),
        (
            waiting(one, two, ("dan", "open"), places=2),
            "Still to hand it in: bruno (sent back), cleo (not begun) and dan (at work on it). "
            "2 more people are meant for it and not chosen yet.",
            "Decide without 3 people",
        ),
        (waiting(places=1), "One person is meant for it and not chosen yet.", "Decide now"),
    ):
        assert call(reviewing, "decision/pending_work", "isUnfinished", found) is True
        assert call(reviewing, "decision/pending_work", "stillAtIt", found) == sentence
        assert call(reviewing, "decision/pending_work", "decideWords", found) == label
    assert call(reviewing, "decision/pending_work", "isUnfinished", waiting()) is False
    assert call(reviewing, "decision/pending_work", "againWords", waiting(one)) == (
        "Press Ctrl+Enter again to decide without bruno."
    )


def test_who_was_given_the_task_meanwhile_is_news_and_who_took_it_up_is_told_once(
    reviewing: Page,
) -> None:
    """Somebody new stops a decision as a change does; what people did themselves has its words."""
    before = waiting(("bruno", "new"))
    assert call(reviewing, "comparison/comparison_rows", "changes", before, before) == []
    after = waiting(("bruno", "open"), ("cleo", "new"))
    assert call(reviewing, "comparison/comparison_rows", "changes", before, after) == [
        "cleo was given this task."
    ]
    again = {**waiting(("a", "open"), ("bruno", "new")), "seen": {"sources": {}, "gold_seq": 0}}
    assert call(reviewing, "comparison/comparison_rows", "changes", before, again) == [
        "a has taken this task up again."
    ]


def test_the_key_decides_without_somebody_only_when_pressed_again(reviewing: Page) -> None:
    """Once for each set of people; the button, which names them, decides at once."""
    decided = reviewing.evaluate(
        """async ([one, two]) => {
            const { Deciding } = await import("/reviewing/decision/decide.js");
            let decided = 0;
            const decide = async () => { decided += 1; return false; };
            const session = {
              data: one, decide, basis: "picks", editable: true, decided: false, readOnly: false,
            };
            const bar = { reason: { value: "" } };
            const deciding = new Deciding({ bar, show() {}, say() {} }, session);
            const seen = [];
            const press = async (byKey) => {
              await deciding.accept({ byKey });
              seen.push(decided);
            };
            await press(true);
            await press(true);
            session.data = two;
            await press(true);
            await press(false);
            return seen;
        }""",
        [waiting(("bruno", "returned")), waiting(("bruno", "returned"), ("cleo", "new"))],
    )
    assert decided == [0, 1, 1, 2]


def test_a_preview_that_comes_after_the_decision_changes_nothing(reviewing: Page) -> None:
    """What was asked for the task that is decided must not reach the screen of the next one."""
    plain = {"holder": "me", "token": "t", "draft": None, "queue": {"position": 1}}
    gold = {"version": 1, "reopened": False, "choices": [], "edited": False, "draft": None}
    told = reviewing.evaluate(
        """async ([before, after]) => {
            const { Session } = await import("/reviewing/session.js");
            const { Acts } = await import("/reviewing/requests.js");
            const acts = new Acts({ base: "", onConnection: () => {} });
            let answer;
            acts.api.request = async (method, path) =>
              path.endsWith("/preview") ? new Promise((resolve) => { answer = resolve; }) : after;
            let told = 0;
            const session = new Session(acts, () => { told += 1; });
            session.adopt(before, true);
            session.picks = { answer: { how: "side", side: "a" } };
            const asked = session.ask();
            await session.act("decide", {});
            const before_it = told;
            answer({ draft: {}, choices: [] });
            await asked;
            return [told - before_it, session.busy, session.previewed];
        }""",
        [data(side("a"), **plain), data(side("a"), **{**plain, "gold": gold})],
    )
    assert told == [0, False, None]
