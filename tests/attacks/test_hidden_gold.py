"""Hidden gold stays hidden, whatever supervisors and annotators do, in any order."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from sqlalchemy import insert, select, update

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command, Recorder
from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.errors import ConflictError, PagetrailError
from pagetrail.storage.attempts import queries
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.batches.assignments import assign
from pagetrail.storage.batches.changeable_settings import change_settings
from pagetrail.storage.batches.claims import claim_next_batch
from pagetrail.storage.batches.my_batches import assignments, claimable_campaigns
from pagetrail.storage.batches.open_close import close_assignment, ensure_attempts
from pagetrail.storage.batches.reassignment import assign_batch, move_batch
from pagetrail.storage.batches.rebalancing import carry_out, plan_rebalance
from pagetrail.storage.batches.single_tasks import give_task, pass_on_skipped
from pagetrail.storage.batches.withdrawal import withdraw_batch
from pagetrail.storage.campaigns.hidden_gold import exposed_checks, unsafe_source
from pagetrail.storage.campaigns.lifecycle import (
    archive_campaign,
    close_campaign,
    reopen_campaign,
)
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import (
    Assignment,
    Attempt,
    Batch,
    Campaign,
    Task,
    User,
)
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.gold_copy import copy_gold
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.importers.tasks.task_changes import edit_task, task_details, withdraw_task
from pagetrail.storage.maintenance.verify import verify
from pagetrail.storage.pilots.decisions import decide
from pagetrail.storage.qualification.submissions import feedback_command
from tests.storage.task_data import add_people, register_documents, task, write_jsonl
from tests.support.randomness import examples

MAIN, PILOT, SOURCE, OTHER = "Main", "Pilot", "Source", "Other"
PEOPLE = ("Ada", "Bo", "Cy")
AS_PILOT = {"pilot.enabled": True, "pilot.feedback": True, "pilot.pass_mark": 1.0}
HIDDEN = {"quality.gold_from": SOURCE, "quality.gold_rate": 0.5, "review.skipped": "next"}
numbers = st.integers(0, 40)
people = st.sampled_from(PEOPLE)


def gold_task(number: int, spelling: int = 0, **fields: Any) -> dict[str, Any]:
    """A task with gold; its question is spelled in one of several ways."""
    words = (f"Known {number}?", f"  KNOWN  {number} ", f"known {number}…")[spelling % 3]
    return task(number, question=words, **fields)


def normalised_question(question: str) -> str:
    """The question without case and punctuation, computed independently of the product."""
    return " ".join(question.lower().replace("?", " ").replace("…", " ").split())


def add_campaign(
    workspace: Workspace, name: str, rows: list[dict[str, Any]], **options: Any
) -> None:
    """A campaign in batches of two; nothing is assigned unless asked for."""
    with tempfile.TemporaryDirectory() as folder:
        path = write_jsonl(Path(folder) / "tasks.jsonl", rows)
        import_options = {"assign": False, "batch_size": 2, "overlap": 2} | options
        assert not import_tasks(workspace, path, campaign=name, **import_options).bad


def make(workspace: Workspace) -> None:
    """Four pilot tasks with gold, copied as a source; a campaign that draws from it; another."""
    register_documents(workspace)
    add_people(workspace, PEOPLE)
    add_campaign(workspace, PILOT, [gold_task(n) for n in range(4)], settings=AS_PILOT)
    copy_gold(workspace, None, PILOT, SOURCE)
    add_campaign(workspace, MAIN, [task(n + 20) for n in range(8)], settings=HIDDEN)
    other_encounters = [gold_task(n, 1, id=f"other-{n}") for n in range(2, 6)]
    add_campaign(workspace, OTHER, other_encounters, settings={"review.skipped": "next"})


class HiddenGold(RuleBasedStateMachine):
    """People and supervisors do anything, in any order; refusals are part of it."""

    template: Path

    @initialize()
    def begin(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="pagetrail-test-")
        root = Path(self._folder.name) / "ws"
        shutil.copytree(self.template, root)
        self.workspace = Workspace.open(root)
        self.recorder = Recorder(
            SqlEventLog(self.workspace.engine), Corpus(self.workspace), SystemClock()
        )
        self.count = 0
        self.check_questions: dict[tuple[str, int], str] = {}  # person and check → question

    def teardown(self) -> None:
        if hasattr(self, "workspace"):
            self.workspace.engine.dispose()
            self._folder.cleanup()

    def rows(self, statement: Any) -> list[Any]:
        with self.workspace.engine.connect() as connection:
            return list(connection.execute(statement))

    def pick(self, statement: Any, number: int) -> Any:
        """One of the rows; None without any."""
        rows = self.rows(statement)
        return rows[number % len(rows)] if rows else None

    def campaign(self, number: int) -> str:
        original_campaigns = select(Campaign.name).where(Campaign.checks_of.is_(None))
        return str(self.pick(original_campaigns.order_by(Campaign.id), number).name)

    def try_to(self, action: Callable[[], object]) -> None:
        with suppress(PagetrailError):
            action()

    # What supervisors do.

    @rule(first=st.integers(0, 5), spelling=numbers, pilot=st.booleans(), assigned=st.booleans())
    def create(self, first: int, spelling: int, pilot: bool, assigned: bool) -> None:
        if self.count < 3:
            self.count += 1
            rows = [gold_task(n, spelling, id=f"{self.count}-{n}") for n in (first, first + 1)]
            settings = AS_PILOT if pilot else {}
            name = f"New {self.count}"
            self.try_to(
                lambda: add_campaign(self.workspace, name, rows, settings=settings, assign=assigned)
            )

    @rule(number=numbers)
    def close(self, number: int) -> None:
        self.try_to(lambda: close_campaign(self.workspace, None, self.campaign(number)))

    @rule(number=numbers)
    def reopen(self, number: int) -> None:
        self.try_to(lambda: reopen_campaign(self.workspace, None, self.campaign(number)))

    @rule(number=numbers)
    def archive_and_reopen(self, number: int) -> None:
        name = self.campaign(number)
        self.try_to(lambda: archive_campaign(self.workspace, None, name, unfinished=True))
        self.try_to(lambda: reopen_campaign(self.workspace, None, name))

    @rule(number=numbers)
    def choose_source(self, number: int) -> None:
        changes = {"quality.gold_from": self.campaign(number)}
        self.try_to(lambda: change_settings(self.workspace, None, MAIN, changes))

    @rule(number=numbers)
    def have_an_older_source(self, number: int) -> None:
        """As in a workspace from before sources had to be closed."""
        name = self.campaign(number)
        with write_transaction(self.workspace.engine) as connection:
            main = Campaign.name == MAIN
            stored = connection.execute(select(Campaign.protocol).where(main)).scalar_one()
            quality = stored["quality"] | {"gold_from": name}
            changed = stored | {"quality": quality}
            connection.execute(update(Campaign).where(main).values(protocol=changed))

    @rule(number=numbers)
    def assign_all(self, number: int) -> None:
        self.try_to(lambda: assign(self.workspace, self.campaign(number)))

    @rule(number=numbers, person=people, extra=st.booleans())
    def give_batch(self, number: int, person: str, extra: bool) -> None:
        batch = self.pick(
            select(Batch.code_name, Campaign.name)
            .join(Campaign, Campaign.id == Batch.campaign_id)
            .where(Campaign.checks_of.is_(None)),
            number,
        )
        if batch is not None:
            self.try_to(
                lambda: assign_batch(
                    self.workspace, batch.name, batch.code_name, person, extra=extra
                )
            )

    @rule(number=numbers, person=people)
    def give_one_task(self, number: int, person: str) -> None:
        row = self.pick(
            select(Task.key, Campaign.name)
            .join(Campaign, Campaign.id == Task.campaign_id)
            .where(Campaign.checks_of.is_(None)),
            number,
        )
        if row is not None:
            self.try_to(lambda: give_task(self.workspace, row.name, row.key, person))

    @rule(number=numbers)
    def take_back(self, number: int) -> None:
        assignment = self.pick(select(Assignment.id), number)
        if assignment is not None:
            self.try_to(lambda: withdraw_batch(self.workspace, assignment.id, started=True))

    @rule(number=numbers, person=people)
    def move_batch(self, number: int, person: str) -> None:
        assignment = self.pick(select(Assignment.id), number)
        if assignment is not None:
            self.try_to(lambda: move_batch(self.workspace, assignment.id, person, started=True))

    @rule(number=numbers)
    def rebalance(self, number: int) -> None:
        def do() -> None:
            carry_out(self.workspace, plan_rebalance(self.workspace, self.campaign(number)))

        self.try_to(do)

    @rule(number=numbers, person=people)
    def retrain(self, number: int, person: str) -> None:
        name = self.campaign(number)
        self.try_to(lambda: decide(self.workspace, name, person, "retrain", "Again.", by="Sofia"))

    @rule(number=numbers, other=st.integers(0, 5))
    def ask_something_else(self, number: int, other: int) -> None:
        row = self.pick(
            select(Task.key, Task.record, Campaign.name)
            .join(Campaign, Campaign.id == Task.campaign_id)
            .where(Campaign.checks_of.is_(None)),
            number,
        )
        if row is None:
            return
        new = row.record | {"question": gold_task(other, 2)["question"]}
        self.try_to(
            lambda: edit_task(
                self.workspace, None, row.name, row.key, new, edited_record=row.record
            )
        )

    @rule(number=numbers)
    def drop_task(self, number: int) -> None:
        row = self.pick(
            select(Task.key, Campaign.name)
            .join(Campaign, Campaign.id == Task.campaign_id)
            .where(Campaign.checks_of.is_(None)),
            number,
        )
        if row is not None:  # all may be dropped
            self.try_to(lambda: withdraw_task(self.workspace, None, row.name, row.key))

    # What annotators do.

    @rule(number=numbers, person=people)
    def claim(self, number: int, person: str) -> None:
        user = PEOPLE.index(person) + 1
        self.try_to(lambda: claim_next_batch(self.workspace, self.campaign(number), user))

    @rule(person=people)
    def open_all(self, person: str) -> None:
        """Opening batches draws checks."""
        for assignment in assignments(self.workspace.engine, PEOPLE.index(person) + 1):
            action = partial(
                ensure_attempts, self.workspace.engine, assignment.assignment_id, SystemClock()
            )
            self.try_to(action)

    @rule(name=st.sampled_from((PILOT, OTHER)), person=people)
    def take(self, name: str, person: str) -> None:
        """A batch of a campaign that has the same tasks."""
        self.try_to(lambda: claim_next_batch(self.workspace, name, PEOPLE.index(person) + 1))

    @rule(number=numbers)
    def open_batch(self, number: int) -> None:
        assignment = self.pick(select(Assignment.id).order_by(Assignment.id), number)
        if assignment is not None:
            clock = SystemClock()
            self.try_to(lambda: ensure_attempts(self.workspace.engine, assignment.id, clock))

    @rule(number=numbers, skips=st.booleans(), asks=st.booleans())
    def end_attempt(self, number: int, skips: bool, asks: bool) -> None:
        """Submit or skip a task; ask for feedback, which a pilot gives."""
        attempt = self.pick(select(Attempt.id, Attempt.task_id), number)
        if attempt is None:
            return
        row = queries.attempt(self.workspace.engine, attempt.id)
        ending = ev.Skipped(reason="?") if skips else ev.Submitted(outcome="not_found")
        self.recorder.record(row.context(), [Command("done", ending)])
        if skips:
            self.try_to(lambda: pass_on_skipped(self.workspace, attempt.task_id))
        if asks:
            state = SqlEventLog(self.workspace.engine).state(attempt.id)
            command = feedback_command(row, state)
            if command is not None:
                self.recorder.record(row.context(), [command])

    @rule(number=numbers)
    def close_batch(self, number: int) -> None:
        assignment = self.pick(select(Assignment.id), number)
        if assignment is not None:
            self.try_to(
                lambda: close_assignment(self.workspace.engine, self.recorder, assignment.id)
            )

    # What must hold.

    @invariant()
    def nobody_meets_a_check_twice(self) -> None:
        if not hasattr(self, "workspace"):
            return
        named_tasks = select(
            Task.id, Task.record, Campaign.name, Campaign.check_kind, User.name
        ).join(Campaign, Campaign.id == Task.campaign_id)
        attempted_tasks = self.rows(
            named_tasks.join(Attempt, Attempt.task_id == Task.id).join(
                User, User.id == Attempt.user_id
            )
        )
        held_tasks = self.rows(
            named_tasks.join(Assignment, Assignment.batch_id == Task.batch_id).join(
                User, User.id == Assignment.user_id
            )
        )
        encounters = {
            (row[4], row[0], row[2], normalised_question(row[1]["question"]))
            for row in [*attempted_tasks, *held_tasks]
        }
        self.check_questions |= {
            (row[4], row.id): normalised_question(row.record["question"])
            for row in attempted_tasks
            if row.check_kind == "gold"
        }
        for (
            person,
            check,
        ), question in self.check_questions.items():  # those of withdrawn batches, too
            other_encounters = {
                m for m in encounters if m[0] == person and m[3] == question and m[1] != check
            }
            assert not other_encounters, (
                f"{person} has {question!r} as a check and as {other_encounters}"
            )
        with self.workspace.engine.connect() as connection:
            assert exposed_checks(connection)[1] == []

    @invariant()
    def no_source_is_offered(self) -> None:
        if not hasattr(self, "workspace"):
            return
        with self.workspace.engine.connect() as connection:
            main = select(Campaign.protocol).where(Campaign.name == MAIN)
            source = connection.execute(main).scalar_one()["quality"]["gold_from"]
            safe = not unsafe_source(connection, source)
        for user in range(1, len(PEOPLE) + 1):
            assert not safe or source not in claimable_campaigns(self.workspace.engine, user)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """An empty workspace, without a server."""
    return Workspace.create(tmp_path / "ws")


@pytest.fixture(scope="module", autouse=True)
def copied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The workspace that every example works on a copy of."""
    workspace = Workspace.create(tmp_path_factory.mktemp("gold") / "ws")
    make(workspace)
    assign(workspace, MAIN)
    workspace.engine.dispose()
    HiddenGold.template = workspace.root
    yield


