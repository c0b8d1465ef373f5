"""Verified elements, data points and transcript patches as ParseBench's ``<document>.test.json``.

A file holds the test rules of one document, and belongs next to its PDF:

* ``layout``: an element that was not deleted; ``bbox`` is x, y, width and height as fractions of
  the displayed page, rounded to millionths; ``ro_index`` is its position in the page's reading
  order, from 1.
* ``chart_data_point``: a row of a table with the columns ``labels`` and ``value``. Its
  ``relative_tolerance`` is the row's tolerance as a fraction of the value, or else the campaign's,
  which is 0 unless it says otherwise: ParseBench takes 1 % where a rule has none. ``tolerance`` is
  as it was entered.
* ``present`` and ``absent``: an approved patch of a transcript: its new text, or the deleted text
  if there is none. ``transcript_patches`` has every patch with its decision.

If several people verified a task, the rules come from the last to submit; ``by-annotator/`` has
the files of each. With adjudicated gold they come from that gold alone.
Source: run-llama/ParseBench, test_cases/schema.py.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import Any

from pagetrail.annotation.attempts.boxes import PageBox
from pagetrail.annotation.attempts.form_state import RecordRow
from pagetrail.annotation.attempts.reading_order import reading_order
from pagetrail.annotation.geometry.box import Box, PageSize, clipped
from pagetrail.annotation.normalised_text import leading_number
from pagetrail.annotation.protocols.fields import FieldSpec
from pagetrail.exports.formats.coco import kept_boxes
from pagetrail.exports.formats.export_format import BOXES_FROM_GOLD, Format
from pagetrail.exports.gold.adjudicated_gold import counted_works
from pagetrail.exports.reading.attempts import ReadAttempt
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.writing.file_formats import safe_file_name, save_json

DECIMALS = 6
_TOLERANCE_STEPS = 1e12
CHART, PATCHES = {"labels", "value"}, {"old", "new", "decision"}


def write(source: Source, folder: Path) -> WrittenFiles:
    """Write the rules that submitted attempts have verified."""
    tally = WrittenFiles(counts={"documents": 0, "layout": 0, "chart_data_point": 0, "patches": 0})
    if not source.adjudicated:
        tally.choices = {"several_annotators": "the attempt that was handed in last"}
    by_task: dict[str, list[ReadAttempt]] = {}
    for attempt in counted_works(source, tally):
        if _has_rules(attempt):
            by_task.setdefault(attempt.head.task, []).append(attempt.without_events())
        else:
            tally.leave_out(*attempt.left_out_for("nothing_to_verify"))
    latest_attempts = [max(attempts, key=_submission_order) for attempts in by_task.values()]
    latest_ids = {attempt.head.id for attempt in latest_attempts}
    earlier_attempts = [
        w for attempts in by_task.values() for w in attempts if w.head.id not in latest_ids
    ]
    _write_files(source, tally, latest_attempts, folder, is_counted=True)
    for attempt in earlier_attempts:
        tally.leave_out("attempt", "verified_again_later", attempt.head.id)
    if earlier_attempts:
        all_attempts = [attempt for attempts in by_task.values() for attempt in attempts]
        for name in sorted({attempt.name for attempt in all_attempts}):
            by_annotator = [attempt for attempt in all_attempts if attempt.name == name]
            subfolder = folder / "by-annotator" / safe_file_name(name)
            subfolder.mkdir(parents=True)
            _write_files(source, tally, by_annotator, subfolder, is_counted=False, root=folder)
    return tally


FORMAT = Format(
    name="parsebench",
    summary="verified elements, data points and patches as ParseBench .test.json",
    purpose="verified elements, data points and patches as test rules of ParseBench; `import-"
    "elements` reads them again",
    applies_to="verification",
    write=write,
    gold=BOXES_FROM_GOLD,
)


def _submission_order(attempt: ReadAttempt) -> tuple[str, str]:
    return attempt.submitted_at or "", attempt.name


def _has_rules(attempt: ReadAttempt) -> bool:
    protocol = attempt.form.protocol
    return protocol.boxes.enabled or any(_record_columns(spec) for spec in protocol.fields)


def _record_columns(spec: FieldSpec) -> set[str] | None:
    names = {column.name for column in spec.columns}
    return next((kind for kind in (CHART, PATCHES) if kind <= names), None)


def _write_files(
    source: Source,
    tally: WrittenFiles,
    attempts: Iterable[ReadAttempt],
    folder: Path,
    *,
    is_counted: bool,
    root: Path | None = None,
) -> None:
    left_out_tally = tally if is_counted else WrittenFiles()
    tests: dict[str, _TestFile] = {}
    for attempt in attempts:
        order = reading_order(attempt.form)
        for box in kept_boxes(attempt, left_out_tally):
            size = source.pages.size(box.document, box.page)
            if size is None:
                left_out_tally.leave_out("box", "unknown_page", f"{attempt.head.id} {box.id}")
                continue
            test = tests.setdefault(box.document, _TestFile())
            test.add_element(attempt, box, size, order.get(box.id))
        _add_rows(attempt, tests, left_out_tally)
    names = _file_names(tests)
    for document, test in sorted(tests.items()):
        path = folder / names[document]
        save_json(path, {"document": document, **test.content()})
        tally.rows[path.relative_to(root or folder).as_posix()] = len(test.rules)
        if is_counted:
            tally.count("documents")
            tally.count("patches", len(test.patches))
            for rule in test.rules:
                tally.count(rule["type"])


def _add_rows(attempt: ReadAttempt, tests: dict[str, _TestFile], tally: WrittenFiles) -> None:
    for spec in attempt.form.protocol.scoped("task"):
        kind = _record_columns(spec)
        rows = attempt.form.rows(spec) if kind else []
        if rows and not attempt.form.given:
            tally.leave_out("row", "no_page_given", attempt.head.id, n=len(rows))
            continue
        for row in rows:
            test = tests.setdefault(_document(attempt), _TestFile())
            if row.deleted:
                tally.leave_out("row", "deleted", f"{attempt.head.id} {row.row}")
            elif kind == CHART:
                test.add_point(attempt, spec, row)
            elif not test.add_patch(attempt, row):
                tally.leave_out("row", "not_approved", f"{attempt.head.id} {row.row}")


def _document(attempt: ReadAttempt) -> str:
    return (attempt.form.given or [("", 0)])[0][0]


def _page(attempt: ReadAttempt) -> int | None:
    """The page of a table's rows, if the task gives exactly one page."""
    given_pages = attempt.form.given or []
    return given_pages[0][1] if len(given_pages) == 1 else None


