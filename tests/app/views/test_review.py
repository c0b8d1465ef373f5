"""The review queue on its screen and in the terminal."""

from __future__ import annotations

import json
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import typer
from sqlalchemy import select
from streamlit.testing.v1 import AppTest
from typer.testing import CliRunner

from pagetrail.annotation import events as ev
from pagetrail.app.cli.campaigns import review
from pagetrail.app.reviewing.empty_queue import advice
from pagetrail.app.reviewing.wording import differing, shortened
from pagetrail.app.services.composition import Services, use
from pagetrail.storage.database.tables import AUDIT
from pagetrail.storage.progress.dashboard import still_to_do
from pagetrail.storage.review.overview import review_overview
from pagetrail.storage.review.projection import refresh, stale_tasks
from pagetrail.storage.review.queue import PartRow
from tests.app.screens import at_screen
from tests.storage.review.test_actions import PROTOCOL, RECORDS
from tests.support.review_campaign import Reviewed, campaign

program = typer.Typer()
program.callback()(lambda: None)
review.register(program)
runner = CliRunner()


@pytest.fixture
def reviewed(tmp_path: Path) -> Reviewed:
    """At one task two people differ, at the next they agree, the third only one has submitted."""
    reviewed = campaign(tmp_path / "ws", PROTOCOL, RECORDS)
    reviewed.answer("1-Ada", "42", 1)
    reviewed.answer("1-Bo", "forty", 2)
    reviewed.answer("2-Ada", "seal", 3)
    reviewed.answer("2-Bo", "seal", 3)
    reviewed.do("3-Ada", ev.Flagged(comment="odd"))
    reviewed.answer("3-Ada", "1", 1)
    return reviewed


def screen(
    reviewed: Reviewed, name: str, monkeypatch: pytest.MonkeyPatch, **address: str
) -> AppTest:
    """The queue as that person opens it under an address."""
    use(Services(reviewed.workspace, reviewed.clock))
    at = at_screen(Services(reviewed.workspace), name, monkeypatch, "review")
    for key, value in address.items():
        at.query_params[key] = value
    at.run()
    assert not at.exception
    return at


@pytest.fixture(autouse=True)
def _closed() -> object:
    yield
    use(None)


