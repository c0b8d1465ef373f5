"""Pre-annotations of ParseBench: ``NAME.test.json`` next to ``NAME.pdf``, or the dataset's JSONL.

Rules of type ``layout`` become elements: ``bbox`` is x, y, width and height as fractions of the
displayed page, ``page`` counts from 1, ``ro_index`` is the position in the reading order from 0,
and ``content`` holds the text, or a table's HTML. In the JSONL of the published dataset ``rule`` is
such a rule, often as JSON in a string. Rules about chart data points and text become rows for
campaigns that verify these (``parsebench_rows``).
Source: run-llama/ParseBench, test_cases/schema.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Annotated, Any

from pydantic import BeforeValidator

from pagetrail.annotation.readable_errors import short_value
from pagetrail.storage.importers.files.field_types import LenientModel, first_alias, object_or_empty
from pagetrail.storage.importers.files.json_positions import EVERY_ITEM, value_lines
from pagetrail.storage.importers.files.json_rows import loads_lenient
from pagetrail.storage.importers.files.kept_fields import KeptFields
from pagetrail.storage.importers.files.rows import RawRow
from pagetrail.storage.importers.preannotations.parsebench_rows import (
    DATA_POINT,
    PATCH,
    TEXT_RULES,
    to_table_row,
)
from pagetrail.storage.importers.preannotations.raw_elements import (
    PreannotationFile,
    PreannotationFormat,
    read_element,
)

_FILE_FIELDS: KeptFields = {
    **dict.fromkeys(("pdf", "document", "file", "test_rules")),
    "metadata": dict.fromkeys(("page_count", "original_filename", "page_no")),
    "transcript_patches": dict.fromkeys(("id", "page", "old", "new", "decision")),
}
_ROW_FIELDS: KeptFields = dict.fromkeys(("pdf", "rule", "type", "id", "page"))
_LAYOUT_FIELDS: KeptFields = {
    **dict.fromkeys(("id", "type", "page", "bbox", "canonical_class", "ro_index", "attributes")),
    "score": None,
    "content": dict.fromkeys(("type", "text", "html")),
}
_OTHER_RULE_FIELDS: KeptFields = dict.fromkeys(
    ("id", "type", "page", "value", "labels", "relative_tolerance", "tolerance", "text")
)


def _content_text(content: Any) -> Any:
    """The text or HTML of a rule's content; for tables HTML is preferred."""
    if isinstance(content, str):
        return content
    if not isinstance(content, dict):
        raise ValueError(f"must be an object with text or html, not {short_value(content)}")
    names = ("html", "text") if content.get("type") == "table" else ("text", "html")
    text = next((content[name] for name in names if content.get(name) is not None), None)
    if text is None:
        raise ValueError("has neither text nor html")
    return text


class _LayoutRule(LenientModel):
    """A rule of type ``layout``."""

    id: Any = None
    page: Any = None
    bbox: Any = None
    label: Any = first_alias("canonical_class")
    content: Annotated[Any, BeforeValidator(_content_text)] = None
    order: Any = first_alias("ro_index")
    attributes: Any = None
    score: Any = None
    task: Any = None


class _TestFile(LenientModel):
    document: Any = first_alias("pdf", "document", "file")
    metadata: Any = None


def _is_test_file(data: Any) -> bool:
    return isinstance(data, dict) and isinstance(data.get("test_rules"), list)


def _is_row(row: Any) -> bool:
    return isinstance(row, dict) and "pdf" in row and "rule" in row


