"""Text, geometry, words and images of pages."""

from __future__ import annotations

import io
from functools import partial
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pymupdf
import pytest
from PIL import Image

from pagetrail.annotation.errors import CorpusError
from pagetrail.storage.corpus.page_values import MAX_PIXELS, pixel_size
from pagetrail.storage.corpus.pdf import grey_image, read_pdf
from pagetrail.storage.corpus.pdf_pages import PdfPages
from tests.storage.pdfs import CORPORA, make_pdf, needs_corpora
from tests.support.at_once import run_at_once


class OddPage(NamedTuple):
    """How a page differs from an ordinary one."""

    rotation: int = 0
    crop: tuple[float, float, float, float] | None = None
    origin: tuple[float, float] = (0, 0)
    user_unit: float = 1


def _odd_page(path: Path, odd: OddPage) -> Path:
    rotation, crop, origin, user_unit = odd
    document = pymupdf.open()
    page = document.new_page(width=400, height=300)
    page.insert_text((120, 100), "MARKED", fontsize=24)
    x, y = origin
    if origin != (0, 0):
        document.xref_set_key(page.xref, "MediaBox", f"[{x} {y} {400 + x} {300 + y}]")
    if crop is not None:
        document.xref_set_key(page.xref, "CropBox", "[{} {} {} {}]".format(*crop))
    if user_unit != 1:
        document.xref_set_key(page.xref, "UserUnit", str(user_unit))
    document.xref_set_key(page.xref, "Rotate", str(rotation))
    document.save(path)
    return path


def _ink(jpeg: bytes) -> tuple[tuple[int, int], tuple[int, int, int, int]]:
    picture = Image.open(io.BytesIO(jpeg))
    rows, columns = np.where(np.asarray(picture.convert("L")) < 128)
    box = (int(columns.min()), int(rows.min()), int(columns.max()), int(rows.max()))
    return picture.size, box


odd_pages = pytest.mark.parametrize(
    "odd",
    [
        OddPage(*values)
        for values in product(
            (0, 90, 180, 270), (None, (60, 40, 350, 260)), ((0, 0), (-30, 20)), (1, 2)
        )
    ],
    ids=str,
)


@odd_pages
def test_word_boxes_lie_on_the_drawn_word(tmp_path: Path, odd: OddPage) -> None:
    """Boxes are in points of the displayed page, whatever turns, crops or scales it."""
    path = _odd_page(tmp_path / "odd.pdf", odd)
    page = read_pdf(path).pages[0]
    pages = PdfPages()
    (word,) = pages.words(path, 1)
    size, (left, top, right, bottom) = _ink(pages.render_jpeg(path, 1, dpi=72))
    page_size = (290, 220) if odd.crop else (400, 300)
    if odd.rotation in (90, 270):
        page_size = page_size[1], page_size[0]
    assert (page.width, page.height) == (
        page_size[0] * odd.user_unit,
        page_size[1] * odd.user_unit,
    )
    assert size == (page.width, page.height)
    assert page.rotation == odd.rotation
    assert word.text == "MARKED"
    assert word.x0 <= left + 1 and word.y0 <= top + 1
    assert word.x1 >= right - 1 and word.y1 >= bottom - 1
    # The box is that word's: as long as the ink, and at most a line's height thick.
    long, thick = sorted((word.x1 - word.x0, word.y1 - word.y0), reverse=True)
    assert long <= max(right - left, bottom - top) + 8 * odd.user_unit
    assert thick <= 24 * 1.6 * odd.user_unit


def test_crop_origin_is_in_the_pdfs_own_space(tmp_path: Path) -> None:
    """The stored crop corner is the lower-left one that the file states."""
    page = read_pdf(_odd_page(tmp_path / "a.pdf", OddPage(90, (60, 40, 350, 260)))).pages[0]
    assert (page.crop_x0, page.crop_y0) == (60, 40)


def test_words_outside_the_crop_box_are_left_out(tmp_path: Path) -> None:
    """A word that nobody sees has no box on the page."""
    path = _odd_page(tmp_path / "a.pdf", OddPage(crop=(300, 10, 390, 60)))
    assert PdfPages().words(path, 1) == []