def _file_names(documents: Iterable[str]) -> dict[str, str]:
    """``report.pdf`` → ``report.test.json``; the whole file name where two would collide."""
    names: dict[str, str] = {}
    for document in sorted(documents):
        stem = PurePath(document)
        name = safe_file_name(stem.stem if stem.suffix.lower() == ".pdf" else document)
        taken_names = {other.casefold() for other in names.values()}
        is_free = f"{name}.test.json".casefold() not in taken_names
        names[document] = f"{name if is_free else safe_file_name(document)}.test.json"
    return names


class _TestFile:
    """The rules of one document; ids are unique in it."""

    def __init__(self) -> None:
        self.rules: list[dict[str, Any]] = []
        self.patches: list[dict[str, Any]] = []
        self._sort_keys: list[tuple[Any, ...]] = []
        self._ids: set[str] = set()

    def content(self) -> dict[str, Any]:
        order = sorted(range(len(self.rules)), key=lambda n: (self._sort_keys[n], n))
        content: dict[str, Any] = {"test_rules": [self.rules[n] for n in order]}
        return content | ({"transcript_patches": self.patches} if self.patches else {})

    def add_element(
        self, attempt: ReadAttempt, box: PageBox, size: PageSize, order: int | None
    ) -> None:
        rule = {
            "type": "layout",
            "id": self._id(attempt, box.model.id if box.model else box.id),
            "page": box.page,
            **element_payload(box, size, order),
            "tags": [box.verdict],
        }
        is_unordered = 1 if order is None else 0
        self._add_rule(rule, (0, box.page, is_unordered, order or 0, box.rect[1], box.rect[0]))

    def add_point(self, attempt: ReadAttempt, spec: FieldSpec, row: RecordRow) -> None:
        rule = {
            "type": "chart_data_point",
            "id": self._id(attempt, row.row),
            "page": _page(attempt),
            **point_payload(spec, row),
            "tags": _verdict(row),
        }
        self._add_rule(rule, (1,))

    def add_patch(self, attempt: ReadAttempt, row: RecordRow) -> bool:
        """Whether the patch was approved, so that it gives a rule."""
        cells = {name: row.values.get(name, "") for name in ("old", "new", "decision", "comment")}
        patch = {"id": self._id(attempt, row.row), "page": _page(attempt), **cells}
        self.patches.append({**patch, "annotator": attempt.name})
        text = cells["new"] or cells["old"]
        if cells["decision"] != "approve" or not text.strip():
            return False
        kind = "present" if cells["new"].strip() else "absent"
        rule = {"type": kind, "id": patch["id"], "page": patch["page"], "text": text}
        self._add_rule({**rule, "tags": ["transcript_patch"]}, (2,))
        return True

    def _add_rule(self, rule: dict[str, Any], sort_key: tuple[Any, ...]) -> None:
        self.rules.append({name: value for name, value in rule.items() if value is not None})
        self._sort_keys.append(sort_key)

    def _id(self, attempt: ReadAttempt, preferred_id: str) -> str:
        id_ = preferred_id
        if id_ in self._ids:
            id_ = f"{attempt.head.task}/{preferred_id}"
        number = 2
        while id_ in self._ids:
            id_, number = f"{attempt.head.task}/{preferred_id}/{number}", number + 1
        self._ids.add(id_)
        return id_


