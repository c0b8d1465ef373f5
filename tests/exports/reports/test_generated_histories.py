"""Cached reports over generated histories equal reports from the event log alone."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.submission import SUBMISSION_VERSIONS, SubmissionVersion
from pagetrail.annotation.clock import ManualClock
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reading.source import Source
from pagetrail.exports.reports.agreement.report import AgreementOptions, agreement
from pagetrail.exports.reports.charts.style import unchecked
from pagetrail.exports.reports.metrics.report import MetricsOptions, metrics
from pagetrail.exports.reports.model import Report
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.runs.withdrawal import set_run_withdrawn
from pagetrail.storage.snapshot.result_cache import FILE_NAME, ResultCache
from tests.storage.importers.runs.run_data import bare, run
from tests.storage.task_data import write_jsonl
from tests.support.factory import (
    PEOPLE,
    TASKS,
    AttemptDriver,
    cited,
    driver,
    make_workspace,
    searched,
    start_clock,
    viewed,
)

CAMPAIGN = "Otters"
SYSTEM = "agent"
ANSWERS = ("42", "Saône\nRhône", "forty two", "nobody", "Rhone")


def reports(
    workspace: Workspace, submission: SubmissionVersion, *, uncached: bool = False
) -> list[Report]:
    """Metrics and agreement of the campaign."""
    built_reports: list[Report] = []
    builders: tuple[Callable[[Source], Report], ...] = (
        lambda source: metrics(source, MetricsOptions(replicates=20)),
        lambda source: agreement(source, AgreementOptions(replicates=20)),
    )
    for build in builders:
        with unchecked(), open_source(workspace, CAMPAIGN, submission=submission) as source:
            if uncached:
                source = replace(source, cache=ResultCache())
            built_reports.append(build(source))
    return built_reports


def require_same_reports(workspace: Workspace) -> None:
    """Reports with and without the cache are equal, of first and of final submissions."""
    for submission in SUBMISSION_VERSIONS:
        fresh = reports(workspace, submission, uncached=True)
        assert reports(workspace, submission) == fresh, submission


def start_work(workspace: Workspace, clock: ManualClock) -> list[AttemptDriver]:
    """Every attempt of people, opened."""
    attempts = [
        driver(workspace, f"{number}-{person}", clock)
        for number in range(1, len(TASKS) + 1)
        for person in PEOPLE
    ]
    for attempt in attempts:
        attempt.do(ev.Opened(session="tab-1"), after_s=1)
    return attempts


def random_payload(draw: random.Random) -> ev.Payload:
    """Something a person does; the recorder refuses what does not fit."""
    payloads: tuple[ev.Payload, ...] = (
        searched(n=draw.randint(1, 9)),
        viewed(draw.randint(1, 12)),
        cited(draw.randint(3, 5)),
        ev.CitationRemoved(document="annual report.pdf", page=draw.randint(3, 5)),
        ev.AnswerEdited(text=draw.choice(ANSWERS)),
        ev.Submitted(outcome="answered"),
        ev.Submitted(outcome="not_found"),
        ev.Skipped(reason="unreadable"),
        ev.Reopened(),
        ev.Reopened(),
        ev.Paused(),
        ev.Resumed(),
        ev.TabHidden(),
        ev.TabShown(),
    )
    return draw.choice(payloads)


@pytest.mark.parametrize("seed", range(4))
def test_reports_of_a_growing_history(seed: int, tmp_path: Path) -> None:
    """Work, submissions, reopenings, imported and withdrawn runs, each after a cached report."""
    draw = random.Random(seed)
    workspace = make_workspace(tmp_path / "ws")
    attempts = start_work(workspace, start_clock())
    for attempt in attempts:
        attempt.do(ev.AnswerEdited(text=draw.choice(ANSWERS)), after_s=9)
        attempt.do(cited(draw.randint(3, 5)), after_s=9)
        attempt.do(ev.Submitted(outcome="answered"), after_s=9)
    for part in range(4):
        for _ in range(draw.randint(1, 25)):
            draw.choice(attempts).do(random_payload(draw), after_s=draw.choice((0, 5, 400)))
        if part == 1:
            rows: list[dict[str, Any]] = [bare(str(task["id"])) for task in TASKS]
            run(workspace, write_jsonl(tmp_path / "run.jsonl", rows), system=SYSTEM)
        if part == 2:
            set_run_withdrawn(workspace, CAMPAIGN, SYSTEM, withdrawn=True, reason="leak")
        require_same_reports(workspace)


@pytest.mark.parametrize("seed", range(3))
def test_damaged_rows_are_computed_again(seed: int, tmp_path: Path) -> None:
    """Rows with a changed byte, another row's value, or a wrong version change no report."""
    draw = random.Random(seed)
    workspace = make_workspace(tmp_path / "ws")
    for attempt in start_work(workspace, start_clock()):
        attempt.do(ev.AnswerEdited(text=draw.choice(ANSWERS)), after_s=9)
        attempt.do(cited(draw.randint(3, 5)), after_s=9)
        attempt.do(ev.Submitted(outcome="answered"), after_s=9)
    fresh = reports(workspace, "first", uncached=True)
    assert reports(workspace, "first") == fresh
    with closing(sqlite3.connect(workspace.cache_dir / FILE_NAME)) as file, file:
        for table in ("task_result", "single_result"):
            key = "rowid" if table == "single_result" else "scope || '|' || task"
            stored = file.execute(f"SELECT {key}, value FROM {table}").fetchall()
            values = [value for _, value in stored]
            assert len(values) > 1, table
            for (name, value), other in zip(stored, [*values[1:], values[0]], strict=True):
                changed = bytearray(value)
                changed[draw.randrange(len(changed))] ^= 1 << draw.randrange(8)
                damaged = other if draw.random() < 0.5 else bytes(changed)
                file.execute(f"UPDATE {table} SET value = ? WHERE {key} = ?", (damaged, name))
        file.execute("UPDATE task_result SET version = x'00' WHERE task = 't/1'")
    assert reports(workspace, "first") == fresh
    assert reports(workspace, "first") == fresh, "with the rows that replaced them"
