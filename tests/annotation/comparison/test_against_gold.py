"""A pilot task against its gold: what counts as right, part by part."""

from __future__ import annotations

from typing import Any

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.answers.exact_match import exact_match_f1
from pagetrail.annotation.answers.parsed_answer import ParsedAnswer
from pagetrail.annotation.answers.question import Question, Tolerance
from pagetrail.annotation.attempts.boxes import PageBox
from pagetrail.annotation.attempts.form_state import Feedback
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.comparison.against_gold import BOX_PASS, compare, has_gold, shown_gold
from pagetrail.annotation.comparison.gold_answers import answer_score, are_similar
from pagetrail.annotation.comparison.measures import box_overlap
from pagetrail.annotation.comparison.pilot_estimates import part_estimates
from pagetrail.annotation.geometry.overlap import iou
from pagetrail.annotation.normalised_text import is_same_text
from pagetrail.annotation.protocols.protocol import Protocol, preset
from pagetrail.annotation.tasks.gold import gold_of, gold_problems
from tests.support.factory import cited, events_at

REPORT = "annual report.pdf"
GIVEN_PAGES = ((REPORT, 3), (REPORT, 4), ("b.pdf", 1))


def judge(protocol: Protocol, record: dict[str, Any], *payloads: ev.Payload) -> Feedback | None:
    """What comes of a task in which these events happened."""
    state = fold(events_at(*((n, payload) for n, payload in enumerate(payloads))))
    pages = GIVEN_PAGES if protocol.pages != "search" else None
    return compare(Form(protocol, state, pages), record)


def parts(feedback: Feedback | None) -> dict[str, tuple[bool, float]]:
    """Part → (right, score)."""
    assert feedback is not None
    return {part.part: (part.right, part.score) for part in feedback.parts}


def answered(text: str, outcome: ev.Outcome = "answered") -> list[ev.Payload]:
    """An answer that is submitted."""
    return [ev.AnswerEdited(text=text), ev.Submitted(outcome=outcome)]


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        ("Yes.", "yes", True),
        ("“The  Borough”", "the borough", True),
        ("1,234.50", "1234.5", True),
        ("12 %", "12%", True),
        ("−5", "-5", True),
        ("2019–2020", "2019-2020", True),
        ("$1,200", "$ 1200.00", True),
        ("12", "12 %", False),
        ("-5", "5", False),
        ("12,5", "125", False),
        ("four", "4", False),
        ("Straße", "STRASSE", True),
        ("...", "", False),
    ],
)
def test_answers_are_compared_by_what_they_say(left: str, right: str, equal: bool) -> None:
    """Form does not matter, value does; a unit, a sign and a currency are part of the value."""
    assert is_same_text(left, right) is equal
    assert is_same_text(right, left) is equal


def test_an_undecided_answer_is_in_no_score_and_leaves_the_task_open() -> None:
    """Unless another part is wrong: then nothing that anybody decides could make it right."""
    record = {
        "answer_variants": [["12 km"]],
        "evidence": [{"document": REPORT, "page": 3}],
    }
    for page, (is_undecided, score) in {3: (True, 1.0), 4: (False, 0.0)}.items():
        feedback = judge(preset("search"), record, cited(page), *answered("12 or 15 km"))
        assert feedback is not None and not feedback.right
        assert {part.part: part.undecided for part in feedback.parts} == {
            "answer": True,
            "evidence": False,
        }
        assert (feedback.is_undecided, feedback.decided_score) == (is_undecided, score)
        (evidence,) = part_estimates([feedback])
        assert (evidence.part, evidence.n) == ("evidence", 1)
    alone = judge(preset("search"), {"answer_variants": [["12 km"]]}, *answered("12 or 15 km"))
    assert alone is not None and alone.decided_score is None
    skipped = judge(preset("search"), record, ev.Skipped(reason="late"))
    assert skipped is not None and not skipped.is_undecided