def test_what_an_outsider_found(workspace: Workspace) -> None:
    """A pilot as the source, its next batch, feedback on the skipped copy: refused at the start."""
    make(workspace)
    for source in (PILOT, OTHER):
        with pytest.raises(ConflictError, match="copy-gold"):
            change_settings(workspace, None, MAIN, {"quality.gold_from": source})
    with pytest.raises(ConflictError, match="Main takes hidden gold from it"):
        reopen_campaign(workspace, None, SOURCE)
    assign(workspace, MAIN, ["Ada"])
    for assignment in assignments(workspace.engine, 1):
        ensure_attempts(workspace.engine, assignment.assignment_id, SystemClock())
    with workspace.engine.connect() as connection:
        check_count, exposed = exposed_checks(connection)
    assert check_count == 4 and not exposed, "every task with gold is a check of Ada's"
    assert claimable_campaigns(workspace.engine, 1) == {OTHER: 1}
    with pytest.raises(ConflictError, match="already been taken"):
        claim_next_batch(workspace, PILOT, 1)
    settings = assign(workspace, OTHER, ["Ada", "Bo"])
    assert [name for _, name in settings.created].count("Ada") == 1
    ((batch, person),) = settings.kept_from
    assert person == "Ada"
    with pytest.raises(ConflictError, match="hidden check for Ada"):
        assign_batch(workspace, OTHER, batch, "Ada")
    with workspace.engine.connect() as connection:
        used = connection.execute(
            select(Task.copy_of).where(Task.copy_of.is_not(None)).limit(1)
        ).scalar_one()
        key = connection.execute(select(Task.key).where(Task.id == used)).scalar_one()
    first = Attempt.task_id == select(Task.id).where(Task.copy_of == used).scalar_subquery()
    with workspace.engine.connect() as connection:
        attempt = connection.execute(select(Attempt.id).where(first)).scalar_one()
    recorder = Recorder(SqlEventLog(workspace.engine), Corpus(workspace), SystemClock())
    context = queries.attempt(workspace.engine, attempt).context()
    recorder.record(context, [Command("done", ev.Submitted(outcome="not_found"))])
    assert "Ada opened it" in task_details(workspace, SOURCE, key).fixed
    with pytest.raises(ConflictError, match="neither edited nor withdrawn"):
        withdraw_task(workspace, None, SOURCE, key)