def test_text_is_what_pymupdf_gives(tmp_path: Path) -> None:
    """Parity with the agents' text: nothing is normalised."""
    path = make_pdf(tmp_path / "a.pdf", ["first  page", "", "third"])
    with pymupdf.open(path) as document:
        expected = [page.get_text() for page in document]
    assert [page.text for page in read_pdf(path).pages] == expected


@odd_pages
def test_shortcuts_through_pymupdf_change_nothing(tmp_path: Path, odd: OddPage) -> None:
    """Pages are read through PyMuPDF's inner functions; its documented ones give the same."""
    path = _odd_page(tmp_path / "a.pdf", odd)
    (read,) = read_pdf(path).pages
    with pymupdf.open(path) as document:
        page = document[0]
        corner = (page.cropbox.x0, page.mediabox.y1 - page.cropbox.y1)
        expected = (page.rect.width, page.rect.height, page.rotation, *corner, page.get_text())
    assert read == (*expected, True, "")


@pytest.mark.parametrize("points", [14_400, 200_000])
def test_a_huge_page_is_drawn_smaller(tmp_path: Path, points: int) -> None:
    """Two hundred inches square, or a size beyond the standard, stay within the pixel cap."""
    document = pymupdf.open()
    page = document.new_page(width=400, height=400)
    document.xref_set_key(page.xref, "MediaBox", f"[0 0 {points} {points}]")
    document.save(tmp_path / "huge.pdf")
    picture = Image.open(io.BytesIO(PdfPages().render_jpeg(tmp_path / "huge.pdf", 1, dpi=150)))
    assert 0 < picture.width * picture.height <= MAX_PIXELS * 1.01


def test_a_very_long_page_keeps_within_the_longest_side(tmp_path: Path) -> None:
    """A strip of paper has no more pixels than JPEG can hold, and at least one pixel across."""
    document = pymupdf.open()
    page = document.new_page(width=400, height=400)
    document.xref_set_key(page.xref, "MediaBox", "[0 0 3 100000]")
    document.save(tmp_path / "strip.pdf")
    picture = Image.open(io.BytesIO(PdfPages().render_jpeg(tmp_path / "strip.pdf", 1)))
    assert picture.width >= 1
    assert picture.height <= 12_001


def _claiming(path: Path, count: int) -> Path:
    document = pymupdf.open()
    for text in ("one", "two"):
        document.new_page().insert_text((50, 50), text)
    document.save(path, no_new_id=True)
    path.write_bytes(path.read_bytes().replace(b"/Count 2", b"/Count %d" % count))
    return path


def test_a_page_count_that_lies_is_cut_to_what_exists(tmp_path: Path) -> None:
    """Pages that the file claims but does not have are dropped at the end."""
    pdf = read_pdf(_claiming(tmp_path / "liar.pdf", 5))
    assert [page.text.strip() for page in pdf.pages] == ["one", "two"]
    assert pdf.claimed_pages == 5


def test_an_impossible_page_count_is_a_clear_error(tmp_path: Path) -> None:
    """A count that MuPDF refuses outright is a sentence, not a stack trace."""
    with pytest.raises(CorpusError, match="number of pages that it cannot have"):
        read_pdf(_claiming(tmp_path / "liar.pdf", 1_000_000_000))


