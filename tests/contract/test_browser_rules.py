"""What JavaScript repeats of Python, for an answer before the server's: both agree in any state."""

from __future__ import annotations

import atexit
import json
import os
import random
import shutil
import subprocess
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.answers.quantities import clean_text, find_quantities
from pagetrail.annotation.arithmetic import ExpressionError, evaluate, format_result
from pagetrail.annotation.attempts.completeness import is_unset, missing
from pagetrail.annotation.attempts.contradictions import row_with_verdict
from pagetrail.annotation.attempts.form_state import RecordRow
from pagetrail.annotation.attempts.forms import TASK, Form, Target
from pagetrail.annotation.attempts.reading_order import final_order
from pagetrail.annotation.attempts.state import AttemptState, apply
from pagetrail.annotation.attempts.transcript_state import Transcript
from pagetrail.annotation.attempts.validation.boxes import check_box
from pagetrail.annotation.attempts.validation.fields import check_field
from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.geometry.box import PageSize
from pagetrail.annotation.normalised_text import plain_quotes
from pagetrail.annotation.protocols.fields import Column, FieldSpec, Value, check_cells
from pagetrail.annotation.protocols.protocol import Protocol, parse, preset, preset_names
from pagetrail.annotation.replay.builder import script
from pagetrail.annotation.replay.lifetimes import in_words
from pagetrail.app.components.sentences import screen_sentences
from pagetrail.app.replay.script_json import script_json
from pagetrail.storage.attempts.replay_lists import StoredPage
from tests.support.factory import events_at
from tests.support.random_expressions import random_expression
from tests.support.random_work import ALL_KINDS, PAGES, states, transcript_states

ROOT = Path(__file__).parents[2]
PAGE = PageSize(width=419.53, height=595.28)
OUTCOMES: tuple[ev.Outcome, ...] = ("answered", "not_found", "unanswerable", "completed")
FOLDED = (
    "status",
    "closed",
    "outcome",
    "skip_reason",
    "missing",
    "answer_text",
    "note",
    "flag",
    "citations",
    "boxes",
    "fields",
    "rows",
    "transcript",
    "tables",
    "confirmed",
    "question_text",
    "draft_seq",
    "checks",
    "feedback",
    "disputed",
    "position",
    "view",
    "paused",
    "hidden",
    "n_page_views",
    "returned",
    "comments",
    "bookmarks",
    "scratchpad",
    "calculations",
    "undo",
    "redo",
)


@cache
def parity() -> subprocess.Popen[str]:
    """The one Node of these tests; without Node and esbuild they are skipped, but not in CI."""
    node = shutil.which("node")
    if node is None or not (ROOT / "node_modules" / "esbuild").is_dir():
        if os.environ.get("CI"):
            pytest.fail("node or esbuild is not installed")
        pytest.skip("node or esbuild is not installed")
    pipe = subprocess.PIPE
    command = [node, "scripts/frontend.mjs", "run", "tests/js/parity.js"]
    started = subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, encoding="utf-8")
    atexit.register(started.kill)
    return started


def javascript(name: str, data: object) -> Any:
    """What tests/js/parity.js makes of JSON values."""
    node = parity()
    assert node.stdin is not None and node.stdout is not None
    node.stdin.write(json.dumps([name, data, screen_sentences()]) + "\n")
    node.stdin.flush()
    answer = node.stdout.readline()
    assert answer, "it ended, and said why on standard error"
    return json.loads(answer)


def page_objects(pages: Sequence[tuple[str, int]]) -> list[dict[str, Any]]:
    """Pages as the browser gets them."""
    return [{"document": document, "page": page} for document, page in pages]


def protocol_of(name: str) -> Protocol:
    """A preset, or the protocol with all kinds of fields."""
    return ALL_KINDS if name == "everything" else preset(name)


def folded(events: list[ev.Event]) -> Any:
    """The browser's state after each event, as far as both fold."""
    sent = [
        {"type": e.type, "payload": e.fields(), "seq": e.seq, "id": e.client_event_id}
        for e in events
    ]
    start = AttemptState().model_dump(mode="json")
    return javascript("fold", {"start": start, "events": sent, "keys": FOLDED})


def shared(state: AttemptState) -> dict[str, Any]:
    """The part of a state that both fold."""
    fields = state.model_dump(mode="json", include=set(FOLDED))
    # Whose a comment is, and when it came, is the server's to say.
    fields["comments"] = [{**comment, "by": None, "at": None} for comment in fields["comments"]]
    return fields


def test_browser_and_server_calculate_alike() -> None:
    """The same result or none, also where digits are rounded and for what people type."""
    rng = random.Random(7)
    expressions = [random_expression(rng, 4)[0] for _ in range(300)]
    expressions += ["1/3", "-2/3", "5/100000000000", "4/100000000000", "1" * 200, "((1)", "1/0"]
    shown = javascript("calculations", expressions)
    for expression, calculation in zip(expressions, shown, strict=True):
        try:
            expected = {
                "expression": expression,
                "result": format_result(evaluate(expression)),
            }
        except ExpressionError:
            assert "problem" in calculation, expression
            continue
        assert calculation == expected


