"""What is asked in a state: conditions, offered options, implied values, and what has ended."""

from __future__ import annotations

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.forms import TASK, Form, Target
from pagetrail.annotation.attempts.state import AttemptState, fold
from pagetrail.annotation.protocols.protocol import Protocol, parse, preset, with_overrides
from tests.annotation.events.elements import element
from tests.annotation.given_pages import A3, B1, B2, GIVEN_PAGES, TOML, box, on_page
from tests.support.factory import cited, events_at

RELEVANCE = preset("relevance")
CHAIN = """
[boxes]
enabled = true
labels = [{ name = "Text" }, { name = "Figure" }]

[[fields]]
name = "usable"
label = "Usable"
kind = "boolean"

[[fields]]
name = "kinds"
label = "Kinds"
kind = "multi"
scope = "page"
when = { field = "usable", values = ["true"] }
options = [{ value = "a", label = "A" }, { value = "b", label = "B" }]

[[fields]]
name = "shape"
label = "Shape"
kind = "choice"
scope = "box"
required = true
when = { field = "kinds", values = ["b"] }
options = [
    { value = "round", label = "Round" },
    { value = "wide", label = "Wide", when = { field = "usable", values = ["false"] } },
]
"""


def form(
    protocol: Protocol,
    *payloads: ev.Payload,
    pages: tuple[tuple[str, int], ...] | None = GIVEN_PAGES,
) -> Form:
    """The form after these events."""
    state = fold(events_at(*((float(n), payload) for n, payload in enumerate(payloads))))
    return Form(protocol, state, pages)


def value(form: Form, name: str, target: Target = TASK) -> object:
    """The value that counts."""
    spec = form.protocol.field(name)
    assert spec is not None
    return form.value(spec, target)


def targets(form: Form, name: str) -> list[Target]:
    """What a field is asked of."""
    spec = form.protocol.field(name)
    assert spec is not None
    return form.targets(spec)


def set_field(name: str, field_value: object, page: tuple[str, int] | None = None) -> ev.FieldSet:
    """A field of the task or of a page."""
    location = on_page(page) if page else {}
    return ev.FieldSet.model_validate({"field": name, "value": field_value, **location})


def test_page_fields_are_asked_of_given_pages() -> None:
    """All of them, in order; what depends on the grade only where there is one."""
    built_form = form(RELEVANCE, set_field("relevance", "2", B2))
    assert targets(built_form, "relevance") == [Target(*page) for page in GIVEN_PAGES]
    assert targets(built_form, "modalities") == [Target(*B2)]
    assert targets(built_form, "query_quality") == [TASK]


def test_page_fields_are_asked_of_cited_pages_where_none_are_given() -> None:
    """In a search task, a page becomes a task's page by being cited."""
    protocol = with_overrides(preset("search"), {"fields": RELEVANCE.model_dump()["fields"]})
    built_form = form(protocol, cited(5), cited(3), pages=None)
    assert built_form.pages() == [("annual report.pdf", 5), ("annual report.pdf", 3)]
    assert len(targets(built_form, "relevance")) == 2


def test_the_grade_decides_over_modalities_and_boxes() -> None:
    """0: only N/A, which is implied, and no box. 1 and 2: everything but N/A, and boxes."""
    built_form = form(RELEVANCE, set_field("relevance", "0", B1), set_field("relevance", "1", B2))
    spec = RELEVANCE.field("modalities")
    assert spec is not None
    assert [o.value for o in built_form.options(spec, Target(*B1))] == ["na"]
    assert value(built_form, "modalities", Target(*B1)) == ("na",)
    assert "na" not in [o.value for o in built_form.options(spec, Target(*B2))]
    assert value(built_form, "modalities", Target(*B2)) is None
    assert value(built_form, "modalities", Target(*A3)) is None
    allowed = [built_form.may_have_boxes(*page) for page in GIVEN_PAGES]
    assert allowed == [False, True, False]


def test_a_stored_value_counts_only_while_it_is_offered() -> None:
    """Regrading to 0 hides the modalities without forgetting them; regrading back shows them."""
    steps = [set_field("relevance", "2", B1), set_field("modalities", ["text", "table"], B1)]
    assert value(form(RELEVANCE, *steps), "modalities", Target(*B1)) == ("text", "table")
    steps.append(set_field("relevance", "0", B1))
    assert value(form(RELEVANCE, *steps), "modalities", Target(*B1)) == ("na",)
    steps.append(set_field("relevance", "1", B1))
    assert value(form(RELEVANCE, *steps), "modalities", Target(*B1)) == ("text", "table")
    steps.append(set_field("relevance", None, B1))
    built_form = form(RELEVANCE, *steps)
    assert value(built_form, "modalities", Target(*B1)) is None
    spec = RELEVANCE.field("modalities")
    assert spec is not None and built_form.stored(spec, Target(*B1)) == ("text", "table")


def test_a_poor_query_ends_the_task() -> None:
    """Grades and boxes are no longer asked; the field itself is, and "good" undoes it."""
    steps = [set_field("relevance", "2", B1), set_field("query_quality", "poor")]
    ended = form(RELEVANCE, *steps)
    assert ended.ended
    assert targets(ended, "relevance") == []
    assert value(ended, "relevance", Target(*B1)) is None
    assert not ended.may_have_boxes(*B1)
    assert value(ended, "query_quality") == "poor"
    open_again = form(RELEVANCE, *steps, set_field("query_quality", "good"))
    assert not open_again.ended and open_again.may_have_boxes(*B1)


