"""Pre-annotations of ParseBench: ``NAME.test.json`` beside ``NAME.pdf``, or the dataset's JSONL.

Rules of type ``layout`` become elements: ``bbox`` is x, y, width and height as fractions of the
displayed page, ``page`` counts from 1, ``ro_index`` is the place in the reading order from 0 and
``content`` holds the text, or a table's HTML. In the JSONL of the published dataset ``rule`` is
such a rule, often as JSON in a string. Rules about data points of charts and about text are kept
as rows for campaigns that verify these (``parsebench_rows``).
Source: run-llama/ParseBench, test_cases/schema.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Annotated, Any

from pydantic import BeforeValidator

from pagetrail.annotation.readable_errors import shown
from pagetrail.storage.importers.files.field_types import WithoutNulls, first_of
from pagetrail.storage.importers.files.json_positions import EACH, places
from pagetrail.storage.importers.files.json_rows import loads_lenient
from pagetrail.storage.importers.files.kept_fields import Kept
from pagetrail.storage.importers.files.rows import RawRow
from pagetrail.storage.importers.preannotations.parsebench_rows import PATCH, POINT, TEXTS, row_of
from pagetrail.storage.importers.preannotations.raw_elements import (
    PreannotationFile,
    RawElement,
    read_element,
)

NAME = "ParseBench .test.json"
NAME_OF_ROWS = "ParseBench JSON Lines"


_FILE: Kept = {
    **dict.fromkeys(("pdf", "document", "file", "test_rules")),
    "metadata": dict.fromkeys(("page_count", "original_filename", "page_no")),
    "transcript_patches": dict.fromkeys(("id", "page", "old", "new", "decision")),
}
_ROW: Kept = dict.fromkeys(("pdf", "rule", "type", "id", "page"))
_LAYOUT: Kept = {
    **dict.fromkeys(("id", "type", "page", "bbox", "canonical_class", "ro_index", "attributes")),
    "score": None,
    "content": dict.fromkeys(("type", "text", "html")),
}
_OTHER_RULE: Kept = dict.fromkeys(
    ("id", "type", "page", "value", "labels", "relative_tolerance", "tolerance", "text")
)


def _content_text(content: Any) -> Any:
    """The text or HTML of a rule's content; of a table, the HTML before the text."""
    if isinstance(content, str):
        return content
    if not isinstance(content, dict):
        raise ValueError(f"must be an object with text or html, not {shown(content)}")
    names = ("html", "text") if content.get("type") == "table" else ("text", "html")
    text = next((content[name] for name in names if content.get(name) is not None), None)
    if text is None:
        raise ValueError("has neither text nor html")
    return text


class _Rule(WithoutNulls):
    """A rule of type ``layout``."""

    id: Any = None
    page: Any = None
    bbox: Any = None
    label: Any = first_of("canonical_class")
    content: Annotated[Any, BeforeValidator(_content_text)] = None
    order: Any = first_of("ro_index")
    attributes: Any = None
    score: Any = None


class _File(WithoutNulls):
    document: Any = first_of("pdf", "document", "file")
    metadata: Any = None


def is_test_file(data: Any) -> bool:
    """Whether a JSON value is the content of a ``.test.json``."""
    return isinstance(data, dict) and isinstance(data.get("test_rules"), list)


def is_row(row: Any) -> bool:
    """Whether a row is one of the dataset's."""
    return isinstance(row, dict) and "pdf" in row and "rule" in row


