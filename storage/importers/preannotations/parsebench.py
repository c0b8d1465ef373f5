"""Pre-annotations of ParseBench: ``NAME.test.json`` beside ``NAME.pdf``, or the dataset's JSONL.

Read are the rules of type ``layout``: ``bbox`` is x, y, width and height as fractions of the
displayed page, ``page`` counts from 1, ``ro_index`` is the place in the reading order from 0 and
``content`` holds the text, or a table's HTML. In the JSONL of the published dataset ``rule`` is
such a rule, often as JSON in a string. Source: run-llama/ParseBench, test_cases/schema.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from pagetrail.storage.importers.files.json_positions import EACH, loads, places
from pagetrail.storage.importers.files.rows import TaskFile
from pagetrail.storage.importers.preannotations.plain import first
from pagetrail.storage.importers.preannotations.raw_elements import (
    PreannotationFile,
    RawBox,
    RawElement,
    shown,
)

NAME = "ParseBench .test.json"
NAME_OF_ROWS = "ParseBench JSON Lines"


def is_test_file(data: Any) -> bool:
    """Whether a JSON value is the content of a ``.test.json``."""
    return isinstance(data, dict) and isinstance(data.get("test_rules"), list)


def is_row(row: Any) -> bool:
    """Whether a row is one of the dataset's."""
    return isinstance(row, dict) and "pdf" in row and "rule" in row


def read_test_file(path: str, text: str, data: Mapping[str, Any]) -> PreannotationFile:
    """The layout rules; rules of other types are counted as left out."""
    found = PreannotationFile(path, NAME)
    lines = places(text, ("test_rules", EACH))
    document = first(data, "pdf", "document", "file")
    stem = PurePath(path).name
    for ending in (".json", ".test"):
        stem = stem[: -len(ending)] if stem.lower().endswith(ending) else stem
    metadata = data.get("metadata")
    for index, rule in enumerate(data["test_rules"]):
        place = f"test_rules[{index}]"
        line = lines.get((index,), 1)
        if not isinstance(rule, dict):
            found.elements.append(RawElement(line, place, problem="is not a JSON object"))
        elif rule.get("type") == "layout":
            named = (f"{stem}.pdf",) if document is None else ()
            element = _element(rule, line, place, document, named, metadata)
            found.elements.append(element)
        else:
            _leave_out(found.left_out, rule.get("type"))
    return found


def read_rows(path: str, file: TaskFile) -> PreannotationFile:
    """The layout rules of the dataset's JSONL."""
    found = PreannotationFile(path, NAME_OF_ROWS)
    for row in file.rows:
        rule = row.data.get("rule")
        if isinstance(rule, str):
            try:
                rule = loads(rule)
            except ValueError as error:
                problem = f"rule: is not JSON: {error}"
                found.elements.append(RawElement(row.line, problem=problem))
                continue
        if not isinstance(rule, dict):
            found.elements.append(RawElement(row.line, problem="rule: is not a JSON object"))
            continue
        kind = first(row.data, "type") or rule.get("type")
        if kind != "layout":
            _leave_out(found.left_out, kind)
            continue
        outer = {name: row.data[name] for name in ("id", "page") if row.data.get(name) is not None}
        found.elements.append(_element({**rule, **outer}, row.line, "", row.data.get("pdf"), ()))
    found.elements += [RawElement(error.line, problem=error.reason) for error in file.errors]
    found.elements.sort(key=lambda element: element.line)
    return found


def _element(
    rule: Mapping[str, Any],
    line: int,
    place: str,
    document: Any,
    named_after: tuple[str, ...],
    metadata: Any = None,
) -> RawElement:
    content, problem = _content(rule.get("content"))
    otherwise = None
    # The benchmark cuts single pages out of documents and keeps where they came from.
    if isinstance(metadata, dict) and metadata.get("page_count", 1) == 1:
        origin = (metadata.get("original_filename"), metadata.get("page_no"))
        otherwise = origin if None not in origin else None
    return RawElement(
        line,
        place,
        id=rule.get("id"),
        document=document,
        page=rule.get("page"),
        named_after=named_after,
        otherwise=otherwise,
        box=RawBox(rule.get("bbox"), sized=True, unit="fraction"),
        label=rule.get("canonical_class"),
        content=content,
        order=rule.get("ro_index"),
        attributes=rule.get("attributes"),
        score=rule.get("score"),
        problem=problem,
    )


def _content(content: Any) -> tuple[Any, str | None]:
    """The text or HTML of a rule's content, or why there is none to be read."""
    if content is None or isinstance(content, str):
        return content, None
    if not isinstance(content, dict):
        return None, f"content: must be an object with text or html, not {shown(content)}"
    text = first(content, "html", "text") if content.get("type") == "table" else None
    text = first(content, "text", "html") if text is None else text
    if text is None:
        return None, "content: has neither text nor html"
    return text, None


def _leave_out(left_out: Counter[str], kind: Any) -> None:
    name = shown(kind, 40).strip("'") if isinstance(kind, str) else "no type"
    left_out[f"rules of type {name}"] += 1
