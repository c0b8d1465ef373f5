"""The demo's documents and questions: sound files, and gold that the pages confirm."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from pagetrail.app.demo.corpus import FILES, RAIL, SCANNED_TEXT, Demo, load_demo

RAIL_BEFORE = RAIL.replace("2024", "2023")
SCAN = "scan-brackwater-lifting-certificate.pdf"
# Answers that have to be worked out or seen, and so are not printed as words on their pages.
WORKED_OUT = {"rail-06", "water-01", "water-05", "town-08", "care-02", "form-04", "scan-03"}
# Each page is needed, although one of them carries all the words of the answer: the other one
# says which row is meant, or gives the same number its meaning.
BRIDGED = {"rail-05", "town-02", "scan-04", "paper-03"}


@pytest.fixture(scope="module")
def demo() -> Demo:
    return load_demo()


@pytest.fixture(scope="module")
def paths() -> list[Path]:
    return sorted(FILES.glob("*.pdf"))


@pytest.fixture(scope="module")
def scanned_text() -> list[dict[str, Any]]:
    return [json.loads(line) for line in SCANNED_TEXT.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def texts(paths: list[Path], scanned_text: list[dict[str, Any]]) -> dict[tuple[str, int], str]:
    """Text of every page by document and page, with the given text for scanned ones."""
    page_texts: dict[tuple[str, int], str] = {}
    for path in paths:
        with pymupdf.open(path) as document:
            for number, page in enumerate(document, 1):
                page_texts[path.name, number] = page.get_text()
    for row in scanned_text:
        page_texts[row["file"], row["page_number"]] = row["text"]
    return page_texts


def _tokens(text: str) -> set[str]:
    words = re.findall(r"[\w.,%£-]+", text.lower().replace("’", "'"))
    return {word.rstrip(".") for word in words}


def _missing(answers: list[str], pages: list[str]) -> set[str]:
    """Answer tokens found on none of the pages; brackets and percent signs do not count."""
    strip = str.maketrans("", "", "%£(),")
    have = {token.translate(strip) for page in pages for token in _tokens(page)}
    return {
        token
        for answer in answers
        for raw in _tokens(answer)
        if (token := raw.translate(strip)) and token not in have
    }


def answerable_questions(demo: Demo) -> list[tuple[str, list[str], list[tuple[str, int]]]]:
    return [
        (
            row["id"],
            row["answer_variants"][0],
            [(page["document"], page["page"]) for page in row["evidence"]],
        )
        for row in demo.questions
        if row["evidence"] and row["id"] not in WORKED_OUT
    ]


def test_size_and_kinds(demo: Demo, paths: list[Path]) -> None:
    """The corpus is as large and the questions as varied as the demo promises."""
    assert len(paths) >= 14
    assert sum(built.pages for built in demo.documents.values()) >= 80
    documents = [{page["document"] for page in row["evidence"]} for row in demo.questions]
    assert len(demo.questions) >= 26
    assert sum(len(names) > 1 for names in documents) >= 5
    crossing = [
        row
        for row, names in zip(demo.questions, documents, strict=True)
        if len(names) == 1 and len(row["evidence"]) > 1
    ]
    assert len(crossing) >= 3
    assert sum(bool(row.get("unanswerable")) for row in demo.questions) >= 3
    assert len({row["id"] for row in demo.questions}) == len(demo.questions)


def test_page_counts_are_those_of_the_files(demo: Demo, paths: list[Path]) -> None:
    """The shipped list has the number of pages of each file."""
    for path in paths:
        with pymupdf.open(path) as document:
            assert len(document) == demo.documents[path.name].pages


def test_answers_stand_on_their_evidence(demo: Demo, texts: dict[tuple[str, int], str]) -> None:
    """Each word of a gold answer is printed on one of the pages that the gold names."""
    wrong = {
        name: missing
        for name, answers, pages in answerable_questions(demo)
        if (missing := _missing(answers, [texts[page] for page in pages]))
    }
    assert wrong == {}


def test_no_evidence_page_is_superfluous(demo: Demo, texts: dict[tuple[str, int], str]) -> None:
    """Where the gold names several pages, no page alone carries the whole answer."""
    enough = [
        (name, page)
        for name, answers, pages in answerable_questions(demo)
        if len(pages) > 1 and name not in BRIDGED
        for page in pages
        if not _missing(answers, [texts[page]])
    ]
    assert enough == []


def test_scans_have_no_text_layer(scanned_text: list[dict[str, Any]]) -> None:
    """Scanned pages are images only, and the demo brings text for each of them."""
    with pymupdf.open(FILES / SCAN) as document:
        assert [page.get_text().strip() for page in document] == [""] * len(document)
        assert all(page.get_images() for page in document)
        assert [row["page_number"] for row in scanned_text] == [*range(1, len(document) + 1)]


def test_one_page_of_each_edition_is_turned(demo: Demo) -> None:
    """The fleet register is a portrait page with /Rotate 90 that reads upright when displayed."""
    for name in (RAIL_BEFORE, RAIL):
        with pymupdf.open(FILES / name) as document:
            turned = [page.number + 1 for page in document if page.rotation == 90]
            assert turned == [demo.documents[name].anchors["fleet"]]
            page = document[turned[0] - 1]
            assert page.rect.width > page.rect.height
            words = {word[4]: word for word in reversed(page.get_text("words"))}
            first, last = (
                pymupdf.Rect(words[key][:4]) * page.rotation_matrix for key in ("Class", "Traction")
            )
            assert first.x1 < last.x0, "columns run from left to right as displayed"
            assert first.y0 < page.rect.height / 2, "the head of the table is in the upper half"


def test_editions_agree_on_the_year_between(demo: Demo, texts: dict[tuple[str, int], str]) -> None:
    """The 2024 edition prints for 2023 what the 2023 edition printed for its own year."""
    now, earlier = RAIL, RAIL_BEFORE
    turnover = "1,086.6"
    for name, anchor in (
        (earlier, "income"),
        (now, "income"),
        (earlier, "segments"),
        (now, "segments"),
    ):
        assert turnover in texts[name, demo.documents[name].anchors[anchor]]


def test_no_blank_page_and_nothing_off_the_page(paths: list[Path]) -> None:
    """Every page shows something, and all text is inside the page."""
    for path in paths:
        with pymupdf.open(path) as document:
            for page in document:
                spot = f"{path.name} page {page.number + 1}"
                assert page.get_text().strip() or page.get_images(), spot
                assert "Placeholder" not in page.get_text(), spot
                area = pymupdf.Rect(page.rect) * page.derotation_matrix
                for word in page.get_text("words"):
                    assert area.contains(pymupdf.Rect(word[:4])), (spot, word[4])
