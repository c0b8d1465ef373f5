"""All files that the demo ships, always written with the same bytes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from scripts.demo_documents import (
    brochure,
    budget,
    forms,
    hospital,
    insurance,
    manual,
    minutes,
    northfield,
    paper,
    scans,
    survey_slides,
    water_annual,
    water_data,
    water_sustainability,
)
from scripts.demo_documents.book import Built
from scripts.demo_documents.questions import questions
from scripts.demo_documents.questions_northfield import EDITIONS
from scripts.demo_documents.records import Record

SHIPPED = Path(__file__).parents[2] / "app" / "demo" / "files"
_BUILDERS: dict[str, Callable[[Path], Built]] = {
    **{name: partial(northfield.build, year=year) for year, name in EDITIONS.items()},
    **{
        module.NAME: module.build
        for module in (
            water_annual,
            water_sustainability,
            budget,
            minutes,
            hospital,
            survey_slides,
            insurance,
            brochure,
            manual,
            paper,
            scans,
        )
    },
    forms.PERMIT: forms.build_permit,
    forms.GRANT: forms.build_grant,
}
_CHARTS = (
    (water_annual.NAME, "leakage", "leakage", "million litres a day", water_data.LEAKAGE),
    (water_annual.NAME, "bursts", "burst mains", "repairs", water_data.BURSTS),
    (water_sustainability.NAME, "mix", "sources of electricity", "%", dict(water_data.ENERGY_MIX)),
)


def write_files(folder: Path) -> None:
    """Write everything into ``folder``, which exists.

    Beside the PDFs these are ``documents.json`` (pages and named pages of each),
    ``questions.jsonl`` (task records with gold), ``scans.jsonl`` (the text of scanned pages, as
    rows of the OCR JSONL) and ``charts.json`` (the data points of some charts).
    """
    built = {name: build(folder / name) for name, build in _BUILDERS.items()}
    documents = {name: {"pages": b.pages, "anchors": b.anchors} for name, b in built.items()}
    _write_json(folder / "documents.json", documents)
    _write_lines(folder / "questions.jsonl", questions(built))
    _write_lines(folder / "scans.jsonl", scans.text_rows())
    charts = [
        {
            "document": name,
            "anchor": anchor,
            "title": title,
            "unit": unit,
            "points": {str(label): value for label, value in points.items()},
        }
        for name, anchor, title, unit, points in _CHARTS
    ]
    _write_json(folder / "charts.json", charts)


def changed_files(folder: Path) -> list[str]:
    """Names of shipped files that differ from what is written into ``folder``, or are missing."""
    write_files(folder)
    return [
        path.name
        for path in sorted(folder.iterdir())
        if not (SHIPPED / path.name).exists()
        or (SHIPPED / path.name).read_bytes() != path.read_bytes()
    ]


def _write_json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _write_lines(path: Path, rows: Iterable[Record]) -> None:
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text("".join(lines), encoding="utf-8")