def test_a_broken_page_keeps_its_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that MuPDF gives up on is an empty page of its own, so the others keep theirs."""
    path = make_pdf(tmp_path / "a.pdf", ["one", "two", "three"])
    load = pymupdf.Document.load_page

    def fails_on_two(document: pymupdf.Document, number: int) -> pymupdf.Page:
        if number == 1:
            raise RuntimeError("code=7: cannot load object")
        return load(document, number)

    monkeypatch.setattr(pymupdf.Document, "load_page", fails_on_two)
    pages = read_pdf(path).pages
    assert [page.text.strip() for page in pages] == ["one", "", "three"]
    assert [page.readable for page in pages] == [True, False, True]
    assert pages[1].width == pages[0].width


def test_documents_stay_usable_when_many_are_open(tmp_path: Path) -> None:
    """Closing the least recently used document never breaks a reader in another thread."""
    paths = [make_pdf(tmp_path / f"{n}.pdf", [f"word{n}"]) for n in range(6)]
    pages = PdfPages(keep_open=2)
    wrong: list[str] = []

    def read(start: int) -> None:
        for step in range(60):
            n = (start + step) % len(paths)
            words = [word.text for word in pages.words(paths[n], 1)]
            if words != [f"word{n}"]:
                wrong.append(f"{n}: {words}")

    run_at_once([partial(read, n) for n in range(6)])
    assert wrong == []


def test_the_number_of_words_is_limited(tmp_path: Path) -> None:
    """The first words are given, in reading order."""
    path = make_pdf(tmp_path / "a.pdf", ["one two three"])
    assert [word.text for word in PdfPages().words(path, 1, limit=2)] == ["one", "two"]


def test_a_missing_page_is_named(tmp_path: Path) -> None:
    """The message says which page, and how many there are."""
    path = make_pdf(tmp_path / "a.pdf", ["one"])
    with pytest.raises(CorpusError, match="Page 2 does not exist: the document has 1 pages"):
        PdfPages().words(path, 2)


def test_blank_pages_are_not_sent_to_recognition(tmp_path: Path) -> None:
    """An empty page gives no image; one with ink gives a PGM within the cap."""
    path = make_pdf(tmp_path / "a.pdf", ["", "ink"])
    assert grey_image(path, 1, 300, 10_000) is None
    image = grey_image(path, 2, 300, 10_000)
    assert image is not None and image[0].startswith(b"P5") and len(image[0]) < 11_000


@pytest.mark.corpus
@needs_corpora
def test_a_real_rotated_page_has_its_words_on_the_ink() -> None:
    """On a sideways table of a real report every word's box covers dark pixels."""
    path = CORPORA / "hostile" / "nics-background-checks-2015-11-rotated.pdf"
    pages = PdfPages()
    picture = np.asarray(Image.open(io.BytesIO(pages.render_jpeg(path, 1, 144))).convert("L"))
    words = pages.words(path, 1)
    inked = sum(
        bool(
            (
                picture[int(w.y0 * 2) : int(w.y1 * 2) + 1, int(w.x0 * 2) : int(w.x1 * 2) + 1] < 160
            ).any()
        )
        for w in words
    )
    assert len(words) > 500
    assert inked >= len(words) * 0.99


@pytest.mark.parametrize("rotation", [0, 90])
@pytest.mark.parametrize("dpi", [72, 150, 200])
def test_a_filled_picture_has_the_page_from_edge_to_edge(
    tmp_path: Path, rotation: int, dpi: int
) -> None:
    """Pixels divided by the image's size are fractions of the page, also at odd sizes."""
    document = pymupdf.open()
    page = document.new_page(width=311.7, height=222.3)
    page.draw_rect(pymupdf.Rect(100.25, 50.5, 311.7, 222.3), fill=(0, 0, 0), color=None)
    page.set_rotation(rotation)
    path = tmp_path / "odd.pdf"
    document.save(path)
    displayed_page = read_pdf(path).pages[0]
    size = pixel_size(displayed_page.width, displayed_page.height, dpi)
    drawn_size, (left, top, right, bottom) = _ink(PdfPages().render_filled(path, 1, size))
    assert drawn_size == size
    assert abs(size[0] - displayed_page.width * dpi / 72) <= 0.5
    black = (100.25, 50.5, 311.7, 222.3) if rotation == 0 else (0, 100.25, 171.8, 311.7)
    scale = (size[0] / displayed_page.width, size[1] / displayed_page.height) * 2
    for pixel, edge, pixels in zip((left, top, right + 1, bottom + 1), black, scale, strict=True):
        assert abs(pixel - edge * pixels) <= 0.75


def test_pixels_of_huge_and_tiny_pages() -> None:
    """A page has at least one pixel, and not more than an image may have."""
    assert pixel_size(0.1, 0.1, 72) == (1, 1)
    width, height = pixel_size(14_400, 14_400, 300)
    assert width * height <= MAX_PIXELS * 1.001