def test_any_variant_in_any_order_is_right() -> None:
    """The best variant counts; what is missing or too much costs, and what is said twice too."""
    variants = [["Saône", "Rhône"], ["both rivers"]]
    assert exact_match_f1(["rhône", "SAÔNE"], variants) == 1
    assert exact_match_f1(["Both rivers"], variants) == 1
    assert exact_match_f1(["Rhône"], variants) == pytest.approx(2 / 3)
    assert exact_match_f1(["Rhône", "Saône", "Seine"], variants) == pytest.approx(4 / 5)
    assert exact_match_f1(["Rhône", "Rhône"], variants) == pytest.approx(1 / 2)
    assert exact_match_f1([], variants) == 0
    assert exact_match_f1(["x"], []) == 0


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        ("the Rhône", "Rhône", True),
        ("Jonson & Sons", "Johnson & Sons", True),
        ("42", "43", False),
        ("in 2019", "in 2018", False),
        ("1,200 tonnes", "1200 tons", True),
        ("1,200 tonnes", "12,000 tonnes", False),
        ("12 otters", "otters", False),
        ("yes", "no", False),
        ("badger", "otter", False),
        ("", "otter", False),
    ],
)
def test_a_slip_in_spelling_is_forgiven_and_one_in_a_figure_is_not(
    left: str, right: str, equal: bool
) -> None:
    """Similar from ANLS* 0.5 on, whichever comes first."""
    parsed, other = ParsedAnswer.parse(left), ParsedAnswer.parse(right)
    assert are_similar(parsed, other) is equal
    assert are_similar(other, parsed) is equal


def test_every_item_of_a_list_has_to_be_there() -> None:
    """The threshold is each item's: two of three would pass it as a whole."""
    gold = [["Saône", "Rhône", "Isère"]]
    assert answer_score(["the Isère", "Rhone", "Saone"], gold) == 1
    assert answer_score(["Saône", "Rhône"], gold) == pytest.approx(4 / 5)
    assert answer_score(["Saône", "Rhône", "Rhone"], gold) == pytest.approx(2 / 3)
    assert answer_score(["Saône", "Rhône", "Isère", "Isere"], gold) == pytest.approx(6 / 7)
    assert answer_score([], gold) == 0
    long = [str(n) for n in range(200)]
    assert answer_score(long[::-1], [long]) == 1


def test_items_are_paired_so_that_most_fit() -> None:
    """An item that could go with two does not take the place of one that has no other."""
    within = Question(tolerance=Tolerance(absolute=0.1))
    assert answer_score(["10.0", "9.9"], [["10.1", "10.0"]], within) == 1


def test_a_right_search_task_is_right_in_answer_and_evidence() -> None:
    """Two parts, both right; the task's score is their mean."""
    record = {"answer_variants": [["42"]], "evidence": [{"document": REPORT, "page": 3}]}
    feedback = judge(preset("search"), record, cited(3), *answered("42.0"))
    assert feedback is not None and feedback.right and feedback.score == 1
    assert parts(feedback) == {"answer": (True, 1), "evidence": (True, 1)}


def test_one_page_too_many_is_not_right() -> None:
    """Evidence is right with exactly the gold pages; the score says how close it was."""
    record = {"answer_variants": [["42"]], "evidence": [{"document": REPORT, "page": 3}]}
    feedback = judge(preset("search"), record, cited(3), cited(4), *answered("42"))
    assert feedback is not None and not feedback.right
    assert parts(feedback) == {"answer": (True, 1), "evidence": (False, pytest.approx(2 / 3))}
    assert feedback.score == pytest.approx(5 / 6)


def test_an_answer_that_was_not_handed_in_does_not_count() -> None:
    """A draft behind "No answer found" is no answer."""
    record = {"answer_variants": [["42"]]}
    feedback = judge(preset("search"), record, *answered("42", "not_found"))
    assert parts(feedback) == {"answer": (False, 0)}


def test_a_skipped_task_is_wrong_in_every_part() -> None:
    """Skipping is no way around a hard task, whatever was done before."""
    record = {"answer_variants": [["42"]], "evidence": [{"document": REPORT, "page": 3}]}
    feedback = judge(
        preset("search"), record, cited(3), ev.AnswerEdited(text="42"), ev.Skipped(reason="hard")
    )
    assert parts(feedback) == {"answer": (False, 0), "evidence": (False, 0)}
    assert feedback is not None and feedback.score == 0


@pytest.mark.parametrize(
    ("preset_name", "outcome", "right"),
    [
        ("relevance", "unanswerable", True),
        ("relevance", "answered", False),
        ("search", "not_found", True),
        ("search", "answered", False),
    ],
)
def test_an_unanswerable_question_is_judged_by_its_outcome(
    preset_name: str, outcome: ev.Outcome, right: bool
) -> None:
    """Unanswerable where it can be said, else "No answer found"; the rest does not count."""
    record = {
        "unanswerable": True,
        "answer_variants": [["none"]],
        "evidence": [{"document": REPORT, "page": 3}],
    }
    feedback = judge(preset(preset_name), record, *answered("none", outcome))
    assert parts(feedback) == {"outcome": (right, float(right))}


