"""What of a task's record is shown beside the question, when, and that nothing else ever is."""

from __future__ import annotations

from typing import Any

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.protocols.protocol import Protocol, preset, with_overrides
from pagetrail.annotation.tasks.shown_record import material, unset_fields
from tests.annotation.given_pages import code_and_field, given_driver, on_page, record_all

SECRETS = {
    "question": "How many?",
    "answer_variants": [["42", "57"], ["forty-two"]],
    "evidence": [{"document": "b.pdf", "page": 1}],
    "response": "There are 42.\n\nOf two kinds.",
    "prediction": {"system": "the-secret-system", "answer": ["42"]},
    "summary": ["First.", "Second."],
    "query_type": ["numerical", "multi-hop"],
    "query_format": "question",
    "language": None,
    "gold": {"fields": {"verdict": "correct"}},
}


def showing(*sources: str, **changes: Any) -> Protocol:
    """A protocol that shows these and nothing else."""
    parts = tuple({"source": source, "title": source.title()} for source in sources)
    return with_overrides(preset("qa_review"), {"material": parts, "pages_after": (), **changes})


def lines(source: str, record: dict[str, Any]) -> list[list[str]]:
    """The lines of the material of one source."""
    driver = given_driver(showing(source))
    return [part.lines for part in material(driver.context.form(driver.state), record)]


@pytest.mark.parametrize(
    ("source", "record", "paragraphs"),
    [
        ("response", SECRETS, [["There are 42.", "Of two kinds."]]),
        ("response", {"answer_variants": [["42", "57"], ["x"]]}, [["42; 57"]]),
        ("response", {"response": "", "answer_variants": []}, []),
        ("gold_answers", SECRETS, [["42; 57", "forty-two"]]),
        ("gold_answers", {"answer_variants": ["42"]}, [["42"]]),
        (
            "gold_answers",
            {"unanswerable": True, "answer_variants": [["x"]]},
            [["Unanswerable: the documents do not hold the answer."]],
        ),
        ("prediction", SECRETS, [["42"]]),
        ("prediction", {"prediction": {"system": "s", "answer": "a\nb"}}, [["a", "b"]]),
        ("prediction", {"prediction": {"system": "s", "answer": None}}, [["(no answer)"]]),
        ("prediction", {}, [["(no answer)"]]),
        ("summary", SECRETS, [["First.", "Second."]]),
        ("summary", {}, []),
        ("summary", {"summary": " \n "}, []),
        ("request", SECRETS, [["Type: numerical, multi-hop", "Format: question"]]),
        ("request", {}, []),
    ],
)
def test_each_source(source: str, record: dict[str, Any], paragraphs: list[list[str]]) -> None:
    """Texts as paragraphs, lists as entries; what is empty is left out."""
    assert lines(source, record) == paragraphs


def test_nothing_else_of_a_record_is_shown() -> None:
    """All sources together hold neither the system's name nor gold fields nor evidence."""
    driver = given_driver(showing("response", "prediction", "summary", "request"))
    material_text = str(material(driver.context.form(driver.state), SECRETS))
    for secret in ("the-secret-system", "correct", "b.pdf", "forty-two"):
        assert secret not in material_text


def test_the_order_is_the_protocols() -> None:
    """As declared, whatever the record's order."""
    driver = given_driver(showing("summary", "prediction", "response"))
    parts = material(driver.context.form(driver.state), SECRETS)
    assert [part.source for part in parts] == ["summary", "prediction", "response"]


def test_material_waits_for_its_fields() -> None:
    """Locked it names the fields and holds no text; a value shows it, undoing it hides it."""
    driver = given_driver(preset("qa_review"))

    def shown_lines() -> list[tuple[list[str], list[str]]]:
        parts = material(driver.context.form(driver.state), SECRETS)
        return [(part.lines, part.waits_for) for part in parts]

    assert shown_lines() == [([], ["Self-contained"])]
    record_all(driver, ev.FieldSet(field="self_contained", value="no"))
    assert shown_lines() == [(["There are 42.", "Of two kinds."], [])]
    record_all(driver, ev.FieldSet(field="self_contained", value=None))
    assert shown_lines() == [([], ["Self-contained"])]


def test_what_is_not_asked_is_not_waited_for() -> None:
    """A field that depends on another locks nothing where it is not asked; a blank text does."""
    protocol = preset("qa_review")
    why_not = {
        "name": "why_not",
        "label": "Why not",
        "kind": "text",
        "when": {"field": "self_contained", "values": ["no"]},
    }
    first, *rest = protocol.model_dump()["fields"]
    driver = given_driver(
        with_overrides(
            protocol,
            {"fields": (first, why_not, *rest), "pages_after": ("self_contained", "why_not")},
        )
    )
    viewed = ev.PageViewed(**on_page(("b.pdf", 1)), via="given")

    def waits() -> list[str]:
        return unset_fields(driver.context.form(driver.state), driver.context.protocol.pages_after)

    assert waits() == ["Self-contained"]
    record_all(driver, ev.FieldSet(field="self_contained", value="no"))
    assert waits() == ["Why not"]
    assert code_and_field(driver, viewed) == ("pages_locked", "why_not")
    record_all(driver, ev.FieldSet(field="why_not", value="  "))
    assert code_and_field(driver, viewed) == ("pages_locked", "why_not")
    record_all(driver, ev.FieldSet(field="self_contained", value="yes"))
    assert waits() == []
    record_all(driver, viewed)