def read_test_file(path: str, text: str, data: Mapping[str, Any]) -> PreannotationFile:
    """The layout rules; rules of other types are counted as left out."""
    found = PreannotationFile(path, NAME)
    found.not_kept.add_unkept(data, _FILE)
    given = _File.model_validate(data)
    stem = PurePath(path).name
    for ending in (".json", ".test"):
        stem = stem[: -len(ending)] if stem.lower().endswith(ending) else stem
    shared = {
        "document": given.document,
        "image": f"{stem}.pdf" if given.document is None else None,
        "otherwise": _origin(given.metadata),
    }
    lines = places(text, ("test_rules", EACH))
    patches = _read_patches(found, text, data, shared)
    for index, rule in enumerate(data["test_rules"]):
        line, place = lines.get((index,), 1), f"test_rules[{index}]"
        kind = rule.get("type") if isinstance(rule, dict) else "layout"
        _count_unkept(found, kind, rule)
        if kind == "layout":
            found.add(lambda rule: _fields(rule) | shared, rule, line, place)
            continue
        # A file that lists every patch has the texts of the approved ones as rules besides.
        if kind in TEXTS and patches:
            continue
        _leave_out(found, kind)
        if kind in (POINT, *TEXTS):
            _add_row(found, kind, rule, shared, line, place)
    return found


def _read_patches(
    found: PreannotationFile, text: str, data: Mapping[str, Any], shared: Mapping[str, Any]
) -> bool:
    """Whether the file lists every patch of a transcript, as our own exports do.

    The rules of those approved are in the file as well, and are not read then.
    """
    patches = data.get("transcript_patches")
    if not isinstance(patches, list):
        return False
    lines = places(text, ("transcript_patches", EACH))
    for index, patch in enumerate(patches):
        place = f"transcript_patches[{index}]"
        _add_row(found, PATCH, patch, shared, lines.get((index,), 1), place)
    return True


def _add_row(
    found: PreannotationFile,
    kind: str,
    rule: Any,
    shared: Mapping[str, Any],
    line: int,
    place: str,
) -> None:
    at = read_element(
        lambda rule: {name: rule.get(name) for name in ("id", "page")} | dict(shared),
        rule,
        line,
        place,
    )
    found.rows.append(row_of(kind, rule if isinstance(rule, dict) else {}, at))


def read_row(found: PreannotationFile, row: RawRow) -> None:
    """Add the rule in a row of the dataset's JSONL."""
    rule = row.data.get("rule")
    if isinstance(rule, str):
        try:
            rule = loads_lenient(rule)
        except ValueError as error:
            found.elements.append(RawElement(row.line, problem=f"rule: is not JSON: {error}"))
            return
    if not isinstance(rule, dict):
        found.elements.append(RawElement(row.line, problem="rule: is not a JSON object"))
        return
    kind = row.data.get("type") or rule.get("type")
    _count_unkept(found, kind, rule)
    found.not_kept.add_unkept(row.data, _ROW)
    outer = {name: row.data[name] for name in ("id", "page") if row.data.get(name) is not None}
    document = {"document": row.data.get("pdf")}
    if kind != "layout":
        _leave_out(found, kind)
        if kind in (POINT, *TEXTS):
            _add_row(found, kind, rule | outer, document, row.line, "")
        return
    found.add(lambda rule: _fields(rule) | document, rule | outer, row.line, "")


def _count_unkept(found: PreannotationFile, kind: Any, rule: Any) -> None:
    """Count the fields of a rule that is read; those of other types are counted as a whole."""
    if kind == "layout":
        found.not_kept.add_unkept(rule, _LAYOUT, "rule")
    elif kind in (POINT, *TEXTS):
        found.not_kept.add_unkept(rule, _OTHER_RULE, "rule")


def _fields(rule: dict[str, Any]) -> dict[str, Any]:
    return dict(_Rule.model_validate(rule)) | {"unit": "fraction"}


def _origin(metadata: Any) -> tuple[Any, Any] | None:
    """Where a single page was cut out of, which the benchmark keeps."""
    if not isinstance(metadata, dict) or metadata.get("page_count", 1) != 1:
        return None
    origin = (metadata.get("original_filename"), metadata.get("page_no"))
    return None if None in origin else origin


def _leave_out(found: PreannotationFile, kind: Any) -> None:
    name = shown(kind, 40).strip("'") if isinstance(kind, str) else "no type"
    found.left_out[f"rules of type {name}"] += 1
