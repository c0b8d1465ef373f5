"""Everything that screens and exports read is the same from either database, in the same order."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import get_args

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.clock import ManualClock, SystemClock
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.annotation.review.status import Status
from pagetrail.exports.run import export
from pagetrail.storage.attempts import queries, replay_lists
from pagetrail.storage.attempts.wrong_answers import wrong_attempts
from pagetrail.storage.batches import board, my_batches
from pagetrail.storage.campaigns.lookup import list_campaigns
from pagetrail.storage.campaigns.task_list import list_tasks
from pagetrail.storage.corpus.overview import collection_state, find_documents
from pagetrail.storage.database.location import DATABASE_URL
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.maintenance.health import workspace_totals
from pagetrail.storage.maintenance.move import move_to_postgresql
from pagetrail.storage.people.administration import rename
from pagetrail.storage.people.audit import audit_actions, audit_entries
from pagetrail.storage.people.overview import people_overview
from pagetrail.storage.progress import agreement_inputs, dashboard
from pagetrail.storage.progress.campaign_state import campaign_state
from pagetrail.storage.progress.flagged_attempts import flagged_attempts
from pagetrail.storage.progress.hours import working_hours
from pagetrail.storage.progress.setup_state import setup_state
from pagetrail.storage.review.facets import facets, part_with_label, status_counts
from pagetrail.storage.review.filters import Filters
from pagetrail.storage.review.overview import review_overview
from pagetrail.storage.review.queue import queue
from tests.support.factory import START
from tests.support.postgresql import new_database
from tests.support.review_campaign import CAMPAIGN, Reviewed, campaign

NAME = "Random"
PEOPLE = ("Ada", "Bo", "Cy")
STATUSES = get_args(Status)
FORMATS = ("trajectories", "scores", "madqa")


@pytest.fixture
def reviewed(tmp_path: Path) -> Reviewed:
    """Six tasks in review: agreed, different, a tie, flagged, skipped, open; with odd texts."""
    protocol = with_overrides(
        preset("search"), {"overlap": 3, "review.check_share": 0.0, "evidence.required": False}
    )
    records = [
        {
            "id": f"t/{n}",
            "question": f"Wer bin ich? Ärger {n}",
            "domain": ("law", "Zoo", "ärzte")[n % 3],
            "answer_variants": [["seal"]],
        }
        for n in range(1, 7)
    ]
    case = campaign(tmp_path / "ws", protocol, records, people=3)
    words = {"a": "seal", "b": "whale\x00", "c": "1,200"}
    for task, letters in {1: "aaa", 2: "aab", 3: "abc", 4: "aab"}.items():
        for name, word in zip(PEOPLE, letters, strict=True):
            if (task, name) == (4, "Bo"):
                case.do("4-Bo", ev.Flagged(comment="unscharf"))
            case.answer(f"{task}-{name}", words[word], 1)
    case.do("5-Ada", ev.Skipped(reason="no idea"))
    case.answer("5-Bo", "seal", 2)
    case.do("6-Cy", ev.AnswerEdited(text="half"))
    case.reviews.acceptance.settle(CAMPAIGN)
    case.reviews.take(2, "Sofia", "e1")
    return case


def read(workspace: Workspace, out: Path) -> Iterator[tuple[str, object]]:
    """Names and results of what is read for screens, commands and exports."""
    engine = workspace.engine
    now = START + timedelta(hours=1)
    for n, filters in enumerate(
        (
            Filters(statuses=STATUSES),
            Filters(statuses=STATUSES, text="ärger wer"),
            Filters(statuses=STATUSES, text="T/2"),
            Filters(statuses=STATUSES, domain="law"),
            Filters(statuses=STATUSES, part="answer"),
            Filters(statuses=STATUSES, annotator="Ada", flagged=True),
            Filters(),
        )
    ):
        yield f"queue {n}", queue(engine, (CAMPAIGN,), filters, now)
    yield "facets", facets(engine, (CAMPAIGN,), STATUSES)
    yield "part", part_with_label(engine, (CAMPAIGN,), "Answer")
    yield "statuses", status_counts(engine, (CAMPAIGN,))
    yield "overview of review", review_overview(engine)
    for handled in ("all", "open", "handled"):
        yield f"notable {handled}", flagged_attempts(engine, CAMPAIGN, handled=handled)
    yield "wrong", sorted(wrong_attempts(engine, NAME))
    yield "campaigns", list_campaigns(workspace)
    yield "tasks", list_tasks(workspace, NAME, "wer BIN", limit=9)
    yield "tasks by key", list_tasks(workspace, NAME, "T/3", limit=9)
    yield "board", board.board(workspace, NAME)
    yield "batches", my_batches.assignments(engine)
    yield "own batches", my_batches.assignments(engine, 1)
    yield "batch", queries.batch_tasks(engine, 11)
    yield "corpus", queries.corpus_size(engine)
    yield "documents", find_documents(workspace, "B.")
    yield "collection", collection_state(workspace)
    yield "people", people_overview(workspace)
    yield "audit", [(entry.actor, entry.action, entry.detail) for entry in audit_entries(workspace)]
    yield "actions", audit_actions(workspace)
    yield "events", dashboard.count_events(engine, CAMPAIGN)
    yield "pending", dashboard.still_to_do(engine, CAMPAIGN)
    yield "parts", agreement_inputs.parts_of(engine, CAMPAIGN)
    yield "state", campaign_state(workspace, NAME)
    yield "setup", setup_state(workspace)
    yield "totals", workspace_totals(engine)
    yield "hours", working_hours(workspace, campaign=NAME)
    yield "found", replay_lists.find(engine, replay_lists.AttemptFilter(text="WER bin"))
    yield "beside", replay_lists.related_attempts(engine, "1-Ada")
    yield "choices", replay_lists.choices(engine, NAME)
    for format_ in FORMATS:
        export(workspace, NAME, format_, out / format_, identify=True)
        for path in sorted((out / format_).rglob("*")):
            if path.is_file() and path.name != "manifest.json":
                yield f"{format_}/{path.name}", path.read_bytes()


def test_screens_and_exports_read_the_same(
    reviewed: Reviewed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a workspace and its copy in PostgreSQL, after somebody was renamed in both."""
    reviewed.workspace.engine.dispose()
    shutil.copytree(reviewed.workspace.root, tmp_path / "moved")
    address = new_database()
    move_to_postgresql(Workspace.open(tmp_path / "moved"), address, SystemClock())
    monkeypatch.setenv(DATABASE_URL, address)
    results = []
    for number, root in enumerate((reviewed.workspace.root, tmp_path / "moved")):
        workspace = Workspace.open(root)
        rename(workspace, None, "Bo", "Böhm", clock=ManualClock(START))
        results.append(dict(read(workspace, tmp_path / str(number))))
    sqlite_results, postgresql_results = results
    assert sqlite_results.keys() == postgresql_results.keys()
    for name, value in sqlite_results.items():
        assert repr(postgresql_results[name]) == repr(value), name
    assert {name.split("/")[0] for name in sqlite_results} >= {*FORMATS}
