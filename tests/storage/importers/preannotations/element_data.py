"""Files of pre-annotations as the tools of others write them, small and made up."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pagetrail.storage.importers.preannotations.checks import ElementChecker
from pagetrail.storage.importers.preannotations.formats import read_preannotations
from pagetrail.storage.importers.preannotations.labels import Labels
from pagetrail.storage.importers.preannotations.pages import PageFinder
from pagetrail.storage.importers.preannotations.raw_elements import BadElement
from tests.support.factory import FakePages

PAGES = {"report.pdf": 9, "plan.pdf": 1}
LABELS = ("Text", "Table", "Picture", "Page-Header", "Page-Footer")

PARSEBENCH = """{
  "test_rules": [
    {"type": "layout", "id": "a1", "page": 2, "bbox": [0.5, 0.25, 0.25, 0.5],
     "canonical_class": "Table", "attributes": {"borders": true},
     "content": {"type": "table", "html": "<table><tr><td>7</td></tr></table>"},
     "ro_index": 3, "tags": ["hard"]},
    {"type": "order", "before": "a", "after": "b"},
    {"type": "layout", "page": 2, "bbox": [0.1, 0.01, 0.8, 0.02], "ro_index": 0,
     "canonical_class": "Page-header", "content": {"type": "text", "text": "Harbour board"}},
    {
      "type": "layout", "page": 9, "bbox": [0.1, 0.1, 0.2, NaN], "canonical_class": "Text"
    },
    {"type": "missing_word_percent", "threshold": 0.1}
  ],
  "tags": ["easy"]
}
"""

COCO = """{"images": [
  {"id": 1, "file_name": "0af3.png", "width": 1025, "height": 1025, "page_no": 4,
   "original_filename": "report.pdf"},
  {"id": 2, "file_name": "pages/report_p5.png", "width": 1224, "height": 1584},
  {"id": 3, "file_name": "unknown.png", "width": 10, "height": 10}
 ],
 "annotations": [
  {"id": 11, "image_id": 1, "category_id": 9, "bbox": [102.5, 0, 205, 1025], "score": 0.75,
   "segmentation": [[102.5, 0, 307.5, 0, 307.5, 1025, 102.5, 1025]], "iscrowd": 0},
  {"id": 12, "image_id": 2, "category_id": 10, "bbox": [200, 400, 100, 50]},
  {"id": 13, "image_id": 3, "category_id": 10, "bbox": [1, 1, 2, 2]},
  {"id": 14, "image_id": 8, "category_id": 10, "bbox": [1, 1, 2, 2]},
  {"id": 15, "image_id": 2, "category_id": 99, "bbox": [1, 1, 2, 2]},
  {"id": 16, "image_id": 2, "category_id": 10, "segmentation": [[1, 1, 2, 2, 3, 3]]}
 ],
 "categories": [{"id": 9, "name": "Table"}, {"id": 10, "name": "Text"}]}
"""

LABEL_STUDIO = """[
 {"id": 1, "data": {"image": "/data/upload/1/0123abcd-report_p3.png"},
  "predictions": [
   {"model_version": "m1", "result": [
    {"id": "r1", "type": "rectanglelabels", "original_width": 600, "original_height": 800,
     "image_rotation": 0, "score": 0.5, "from_name": "label", "to_name": "image",
     "value": {"x": 10, "y": 20, "width": 50, "height": 25, "rotation": 0,
               "rectanglelabels": ["Table"]}},
    {"id": "r2", "type": "rectangle", "value": {"x": 0, "y": 0, "width": 100, "height": 10}},
    {"id": "r2", "type": "labels", "value": {"x": 0, "y": 0, "labels": ["Page-Header"]}},
    {"id": "r2", "type": "textarea", "value": {"text": ["Harbour", "board"]}},
    {"id": "r3", "type": "rectanglelabels",
     "value": {"x": 1, "y": 1, "width": 2, "height": 2, "rotation": 30, "rectanglelabels": []}},
    {"id": "t1", "type": "labels", "value": {"start": 0, "end": 4, "labels": ["Name"]}},
    {"id": "c1", "type": "choices", "value": {"choices": ["good"]}}
   ]},
   {"model_version": "m2", "result": []}
  ],
  "annotations": [{"result": [{"id": "h1", "type": "rectanglelabels",
    "value": {"x": 1, "y": 1, "width": 2, "height": 2, "rectanglelabels": ["Text"]}}]}]
 },
 {"id": 2, "data": {"document": "report.pdf", "page": 7}, "annotations": [
   {"was_cancelled": true, "result": [{"type": "rectanglelabels", "value": {}}]},
   {"result": [
     {"type": "rectanglelabels",
      "value": {"x": 50, "y": 50, "width": 50, "height": 50, "rectanglelabels": ["Picture"]}}]}
 ]},
 {"id": 3}
]
"""


def plain(**fields: Any) -> dict[str, Any]:
    """A good element of the plain form on page 1 of report.pdf."""
    return {
        "document": "report.pdf", "page": 1, "rect": [10, 20, 110, 220], "label": "Text", **fields,
    }  # fmt: skip


def write(path: Path, content: str | bytes | Iterable[Any]) -> Path:
    """Text or bytes as they are, anything else as JSON Lines."""
    if isinstance(content, str):
        content = content.encode("utf-8", "surrogatepass")
    if not isinstance(content, bytes):
        content = "".join(json.dumps(row) + "\n" for row in content).encode()
    path.write_bytes(content)
    return path


def checked(
    *files: Path, labels: Iterable[str] | None = LABELS, **options: Any
) -> tuple[list[dict[str, Any]], list[BadElement], ElementChecker]:
    """The good elements as JSON, the bad ones and the checker, over pages of 612 × 792 points."""
    checker = ElementChecker(
        PageFinder(FakePages(PAGES)),
        Labels(None if labels is None else tuple(labels), options.pop("mapping", {})),
        options.pop("grouping", "page"),
    )
    good, bad = checker.check_all([read_preannotations(file, **options) for file in files])
    return [element.model_dump(mode="json") for element in good], bad, checker
