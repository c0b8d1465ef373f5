"""Makes ``workspace.tar.xz``: a workspace and a backup as commit 44972007 wrote them.

It runs with the code of that commit, not with the current one, and is kept to show what is in the
file. From the repository's folder:

    git worktree add /tmp/v1 44972007
    PYTHONPATH=/tmp/v1 .venv/bin/python tests/upgrades/make_workspace.py new.tar.xz

Ids and times differ from run to run, all else is the same. The workspace is the demo (all presets,
finished and unfinished work, agents' runs, outside verdicts, drafts, gold decided and checked,
rounds of texts, a pilot) and what the demo does not have: see ``add_to_demo``.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import sys
import tarfile
from collections.abc import Iterable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from typer.testing import CliRunner

from pagetrail.annotation.clock import ManualClock
from pagetrail.annotation.review import Pick
from pagetrail.app.cli.main import app
from pagetrail.app.demo.build import CAMPAIGN, PASSWORD, build_demo
from pagetrail.app.demo.campaigns import reviews
from pagetrail.app.demo.campaigns.build import AUTHOR, PATCHES, RELEVANCE, TABLES, VERIFY
from pagetrail.app.demo.campaigns.pilot import PILOT
from pagetrail.app.demo.corpus import FILES, RAIL, load_demo
from pagetrail.app.demo.simulated_work import EVIDENCE_LABEL, SimulatedTab, work_through
from pagetrail.app.services.composition import Services
from pagetrail.app.services.computations import Computations
from pagetrail.app.workspace.annotator_actions import open_assignment
from pagetrail.app.workspace.pilot_feedback import give_feedback
from pagetrail.exports.run import export
from pagetrail.storage.attempts import queries
from pagetrail.storage.batches import my_batches
from pagetrail.storage.campaigns.lookup import get_campaign
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import find_person
from pagetrail.storage.review.actions import ReviewedVersion
from pagetrail.storage.review.filters import Filters
from pagetrail.storage.review.queue import queue

HIDDEN_GOLD = "Hidden gold"
CHECKED = "Checked: search and answer"
JUDGED = "Answers: a sample judged"
OTHER_NAME = "railway report (final).pdf"
"""An alias of a document."""


def main() -> None:
    """Write the archive."""
    target = Path(sys.argv[1])
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        root = folder / "workspace"
        build_demo(root, print)
        add_to_demo(root, folder)
        pagetrail("backup", root, folder / "backup")
        for name in ("index", "cache", "exports"):
            shutil.rmtree(root / name, ignore_errors=True)
        with closing(sqlite3.connect(root / "pagetrail.sqlite3")) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with tarfile.open(target, "w:xz", preset=9) as archive:
            for name in ("workspace", "backup"):
                archive.add(folder / name, name)


def pagetrail(*arguments: object) -> str:
    """Run a command of that version; returns what it prints."""
    words = [str(argument) for argument in arguments]
    result = CliRunner().invoke(app, words, env={"PAGETRAIL_PASSWORD": PASSWORD})
    if result.exit_code:
        raise SystemExit(f"{words}: {result.output} {result.exception!r}")
    return result.stdout


def add_to_demo(root: Path, folder: Path) -> None:
    """Add people, changed names, hidden checks, a failed pilot, a judged sample, and the rest."""
    clock = ManualClock(datetime.now(UTC) - timedelta(hours=12))
    workspace = Workspace.open(root)
    services = Services(workspace, clock=clock)
    services.checks = Computations(root)
    services.search.start()
    work = SimulatedWork(services, clock)
    try:
        add_people(root, work)
        add_document_alias(root, folder)
        add_hidden_checks(root, folder, work)
        work.begin("Judging a sample")
        pagetrail("sample", root, "--into", JUDGED, "--n", 16, "--from", CAMPAIGN)
        work.judge_sample("alma")
        work.judge_sample("bruno quist")
        work.begin("Hasty and undone work")
        work.grade_in_haste("alma")
        work.undo_a_drawing("cleo")
        start_table_round(root, folder, work)
        decide_twice(services, clock)
        pagetrail("withdraw-run", root, "panel-large", "--campaign", CAMPAIGN, "--reason", "old")
        withdraw_a_batch(root)
        pagetrail("users", root, "deactivate", "cleo")
        pagetrail("users", root, "rename", "sofia", "Sofía de la Cruz")
    finally:
        services.close()
        workspace.engine.dispose()


class SimulatedWork:
    """People at work, with one clock and one generator of random numbers."""

    def __init__(self, services: Services, clock: ManualClock) -> None:
        self.services, self.clock, self.rng = services, clock, Random(40)
        self.n_tabs = 0

    def begin(self, title: str) -> None:
        """Print what is being done, and let an hour pass."""
        print(title)
        self.clock.advance(seconds=3_600)

    def tabs(self, name: str, campaign: str) -> Iterable[tuple[SimulatedTab, dict[str, Any]]]:
        """A tab on each task of a person in a campaign, with the task's record."""
        engine = self.services.workspace.engine
        person = find_person(self.services.workspace, name)
        for row in my_batches.assignments(engine, person.id):
            if row.campaign != campaign or row.status == "withdrawn":
                continue
            open_assignment(self.services, person, row.assignment_id)
            for task in queries.batch_tasks(engine, row.assignment_id):
                record = {**queries.attempt(engine, task.attempt_id).record, "id": task.key}
                self.n_tabs += 1  # a tab's name begins the ids of its events
                yield (
                    SimulatedTab(
                        self.services,
                        person,
                        task.attempt_id,
                        self.clock,
                        self.rng,
                        f"late-{self.n_tabs}",
                    ),
                    record,
                )

    def answer(self, name: str, campaign: str, *, accuracy: float, count: int) -> None:
        """Answer the first tasks; leave the next one half done."""
        for number, (tab, record) in enumerate(self.tabs(name, campaign)):
            if number <= count:
                work_through(tab, record, accuracy=accuracy, submit=number < count)
                self.clock.advance(seconds=self.rng.uniform(5, 60))

    def judge_sample(self, name: str) -> None:
        """Judge all answers but the last, among them one's own."""
        for tab, record in [*self.tabs(name, JUDGED)][:-1]:
            reviews.judge(tab, record, accuracy=0.9)

    def grade_in_haste(self, name: str) -> None:
        """Grade pages that nobody can have seen: some milliseconds after they were opened."""
        open_tabs = [
            (tab, record)
            for tab, record in self.tabs(name, RELEVANCE)
            if self.services.log.state(tab.attempt_id).outcome is None
        ]
        tab, record = open_tabs[-1]
        tab.do("opened", session="late")
        tab.do("field_set", field="query_quality", value="good")
        for page in record["candidates"]:
            tab.do("page_viewed", after_s=(0.05, 0.2), via="next", **page)
            haste = {"after_s": (0.002, 0.004), "field": "relevance", "value": "0"}
            tab.do("field_set", **haste, **page)
        tab.do("answer_edited", text="nothing")
        tab.do("submitted", outcome="answered")

    def undo_a_drawing(self, name: str) -> None:
        """Draw a box and undo it; draw another, undo and redo it; delete a third; submit."""
        tab, record = next(
            (tab, record)
            for tab, record in self.tabs(name, CAMPAIGN)
            if record["evidence"] and self.services.log.state(tab.attempt_id).outcome is None
        )
        page = record["evidence"][0]
        tab.do("opened", session="late")
        tab.do("page_viewed", via="document", **page)
        if not self.services.log.state(tab.attempt_id).citations:
            tab.do("citation_added", **page)
        for number, is_undone in enumerate((True, False, False)):
            rect = [40.0 + 10 * number, 60.0, 200.0, 120.5]
            tab.do("box_drawn", box=f"late-{number}", rect=rect, label=EVIDENCE_LABEL, **page)
            change = f"{tab.name}-{tab._sent}"
            if number < 2:
                tab.do("undone", change=change, **page)
            if number < 2 and not is_undone:
                tab.do("redone", change=change, **page)
        tab.do("box_deleted", box="late-2")
        tab.do("answer_edited", text="\n".join(record["answer_variants"][0]))
        tab.do("submitted", outcome="answered")


