"""Verified elements, data points and transcript patches as ParseBench's ``<document>.test.json``.

A file holds the test rules of one document, so that it can be put beside the PDF:

* ``layout``: an element that is there in the end; ``bbox`` is x, y, width and height as fractions
  of the displayed page, to a millionth; ``ro_index`` is its place in the page's reading order,
  from 1.
* ``chart_data_point``: a row of a table with the columns ``labels`` and ``value``. Its
  ``relative_tolerance`` is the row's tolerance as a fraction of the value, and 0 without one:
  ParseBench takes 1 % where a rule has none. ``tolerance`` is as it was entered.
* ``present`` and ``absent``: an approved patch of a transcript: its new text, or where there is
  none the text that it took away. Each patch with its decision is under ``transcript_patches``.

If several people verified a task, the rules come from the last to submit; ``by-annotator/`` has
the files of each. By the gold decided in review they come from that gold alone.
Source: run-llama/ParseBench, test_cases/schema.py.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import Any

from pagetrail.annotation.attempts.boxes import PageBox
from pagetrail.annotation.attempts.form_state import RecordRow
from pagetrail.annotation.attempts.reading_order import reading_order
from pagetrail.annotation.geometry.box import Box, clipped
from pagetrail.annotation.geometry.page import PageSize
from pagetrail.annotation.protocols.fields import FieldSpec
from pagetrail.exports.formats.coco import kept_boxes
from pagetrail.exports.formats.export_format import BOXES_FROM_GOLD, Format
from pagetrail.exports.gold.adjudicated_gold import counted
from pagetrail.exports.reading.attempts import Work
from pagetrail.exports.reading.source import Source, Written
from pagetrail.exports.writing.file_formats import save_json, short_name

DECIMALS = 6
_TOLERANCE_STEPS = 1e12
_NUMBER = re.compile(r"\s*[$€£¥~≈]?\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?)")
CHART, PATCHES = {"labels", "value"}, {"old", "new", "decision"}


def write(source: Source, folder: Path) -> Written:
    """Write the rules that submitted attempts have verified."""
    written = Written(counts={"documents": 0, "layout": 0, "chart_data_point": 0, "patches": 0})
    if not source.adjudicated:
        written.choices = {"several_annotators": "the attempt that was handed in last"}
    by_task: dict[str, list[Work]] = {}
    for work in counted(source, written):
        if _has_rules(work):
            by_task.setdefault(work.head.task, []).append(work.without_events())
        else:
            written.leave_out(*work.named("nothing_to_verify"))
    chosen = [max(works, key=_handed_in) for works in by_task.values()]
    latest = {work.head.id for work in chosen}
    earlier = [w for works in by_task.values() for w in works if w.head.id not in latest]
    _write_files(source, written, chosen, folder, counted=True)
    for work in earlier:
        written.leave_out("attempt", "verified_again_later", work.head.id)
    if earlier:
        everything = [work for works in by_task.values() for work in works]
        for name in sorted({work.name for work in everything}):
            own = [work for work in everything if work.name == name]
            below = folder / "by-annotator" / short_name(name)
            below.mkdir(parents=True)
            _write_files(source, written, own, below, counted=False, root=folder)
    return written


FORMAT = Format(
    name="parsebench",
    summary="verified elements, data points and patches as ParseBench .test.json",
    purpose="verified elements, data points and patches as test rules of ParseBench; `import-"
    "elements` reads them again",
    applies_to="verification",
    write=write,
    gold=BOXES_FROM_GOLD,
)


def _handed_in(work: Work) -> tuple[str, str]:
    return work.submitted_at or "", work.name


def _has_rules(work: Work) -> bool:
    protocol = work.form.protocol
    return protocol.boxes.enabled or any(_kind(spec) for spec in protocol.fields)


def _kind(spec: FieldSpec) -> set[str] | None:
    names = {column.name for column in spec.columns}
    return next((kind for kind in (CHART, PATCHES) if kind <= names), None)


def _write_files(
    source: Source,
    written: Written,
    works: Iterable[Work],
    folder: Path,
    *,
    counted: bool,
    root: Path | None = None,
) -> None:
    account = written if counted else Written()
    tests: dict[str, _TestFile] = {}
    for work in works:
        order = reading_order(work.form)
        for box in kept_boxes(work, account):
            size = source.pages.size(box.document, box.page)
            if size is None:
                account.leave_out("box", "unknown_page", f"{work.head.id} {box.id}")
                continue
            test = tests.setdefault(box.document, _TestFile())
            test.add_element(work, box, size, order.get(box.id))
        _add_rows(work, tests, account)
    names = _file_names(tests)
    for document, test in sorted(tests.items()):
        path = folder / names[document]
        save_json(path, {"document": document, **test.content()})
        written.rows[path.relative_to(root or folder).as_posix()] = len(test.rules)
        if counted:
            written.count("documents")
            written.count("patches", len(test.patches))
            for rule in test.rules:
                written.count(rule["type"])


def _add_rows(work: Work, tests: dict[str, _TestFile], account: Written) -> None:
    for spec in work.form.protocol.scoped("task"):
        kind = _kind(spec)
        rows = work.form.rows(spec) if kind else []
        if rows and not work.form.given:
            account.leave_out("row", "no_page_given", work.head.id, n=len(rows))
            continue
        for row in rows:
            test = tests.setdefault(_document(work), _TestFile())
            if row.deleted:
                account.leave_out("row", "deleted", f"{work.head.id} {row.row}")
            elif kind == CHART:
                test.add_point(work, row)
            elif not test.add_patch(work, row):
                account.leave_out("row", "not_approved", f"{work.head.id} {row.row}")


def _document(work: Work) -> str:
    return (work.form.given or [("", 0)])[0][0]


def _page(work: Work) -> int | None:
    """The page of a table's rows: known where the task gives one page."""
    given = work.form.given or []
    return given[0][1] if len(given) == 1 else None


