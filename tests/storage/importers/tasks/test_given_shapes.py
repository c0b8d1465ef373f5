"""Rows as other data sets have them become our records, or say what is wrong."""

from __future__ import annotations

from typing import Any

import pytest

from pagetrail.annotation.tasks.task import read_task
from pagetrail.storage.importers.tasks.given_shapes import normalize_row, refers_to_page_0

A1, A2 = {"document": "a.pdf", "page": 1}, {"document": "a.pdf", "page": 2}


@pytest.mark.parametrize(
    ("fields", "variants"),
    [
        ({"answer": "42"}, [["42"]]),
        ({"answer": 42}, [["42"]]),
        ({"answer": ["a", "b"]}, [["a", "b"]]),
        ({"answer": True}, [["yes"]]),
        ({"answer": None}, None),
        ({"answer": "", "answer_variants": None}, None),
        ({"answer": "b", "answer_variants": [["a"], ["b"]]}, [["a"], ["b"]]),
        ({"answer": ["a", "b"], "answers": ["a", "b"]}, [["a", "b"]]),
        ({"answer": 7, "answer_variants": [[7]]}, [["7"]]),
    ],
)
def test_an_answer_is_read(fields: dict[str, Any], variants: list[list[str]] | None) -> None:
    """It is the accepted answer, or one of those that the row lists."""
    task = read_task(normalize_row({"id": "t", "question": "?", **fields}, 1))
    assert task.answer_variants == variants


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"answer": "c", "answer_variants": [["a"], ["b"]]},
            "'c' is not one of the answer_variants",
        ),
        ({"answer": {"text": "a"}}, "answer: must be text"),
        ({"evidence": {"document": ["a.pdf"], "page": [1, 2]}}, "document 1, page 2"),
    ],
)
def test_what_cannot_be_read_is_refused(fields: dict[str, Any], message: str) -> None:
    """Nothing that a row says is passed over."""
    with pytest.raises(ValueError, match=message):
        normalize_row(fields, 1)


@pytest.mark.parametrize(
    ("references", "pages_from", "expected"),
    [
        ({"document": ["a.pdf", "a.pdf"], "page": [1, 2]}, 1, [A1, A2]),
        ({"document": ["a.pdf"], "page": [0]}, 0, [A1]),
        ([{"document": "a.pdf", "page": "0"}, {"document": "a.pdf", "page": 1.0}], 0, [A1, A2]),
        ({"document": [], "page": []}, 1, []),
        ([A1], 1, [A1]),
    ],
)
def test_pages_in_other_shapes(
    references: Any, pages_from: int, expected: list[dict[str, Any]]
) -> None:
    """Structs of lists, and pages from 0, everywhere that a row refers to pages."""
    row = {
        "evidence": references,
        "candidates": references,
        "gold": {"pages": references, "fields": {}},
    }
    normalized = normalize_row(row, pages_from)
    assert (
        normalized["evidence"]
        == normalized["candidates"]
        == normalized["gold"]["pages"]
        == expected
    )
    assert row["evidence"] is references


def test_pages_that_look_as_if_they_began_at_0() -> None:
    """One page 0 is enough to ask."""
    assert refers_to_page_0({"candidates": [A1, {"document": "a.pdf", "page": "0"}]})
    assert not refers_to_page_0({"evidence": [A1], "candidates": None})