def add_people(root: Path, work: SimulatedWork) -> None:
    """A third annotator, who fails the pilot and is admitted; bruno gets another name."""
    work.begin("Adding people")
    pagetrail("users", root, "add", "cleo", "--role", "annotator")
    pagetrail("users", root, "profile", "cleo", "--language", "de", "--group", "late")
    pagetrail("users", root, "rename", "bruno", "bruno quist")
    for campaign in (PILOT, CAMPAIGN, VERIFY, PATCHES, AUTHOR):
        batches = json.loads(pagetrail("batches", root, "list", "--campaign", campaign, "--json"))
        last = batches[-1]["code_name"]
        pagetrail("batches", root, "give", last, "cleo", "--campaign", campaign, "--extra")
    for tab, record in [*work.tabs("cleo", PILOT)]:
        work_through(tab, record, accuracy=0.0)
        give_feedback(tab.services, tab.person, tab.attempt_id)
    half_done, record = [*work.tabs("bruno quist", PILOT)][1]
    half_done.do("answer_edited", text="\n".join(record["answer_variants"][0]))
    half_done.do("submitted", outcome="answered")
    give_feedback(half_done.services, half_done.person, half_done.attempt_id)
    pagetrail("pilot", root, "--campaign", PILOT, "--baseline")
    decision = ("--decide", "admit", "--person", "cleo", "--reason", "Wrong units only.")
    pagetrail("pilot", root, "--campaign", PILOT, *decision)
    work.answer("cleo", CAMPAIGN, accuracy=0.7, count=2)