def test_fields_before_the_one_that_ends_are_asked_all_the_same() -> None:
    """Only what is declared behind it falls away."""
    text = (
        TOML
        + """
ends = { field = "usable", values = ["false"] }
fields = [
    { name = "note", label = "Note", kind = "text" },
    { name = "usable", label = "Usable", kind = "boolean" },
    { name = "more", label = "More", kind = "text" },
]
"""
    )
    built_form = form(parse(text, source="own.toml"), set_field("usable", False))
    assert [bool(targets(built_form, name)) for name in ("note", "usable", "more")] == [
        True,
        True,
        False,
    ]


def test_conditions_reach_from_boxes_over_pages_to_the_task() -> None:
    """A box's field looks at its page, whose field looks at the task."""
    protocol = parse(TOML + CHAIN, source="own.toml")
    on_b2 = [box("x", B2), set_field("kinds", ["a", "b"], B2)]
    assert targets(form(protocol, *on_b2), "shape") == []
    built_form = form(protocol, *on_b2, box("y", B1), set_field("usable", True))
    assert targets(built_form, "shape") == [Target(*B2, "x")]
    assert targets(form(protocol, *on_b2, set_field("usable", False)), "kinds") == []
    assert built_form.target("x") == Target(*B2, "x")
    assert built_form.target("none") == Target(box="none")


def test_the_only_option_of_a_required_field_is_implied() -> None:
    """Where one option is offered nobody has to choose it; without `required` nothing is."""
    protocol = parse(TOML + CHAIN, source="own.toml")
    steps = [box("x", B2), set_field("usable", True), set_field("kinds", ["b"], B2)]
    assert value(form(protocol, *steps), "shape", Target(*B2, "x")) == "round"
    optional = with_overrides(protocol, {"fields.shape.required": False})
    assert value(form(optional, *steps), "shape", Target(*B2, "x")) is None


def test_deleted_boxes_are_asked_nothing() -> None:
    """A field of a box goes with it, and comes back with it."""
    protocol = with_overrides(parse(TOML + CHAIN, source="own.toml"), {"fields.shape.when": None})
    steps = [box("x", B2), ev.BoxDeleted(box="x")]
    assert targets(form(protocol, *steps), "shape") == []
    assert targets(form(protocol, *steps, ev.Undone(**on_page(B2), change="c2")), "shape")


def test_given_elements_are_asked_like_drawn_boxes() -> None:
    """A model's element has the fields of boxes too."""
    protocol = with_overrides(parse(TOML + CHAIN, source="own.toml"), {"fields.shape.when": None})
    seeded = ev.ElementsSeeded(**on_page(B2), elements=(element(1),))
    assert targets(form(protocol, seeded), "shape") == [Target(*B2, "e1")]


def test_conditions_on_truths_and_lists() -> None:
    """A boolean is named true or false; of a list, one member suffices, and none does not."""
    protocol = parse(TOML + CHAIN, source="own.toml")
    at = Target(*B1)
    for name, steps, expected in (
        ("kinds", [], False),
        ("kinds", [set_field("usable", True)], True),
        ("kinds", [set_field("usable", False)], False),
        ("shape", [set_field("usable", True)], False),
        ("shape", [set_field("usable", True), set_field("kinds", [], B1)], False),
        ("shape", [set_field("usable", True), set_field("kinds", ["a"], B1)], False),
        ("shape", [set_field("usable", True), set_field("kinds", ["a", "b"], B1)], True),
        ("shape", [set_field("usable", True), set_field("kinds", ["b"], B2)], False),
    ):
        spec = protocol.field(name)
        assert spec is not None and spec.when is not None
        assert form(protocol, *steps).holds(spec.when, at) is expected, (name, steps)


def test_values_belong_to_their_target() -> None:
    """A page's value is not the task's, another page's or a box's."""
    state = AttemptState.model_validate(
        form(RELEVANCE, set_field("relevance", "2", B1)).state.model_dump()
    )
    assert state.value("relevance", *B1) == "2"
    assert state.value("relevance") is None
    assert state.value("relevance", *B2) is None
    assert state.value("relevance", box="b.pdf") is None


def test_setting_again_replaces_and_none_removes() -> None:
    """One value per target, the last one; the order is that of the last setting."""
    steps = [
        set_field("relevance", "2", B1),
        set_field("relevance", "1", B2),
        set_field("relevance", "0", B1),
    ]
    built_form = form(RELEVANCE, *steps)
    assert [(v.page, v.value, v.seq) for v in built_form.state.fields] == [(2, "1", 2), (1, "0", 3)]
    assert (
        form(
            RELEVANCE, set_field("relevance", "2", B1), set_field("relevance", None, B1)
        ).state.fields
        == ()
    )


def test_targets_in_words() -> None:
    """As sentences name them."""
    assert TASK.words == ""
    assert Target(*B1).words == "page 1 of b.pdf"
    assert Target(*B1, "x").words == "a box on page 1 of b.pdf"
