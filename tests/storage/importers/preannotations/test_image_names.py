"""The names of images: which page of which document they show."""

from __future__ import annotations

import pytest

from pagetrail.annotation.document_names import DocumentNames
from pagetrail.storage.importers.preannotations.image_names import NamedPage, find_named_page

NAMES = [
    ("report_p3.png", ("report.pdf", 3)),
    ("report-0003.jpg", ("report.pdf", 3)),
    ("report_page_9.tiff", ("report.pdf", 9)),
    ("REPORT.pdf-07.png", ("report.pdf", 7)),
    ("report.pdf#3", ("report.pdf", 3)),
    ("s3://bucket/report.pdf#page=3", ("report.pdf", 3)),
    ("C:\\pages\\report p 5.tif", ("report.pdf", 5)),
    ("/data/upload/4/0123abcd-report_p3.png", ("report.pdf", 3)),
    ("/data/local-files/?d=a/report-9.jpg", ("report.pdf", 9)),
    ("https://h/report%5Fp3.png?token=1", ("report.pdf", 3)),
    ("plan.png", ("plan.pdf", 1)),
    ("2020.png", ("2020.pdf", 1)),
]


@pytest.mark.parametrize(("name", "expected"), NAMES)
def test_names_of_images_say_document_and_page(name: str, expected: tuple[str, int]) -> None:
    """As pdftoppm, Label Studio and people name the images of pages."""
    pages = {"report.pdf": 9, "plan.pdf": 1, "2020.pdf": 1}
    assert find_named_page(name, DocumentNames(pages), is_page_known=False) == NamedPage(*expected)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("report.png", "has no page number, and report.pdf has 9"),
        ("report_0.png", "no page matches the name"),
        ("plan_2020.png", "has no page number, and plan_2020.pdf has 2"),
        ("", "contains no document name"),
        ("/", "contains no document name"),
        ("\ud800\x00.png", "no page matches the name"),
        ("-" * 100_000, "no page matches the name"),
    ],
)
def test_names_that_say_too_little_are_never_guessed(name: str, reason: str) -> None:
    """A document that exists is not passed over for another reading of its name."""
    pages = {"report.pdf": 9, "plan.pdf": 1, "plan_2020.pdf": 2}
    problem = find_named_page(name, DocumentNames(pages), is_page_known=False)
    assert isinstance(problem, str)
    assert reason in problem
    problem.encode()