def test_the_calculator_reads_numbers_as_answers_are_read() -> None:
    """Separators of thousands and decimals mean what they mean in an English answer."""
    texts = ["1,234", "1.234", "1,234.5", "1.234,5", "0,123", "12,5", "1 234 567", "1'234", ".5"]
    texts += ["12,34,567", "1.234.567", "1,234,567.89", "3.14159", "1234,5", "007"]
    for text, calculation in zip(texts, javascript("calculations", texts), strict=True):
        (quantity,) = find_quantities(clean_text(text, "en"), "en")
        assert calculation["result"] == format_result(Fraction(quantity.value)), text


def test_the_search_box_makes_the_quotes_plain_that_the_server_expects() -> None:
    """Of all characters of the basic plane; a query is refused where the two differ."""
    characters = "".join(map(chr, [*range(1, 0xD800), *range(0xE000, 0x10000)]))
    assert javascript("plainQuotes", characters) == plain_quotes(characters)


@pytest.mark.parametrize("seed", range(8))
def test_browser_and_server_folds_agree(seed: int) -> None:
    """After each of 250 random events, both hold the same state."""
    protocol = (ALL_KINDS, *map(preset, preset_names()))[seed]
    history = list(states(random.Random(seed), protocol, 250))
    assert folded([event for event, _ in history]) == [shared(state) for _, state in history]
    assert history[-1][1].boxes.boxes, "no box is left by the sequence"
    has_values = any(state.fields for _, state in history)
    assert has_values or not protocol.fields, "no event of the sequence set a field"


@pytest.mark.parametrize("seed", range(12))
def test_folds_of_a_pages_text_agree(seed: int) -> None:
    """After each of 200 random events on a text, both hold the same text, patches and history."""
    history = list(transcript_states(random.Random(seed), 200))
    assert folded([event for event, _ in history]) == [shared(state) for _, state in history]
    reached = {
        patch.state
        for _, state in history
        if state.transcript is not None
        for patch in state.transcript.patches
    }
    assert reached == {"open", "accepted", "rejected", "stale"}, "the sequence did nothing"


def test_both_forget_the_same_old_changes() -> None:
    """Only the last 50 changes of a page can be undone, and another page keeps its own."""
    page_fields = {"document": "a.pdf", "page": 1}
    box = {"rect": (1, 2, 3, 4), "label": "Text"}
    steps: list[ev.Payload] = [ev.BoxDrawn(box="other", document="a.pdf", page=2, **box)]
    steps += [ev.BoxDrawn(box=f"b-{n}", **page_fields, **box) for n in range(60)]
    # The change's id is the client event id that ``events_at`` gives: c2 is the first on page 1.
    steps += [ev.Undone(**page_fields, change=f"c{n}") for n in range(61, 1, -1)]
    steps += [ev.Undone(document="a.pdf", page=2, change="c1")]
    events = events_at(*((float(n), step) for n, step in enumerate(steps)))
    state, expected = AttemptState(), []
    for event in events:
        state = apply(state, event)
        expected.append(shared(state))
    assert folded(events) == expected
    assert [b.id for b in state.boxes.boxes if not b.deleted] == [f"b-{n}" for n in range(10)]


def test_browser_and_server_parse_answers_alike() -> None:
    """What the annotator sees as answers is what is exported."""
    texts = [
        "",
        "one",
        " one \r\n\r\n two\x0bthree\x0cfour\u2028five\u2029six\x85seven",
        "\ufeffmark\n\u00a0no-break\u00a0\n\u3000wide\u3000",
        "a\x1cb\x1dc\x1ed\x1fe",
        "tab\tinside\n\t\n",
    ]
    assert javascript("parseAnswers", texts) == [
        AttemptState(answer_text=text).answer for text in texts
    ]


def test_number_cells_are_judged_as_on_the_server() -> None:
    """What the browser lets through is stored, and what it stops would be refused."""
    cells = ["", " ", "4", "4.5", "-1,234.5", "1e3", ".5", "5.", "+2", "abc", "1.2.3", "4 5", "nan"]
    cells += [
        "inf",
        "1e999",
        "0x10",
        "--1",
        "½",
        "1,5",
        "1.050,5",
        "1,2,3",
        "1,2,",
        "1_000",
        ",5",
        "1,050e2",
    ]
    assert javascript("wrongCells", cells) == [_refuses(cell) for cell in cells]