def test_prose_is_compared_as_a_whole_and_by_lines() -> None:
    """Line breaks of prose do not matter; neither does giving a list as one."""
    long = {"answer_variants": [["Otters live in rivers and eat fish"]]}
    text = "Otters live in rivers\nand eat fish."
    assert parts(judge(preset("relevance"), long, *answered(text))) == {"answer": (True, 1)}
    list_gold = {"answer_variants": [["fish", "crabs"]]}
    assert parts(judge(preset("relevance"), list_gold, *answered("Crabs\nfish"))) == {
        "answer": (True, 1)
    }


def grade(page: int, value: str, document: str = REPORT) -> ev.FieldSet:
    """A page is graded."""
    return ev.FieldSet(field="relevance", document=document, page=page, value=value)


def test_page_fields_count_the_share_of_pages_that_agree() -> None:
    """One part a field, right only where all pages are; numbers in the gold are grades too."""
    record = {
        "gold": {
            "pages": [
                {"document": REPORT, "page": 3, "fields": {"relevance": 2}},
                {"document": REPORT, "page": 4, "fields": {"relevance": "0", "modalities": ["na"]}},
                {"document": "b.pdf", "page": 1, "fields": {"relevance": 1}},
            ]
        }
    }
    protocol = preset("relevance")
    submission = [ev.Submitted(outcome="answered")]
    feedback = judge(
        protocol, record, grade(3, "2"), grade(4, "0"), grade(1, "0", "b.pdf"), *submission
    )
    # "N/A" was never chosen: with grade 0 nothing else is offered.
    assert parts(feedback) == {"relevance": (False, pytest.approx(2 / 3)), "modalities": (True, 1)}


def test_task_fields_of_every_kind_are_compared_by_what_they_hold() -> None:
    """Options and yes/no exactly, several options as a set, numbers by value, text by words."""
    protocol = Protocol.model_validate(
        {
            "name": "kinds",
            "title": "Kinds",
            "answer": {"kind": "off"},
            "evidence": {"enabled": False},
            "search": {"enabled": False},
            "fields": [
                {"name": "yes", "label": "Yes", "kind": "boolean"},
                {"name": "size", "label": "Size", "kind": "number"},
                {"name": "word", "label": "Word", "kind": "text"},
                {
                    "name": "many",
                    "label": "Many",
                    "kind": "multi",
                    "options": [{"value": v, "label": v} for v in "abc"],
                },
            ],
        }
    )
    record = {"gold": {"fields": {"yes": False, "size": 2, "word": "An otter", "many": ["a", "b"]}}}
    events: list[ev.Payload] = [
        ev.FieldSet(field="yes", value=False),
        ev.FieldSet(field="size", value=2.0),
        ev.FieldSet(field="word", value="an OTTER."),
        ev.FieldSet(field="many", value=("b",)),
        ev.Submitted(outcome="completed"),
    ]
    assert list(gold_problems(protocol, gold_of(record))) == []
    assert parts(judge(protocol, record, *events)) == {
        "yes": (True, 1),
        "size": (True, 1),
        "word": (True, 1),
        "many": (False, pytest.approx(2 / 3)),
    }
    unset = judge(protocol, record, ev.Submitted(outcome="completed"))
    assert {right for right, _ in parts(unset).values()} == {False}


def test_gold_that_ends_the_task_asks_for_nothing_behind_it() -> None:
    """A poor query is right with that alone; calling it good is wrong."""
    record = {
        "answer_variants": [["42"]],
        "gold": {
            "fields": {"query_quality": "poor"},
            "pages": [{"document": REPORT, "page": 3, "fields": {"relevance": 2}}],
            "boxes": [],
        },
    }
    protocol = preset("relevance")
    poor = ev.FieldSet(field="query_quality", value="poor")
    feedback = judge(protocol, record, poor, ev.Submitted(outcome="completed"))
    assert parts(feedback) == {"query_quality": (True, 1)}
    assert shown_gold(protocol, record)["answers"] == []
    good = ev.FieldSet(field="query_quality", value="good")
    assert parts(judge(protocol, record, good, *answered("42"))) == {"query_quality": (False, 0)}


