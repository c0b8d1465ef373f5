"""A campaign of real pages in three rounds with a careless model, whose errors are counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.support import LIBRARY
from benchmarks.transcripts import go_rounds, text_workspace
from pagetrail.app.demo.corpus import FILES


def pdfs_of(kind: str) -> list[Path]:
    """The smallest documents of the library, or those of the demo."""
    folder = LIBRARY if kind == "library" else FILES
    if not folder.is_dir():
        pytest.skip("the library is not there")
    return sorted(folder.rglob("*.pdf"), key=lambda path: path.stat().st_size)[:6]


@pytest.mark.parametrize("kind", ["demo", "library"])
def test_planted_errors_are_found_or_left_and_none_is_lost(kind: str) -> None:
    """Careful people leave few of the model's errors and accept few of its wrong patches."""
    with text_workspace(pdfs_of(kind)) as (services, clock):
        counts = go_rounds(services, clock, 8)
    assert counts.rounds == 3 and counts.pages == sum(counts.stages.values()) >= 6
    assert counts.planted == counts.found + counts.left >= 4 * counts.pages
    assert counts.found > counts.planted / 2
    assert counts.bad_patches_left < counts.bad_patches / 2
    assert set(counts.stages) <= {"waiting", "accepted"}


@pytest.mark.parametrize("kind", ["demo"])
def test_people_who_never_err_leave_no_wrong_patch(kind: str) -> None:
    """What is left then are only errors that neither the model nor the people noticed."""
    with text_workspace(pdfs_of(kind)) as (services, clock):
        counts = go_rounds(services, clock, 6, care=1.0, seed=2)
    assert counts.bad_patches > 0 and counts.bad_patches_left == 0
    assert counts.left < counts.planted / 3