def _refuses(cell: str) -> bool:
    column = Column(name="value", label="Value", kind="number")
    spec = FieldSpec(name="points", label="Points", kind="records", columns=(column,))
    try:
        check_cells(spec, {"value": cell}, new=True)
    except Refusal:
        return True
    return False


def test_changed_rows_get_their_verdict_on_both_sides() -> None:
    """Any change of any row of a chart is stored alike, or refused by both."""
    chart, rng = preset("verify_chart"), random.Random(5)
    (spec, _) = chart.fields
    cases: list[tuple[RecordRow, dict[str, str]]] = []
    for _ in range(300):
        model = rng.choice([None, {"labels": "a", "value": "1"}])
        values = {"labels": "a", "value": rng.choice("12"), "verdict": rng.choice(VERDICTS)}
        row = RecordRow(field=spec.name, row="r1", values=values, model=model, seq=1)
        change = {"value": rng.choice("12"), "verdict": rng.choice(VERDICTS)}
        cases.append((row, {name: change[name] for name in change if rng.random() < 0.7}))
    verdicts = javascript(
        "verdicts",
        {
            "spec": spec.model_dump(mode="json"),
            "cases": [[row.model_dump(mode="json"), values] for row, values in cases],
        },
    )
    assert verdicts == [_values_with_verdict(chart, row, values) for row, values in cases]
    assert None in verdicts and {"value": "2", "verdict": "corrected"} in verdicts


VERDICTS = ("", "right", "corrected")


def _values_with_verdict(
    chart: Protocol, row: RecordRow, values: dict[str, str]
) -> dict[str, str] | None:
    form = Form(chart, AttemptState(rows=(row,)), PAGES)
    try:
        return row_with_verdict(form, ev.RowSet(field=row.field, row=row.row, values=values)).values
    except Refusal:
        return None


@pytest.mark.parametrize("name", ["everything", *preset_names()])
def test_browser_and_server_ask_for_the_same_fields(name: str) -> None:
    """Targets, options, values, implied values, rows and missing sentences agree in any state."""
    protocol = protocol_of(name)
    rng = random.Random(name)
    history = [
        state
        for _ in range(4)
        for step, (_, state) in enumerate(states(rng, protocol, 120))
        if step % 6 == 5
    ]
    forms = javascript(
        "forms",
        {
            "protocol": protocol.model_dump(mode="json"),
            "states": [state.model_dump(mode="json") for state in history],
            "given": None if protocol.pages == "search" else page_objects(PAGES),
            "outcomes": OUTCOMES,
            "pages": PAGES,
        },
    )
    assert forms == [_form_as_json(protocol, state) for state in history]


def _form_as_json(protocol: Protocol, state: AttemptState) -> dict[str, Any]:
    form = Form(protocol, state, None if protocol.pages == "search" else PAGES)
    every = {
        "task": [TASK],
        "page": [Target(*page) for page in PAGES],
        "box": [form.target(box.id) for box in state.boxes.boxes],
    }

    def plain(value: Value) -> Any:
        return list(value) if isinstance(value, tuple) else value

    return {
        "ended": form.ended,
        "boxes": [form.may_have_boxes(*page) for page in PAGES],
        "verdicts": [box.verdict for box in state.boxes.boxes],
        "order": final_order(state.boxes.boxes),
        "fields": [
            {
                "targets": [[t.document, t.page, t.box] for t in form.targets(spec)],
                "each": [
                    [
                        form.is_asked(spec, target),
                        [option.value for option in form.options(spec, target)],
                        plain(form.value(spec, target)),
                        [row.row for row in form.rows(spec, target)],
                        is_unset(form, spec, target),
                    ]
                    for target in every[spec.scope]
                ],
            }
            for spec in protocol.fields
        ],
        "missing": [[list(item) for item in missing(form, o).items()] for o in OUTCOMES],
    }


@pytest.mark.parametrize("name", ["everything", "relevance", "qa_review"])
def test_browser_and_server_find_the_same_obstructing_boxes(name: str) -> None:
    """Where the server refuses a value because of boxes, the browser has offered to delete them."""
    protocol = protocol_of(name)
    rng = random.Random(f"way {name}")
    cases = []
    for _ in range(6):
        for _, state in states(rng, protocol, 100):
            if rng.random() < 0.5:
                cases += _field_settings(rng, protocol, state)
    has_boxes = javascript(
        "boxesInTheWay",
        {
            "protocol": protocol.model_dump(mode="json"),
            "cases": [
                [state.model_dump(mode="json"), field_set.model_dump(mode="json")]
                for state, field_set, _ in cases
            ],
            "given": page_objects(PAGES),
        },
    )
    refused = [code == "has_boxes" for *_, code in cases]
    assert has_boxes == refused
    assert any(refused) == (name != "qa_review") and not all(refused)


