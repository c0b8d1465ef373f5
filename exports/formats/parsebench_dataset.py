"""Transcribed pages in the shape of ParseBench's dataset, for its own loader and rules.

A file per dimension (``text_content``, ``text_formatting``, ``table``, ``chart``, ``layout``), one
rule per line, with ``rule`` as JSON text; ``images/`` has the pages, which take the place of the
dataset's one-page PDFs. Text becomes rules on its words, sentences, digits, order and formatting;
tables the HTML of their grids, from which ParseBench reads records (``trm_unsupported`` where
somebody found that they are none); points of charts and elements
one rule each. ``ro_index`` counts from 0 here, as in the dataset.
Source: run-llama/ParseBench, data-test and test_cases/loader.py.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from pagetrail.exports.formats.export_format import BOXES_FROM_GOLD, Format
from pagetrail.exports.formats.parsebench import element_payload, point_payload
from pagetrail.exports.formats.parsebench_text_rules import content_rules, formatting_rules
from pagetrail.exports.formats.transcribed_pages import TranscribedPage, transcribed_pages
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.writing.file_formats import JsonLines
from pagetrail.exports.writing.page_images import PageImage, page_label, save_page_images

CATEGORIES = ("text_content", "text_formatting", "table", "chart", "layout")


class _Rule(NamedTuple):
    category: str
    type: str
    payload: dict[str, Any]
    id: str = ""
    expected_markdown: str | None = None


def write(source: Source, folder: Path) -> WrittenFiles:
    """Write the rules of every page that can be drawn."""
    tally = WrittenFiles(counts=dict.fromkeys(("pages", *CATEGORIES), 0))
    pages = transcribed_pages(source, tally)
    images = save_page_images(source, tally, [page.key for page in pages], folder)
    files = {category: JsonLines(folder / f"{category}.jsonl") for category in CATEGORIES}
    ids = Counter[tuple[str, str]]()
    for page in pages:
        image = images.get(page.key)
        if image is None:
            tally.leave_out("task", "page_without_image", f"{page.task} {page_label(page.key)}")
            continue
        tally.count("pages")
        for rule in _rules(page, image):
            files[rule.category].write(_row(rule, page, image, ids))
            tally.count(rule.category)
    for category, lines in files.items():
        lines.__exit__()
        tally.rows[f"{category}.jsonl"] = lines.rows
    return tally


FORMAT = Format(
    name="parsebench-dataset",
    summary="texts, tables, charts and elements of pages in the shape of ParseBench's dataset",
    purpose="transcribed pages as ParseBench's dataset, to run its evaluation on a collection of "
    "one's own",
    applies_to="transcriptions, tables, charts and verified elements",
    write=write,
    gold=BOXES_FROM_GOLD,
    has_submissions=False,
)


def _rules(page: TranscribedPage, image: PageImage) -> Iterator[_Rule]:
    if page.text is not None:
        for rule in content_rules(page.text):
            yield _Rule("text_content", rule.type, rule.payload)
        for rule in formatting_rules(page.text):
            yield _Rule("text_formatting", rule.type, rule.payload)
    if page.tables:
        html = "\n\n".join(grid.to_html() for _, grid in page.tables)
        payload = {} if page.tables_are_records else {"trm_unsupported": True}
        yield _Rule("table", "expected_markdown", payload, expected_markdown=html)
    for spec, rows in page.charts:
        for row in rows:
            payload = point_payload(spec, row)
            yield _Rule("chart", "chart_data_point", payload, f"{page.task}/{row.row}")
    for box, order in page.boxes:
        payload = element_payload(box, image.size, None if order is None else order - 1)
        yield _Rule("layout", "layout", payload, f"{page.task}/{box.id}")


def _row(
    rule: _Rule, page: TranscribedPage, image: PageImage, ids: Counter[tuple[str, str]]
) -> dict[str, Any]:
    """A line of a file; ids are unique in their file."""
    name = rule.id or f"{Path(image.file).stem}_{rule.type}"
    number = ids[rule.category, name]
    ids[rule.category, name] += 1
    payload = {key: value for key, value in rule.payload.items() if value is not None}
    return {
        "pdf": image.file,
        "category": rule.category,
        "id": f"{name}_{number}" if number or not rule.id else name,
        "type": rule.type,
        "rule": json.dumps(payload, ensure_ascii=False, sort_keys=True),
        "page": 1 if rule.category == "layout" else None,
        "expected_markdown": rule.expected_markdown,
        "tags": [],
        # Not ParseBench's: where the page is in the collection.
        "source": {"document": page.document, "page": page.page},
    }