def test_ending_a_task_that_goes_on_is_wrong_in_all_that_was_asked() -> None:
    """Calling a good query poor leaves no way to be right in the rest."""
    record = {
        "answer_variants": [["42"]],
        "gold": {"pages": [{"document": REPORT, "page": 3, "fields": {"relevance": 2}}]},
    }
    poor = ev.FieldSet(field="query_quality", value="poor")
    feedback = judge(
        preset("relevance"), record, grade(3, "2"), poor, ev.Submitted(outcome="completed")
    )
    assert parts(feedback) == {"answer": (False, 0), "relevance": (False, 0)}


def drawn_boxes(number: int, rect: tuple[float, float, float, float], label: str) -> ev.BoxDrawn:
    """A box on page 3."""
    return ev.BoxDrawn(box=f"b{number}", document=REPORT, page=3, rect=rect, label=label)


def gold_box(rect: list[float], label: str, page: int = 3) -> dict[str, Any]:
    """A gold box."""
    return {"document": REPORT, "page": page, "rect": rect, "label": label}


def test_boxes_match_by_label_and_overlap() -> None:
    """Half of the union is enough, another label or page is none; right from F1 0.8."""
    record = {
        "gold": {
            "boxes": [
                gold_box([0, 0, 100, 100], "Text"),
                gold_box([200, 0, 300, 100], "Table"),
                gold_box([0, 300, 100, 400], "Text"),
            ]
        }
    }
    protocol = preset("relevance")
    close = [
        grade(3, "1"),
        drawn_boxes(1, (0, 0, 100, 50), "Text"),  # IoU exactly 0.5
        drawn_boxes(2, (200, 0, 300, 100), "Table"),
        drawn_boxes(3, (0, 300, 100, 400), "Text"),
    ]
    assert parts(judge(protocol, record, *close, *answered("x")))["boxes"] == (True, 1)
    extra = drawn_boxes(4, (500, 500, 550, 550), "Text")
    feedback = judge(protocol, record, *close, extra, *answered("x"))
    assert parts(feedback)["boxes"] == (True, pytest.approx(6 / 7))
    mislabelled = [*close[:3], drawn_boxes(3, (0, 300, 100, 400), "Chart")]
    feedback = judge(protocol, record, *mislabelled, *answered("x"))
    assert parts(feedback)["boxes"] == (False, pytest.approx(2 / 3))
    deleted = judge(protocol, record, *close, ev.BoxDeleted(box="b3"), *answered("x"))
    assert parts(deleted)["boxes"] == (True, pytest.approx(BOX_PASS))


def test_a_gold_box_is_matched_once() -> None:
    """Two boxes on one: the closer one counts, the other is too much."""
    boxes = [
        PageBox(id=f"b{n}", document="a.pdf", page=1, label="Text", rect=(0, 0, 10, height), seq=1)
        for n, height in enumerate((8, 10))
    ]
    gold = boxes[1:]
    assert box_overlap(boxes, gold, 0.5).f1 == pytest.approx(2 / 3)
    assert box_overlap([], gold, 0.5).f1 == 0
    assert box_overlap([], [], 0.5).f1 is None
    assert iou((0, 0, 1, 1), (1, 0, 2, 1)) == 0
    assert iou((0, 0, 2, 2), (1, 1, 3, 3)) == pytest.approx(1 / 7)


def test_no_box_may_be_the_gold() -> None:
    """An empty list of gold boxes says that none should be drawn; no list says nothing."""
    no_boxes = {"gold": {"boxes": []}}
    protocol = preset("relevance")
    assert parts(judge(protocol, no_boxes, *answered("x"))) == {"boxes": (True, 1)}
    box = drawn_boxes(1, (0, 0, 9, 9), "Text")
    assert parts(judge(protocol, no_boxes, grade(3, "1"), box, *answered("x"))) == {
        "boxes": (False, 0)
    }
    # On a page that is graded so that it takes no boxes they do not count.
    assert parts(judge(protocol, no_boxes, box, *answered("x"))) == {"boxes": (True, 1)}
    assert judge(protocol, {"gold": {}}, box, *answered("x")) is None