def add_document_alias(root: Path, folder: Path) -> None:
    """The same file again under another name."""
    copy = folder / OTHER_NAME
    shutil.copyfile(FILES / RAIL, copy)
    pagetrail("ingest", root, copy, "--ocr", "never")


def add_hidden_checks(root: Path, folder: Path, work: SimulatedWork) -> None:
    """A campaign with hidden gold and repeats, whose task file names a document by its alias."""
    work.begin("Working on hidden checks")
    pagetrail("campaign", root, "copy-gold", PILOT, "--to", HIDDEN_GOLD)
    rows = []
    for row in load_demo().questions:
        if row["evidence"] and row["id"].startswith(("rail", "budget", "slides")):
            names = {RAIL: OTHER_NAME}
            evidence = [
                {**page, "document": names.get(page["document"], page["document"])}
                for page in row["evidence"]
            ]
            rows.append({**row, "id": f"checked-{row['id']}", "evidence": evidence})
    path = folder / "checked.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    pagetrail("users", root, "add", "dora", "--role", "annotator")
    pagetrail("import-tasks", root, path, "--campaign", CHECKED, "--protocol", "search",
              "--overlap", 1, "--batch-size", 5, "--no-assign", "--set",
              f"quality.gold_from={HIDDEN_GOLD}", "--set", "quality.gold_rate=0.3", "--set",
              "quality.repeat_rate=0.3", "--set", "quality.repeat_gap=2")  # fmt: skip
    pagetrail("assign", root, "--campaign", CHECKED, "--annotator", "dora")
    work.answer("dora", CHECKED, accuracy=0.6, count=7)


def start_table_round(root: Path, folder: Path, work: SimulatedWork) -> None:
    """A model fixes the flagged tables; one person confirms."""
    work.begin("Beginning a round of tables")
    export(work.services.workspace, TABLES, "table-fixes", folder / "fixes")
    rows = []
    for line in (folder / "fixes" / "table_fixes.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["state"] == "waiting":
            table = row["tables"][0]
            fixed = table["html"].replace(table["requests"][0]["text"] or "–", "12,345", 1)
            rows.append(
                {
                    **{name: row[name] for name in ("task", "annotator", "tables_sha256")},
                    "tables": [{"id": table["id"], "html": fixed}],
                }
            )
    path = folder / "fixed.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    pagetrail("import-tables", root, path, "--campaign", TABLES, "--model", "grid-2")


def decide_twice(services: Services, clock: ManualClock) -> None:
    """Decide a disputed task, then decide it again: two versions of gold."""
    engine = services.workspace.engine
    sofia = find_person(services.workspace, "sofia")
    with engine.connect() as connection:
        campaign_id = get_campaign(connection, CAMPAIGN).id
    row = queue(engine, [campaign_id], Filters(statuses=("conflict",)), clock.now()).rows[0]
    for number, reason in enumerate(("The first is right.", "No, the second is right.")):
        clock.advance(seconds=60)
        if number:
            services.reviews.take_up(row.task_id, sofia.name, "A mistake.", "late-reopened")
        services.reviews.take(row.task_id, sofia.name, f"late-take-{number}")
        task_work = services.reviews.streams.task_work(row.task_id)
        side = [*task_work.submissions()][number]
        gold = task_work.gold
        services.reviews.decide(
            row.task_id,
            sofia.name,
            {part: Pick("side", side.attempt) for part in ("answer", "evidence", "boxes")},
            reason,
            ReviewedVersion(task_work.sources(), gold.state.last_seq if gold else 0),
            f"late-decision-{number}",
        )


def withdraw_a_batch(root: Path) -> None:
    """Withdraw a started batch; its work stays."""
    batches = json.loads(pagetrail("batches", root, "list", "--campaign", CAMPAIGN, "--json"))
    last = batches[-1]["code_name"]
    pagetrail("batches", root, "take-back", last, "cleo", "--campaign", CAMPAIGN, "--begun")


if __name__ == "__main__":
    main()
