"""A ready demo: generated documents, questions with gold, people, and some work already done."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from pagetrail.annotation.clock import ManualClock
from pagetrail.annotation.costs.pay_rate import PayRate
from pagetrail.annotation.errors import WorkspaceError
from pagetrail.app.demo.agent_runs import import_runs
from pagetrail.app.demo.campaigns.build import (
    RELEVANCE,
    SmallCampaign,
    import_small,
    judged_trajectories,
    small_campaigns,
    work_second_round,
    work_small,
)
from pagetrail.app.demo.campaigns.relevance import relevance_tasks
from pagetrail.app.demo.corpus import FILES, SCANNED_TEXT, Record, load_demo
from pagetrail.app.demo.gold_work import check_some_gold
from pagetrail.app.demo.judges import import_judged_agent
from pagetrail.app.demo.review_work import review_some
from pagetrail.app.demo.simulated_work import EVIDENCE_LABEL, SimulatedTab, work_through
from pagetrail.app.demo.system_boxes import boxed_questions, import_system_boxes
from pagetrail.app.services.composition import Services
from pagetrail.app.services.computations import Computations
from pagetrail.app.workspace.annotator_actions import close_batch, open_assignment
from pagetrail.storage.attempts import queries
from pagetrail.storage.batches import my_batches
from pagetrail.storage.campaigns.pay_rates import set_rate
from pagetrail.storage.database.location import DATABASE_NAME
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.ingest.command import ingest
from pagetrail.storage.people.accounts import Person, add_user, find_person

PASSWORD = "pagetrail-demo"  # of the demo's people only; printed by the command that makes them
PEOPLE = (
    ("alma", "annotator", "a finished batch"),
    ("bruno", "annotator", "a half-finished batch"),
    ("sofia", "supervisor", "progress, review and results"),
    ("ada", "admin", "the same, and can change roles"),
)
CAMPAIGN = "Organisations: human baseline"
ASSISTED = "Organisations: search with aids"
ORACLE = "Organisations: evidence given"
PAY = PayRate.parse("18", "hour", "EUR")
"""What people are paid in ``CAMPAIGN``."""

PrintMessage = Callable[[str], None]


def build_demo(root: Path, print_message: PrintMessage) -> None:
    """Make the demo workspace in ``root``; an interrupted build leaves nothing behind there.

    Raises:
        WorkspaceError: ``root`` exists and is not a demo workspace.
    """
    if (root / DATABASE_NAME).exists():
        return
    if root.exists() and any(root.iterdir()):
        raise WorkspaceError(f"{root} is not an empty folder. Choose a new one for the demo.")
    building = root.with_name(f".{root.name}.building")
    shutil.rmtree(building, ignore_errors=True)
    workspace = Workspace.create(building)
    clock = ManualClock(datetime.now(UTC) - timedelta(days=2))
    services = Services(workspace, clock=clock)
    # Nobody waits at a browser: starting a process may take longer than people would wait.
    services.checks = Computations(building)
    try:
        with TemporaryDirectory() as folder:
            small = _fill(services, Path(folder), print_message)
        # Before the first query: one that is refused while the index is built changes the past.
        services.search.start()
        print_message("Doing some of the work")
        _simulate_work(services, clock)
        work_small(services, clock, Random(8), small)
        with TemporaryDirectory() as folder:
            work_second_round(services, clock, Random(10), Path(folder))
        print_message("Importing agents' runs and judges' verdicts")
        import_runs(services, CAMPAIGN)
        set_rate(workspace, None, CAMPAIGN, None, PAY)
        import_system_boxes(services, relevance_tasks(load_demo()), RELEVANCE)
        import_system_boxes(services, boxed_questions(load_demo()), CAMPAIGN)
        import_judged_agent(services, load_demo(), CAMPAIGN)
        judging_campaigns = [judged_trajectories(services, CAMPAIGN)]
        with TemporaryDirectory() as folder:
            import_small(services, Path(folder), judging_campaigns)
        work_small(services, clock, Random(9), judging_campaigns)
        print_message("Reviewing some of the work")
        sofia = find_person(workspace, "sofia")
        review_some(services, clock, sofia, CAMPAIGN)
        check_some_gold(services, clock, sofia, CAMPAIGN)
    finally:
        services.close()
        workspace.engine.dispose()
    if root.exists():
        root.rmdir()
    building.rename(root)


def _fill(services: Services, folder: Path, print_message: PrintMessage) -> list[SmallCampaign]:
    workspace = services.workspace
    demo = load_demo()
    print_message("Ingesting the documents")
    report = ingest(workspace, [FILES], ocr="never", text_jsonl=SCANNED_TEXT)
    if report.failed:
        raise WorkspaceError(f"The demo's own documents failed: {report.failed[0].reason}")
    for name, role, _ in PEOPLE:
        add_user(workspace, name, role, PASSWORD, clock=services.clock)
    tasks = folder / "questions.jsonl"
    rows = _mixed(demo.questions)
    _write_rows(tasks, rows)
    questions_file = folder / "few.jsonl"
    _write_rows(questions_file, [row for row in rows if row["evidence"]][1::3][:6])
    print_message("Importing the questions")
    for path, campaign, protocol, settings, size in (
        (
            tasks,
            CAMPAIGN,
            "search",
            {
                "answer.unanswerable": True,
                "boxes.enabled": True,
                "boxes.labels": [{"name": EVIDENCE_LABEL}],
            },
            10,
        ),
        (
            questions_file,
            ASSISTED,
            "search",
            {
                "search.snippets": True,
                "search.highlights": True,
                "search.suggestions": True,
                "text.select": True,
                "text.find": True,
            },
            6,
        ),
        (questions_file, ORACLE, "oracle", {}, 6),
    ):
        import_tasks(
            workspace,
            path,
            campaign=campaign,
            protocol=protocol,
            settings=settings,
            batch_size=size,
            overlap=2,
            seed=7,
            clock=services.clock,
        )
    small = small_campaigns(demo, services)
    import_small(services, folder, small)
    return small


def _mixed(rows: list[Record]) -> list[Record]:
    """The questions with the documents taking turns, unanswerable ones not left to the end."""

    def position(row: Record) -> tuple[int, str]:
        prefix, _, number = row["id"].rpartition("-")
        return int(number) // (3 if row.get("unanswerable") else 1), prefix

    return sorted(rows, key=position)


def _write_rows(path: Path, rows: list[Record]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def _simulate_work(services: Services, clock: ManualClock) -> None:
    rng = Random(7)
    alma = find_person(services.workspace, "alma")
    bruno = find_person(services.workspace, "bruno")
    past = _Past(services, clock, rng)
    first, second, *_ = _batches(services, alma, CAMPAIGN)
    past.do(alma, first, count=99, accuracy=0.9)
    close_batch(services, alma, first)
    past.do(alma, second, count=3, accuracy=0.9)
    clock.advance(seconds=1_800)
    past.do(bruno, _batches(services, bruno, CAMPAIGN)[0], count=9, accuracy=0.6, skipping=True)
    clock.advance(seconds=14_400)
    past.do(alma, _batches(services, alma, ORACLE)[0], count=3, accuracy=0.9)
    past.do(bruno, _batches(services, bruno, ASSISTED)[0], count=2, accuracy=0.7)
    _do_enough_for_a_time_horizon(services, clock, bruno)


def _do_enough_for_a_time_horizon(services: Services, clock: ManualClock, person: Person) -> None:
    """Do the last batches of the campaign, so that its time horizon has an interval.

    Nothing is planted for it: simulated people need longer for questions with more pages of
    evidence, and both agents, whose mistakes are written by hand, fail more often at these.
    """
    past = _Past(services, clock, Random(11))
    for assignment_id in _batches(services, person, CAMPAIGN)[2:]:
        past.do(person, assignment_id, count=99, accuracy=0.95, flagging=False)


def _batches(services: Services, person: Person, campaign: str) -> list[int]:
    rows = my_batches.assignments(services.workspace.engine, person.id)
    return [row.assignment_id for row in rows if row.campaign == campaign]


@dataclass(frozen=True)
class _Past:
    """Simulates the work of the last days."""

    services: Services
    clock: ManualClock
    rng: Random

    def do(
        self,
        person: Person,
        assignment_id: int,
        *,
        count: int,
        accuracy: float,
        skipping: bool = False,
        flagging: bool = True,
    ) -> None:
        """Submit the first ``count`` tasks of a batch, and leave the next one half done.

        Args:
            skipping: skip the second task, with a reason.
            flagging: reopen, flag and resubmit the third task.
        """
        open_assignment(self.services, person, assignment_id)
        engine = self.services.workspace.engine
        for index, task in enumerate(queries.batch_tasks(engine, assignment_id)[: count + 1]):
            row = queries.attempt(engine, task.attempt_id)
            tab = SimulatedTab(self.services, person, task.attempt_id, self.clock, self.rng)
            if skipping and index == 1:
                tab.do("opened", after_s=(0, 1), session="demo")
                tab.do("skipped", after_s=(20, 60), reason="I have worked for this organisation.")
                continue
            work_through(
                tab,
                row.record,
                accuracy=accuracy,
                searching=row.protocol.search.enabled,
                submit=index < count,
                pausing=index % 5 == 1,
                boxing=row.protocol.boxes.enabled,
            )
            if flagging and index == 2:
                _second_thoughts(tab)
            self.clock.advance(seconds=self.rng.uniform(5, 60))


def _second_thoughts(tab: SimulatedTab) -> None:
    """Reopen, flag and resubmit a task, so that the demo has one."""
    state = tab.services.log.state(tab.attempt_id)
    if state.outcome is None:
        return
    tab.do("reopened", after_s=(10, 30))
    tab.do(
        "flagged", after_s=(5, 15), comment="Two pages give this figure with different rounding."
    )
    tab.do("submitted", after_s=(2, 5), outcome=state.outcome)