def test_checks_of_a_withdrawn_batch_are_remembered(workspace: Workspace) -> None:
    """Opened, with nothing done in it: the person meets its check nowhere else afterwards."""
    make(workspace)
    assign(workspace, MAIN, ["Ada"])
    for assignment in assignments(workspace.engine, 1):
        ensure_attempts(workspace.engine, assignment.assignment_id, SystemClock())
    for assignment in assignments(workspace.engine, 1):
        withdraw_batch(workspace, assignment.assignment_id)
    assert not assignments(workspace.engine, 1)
    with pytest.raises(ConflictError, match="hidden check for Ada"):
        assign_batch(workspace, OTHER, _batches(workspace, OTHER)[0], "Ada")
    assert PILOT not in claimable_campaigns(workspace.engine, 1)
    reopened = assign_batch(workspace, MAIN, _batches(workspace, MAIN)[0], "Ada")
    assert reopened.reopened
    ensure_attempts(workspace.engine, reopened.assignment_id, SystemClock())
    with workspace.engine.connect() as connection:
        assert exposed_checks(connection) == (4, [])


def test_the_last_task_of_an_opened_batch_stays(workspace: Workspace) -> None:
    """Without it the batch would be gone, and what is known of its checks."""
    make(workspace)
    assign(workspace, MAIN, ["Ada"])
    opened = assignments(workspace.engine, 1)[0]
    ensure_attempts(workspace.engine, opened.assignment_id, SystemClock())
    with workspace.engine.connect() as connection:
        batch = select(Assignment.batch_id).where(Assignment.id == opened.assignment_id)
        tasks = select(Task.key).where(Task.batch_id == batch.scalar_subquery())
        keys = list(connection.execute(tasks).scalars())
    for key in keys[:-1]:
        withdraw_task(workspace, None, MAIN, key)
    with pytest.raises(ConflictError, match="which Ada opened"):
        withdraw_task(workspace, None, MAIN, keys[-1])
    with workspace.engine.connect() as connection:
        assert exposed_checks(connection) == (1, [])


