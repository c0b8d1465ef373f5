"""An excluded task leaves results, review, progress and batches; its work stays and comes back."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from sqlalchemy import func, select

from pagetrail.annotation import events as ev
from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.errors import ConflictError, Forbidden, NotFoundError, PagetrailError
from pagetrail.annotation.progress.summary import counts
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.exports.papers.folder import write_paper
from pagetrail.exports.papers.options import PaperOptions
from pagetrail.exports.papers.papers import paper_of
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.run import export
from pagetrail.storage.attempts import queries
from pagetrail.storage.attempts.decisions_above import decisions_above
from pagetrail.storage.batches.board import board
from pagetrail.storage.batches.my_batches import assignments
from pagetrail.storage.batches.open_close import close_assignment, ensure_attempts
from pagetrail.storage.batches.single_tasks import give_task
from pagetrail.storage.campaigns.excluded_tasks import count_excluded, set_excluded
from pagetrail.storage.campaigns.task_list import list_tasks
from pagetrail.storage.database.tables import Audit, EventRow
from pagetrail.storage.importers.runs.importer import import_run
from pagetrail.storage.people.accounts import add_user, find_person
from pagetrail.storage.people.administration import rename
from pagetrail.storage.progress.dashboard import data_version, work_of
from pagetrail.storage.review.facets import status_counts
from pagetrail.storage.review.filters import Filters
from pagetrail.storage.review.projection import refresh
from pagetrail.storage.review.queue import queue
from pagetrail.storage.review.submissions import load_task_work
from tests.exports.campaigns import CAMPAIGN, Stage, make_stage

CAMPAIGN_ID = 1
REASON = "two answers are right"


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    """Three tasks: Ada and Grace submitted q1 and q2 differently, and Ada has started q3."""
    protocol = with_overrides(preset("search"), {"overlap": 2, "answer.unanswerable": True})
    tasks = [{"id": f"q{n}", "question": f"How many {n}?"} for n in (1, 2, 3)]
    stage = make_stage(tmp_path / "ws", protocol, tasks)
    for key in ("q1", "q2"):
        for person, outcome in (("Ada", "not_found"), ("Grace", "unanswerable")):
            stage.did(key, person, ev.Opened(session="t"), ev.Submitted(outcome=outcome))
    stage.did("q3", "Ada", ev.Opened(session="t"))
    return stage


def _exclude(stage: Stage, *keys: str, excluded: bool = True) -> None:
    set_excluded(stage.workspace, None, CAMPAIGN, keys, REASON, excluded=excluded)


def _exported(stage: Stage, out: Path, format_: str) -> tuple[dict[str, list[str]], set[str]]:
    """Reason → ids left out, and the tasks of the rows."""
    manifest = export(stage.workspace, CAMPAIGN, format_, out)
    table = {"trajectories": "attempts.parquet", "scores": "scores.parquet"}[format_]
    column = {"trajectories": "task_id", "scores": "task"}[format_]
    tasks = set(pq.read_table(out / table).column(column).to_pylist())
    return {entry.reason: entry.ids for entry in manifest.left_out}, tasks


def test_results_leave_it_out_and_the_log_keeps_it(stage: Stage, tmp_path: Path) -> None:
    """Formats count the task as left out with a reason; ``trajectories`` has all events."""
    before = _exported(stage, tmp_path / "a", "trajectories")[1]
    _exclude(stage, "q2")
    left_out, tasks = _exported(stage, tmp_path / "b", "scores")
    assert left_out["task_excluded"] == ["q2"]
    assert tasks == {"q1"}
    assert _exported(stage, tmp_path / "c", "trajectories")[1] == before == {"q1", "q2", "q3"}
    _exclude(stage, "q2", excluded=False)
    left_out, tasks = _exported(stage, tmp_path / "d", "scores")
    assert "task_excluded" not in left_out
    assert tasks == {"q1", "q2"}


def test_what_is_published_states_the_reasons(stage: Stage, tmp_path: Path) -> None:
    """The card of a data set and the README of a paper have the number excluded, and why."""
    _exclude(stage, "q2")
    stated = ("1 task: excluded by a supervisor", REASON)
    export(stage.workspace, CAMPAIGN, "dataset", tmp_path / "data")
    with open_source(stage.workspace, CAMPAIGN) as source:
        write_paper(paper_of("unidoc", [source], PaperOptions(replicates=10)), tmp_path / "paper")
    for file in ("data/README.md", "paper/README.txt"):
        text = (tmp_path / file).read_text()
        assert all(words in text for words in stated), file


def test_runs_of_it_are_kept_and_counted(stage: Stage, tmp_path: Path) -> None:
    """A run that is imported later is stored, in no result, and its report says how many rows."""
    _exclude(stage, "q2")
    run = tmp_path / "run.jsonl"
    rows = [{"id": key, "answer": "5", "citations": [], "iterations": 1} for key in ("q1", "q2")]
    run.write_text("\n".join(map(json.dumps, rows)))
    for number in (2, 0):
        report = import_run(stage.workspace, run, campaign=CAMPAIGN, system="agent")
        assert (report.imported, report.excluded, report.left_out) == (number, 1, [])
    assert _exported(stage, tmp_path / "a", "scores")[1] == {"q1"}
    _exclude(stage, "q2", excluded=False)
    assert export(stage.workspace, CAMPAIGN, "scores", tmp_path / "b").counts["attempts"] == 6


def test_a_reviewer_reads_why_and_by_whom(stage: Stage) -> None:
    """The task can still be opened by its address; a new name of who excluded it is shown."""
    supervisor = add_user(stage.workspace, "Sofia", "supervisor", "correct horse battery")
    set_excluded(stage.workspace, supervisor, CAMPAIGN, ["q2"], REASON)
    rename(stage.workspace, None, "Sofia", "Sophie")
    with stage.workspace.engine.connect() as connection:
        exclusion = load_task_work(connection, 2).task.exclusion
    assert exclusion is not None
    assert exclusion[:2] == (REASON, "Sophie")
    _exclude(stage, "q2", excluded=False)
    with stage.workspace.engine.connect() as connection:
        assert load_task_work(connection, 2).task.exclusion is None


def test_review_and_progress_leave_it_out(stage: Stage) -> None:
    """The queue, its counts and the dashboard have the other tasks alone, and notice the change."""
    engine = stage.workspace.engine
    refresh(engine, CAMPAIGN_ID)

    def queued() -> list[str]:
        now = stage.clock.now()
        return [row.key for row in queue(engine, [CAMPAIGN_ID], Filters(), now).rows]

    assert queued() == ["q1", "q2"]
    version, review = data_version(engine, CAMPAIGN_ID), status_counts(engine, [CAMPAIGN_ID])
    _exclude(stage, "q2")
    assert queued() == ["q1"]
    assert data_version(engine, CAMPAIGN_ID) != version
    assert sum(status_counts(engine, [CAMPAIGN_ID]).values()) == sum(review.values()) - 1
    total = counts(work_of(engine, CAMPAIGN_ID))[""]
    assert (total.expected, total.submitted) == (4, 2)
    assert count_excluded(stage.workspace, CAMPAIGN) == 1
    assert {slot.tasks for slot in board(stage.workspace, CAMPAIGN).slots} == {2}


def test_whoever_is_at_it_is_told_and_can_still_save(stage: Stage) -> None:
    """The screen's mark changes, events are stored, and the batch can be closed without the task;
    including it again opens the batch for whoever had not finished it."""
    engine = stage.workspace.engine
    ada = find_person(stage.workspace, "Ada")
    attempt = queries.attempt(engine, "3-Ada")
    _exclude(stage, "q3")
    assert decisions_above(engine, ["3-Ada"])["3-Ada"].mark != attempt.decisions.mark
    stage.did("q3", "Ada", ev.NoteEdited(text="typed before it was known"))
    (row,) = assignments(engine, ada.id)
    assert (row.tasks, row.submitted, row.opened) == (2, 2, 0)
    assert row.assignment_id == attempt.assignment_id
    assert {task.key for task in queries.batch_tasks(engine, row.assignment_id)} == {"q1", "q2"}
    close_assignment(engine, stage.driver("q1", "Ada").recorder, row.assignment_id)
    assert assignments(engine, ada.id)[0].status == "closed"
    with engine.connect() as connection:
        of_attempt = select(func.count()).where(EventRow.attempt_id == "3-Ada")
        assert connection.execute(of_attempt).scalar() == 2
    _exclude(stage, "q3", excluded=False)
    (row,) = assignments(engine, ada.id)
    assert (row.status, row.tasks, row.opened) == ("open", 3, 1)


def test_nobody_is_given_it_any_more(stage: Stage) -> None:
    """It gets no attempts where its batch is opened, and cannot be given by itself."""
    _exclude(stage, "q3")
    with pytest.raises(ConflictError, match="q3 is excluded"):
        give_task(stage.workspace, CAMPAIGN, "q3", "Grace")
    for row in assignments(stage.workspace.engine):
        ensure_attempts(stage.workspace.engine, row.assignment_id, SystemClock())
    excluded = [row.excluded for row in list_tasks(stage.workspace, CAMPAIGN, limit=9)[1]]
    assert excluded == ["", "", REASON]


def test_all_or_none_with_a_reason(stage: Stage) -> None:
    """An unknown task, a second time, no reason, or no supervisor: nothing changes; what changes is
    in the audit log."""
    ada = replace(find_person(stage.workspace, "Ada"), role="annotator")
    for keys, reason, by, error in (
        (["q1", "q9"], REASON, None, NotFoundError),
        (["q1"], " ", None, PagetrailError),
        (["q1"], REASON, ada, Forbidden),
    ):
        with pytest.raises(error):
            set_excluded(stage.workspace, by, CAMPAIGN, keys, reason)
    assert count_excluded(stage.workspace, CAMPAIGN) == 0
    _exclude(stage, "q1")
    with pytest.raises(ConflictError, match="Already excluded: q1"):
        _exclude(stage, "q1", "q2")
    assert count_excluded(stage.workspace, CAMPAIGN) == 1
    with stage.workspace.engine.connect() as connection:
        (detail,) = connection.execute(
            select(Audit.detail).where(Audit.action == "task_excluded")
        ).scalars()
    assert detail == f"{CAMPAIGN}: q1; 2 attempts; {REASON}"
