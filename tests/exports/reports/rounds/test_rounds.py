"""The report on rounds: pages by state, the work of each round, and what is to be done next."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.transcript_state import text_hash
from pagetrail.annotation.protocols.protocol import preset
from pagetrail.exports.notebook import NotebookWorkspace
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.model import Report
from pagetrail.exports.reports.rounds.report import rounds
from tests.exports.campaigns import CAMPAIGN, Stage, make_stage
from tests.exports.worked_campaigns import COMPLETED, OPENED, page, transcribe


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    """Ada: a page done in round 2 and one waiting; Grace: a page done, and one not opened."""
    return transcribe(tmp_path / "ws")


def report_of(stage: Stage) -> Report:
    """The report."""
    with open_source(stage.workspace, CAMPAIGN) as source:
        return rounds(source)


def note_of(stage: Stage) -> str:
    """What has to be done next."""
    (section,) = report_of(stage).sections
    return str(section.notes[0])


def test_pages_are_counted_by_round_and_state(stage: Stage) -> None:
    """Each annotator's page once, in its current round; one that nobody opened is untouched."""
    pages, _ = report_of(stage).tables
    counts = ("pages", "untouched", "changed", "waiting", "accepted", "skipped")
    rows = {row["round"]: [row[name] for name in counts] for row in pages.records}
    assert rows == {"1": [3, 1, 0, 1, 1, 0], "2": [1, 0, 0, 0, 1, 0], "All": [4, 1, 0, 1, 2, 0]}
    assert report_of(stage).facts == {
        "Tasks": 2,
        "Pages in work or done": 4,
        "Waiting for a model": 1,
        "Accepted without an edit": 2,
    }


def test_the_work_of_each_round(stage: Stage) -> None:
    """Patches by outcome, characters of edits, active minutes; a page counts in each round."""
    _, work = report_of(stage).tables
    first, second = work.records
    assert (first["pages"], first["done"], first["models"]) == (3, 1, "scribe-1")
    assert [first[f"{name}_patches"] for name in ("accepted", "rejected", "stale")] == [2, 3, 1]
    assert (first["given"], first["undecided_patches"]) == (6, 0)
    assert first["accepted_share"] == pytest.approx(1 / 3)
    assert (first["edits"], first["added_chars"], first["removed_chars"]) == (2, 7, 6)
    assert first["edited_chars"] == 13
    # 4, 3 and 2 gaps of 5 s between opening and submission.
    assert first["active_min"] == pytest.approx(45 / 60)
    assert (second["pages"], second["done"], second["models"]) == (1, 1, "scribe-2")
    assert second["min_per_page"] == pytest.approx(15 / 60)


def test_the_report_says_what_to_do_next_and_when_all_is_done(stage: Stage) -> None:
    """A model's turn, then the annotators', then the end with its round."""
    assert note_of(stage).startswith("1 page waits for a model")
    second = page(3)
    text = "# Otters\n\nThe Otters 🦦 are there. Total 98.\n"
    patches = ev.PatchesGiven(**second, round=2, text_sha256=text_hash(text), patches=())
    stage.did("p2", "Ada", ev.RoundStarted(number=2), patches)
    assert note_of(stage) == "No page waits for a model. 2 pages are with their annotators."
    stage.did("p2", "Ada", OPENED, COMPLETED)
    stage.did("p2", "Grace", OPENED, ev.Skipped(reason="unreadable"))
    assert note_of(stage) == (
        "Every page is accepted or skipped: the campaign has ended in round 2."
    )


def test_a_campaign_that_nobody_has_opened(tmp_path: Path) -> None:
    """No tables, and a sentence."""
    stage = make_stage(tmp_path / "ws", preset("transcribe"), [], people=())
    assert report_of(stage).tables == [] and note_of(stage) == "Nobody has opened a page yet."


def test_the_tables_are_frames_of_a_notebook(stage: Stage) -> None:
    """By their keys, with the campaign first."""
    with NotebookWorkspace(stage.workspace.root) as workspace:
        frames = workspace.report("rounds", CAMPAIGN)
    assert set(frames) == {"rounds-pages", "rounds-work"}
    assert frames["rounds-work"]["edited_chars"].tolist() == [13, 0]
    assert frames["rounds-work"]["campaign"].tolist() == [CAMPAIGN, CAMPAIGN]