def _batches(workspace: Workspace, campaign: str) -> list[str]:
    """Code names of a campaign's batches."""
    with workspace.engine.connect() as connection:
        names = select(Batch.code_name).join(Campaign, Campaign.id == Batch.campaign_id)
        return list(connection.execute(names.where(Campaign.name == campaign)).scalars())


def test_older_workspaces_draw_nothing_from_unsafe_sources(workspace: Workspace) -> None:
    """They open, say so, and `verify` names the source, and what was exposed before."""
    make(workspace)
    assign(workspace, MAIN, ["Ada"])
    for assignment in assignments(workspace.engine, 1):
        ensure_attempts(workspace.engine, assignment.assignment_id, SystemClock())
    with write_transaction(workspace.engine) as connection:
        main = Campaign.name == MAIN
        stored = connection.execute(select(Campaign.protocol).where(main)).scalar_one()
        changed = stored | {"quality": stored["quality"] | {"gold_from": PILOT}}
        connection.execute(update(Campaign).where(main).values(protocol=changed))
        batch = connection.execute(
            select(Batch.id)
            .join(Campaign, Campaign.id == Batch.campaign_id)
            .where(Campaign.name == PILOT)
            .limit(1)
        ).scalar_one()
        connection.execute(
            insert(Assignment).values(
                batch_id=batch, user_id=1, seed=1, status="open", created_at="2026-01-01", checks=0
            )
        )
    check = next(check for check in verify(workspace) if check.name == "hidden checks")
    assert any("Main draws no hidden gold: Pilot is a pilot" in line for line in check.problems)
    assert sum("of Pilot too" in line for line in check.problems) == 2
    assign(workspace, MAIN, ["Bo"])
    for assignment in assignments(workspace.engine, 2):
        ensure_attempts(workspace.engine, assignment.assignment_id, SystemClock())
    with workspace.engine.connect() as connection:
        assert exposed_checks(connection)[0] == 4, "Bo gets none"


class TestHiddenGold(HiddenGold.TestCase):  # type: ignore[misc, name-defined]
    """Nobody is given, offered or shown a check in any other way, before or after."""

    settings = examples(40, stateful_step_count=40)
