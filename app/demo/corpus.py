"""The demo's documents, drawn anew each time and always with the same bytes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from app.demo.documents import (
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
    water_sustainability,
)
from app.demo.documents.book import Built
from app.demo.questions import questions
from app.demo.questions_northfield import EDITIONS
from app.demo.records import Record

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


class Demo(NamedTuple):
    """What the demo opens.

    Attributes:
        paths: the PDF files.
        built: pages and anchors by file name.
        questions: records with gold, whose pages follow from the anchors.
        page_texts: text of the pages without a text layer, as rows of the OCR JSONL.
    """

    paths: list[Path]
    built: dict[str, Built]
    questions: list[Record]
    page_texts: list[Record]


def build_corpus(folder: Path) -> Demo:
    """Write all documents into ``folder``, which exists."""
    built = {name: build(folder / name) for name, build in _BUILDERS.items()}
    return Demo([folder / name for name in built], built, questions(built), scans.text_rows())
