"""Text recognition with the Tesseract command line, one page at a time on one core."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from pagetrail.annotation.errors import CorpusError
from pagetrail.annotation.messages import gettext
from pagetrail.storage.corpus.page_values import RecognisedPage, Word
from pagetrail.storage.corpus.pdf import grey_image
from pagetrail.storage.corpus.pdf_pages import PdfPages
from pagetrail.storage.database.storable_text import clean_text

OCR_DPI = 300
PAGE_LIMIT_S = 120.0
_MAX_PIXELS = 25_000_000


def recognise_page(
    path: Path, page: int, lang: str, limit_s: float = PAGE_LIMIT_S, *, keeps_text: bool = False
) -> RecognisedPage:
    """Recognise the text of a page with Tesseract at 300 dpi; empty for a blank page.

    Args:
        keeps_text: begin with those words of the text layer that were not recognised.

    Raises:
        CorpusError: the page cannot be drawn, or Tesseract fails or takes too long.
    """
    drawing = grey_image(path, page, OCR_DPI, _MAX_PIXELS)
    if drawing is None:
        return RecognisedPage("")
    picture, scale = drawing
    with TemporaryDirectory(prefix="pagetrail-ocr-") as folder:
        base = Path(folder) / "page"
        command = ["tesseract", "stdin", str(base), "-l", lang, "--dpi", str(OCR_DPI)]
        try:
            run = subprocess.run(
                [*command, "txt", "tsv"],
                input=picture,
                capture_output=True,
                check=False,
                timeout=limit_s,
                env={**os.environ, "OMP_THREAD_LIMIT": "1"},
            )
        except subprocess.TimeoutExpired as error:
            raise CorpusError(
                gettext("took Tesseract more than {limit_s:.0f} s", limit_s=limit_s)
            ) from error
        if run.returncode != 0:
            messages = run.stderr.decode("utf-8", "replace").strip().splitlines()
            raise CorpusError(
                gettext(
                    "made Tesseract fail ({reason})",
                    reason=messages[-1] if messages else run.returncode,
                )
            )
        text = base.with_suffix(".txt").read_bytes().decode("utf-8", "replace")
        table = base.with_suffix(".tsv").read_bytes().decode("utf-8", "replace")
    # Tesseract ends each page with a form feed and separates blocks with several blank lines.
    plain = re.sub(r"\n{3,}", "\n\n", text.replace("\f", "")).strip()
    recognised = RecognisedPage(clean_text(plain)[0], tuple(_words(table, scale)))
    if not keeps_text:
        return recognised
    return _with_missing_words(recognised, PdfPages().words(path, page))


def _with_missing_words(page: RecognisedPage, words: Sequence[Word]) -> RecognisedPage:
    """The page, beginning with the words that it does not have."""
    known = {word.text for word in page.words}
    missing = tuple(word for word in words if word.text not in known)
    lines = [" ".join(word.text for word in missing), page.text]
    return RecognisedPage("\n".join(filter(None, lines)), (*missing, *page.words))


def _words(table: str, scale: float) -> Iterator[Word]:
    """The words of Tesseract's TSV, in points: rows of level 5, in pixels of the drawn page."""
    for line in table.split("\n"):
        cells = line.split("\t", 11)
        if cells[0] != "5" or len(cells) < 12 or not cells[11].strip():
            continue
        left, top, width, height = (int(cell) / scale for cell in cells[6:10])
        if width > 0 and height > 0:
            text = clean_text(cells[11].strip())[0]
            x0, y0, x1, y1 = (round(v, 2) for v in (left, top, left + width, top + height))
            yield Word(x0, y0, x1, y1, text)
