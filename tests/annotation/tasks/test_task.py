"""Task records: what is read, what is refused with which sentence, and what comes out again."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.tasks.task import PageRef, TaskRecord, given_pages, hop_type, read_task

MINIMAL: dict[str, Any] = {"id": "q1", "question": "How many?"}


def _task(**fields: Any) -> TaskRecord:
    return read_task({**MINIMAL, **fields})


def _refusal(**fields: Any) -> str:
    with pytest.raises(ValueError) as caught:
        read_task({**MINIMAL, **fields})
    return str(caught.value)


def test_a_full_record_round_trips_with_unknown_fields() -> None:
    """Whatever a file says about a task comes out of the stored record again."""
    data = {
        **MINIMAL,
        "answer_variants": [["12"], ["twelve", "a dozen"]],
        "evidence": [{"document": "a.pdf", "page": 3, "note": "footnote"}],
        "document_category": "Report",
        "domain": "Finance",
        "unanswerable": False,
        "candidates": [{"document": "a.pdf", "page": 3}, {"document": "b c.pdf", "page": 1}],
        "predictions": {"model": ["12"]},
        "elements": [{"class": "Table"}],
        "query_type": ["numerical"],
        "query_format": "question",
        "language": "en",
        "modality": ["Table", "Chart"],
        "x": {"deep": [1, None, {"y": 2.5}]},
    }
    assert read_task(data).to_json() == data


@given(
    st.fixed_dictionaries(
        {
            "id": st.text(st.characters(categories=("L", "N", "P")), min_size=1, max_size=20),
            "question": st.text(st.characters(categories=("L", "N")), min_size=1),
            "evidence": st.lists(
                st.fixed_dictionaries(
                    {"document": st.sampled_from(["a.pdf", "b.pdf"]), "page": st.integers(1, 99)}
                )
            ),
            "extra": st.recursive(
                st.none() | st.booleans() | st.integers() | st.text(max_size=5),
                lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=3), inner),
                max_leaves=5,
            ),
        }
    )
)
def test_reading_what_was_written_gives_the_same_record(data: dict[str, Any]) -> None:
    """``to_json`` is stable: reading it again and writing it again changes nothing."""
    data["extra"] = _without_surrogates(data["extra"])
    task = read_task(data)
    reread = read_task(task.to_json())
    assert reread == task
    assert reread.to_json() == task.to_json()


def _without_surrogates(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [_without_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {_without_surrogates(k): _without_surrogates(v) for k, v in value.items()}
    return value


def test_older_names_are_read() -> None:
    """Files from before the renaming give the same record as files of today."""
    old = _task(answers=[["a"]], answer_locations=[{"document": "a.pdf", "page": 1}], category="X")
    new = _task(
        answer_variants=[["a"]],
        evidence=[{"document": "a.pdf", "page": 1}],
        document_category="X",
    )
    assert old.to_json() == new.to_json()


def test_the_new_name_wins_and_the_older_one_is_kept() -> None:
    """A file that has both loses nothing."""
    task = _task(answers=[["old"]], answer_variants=[["new"]])
    assert task.answer_variants == [["new"]]
    assert task.to_json()["answers"] == [["old"]]


def test_a_flat_list_of_answers_is_one_variant() -> None:
    """An answer is a list of strings, so a flat list is one answer, not several variants."""
    assert _task(answers=["a", "b"]).answer_variants == [["a", "b"]]
    assert _task(answer_variants=[[]]).answer_variants == []
    assert _task(answer_variants=[[3, 2.5]]).answer_variants == [["3", "2.5"]]


@pytest.mark.parametrize(
    ("task_id", "stored"), [(7, "7"), (7.0, "7"), (" a/b ", " a/b "), ("ß🜚", "ß🜚")]
)
def test_ids_may_be_numbers_or_any_text(task_id: Any, stored: str) -> None:
    """Ids keep every character, space included, since evaluators compare them as they are."""
    assert _task(id=task_id).id == stored


@pytest.mark.parametrize("page", [3, "3", " 3", 3.0])
def test_page_numbers_in_other_spelling(page: Any) -> None:
    """CSV and Parquet bring numbers as text or floats."""
    assert _task(evidence=[{"document": "a.pdf", "page": page}]).evidence[0].page == 3


def test_file_is_read_as_document_and_repeated_pages_once() -> None:
    """Agents' spelling of a page works, and a page named twice is one page."""
    refs = [{"file": "a.pdf", "page": 2}, {"document": "a.pdf", "page": "2"}]
    assert _task(evidence=refs).evidence == [PageRef(document="a.pdf", page=2)]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"id": ""}, "id: is blank"),
        ({"id": "  "}, "id: is blank"),
        ({"id": None}, "id: must be text or a whole number, not None"),
        ({"id": True}, "id: must be text or a whole number, not True"),
        ({"id": 1.5}, "id: must be text or a whole number, not 1.5"),
        ({"id": 10**400}, "id: is too large a number"),
        ({"id": "x" * 201}, "id: has 201 characters; 200 are allowed"),
        ({"id": "a\nb"}, "id: holds a control character or a line break"),
        ({"id": "a\0b"}, "id: holds a control character or a line break"),
        ({"question": "   "}, "question: is blank"),
        ({"question": "\0\0"}, "question: is blank"),
        ({"question": 12}, "question: must be text, not 12"),
        ({"question": "x" * 20_001}, "question: has 20,001 characters; 20,000 are allowed"),
        (
            {"evidence": "report.pdf, page 3"},
            'evidence: must be a list such as [{"document": "report.pdf", "page": 3}], '
            "not 'report.pdf, page 3'",
        ),
        (
            {"evidence": [{"document": "a.pdf", "page": 0}]},
            "evidence[0].page: page 0 does not exist: pages are counted from 1",
        ),
        (
            {"evidence": [{"document": "a.pdf", "page": 1}, {"document": "a.pdf", "page": -2}]},
            "evidence[1].page: page -2 does not exist: pages are counted from 1",
        ),
        (
            {"evidence": [{"document": "a.pdf", "page": 2.5}]},
            "evidence[0].page: must be a whole number, not 2.5",
        ),
        (
            {"evidence": [{"document": "a.pdf", "page": 10**5000}]},
            "evidence[0].page: is too large for a page number",
        ),
        (
            {"evidence": [{"document": "a.pdf", "page": True}]},
            "evidence[0].page: must be a page number, not True",
        ),
        (
            {"evidence": [{"document": "a.pdf", "page": "iv"}]},
            "evidence[0].page: must be a whole number, not 'iv'",
        ),
        ({"evidence": [{"page": 1}]}, "evidence[0].document: is missing"),
        ({"candidates": [{"document": "a.pdf"}]}, "candidates[0].page: is missing"),
        (
            {"answer_variants": "42"},
            "answer_variants: must be a list of lists of answers, such as [['42']]",
        ),
        ({"answer_variants": [["a", " "]]}, "answer_variants: an answer is blank"),
        (
            {"answer_variants": [["a", None]]},
            "answer_variants: an answer must be text or a number, not None",
        ),
    ],
)
def test_refusals_name_field_and_value(fields: dict[str, Any], expected: str) -> None:
    """Each kind of mistake has its own sentence, with the place and the offending value."""
    assert expected in _refusal(**fields)