def test_an_annotator_gets_nothing_of_the_queue(
    reviewed: Reviewed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refusal, no table, nothing compared, and a line in the audit log."""
    at = screen(reviewed, "Ada", monkeypatch)
    assert [error.value for error in at.error] == [
        "This page is for supervisors. The access was noted."
    ]
    assert not at.dataframe
    assert stale_tasks(reviewed.workspace.engine) == 3
    with reviewed.workspace.engine.connect() as connection:
        noted = connection.execute(select(AUDIT.c.actor, AUDIT.c.action, AUDIT.c.detail)).all()
    assert ("Ada", "forbidden screen", "review") in [tuple(row) for row in noted]


def test_a_supervisor_sees_what_needs_a_person(
    reviewed: Reviewed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One conflict, with where it differs and who worked on it; what agreed is gold meanwhile."""
    at = screen(reviewed, "Sofia", monkeypatch)
    (table,) = at.dataframe
    assert list(table.value["Key"]) == ["t/1"]
    row = table.value.iloc[0]
    assert row["Differs most in"] == "Answer 1.00, Evidence pages 1.00"
    assert (row["Annotators"], row["Status"], row["Reviewer"]) == ("Ada, Bo", "To decide", "")
    (button,) = [b for b in at.button if b.label == "Review the next one"]
    assert not button.disabled
    (counts,) = review_overview(reviewed.workspace.engine)
    assert (counts.tasks, counts.open, counts.conflicts) == (4, 1, 1)
    assert (counts.waiting, counts.decided, counts.flagged, counts.skipped) == (2, 1, 1, 0)
    reviewed.reviews.take(1, "Sven", "e1")
    at = screen(reviewed, "Sofia", monkeypatch)
    assert at.dataframe[0].value.iloc[0]["Reviewer"] == "Sven"
    assert next(b for b in at.button if b.label == "Review the next one").disabled


def test_the_address_says_what_is_seen(reviewed: Reviewed, monkeypatch: pytest.MonkeyPatch) -> None:
    """Status, annotator, batch, domain, flag and words are read from it; nonsense is ignored."""
    for address, keys in (
        ({"status": "all"}, ["t/1", "t/3", "t/2", "t/4"]),
        ({"status": "accepted"}, ["t/2"]),
        ({"status": "waiting", "flagged": "true"}, ["t/3"]),
        ({"status": "all", "domain": "Law"}, ["t/3", "t/4"]),
        ({"status": "all", "who": "Bo", "inbatch": "Batch 1"}, ["t/1", "t/2"]),
        ({"part": "Answer"}, ["t/1"]),
        ({"text": "t/1"}, ["t/1"]),
        ({"status": "nonsense", "part": "nonsense"}, ["t/1"]),
    ):
        at = screen(reviewed, "Sofia", monkeypatch, **address)
        assert [key for table in at.dataframe for key in table.value["Key"]] == keys, address
    at = screen(reviewed, "Sofia", monkeypatch, text="walrus")
    assert not at.dataframe
    assert at.info[0].value == "No tasks match. Remove a filter."


def test_empty_queues_say_what_comes_next() -> None:
    """Nothing yet, nothing now, and all done are different things."""
    for counts, begins in (
        ({}, "This campaign has no tasks"),
        ({"waiting": 3}, "Nothing to review yet"),
        ({"waiting": 3, "accepted": 2}, "Nothing needs a reviewer now. Gold or about to be: 2;"),
        ({"decided": 2}, "All 2 tasks are gold"),
    ):
        assert advice(counts, queue=True, narrowed=False).startswith(begins)  # type: ignore[arg-type]
    assert advice({}, queue=False, narrowed=False) == "No tasks have this status."


def test_words_of_the_table() -> None:
    """Three parts at most, and a question on one line."""
    parts = tuple(PartRow(name, name.title(), 0.5) for name in ("a", "b", "c", "d", "e"))
    assert differing(parts) == "A 0.50, B 0.50, C 0.50, 2 more"
    assert differing(()) == ""
    assert shortened("one\n two three", 9) == "one two…"


def test_the_command_lists_settles_and_prints_json(reviewed: Reviewed) -> None:
    """What is still to be compared is said; --settle does it; JSON is alone on standard output."""
    line = ["review", str(reviewed.workspace.root), "--campaign", "Random"]
    before = runner.invoke(program, [*line, "--json"])
    assert json.loads(before.stdout)["to_compare"] == 3
    shown = runner.invoke(program, [*line, "--settle"], env={"COLUMNS": "200"})
    assert shown.exit_code == 0, shown.stderr
    assert "1 task accepted automatically." in shown.stderr
    assert "to decide: 1" in shown.stderr
    assert "t/1" in shown.stdout
    assert "t/2" not in shown.stdout
    data = json.loads(runner.invoke(program, [*line, "--status", "all", "--json"]).stdout)
    assert [task["key"] for task in data["tasks"]] == ["t/1", "t/3", "t/2", "t/4"]
    assert (data["to_compare"], data["counts"]["accepted"]) == (0, 1)
    assert data["tasks"][0]["people"] == ["Ada", "Bo"]


def test_a_step_that_only_compares_is_not_the_last(
    reviewed: Reviewed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Comparing takes the whole of the first step: what it found to agree is accepted next."""

    def slow(*args: Any, **options: Any) -> int:
        left = refresh(*args, **options)
        if stale:
            stale.clear()
            time.sleep(0.5)
        return left

    stale = [True]
    monkeypatch.setattr("pagetrail.storage.review.automatic_acceptance.refresh", slow)
    monkeypatch.setattr("pagetrail.app.cli.campaigns.review.STEP_S", 0.4)
    line = ["review", str(reviewed.workspace.root), "--campaign", "Random", "--settle"]
    assert "1 task accepted automatically." in runner.invoke(program, line).stderr
    assert still_to_do(reviewed.workspace.engine, 1) == (0, 0)


def test_a_task_that_a_reviewer_holds_does_not_keep_the_command_running(
    reviewed: Reviewed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It agrees and is not accepted; the command ends and leaves it to the reviewer."""
    # The command goes by the real time, the reviewer here does not.
    monkeypatch.setattr("pagetrail.storage.review.gold_streams.LEASE", timedelta(days=10_000))
    reviewed.reviews.settle(1, budget_s=-1)
    reviewed.reviews.take(2, "Sofia", "e1")
    line = ["review", str(reviewed.workspace.root), "--campaign", "Random", "--settle"]
    assert "0 tasks accepted automatically." in runner.invoke(program, line).stderr
    assert still_to_do(reviewed.workspace.engine, 1) == (0, 1)


def test_stopping_the_command_leaves_the_rest_for_the_next_time(
    reviewed: Reviewed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C in the middle: exit code 130, and the next run accepts what this one did not."""

    def stop(*_args: object, **_settings: object) -> int:
        raise KeyboardInterrupt

    line = ["review", str(reviewed.workspace.root), "--campaign", "Random", "--settle"]
    with monkeypatch.context() as patched:
        patched.setattr("pagetrail.app.cli.campaigns.review.Reviews.settle", stop)
        stopped = runner.invoke(program, line)
    assert stopped.exit_code == 130
    assert "the rest is left for next time" in stopped.stderr
    assert stale_tasks(reviewed.workspace.engine) == 3
    assert "1 task accepted automatically." in runner.invoke(program, line).stderr