def test_rows_are_compared_in_the_columns_that_the_gold_names() -> None:
    """Order and formatting of rows do not matter; a row too many does, a deleted one does not."""
    record = {
        "gold": {"fields": {"data_points": [{"labels": "2019", "value": 1200}, {"value": "7 %"}]}}
    }
    protocol = preset("verify_chart")

    def row(name: str, **values: str) -> ev.RowSet:
        return ev.RowSet(field="data_points", row=name, values=values)

    rows = [
        row("r-1", value="7%", verdict="right"),
        row("r-2", labels="2019", value="1,200", verdict="right"),
    ]
    submission = ev.Submitted(outcome="completed")
    assert parts(judge(protocol, record, *rows, submission)) == {"data_points": (True, 1)}
    more = [*rows, row("r-3", labels="2020", value="3")]
    assert parts(judge(protocol, record, *more, submission)) == {
        "data_points": (False, pytest.approx(4 / 5))
    }
    deletion = ev.RowDeleted(field="data_points", row="r-3")
    assert parts(judge(protocol, record, *more, deletion, submission)) == {"data_points": (True, 1)}


def test_only_parts_that_are_switched_on_have_gold() -> None:
    """Evidence and answers of a task say nothing about a protocol that asks for neither."""
    record = {"answer_variants": [["42"]], "evidence": [{"document": REPORT, "page": 3}]}
    assert has_gold(preset("search"), record)
    assert not has_gold(preset("qa_review"), record)
    assert shown_gold(preset("qa_review"), record) == {
        "answers": [],
        "evidence": [],
        "transcript": None,
        "tables": [],
        "fields": {},
        "pages": [],
        "boxes": [],
    }
    assert has_gold(preset("qa_review"), record | {"gold": {"fields": {"complete": "yes"}}})


@pytest.mark.parametrize(
    ("gold", "message"),
    [
        ({"fields": {"quality": "poor"}}, "no task field 'quality'; task fields: query_quality"),
        ({"fields": {"relevance": "2"}}, "no task field 'relevance'"),
        ({"fields": {"query_quality": "bad"}}, "'bad' is not one of good, poor"),
        ({"fields": {"query_quality": None}}, "is null"),
        ({"fields": {"query_quality": {"a": 1}}}, "an object is no value"),
        (
            {"pages": [{"document": REPORT, "page": 3, "fields": {"relevance": 3}}]},
            "gold.pages[0].fields.relevance: '3' is not one of 2, 1, 0",
        ),
        (
            {"pages": [{"document": REPORT, "page": 3, "fields": {"modalities": ["na", "text"]}}]},
            "na cannot be combined with another option",
        ),
        ({"pages": [{"document": REPORT, "page": 3, "fields": {}}] * 2}, "is there twice"),
        ({"boxes": [gold_box([0, 0, 9, 9], "Prose")]}, "no label 'Prose'; labels: Text, Table"),
    ],
)
def test_gold_that_can_never_be_met_is_named(gold: dict[str, Any], message: str) -> None:
    """Field, value and what is allowed, so that the file can be corrected."""
    (problem,) = gold_problems(preset("relevance"), gold_of({"gold": gold}))
    assert message in problem
    assert problem.startswith("gold.")


@pytest.mark.parametrize(
    ("gold", "message"),
    [
        ([], "must be an object"),
        ({"field": {}}, "gold.field: there is no such key"),
        ({"pages": [{"document": REPORT, "page": 0, "fields": {}}]}, "gold.pages[0].page: page 0"),
        ({"boxes": [gold_box([9, 0, 0, 9], "Text")]}, "gold.boxes[0].rect: a box must have x0"),
        ({"boxes": [gold_box([0, 0, float("nan"), 9], "Text")]}, "gold.boxes[0].rect"),
    ],
)
def test_gold_of_another_form_is_refused(gold: Any, message: str) -> None:
    """A slip in the file is named with its place, not read as no gold."""
    with pytest.raises(ValueError, match="gold") as refused:
        gold_of({"gold": gold})
    assert message.casefold() in str(refused.value).casefold()


def test_a_field_cannot_be_called_like_a_part_of_the_comparison() -> None:
    """Parts are told apart by their names: a field "outcome" would hide the question's."""
    field = {"name": "outcome", "label": "Outcome", "kind": "boolean"}
    with pytest.raises(ValueError, match="'outcome' names a part"):
        Protocol.model_validate({"name": "x", "title": "X", "fields": [field]})