def element_payload(box: PageBox, size: PageSize, order: int | None) -> dict[str, Any]:
    """What a ``layout`` rule says of an element.

    Args:
        order: its position in the reading order.
    """
    return {
        "bbox": layout_bbox(box.rect, size),
        "canonical_class": box.label,
        "attributes": box.attributes,
        "content": _content(box),
        "ro_index": order,
    }


def point_payload(spec: FieldSpec, row: RecordRow) -> dict[str, Any]:
    """What a ``chart_data_point`` rule says of a point."""
    labels = [label.strip() for label in row.values.get("labels", "").split(";")]
    value, tolerance = row.values.get("value", ""), row.values.get("tolerance") or None
    if leading_number(tolerance or "") is not None:
        fraction = relative_tolerance(value, tolerance or "")
    else:
        # Of 0 and of what is no number, no share is a tolerance.
        fraction = spec.relative_tolerance if leading_number(value) else 0.0
    return {
        "labels": [label for label in labels if label],
        "value": value,
        "relative_tolerance": fraction,
        "tolerance": tolerance,
    }


def layout_bbox(rect: Box, size: PageSize) -> list[float]:
    """x, y, width and height as fractions of the page, clipped to it."""
    x0, y0, x1, y1 = clipped(rect, size) or rect
    left, top = round(x0 / size.width, DECIMALS), round(y0 / size.height, DECIMALS)
    right, bottom = round(x1 / size.width, DECIMALS), round(y1 / size.height, DECIMALS)
    return [left, top, round(right - left, DECIMALS), round(bottom - top, DECIMALS)]


def _content(box: PageBox) -> dict[str, str] | None:
    if not box.content:
        return None
    if "<table" in box.content.lower():
        return {"type": "table", "html": box.content}
    return {"type": "text", "text": box.content}


def relative_tolerance(value: str, tolerance: str) -> float:
    """The tolerance with which ParseBench accepts exactly ``value ± tolerance``.

    It is a fraction of the value, rounded up in the 12th decimal, so that both ends are accepted
    despite binary rounding. For a value of 0 it is the difference itself. 0 if either is not a
    number: then the text decides. Source: Zhang et al. 2026, table 12.
    """
    reference, margin = leading_number(value), leading_number(tolerance)
    if reference is None or not margin:
        return 0.0
    fraction = min(abs(margin / reference) if reference else abs(margin), 1e9)
    return math.ceil(fraction * _TOLERANCE_STEPS) / _TOLERANCE_STEPS


def _verdict(row: RecordRow) -> list[str]:
    return [verdict] if (verdict := row.values.get("verdict")) else []
