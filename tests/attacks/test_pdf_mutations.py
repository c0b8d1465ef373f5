"""Damaged PDFs are read or refused with a typed error, by ingest and by the drawing of pages."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest

from pagetrail.annotation.errors import CorpusError
from pagetrail.storage.corpus.page_values import MAX_PIXELS, pixels_per_point
from pagetrail.storage.corpus.pdf_pages import PdfPages
from tests.attacks.pdf_mutations import MUTATIONS, generated_bases, mutated, run_mutations

SEEDS = range(2 * len(MUTATIONS))


def test_structural_mutations_are_read_or_refused(tmp_path: Path) -> None:
    """Two of each kind: none hangs, none is lost, no image is without bound."""
    result = run_mutations(generated_bases(tmp_path), SEEDS, tmp_path)
    assert result.failures == []
    assert sum(result.outcomes.values()) == len(SEEDS)
    assert {outcome for _, outcome in result.outcomes} >= {"read and drawn", "refused"}


def test_mutations_are_reproducible_from_their_seed(tmp_path: Path) -> None:
    """So that what the command finds can be repeated."""
    data = generated_bases(tmp_path)[0].read_bytes()
    for seed in SEEDS:
        assert mutated(data, seed) == mutated(data, seed)


def test_a_page_without_an_area_is_refused_and_ends_no_process(tmp_path: Path) -> None:
    """A mutation of the box divided by zero in the process that draws, which ended."""
    page = pymupdf.Rect(0, 0, 0, 0)
    with (
        pytest.raises(CorpusError, match=r"Page 1 cannot be read: the PDF is damaged"),
        PdfPages()._page(generated_bases(tmp_path)[0], 1),
    ):
        pixels_per_point(page.width, page.height, 75, MAX_PIXELS)