def _file_names(documents: Iterable[str]) -> dict[str, str]:
    """``report.pdf`` → ``report.test.json``; the whole name where two would be the same."""
    names: dict[str, str] = {}
    for document in sorted(documents):
        stem = PurePath(document)
        name = short_name(stem.stem if stem.suffix.lower() == ".pdf" else document)
        taken = {other.casefold() for other in names.values()}
        free = f"{name}.test.json".casefold() not in taken
        names[document] = f"{name if free else short_name(document)}.test.json"
    return names


class _TestFile:
    """The rules of one document; ids are unique in it."""

    def __init__(self) -> None:
        self.rules: list[dict[str, Any]] = []
        self.patches: list[dict[str, Any]] = []
        self._places: list[tuple[Any, ...]] = []
        self._ids: set[str] = set()

    def content(self) -> dict[str, Any]:
        order = sorted(range(len(self.rules)), key=lambda n: (self._places[n], n))
        content: dict[str, Any] = {"test_rules": [self.rules[n] for n in order]}
        return content | ({"transcript_patches": self.patches} if self.patches else {})

    def add_element(self, work: Work, box: PageBox, size: PageSize, order: int | None) -> None:
        rule = {
            "type": "layout",
            "id": self._id(work, box.model.id if box.model else box.id),
            "page": box.page,
            "bbox": layout_bbox(box.rect, size),
            "canonical_class": box.label,
            "attributes": box.attributes,
            "content": _content(box),
            "ro_index": order,
            "tags": [box.verdict],
        }
        late = 1 if order is None else 0
        self._add_rule(rule, (0, box.page, late, order or 0, box.rect[1], box.rect[0]))

    def add_point(self, work: Work, row: RecordRow) -> None:
        labels = [label.strip() for label in row.values.get("labels", "").split(";")]
        rule: dict[str, Any] = {
            "type": "chart_data_point",
            "id": self._id(work, row.row),
            "page": _page(work),
            "labels": [label for label in labels if label],
            "value": row.values.get("value", ""),
        }
        tolerance = row.values.get("tolerance") or None
        rule |= {
            "relative_tolerance": relative_tolerance(rule["value"], tolerance or ""),
            "tolerance": tolerance,
        }
        self._add_rule({**rule, "tags": _verdict(row)}, (1,))

    def add_patch(self, work: Work, row: RecordRow) -> bool:
        """Whether the patch was approved, so that it gives a rule."""
        cells = {name: row.values.get(name, "") for name in ("old", "new", "decision", "comment")}
        patch = {"id": self._id(work, row.row), "page": _page(work), **cells}
        self.patches.append({**patch, "annotator": work.name})
        text = cells["new"] or cells["old"]
        if cells["decision"] != "approve" or not text.strip():
            return False
        kind = "present" if cells["new"].strip() else "absent"
        rule = {"type": kind, "id": patch["id"], "page": patch["page"], "text": text}
        self._add_rule({**rule, "tags": ["transcript_patch"]}, (2,))
        return True

    def _add_rule(self, rule: dict[str, Any], place: tuple[Any, ...]) -> None:
        self.rules.append({name: value for name, value in rule.items() if value is not None})
        self._places.append(place)

    def _id(self, work: Work, wanted: str) -> str:
        found = wanted
        if found in self._ids:
            found = f"{work.head.task}/{wanted}"
        number = 2
        while found in self._ids:
            found, number = f"{work.head.task}/{wanted}/{number}", number + 1
        self._ids.add(found)
        return found


def layout_bbox(rect: Box, size: PageSize) -> list[float]:
    """x, y, width and height as fractions of the page, clipped to it."""
    x0, y0, x1, y1 = clipped(rect, size) or rect
    left, top = round(x0 / size.width, DECIMALS), round(y0 / size.height, DECIMALS)
    across, down = round(x1 / size.width, DECIMALS), round(y1 / size.height, DECIMALS)
    return [left, top, round(across - left, DECIMALS), round(down - top, DECIMALS)]


def _content(box: PageBox) -> dict[str, str] | None:
    if not box.content:
        return None
    if "<table" in box.content.lower():
        return {"type": "table", "html": box.content}
    return {"type": "text", "text": box.content}


def relative_tolerance(value: str, tolerance: str) -> float:
    """The tolerance with which ParseBench accepts exactly ``value ± tolerance``.

    It is a fraction of the value, rounded up in the 12th decimal, so that the ends are in whatever
    binary fractions make of them. A value of 0 is compared by the difference itself. 0 where
    either is no number: then the text decides. Source: Zhang et al. 2026, table 12.
    """
    of, within = _number(value), _number(tolerance)
    if of is None or not within:
        return 0.0
    fraction = min(abs(within / of) if of else abs(within), 1e9)
    return math.ceil(fraction * _TOLERANCE_STEPS) / _TOLERANCE_STEPS


def _number(cell: str) -> float | None:
    """The number that a cell begins with, as in “$1,050 t”; None where it begins with none."""
    match = _NUMBER.match(cell.replace(",", ""))
    number = float(match[1]) if match else math.nan
    return number if math.isfinite(number) else None


def _verdict(row: RecordRow) -> list[str]:
    return [verdict] if (verdict := row.values.get("verdict")) else []