def _field_settings(
    rng: random.Random, protocol: Protocol, state: AttemptState
) -> list[tuple[AttemptState, ev.FieldSet, str]]:
    """A value for a field of the task or a page, and the code of the server's refusal or ""."""
    specs = [s for s in protocol.fields if s.scope != "box" and s.kind in ("ordinal", "boolean")]
    specs += [s for s in protocol.fields if s.scope != "box" and s.kind == "choice"]
    spec = rng.choice(specs)
    page_key = rng.choice(PAGES) if spec.scope == "page" else (None, None)
    values = [True, False] if spec.kind == "boolean" else [o.value for o in spec.options]
    field_set = ev.FieldSet(
        field=spec.name, document=page_key[0], page=page_key[1], value=rng.choice([None, *values])
    )
    try:
        check_field(Form(protocol, state, PAGES), field_set)
    except Refusal as refusal:
        # Refused for another reason: not asked, or the pages were opened.
        return [(state, field_set, refusal.code)] if refusal.code == "has_boxes" else []
    return [(state, field_set, "")]


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
def test_browser_and_server_give_the_same_reason_for_no_box(protocol: Protocol) -> None:
    """In random states, drawing on a page is refused in the same words by both, or by neither."""
    task_pages = PAGES[:4]
    history = [
        state
        for _, state in states(random.Random(7), protocol, 240)
        if state.status == "open" and not state.closed and state.last_seq % 4 == 0
    ]
    refusals = javascript(
        "drawRefusals",
        {
            "protocol": protocol.model_dump(mode="json"),
            "states": [state.model_dump(mode="json") for state in history],
            "given": page_objects(task_pages),
            "places": page_objects(PAGES),
        },
    )
    forms = [Form(protocol, state, task_pages) for state in history]
    assert refusals == [[_refused(form, *page) for page in PAGES] for form in forms]
    sentences = {sentence for refusals_of_state in refusals for sentence in refusals_of_state}
    assert len(sentences) >= (2 if protocol.boxes.enabled else 1), sentences


def _refused(form: Form, document: str, page: int) -> str | None:
    boxes = form.protocol.boxes
    if boxes.enabled and form.given is not None and (document, page) not in form.given:
        return f"Page {page} of {document} is not among this task's pages."
    box_drawn = ev.BoxDrawn(
        box="b-new",
        document=document,
        page=page,
        rect=(10, 10, 90, 90),
        label=boxes.labels[0].name if boxes.labels else "Text",
    )
    try:
        check_box(form, box_drawn, PAGE)
    except Refusal as refusal:
        return refusal.message
    return None


@pytest.mark.parametrize("seed", range(4))
def test_replay_shows_the_folded_state(seed: int) -> None:
    """After each of 200 random events, read forwards and backwards."""
    protocol = (ALL_KINDS, *map(preset, ("search", "relevance", "verify")))[seed]
    # Without any look the browser shows something else on purpose.
    history = events_at((0, ev.PageViewed(document="a.pdf", page=2, via="given")))
    for event, _ in states(random.Random(seed), protocol, 200):
        history.append(event.model_copy(update={"seq": event.seq + 1}))
    state, expected = AttemptState(), []
    for event in history:
        state = apply(state, event)
        expected.append(_in_order(_replay_view(state)))
    data = script_json(
        script(history), lambda pages: {page: StoredPage("0" * 64, 612.0, 792.0) for page in pages}
    )
    for browser_views in javascript("replay", data):
        assert list(map(_in_order, browser_views)) == expected


@pytest.mark.parametrize("seed", range(3))
def test_replay_shows_the_text_and_its_patches(seed: int) -> None:
    """After each of 200 random events on a text, read forwards and backwards."""
    history = list(transcript_states(random.Random(seed), 200))
    expected = [_replayed_text(state.transcript) for _, state in history]
    data = script_json(script([event for event, _ in history]), lambda _pages: {})
    for browser_views in javascript("replayedText", data):
        assert browser_views == expected


def _replayed_text(transcript: Transcript | None) -> dict[str, Any]:
    """What a fold holds of a text, with positions as a browser counts."""
    if transcript is None:
        return {"text": "", "patches": []}
    text = transcript.text
    return {
        "text": text,
        "patches": [
            [
                patch.id,
                patch.state,
                None if patch.at is None else len(text[: patch.at].encode("utf-16-le")) // 2,
            ]
            for patch in transcript.patches
        ],
    }


def _replay_view(state: AttemptState) -> dict[str, Any]:
    """What a fold holds, as the replay shows it."""
    position, search = state.position, state.searches[-1] if state.searches else None
    boxes = [box for box in state.boxes.boxes if not box.deleted]
    return {
        "query": search.query if search else None,
        "page": [position.document, position.page] if position else None,
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


def _in_order(state: dict[str, Any]) -> dict[str, Any]:
    """Fields by name: one that is set to what it held already moves in the fold, and not here."""
    return {**state, "fields": sorted(state["fields"], key=repr)}
