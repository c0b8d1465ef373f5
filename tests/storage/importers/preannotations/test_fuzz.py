"""Anything at all as a file of pre-annotations: elements, listed errors, or one sentence."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.errors import InputFileError
from pagetrail.annotation.geometry.box import PageSize, inside
from pagetrail.annotation.geometry.element import Element
from pagetrail.storage.importers.files import json_positions as json_places
from pagetrail.storage.importers.preannotations.boxes import BoxError, to_points
from pagetrail.storage.importers.preannotations.raw_elements import RawBox
from tests.storage.importers.preannotations.element_data import (
    COCO,
    LABEL_STUDIO,
    PARSEBENCH,
    checked,
    plain,
    write,
)
from tests.support.randomness import examples

SAMPLES = (PARSEBENCH, COCO, LABEL_STUDIO, json.dumps([plain(), plain(id="a", order=2)]))
_INDENTS = st.sampled_from([None, 0, 1])
_LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8),
    st.sampled_from(["layout", "rectanglelabels", "rectangle", "textarea", "labels", "report.pdf",
                     "plan.pdf#1", "Table", 10**400, -1, 1e308]),
)  # fmt: skip
_KEYS = st.sampled_from([
    "test_rules", "type", "page", "bbox", "canonical_class", "content", "text", "html", "id",
    "ro_index", "attributes", "pdf", "rule", "images", "annotations", "categories", "file_name",
    "width", "height", "page_no", "original_filename", "image_id", "category_id", "name", "score",
    "data", "predictions", "result", "value", "x", "y", "rectanglelabels", "rotation", "metadata",
    "item_index", "document", "rect", "unit", "dpi", "label", "order", "image", "meta",
])  # fmt: skip
_BOXES = st.lists(st.one_of(st.floats(), st.integers(-5, 900)), min_size=4, max_size=4)
_VALUES = st.recursive(
    _LEAVES | _BOXES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_KEYS, inner, max_size=6),
    max_leaves=25,
)
_MANY_EXAMPLES = examples(300)


def _survives(file: Path) -> None:
    """Reading and checking ends in elements on their pages, listed errors, or one sentence."""
    try:
        good, bad, _ = checked(file, labels=None)
    except InputFileError as error:
        assert error.message.startswith(str(file))
        return
    for element in good:
        assert Element.model_validate(element).model_dump(mode="json") == element
        assert inside(element["rect"], PageSize(width=612, height=792))
    assert len({(e["document"], e["page"], e["id"]) for e in good}) == len(good)
    for entry in bad:
        assert entry.line is not None and entry.line >= 1
        assert entry.reason.isprintable()
    json.dumps([vars(entry) for entry in bad]).encode()


def _parents(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a JSON value that holds another."""
    keys = list(value) if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield value, key
        if isinstance(value[key], dict | list):
            yield from _parents(value[key])


@_MANY_EXAMPLES
@given(data=_VALUES)
def test_no_json_value_breaks_the_readers(tmp_path: Path, data: Any) -> None:
    """Whatever is in place of an element: elements or typed errors, and nothing else."""
    _survives(write(tmp_path / "fuzz.json", json.dumps(data)))
    _survives(write(tmp_path / "fuzz.jsonl", json.dumps(data) + "\n" + json.dumps(plain())))


@_MANY_EXAMPLES
@given(sample=st.sampled_from(SAMPLES), at=st.integers(0, 10_000), value=_VALUES, indent=_INDENTS)
def test_no_wrong_value_anywhere_breaks_the_readers(
    tmp_path: Path, sample: str, at: int, value: Any, indent: int | None
) -> None:
    """Real files with one of their values, at whatever depth, replaced by another."""
    data = json.loads(sample)
    parents = list(_parents(data))
    parent, key = parents[at % len(parents)]
    parent[key] = value
    _survives(write(tmp_path / "fuzz.json", json.dumps(data, indent=indent)))


@_MANY_EXAMPLES
@given(
    sample=st.sampled_from(SAMPLES),
    at=st.floats(0, 1),
    cut=st.integers(0, 40),
    inserted=st.binary(max_size=6) | st.sampled_from([b"NaN", b"[", b"{", b"]", b"null", b'"']),
)
def test_no_damaged_file_breaks_the_readers(
    tmp_path: Path, sample: str, at: float, cut: int, inserted: bytes
) -> None:
    """Real files with something cut out and something else put in."""
    content = sample.encode()
    offset = int(at * len(content))
    _survives(write(tmp_path / "fuzz.json", content[:offset] + inserted + content[offset + cut :]))


@given(rect=_BOXES)
def test_a_box_is_kept_inside_its_page_or_refused(rect: list[float]) -> None:
    """Every rectangle that is on the page is taken, and none that does not."""
    x0, y0, x1, y1 = rect
    fits = 0 <= x0 < x1 - 0.02 and 0 <= y0 < y1 - 0.02 and x1 <= 612 and y1 <= 792
    almost_fits = x0 < x1 and y0 < y1 and x0 >= -1 and y0 >= -1 and x1 <= 613 and y1 <= 793
    try:
        points, clipped = to_points(RawBox(rect, sized=False), PageSize(width=612, height=792))
    except BoxError:
        assert not fits
        return
    assert almost_fits
    assert not (fits and clipped)
    assert inside(points, PageSize(width=612, height=792), tolerance=0)


@given(items=st.lists(_VALUES, max_size=4), indent=_INDENTS)
def test_lines_are_those_of_the_elements(items: list[Any], indent: int | None) -> None:
    """Each element of a list is found where its text starts, whatever precedes it."""
    texts = [json.dumps(item, indent=indent) for item in items]
    text = '{"a": {"items": [7]}, "items": [\n' + ",\n".join(texts) + "\n]}"
    starts = [2 + sum(before.count("\n") + 1 for before in texts[:n]) for n in range(len(texts))]
    line_numbers = json_places.value_lines(text, ("items", json_places.EVERY_ITEM))
    assert [line_numbers[index,] for index in range(len(texts))] == starts
