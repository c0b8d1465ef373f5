"""The demo's documents and questions, as shipped in ``files`` with a README on their origin."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

FILES = Path(__file__).with_name("files")
SCANNED_TEXT = FILES / "scans.jsonl"
"""The text of the pages without a text layer, as rows of the OCR JSONL."""

BROCHURE = "brochure-martlet-cargo-bicycles-2025.pdf"
BUDGET = "harrowmere-budget-2025-26.pdf"
HOSPITAL = "st-brannoc-quality-report-2024.pdf"
RAIL = "northfield-annual-report-2024.pdf"
WATER = "tarn-valley-water-annual-report-2024.pdf"

NumberedPage = tuple[str, int]  # document, page from 1
Record = dict[str, Any]


class Document(NamedTuple):
    """Number of pages, and the page (from 1) of each anchor, such as a chart."""

    pages: int
    anchors: dict[str, int]


class Chart(NamedTuple):
    """A chart that is on the page of its anchor, and its true data points by label."""

    document: str
    anchor: str
    title: str
    unit: str
    points: dict[str, float]


class Demo(NamedTuple):
    """What the demo opens.

    Attributes:
        documents: by file name.
        questions: records of the task schema, with gold.
    """

    documents: dict[str, Document]
    questions: list[Record]
    charts: list[Chart]


def load_demo() -> Demo:
    """Read the shipped files."""
    documents = json.loads(_document_text("documents.json"))
    return Demo(
        {name: Document(**document) for name, document in documents.items()},
        [json.loads(line) for line in _document_text("questions.jsonl").splitlines()],
        [Chart(**chart) for chart in json.loads(_document_text("charts.json"))],
    )


def _document_text(name: str) -> str:
    return (FILES / name).read_text(encoding="utf-8")