def _read(file: PreannotationFile, text: str, data: Any, annotator: str | None) -> None:
    """Add the layout rules; rules of other types are counted as left out."""
    file.not_kept.add_unkept(data, _FILE_FIELDS)
    parsed = _TestFile.model_validate(data)
    stem = PurePath(file.path).name
    for ending in (".json", ".test"):
        stem = stem[: -len(ending)] if stem.lower().endswith(ending) else stem
    shared_fields = {
        "document": parsed.document,
        "image": f"{stem}.pdf" if parsed.document is None else None,
        "fallback": _origin(parsed.metadata),
    }
    lines = value_lines(text, ("test_rules", EVERY_ITEM))
    patches = _read_patches(file, text, data, shared_fields)
    for index, rule in enumerate(data["test_rules"]):
        line, location = lines.get((index,), 1), f"test_rules[{index}]"
        kind = rule.get("type") if isinstance(rule, dict) else "layout"
        _count_unkept(file, kind, rule)
        if kind == "layout":
            file.add(lambda rule: _element_fields(rule) | shared_fields, rule, line, location)
            continue
        # A file that lists all patches also has the texts of the approved ones as rules.
        if kind in TEXT_RULES and patches:
            continue
        _count_left_out(file, kind)
        if kind in (DATA_POINT, *TEXT_RULES):
            _add_row(file, kind, rule, shared_fields, line, location)


def _read_patches(
    file: PreannotationFile, text: str, data: Mapping[str, Any], shared_fields: Mapping[str, Any]
) -> bool:
    """Add the patches of a transcript, which our own exports list; False if there is no list.

    The rules of approved patches, which are in the file as well, are not read then.
    """
    patches = data.get("transcript_patches")
    if not isinstance(patches, list):
        return False
    lines = value_lines(text, ("transcript_patches", EVERY_ITEM))
    for index, patch in enumerate(patches):
        location = f"transcript_patches[{index}]"
        _add_row(file, PATCH, patch, shared_fields, lines.get((index,), 1), location)
    return True


def _add_row(
    file: PreannotationFile,
    kind: str,
    rule: Any,
    shared_fields: Mapping[str, Any],
    line: int,
    location: str,
) -> None:
    origin = read_element(
        lambda rule: {name: rule.get(name) for name in ("id", "page")} | dict(shared_fields),
        rule,
        line,
        location,
    )
    file.rows.append(to_table_row(kind, object_or_empty(rule), origin))


def _read_row(file: PreannotationFile, row: RawRow) -> None:
    """Add the rule in a row of the dataset's JSONL."""
    rule = row.data.get("rule")
    if isinstance(rule, str):
        try:
            rule = loads_lenient(rule)
        except ValueError as error:
            file.add_problem(f"rule: is not JSON: {error}", row.line)
            return
    if not isinstance(rule, dict):
        file.add_problem("rule: is not a JSON object", row.line)
        return
    kind = row.data.get("type") or rule.get("type")
    _count_unkept(file, kind, rule)
    file.not_kept.add_unkept(row.data, _ROW_FIELDS)
    outer_fields = {
        name: row.data[name] for name in ("id", "page") if row.data.get(name) is not None
    }
    document = {"document": row.data.get("pdf")}
    if kind != "layout":
        _count_left_out(file, kind)
        if kind in (DATA_POINT, *TEXT_RULES):
            _add_row(file, kind, rule | outer_fields, document, row.line, "")
        return
    file.add(lambda rule: _element_fields(rule) | document, rule | outer_fields, row.line, "")


def _count_unkept(file: PreannotationFile, kind: Any, rule: Any) -> None:
    """Count the unkept fields of a rule that is read; other rules are counted as a whole."""
    if kind == "layout":
        file.not_kept.add_unkept(rule, _LAYOUT_FIELDS, "rule")
    elif kind in (DATA_POINT, *TEXT_RULES):
        file.not_kept.add_unkept(rule, _OTHER_RULE_FIELDS, "rule")


def _element_fields(rule: dict[str, Any]) -> dict[str, Any]:
    return dict(_LayoutRule.model_validate(rule)) | {"unit": "fraction"}


def _origin(metadata: Any) -> tuple[Any, Any] | None:
    """Document and page from which a single-page PDF was cut, as the benchmark records it."""
    if not isinstance(metadata, dict) or metadata.get("page_count", 1) != 1:
        return None
    origin = (metadata.get("original_filename"), metadata.get("page_no"))
    return None if None in origin else origin


def _count_left_out(file: PreannotationFile, kind: Any) -> None:
    name = short_value(kind, 40).strip("'") if isinstance(kind, str) else "no type"
    file.left_out[f"rules of type {name}"] += 1


FORMAT = PreannotationFormat(
    "ParseBench .test.json", _is_test_file, _read, "ParseBench JSON Lines", _is_row, _read_row
)