def test_a_missing_field_is_called_missing() -> None:
    """A row without a question says so."""
    with pytest.raises(ValueError, match="question: is missing"):
        read_task({"id": "q1"})


def test_many_problems_are_counted() -> None:
    """Three are named, the others counted, so that one row cannot fill the screen."""
    refs = [{"document": "a.pdf", "page": 0}] * 9
    assert _refusal(evidence=refs).endswith("and 6 more")


@pytest.mark.parametrize(
    "fields", [{"question": "\ud800"}, {"extra": {"a": ["x", "\udfff"]}}, {"id": "\ud800"}]
)
def test_lone_surrogates_are_refused_wherever_they_are(fields: dict[str, Any]) -> None:
    """Half a character can be neither stored nor shown, in known and unknown fields alike."""
    message = _refusal(**fields)
    assert message.startswith(next(iter(fields)))
    assert "surrogate" in message
    message.encode()


def test_control_characters_leave_the_question() -> None:
    """NUL and its like go; tabs, line ends, markup and other scripts stay as they are."""
    text = "<script>alert(1)</script>\n\tA\x00B\x07 «ü» \u202e🜚"
    assert _task(question=text).question == text.replace("\x00", "").replace("\x07", "")


@pytest.mark.parametrize(
    ("pages", "hop"),
    [
        ([], None),
        ([("a", 1)], "single"),
        ([("a", 1), ("a", 1)], "single"),
        ([("a", 1), ("a", 2)], "cross_page"),
        ([("a", 1), ("b", 1)], "cross_doc"),
    ],
)
def test_hop_type(pages: list[tuple[str, int]], hop: str | None) -> None:
    """docs/metrics.md, Evidence: one page, several of one document, several documents."""
    assert hop_type([PageRef(document=d, page=p) for d, p in pages]) == hop


@pytest.mark.parametrize(
    ("pages", "expected_pages"),
    [("search", None), ("given", [("b", 1), ("a", 2)]), ("gold", [("a", 2)])],
)
def test_given_pages(pages: Any, expected_pages: list[tuple[str, int]] | None) -> None:
    """What a protocol gives: nothing, the candidates, or the evidence; in order, each page once."""
    page = {"document": "a", "page": 2}
    record = {"candidates": [{"document": "b", "page": 1}, page, page], "evidence": [page]}
    assert given_pages(pages, record) == expected_pages
    assert given_pages(pages, {"evidence": None}) == (None if expected_pages is None else [])
