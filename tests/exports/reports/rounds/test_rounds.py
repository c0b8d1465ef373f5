"""The report on rounds: pages by state, the work of each round, and what is to be done next."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.transcript_state import text_hash
from pagetrail.annotation.protocols.protocol import preset
from pagetrail.annotation.tables.cells import CellText
from pagetrail.exports.notebook import NotebookWorkspace
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.model import Report
from pagetrail.exports.reports.rounds.report import rounds
from pagetrail.exports.run import export
from pagetrail.storage.importers.tables.importer import import_tables
from tests.exports.campaigns import CAMPAIGN, Stage, make_stage
from tests.exports.worked_campaigns import COMPLETED, OPENED, page, transcribe, verify_table
from tests.storage.task_data import write_jsonl


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
        "Attempts": 4,
        "Waiting for a model": 1,
        "Accepted": 2,
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
    assert note_of(stage) == (
        "1 task waits for a model: write it with “pagetrail export --format transcripts” and "
        "import the model’s answer with “pagetrail import-patches”."
    )
    second = page(3)
    text = "# Otters\n\nThe Otters 🦦 are there. Total 98.\n"
    patches = ev.PatchesGiven(**second, round=2, text_sha256=text_hash(text), patches=())
    stage.did("p2", "Ada", ev.RoundStarted(number=2), patches)
    assert note_of(stage) == "No task waits for a model. 2 tasks are with their annotators."
    stage.did("p2", "Ada", OPENED, COMPLETED)
    stage.did("p2", "Grace", OPENED, ev.Skipped(reason="unreadable"))
    assert note_of(stage) == (
        "Every task is accepted or skipped: the campaign has ended in round 2."
    )


def test_a_campaign_that_nobody_has_opened(tmp_path: Path) -> None:
    """No tables, and a sentence."""
    stage = make_stage(tmp_path / "ws", preset("transcribe"), [], people=())
    assert report_of(stage).tables == [] and note_of(stage) == "Nobody has opened a task yet."


def test_the_tables_are_frames_of_a_notebook(stage: Stage) -> None:
    """By their keys, with the campaign first."""
    with NotebookWorkspace(stage.workspace.root) as workspace:
        frames = workspace.report("rounds", CAMPAIGN)
    assert set(frames) == {"rounds-pages", "rounds-work"}
    assert frames["rounds-work"]["edited_chars"].tolist() == [13, 0]
    assert frames["rounds-work"]["campaign"].tolist() == [CAMPAIGN, CAMPAIGN]


@pytest.fixture
def tables_stage(tmp_path: Path) -> Stage:
    """Ada: a table that came back from a model, of whose four changes she leaves one open."""
    stage = verify_table(tmp_path / "ws")
    (row,) = [row for row in fix_requests(stage, tmp_path / "fixes") if row["task"] == "p1"]
    html = row["tables"][0]["html"]
    for old, new in (("= 4", "40"), ("21", "12"), ("River", "Rivers"), ("heard", "Heard")):
        assert old in html
        html = html.replace(old, new)
    answer = {**row, "tables": [{"id": "t1", "html": html}], "model": "grid-2"}
    path = write_jsonl(tmp_path / "fixed.jsonl", [answer])
    report = import_tables(stage.workspace, path, campaign=CAMPAIGN)
    assert report.rounds.started == {2: 1} and not report.left_out
    work: dict[str, Any] = {**page(1), "table": "t1", "structure": 0}
    stage.did(
        "p1",
        "Ada",
        OPENED,
        ev.CellConfirmed(**work, cells=((2, 2),)),
        ev.TableEdited(**work, change=CellText(row=2, column=1, text="21", was="12")),
        ev.CellFlagged(**work, row=2, column=0, kind="text", note="One river."),
    )
    return stage


def fix_requests(stage: Stage, folder: Path) -> list[dict[str, Any]]:
    """Rows of the export for a model."""
    export(stage.workspace, CAMPAIGN, "table-fixes", folder, identify=True)
    lines = (folder / "table_fixes.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_tables_are_counted_by_round_and_state(tables_stage: Stage) -> None:
    """As texts are: one table is with its annotator in round 2, one accepted in round 1."""
    report = report_of(tables_stage)
    stages, _ = report.tables
    counts = ("pages", "untouched", "changed", "waiting", "accepted", "skipped")
    rows = {row["round"]: [row[name] for name in counts] for row in stages.records}
    assert rows["1"] == [3, 2, 0, 0, 1, 0] and rows["2"] == [1, 0, 1, 0, 0, 0]
    assert report.sections[0].notes[0].startswith("No task waits for a model.")


def test_cells_that_people_and_models_changed(tables_stage: Stage) -> None:
    """People: by comparing both ends of a round; models: with what people made of each cell."""
    _, work = report_of(tables_stage).tables
    first, second = work.records
    cells = ("flags", "changed_cells", "deleted_lines", "edits", "model_cells")
    # A corrected cell and an inserted row of three; flags of a cell and of the table.
    assert [first[name] for name in cells] == [2, 4, 0, 2, 0]
    assert [second[name] for name in cells] == [1, 1, 0, 1, 4]
    outcomes = ("confirmed", "corrected", "flagged_again", "unconfirmed")
    assert [second[name] for name in outcomes] == [1, 1, 1, 1]
    assert second["confirmed_share"] == pytest.approx(1 / 4) and second["models"] == "grid-2"
    assert first["confirmed_share"] is None and first["done"] == 1
    assert "given" not in first and second["active_min"] == pytest.approx(15 / 60)


def test_the_report_names_the_commands_for_tables(tmp_path: Path) -> None:
    """Fix requests for the model, and its answer."""
    assert note_of(verify_table(tmp_path / "ws")) == (
        "1 task waits for a model: write it with “pagetrail export --format table-fixes” and "
        "import the model’s answer with “pagetrail import-tables”."
    )
