"""The review queue on its screen and in the terminal."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import typer
from sqlalchemy import insert, select, update
from streamlit.testing.v1 import AppTest
from typer.testing import CliRunner

from pagetrail.annotation import events as ev
from pagetrail.annotation.protocols.protocol import with_overrides
from pagetrail.annotation.review.votes import PartVotes
from pagetrail.app.cli.campaigns import review
from pagetrail.app.reviewing.bulk_acceptance import left_out_frame, ready_frame, summary_sentences
from pagetrail.app.reviewing.empty_queue import empty_queue_advice
from pagetrail.app.reviewing.queue_address import campaigns_in, filters_in
from pagetrail.app.reviewing.wording import differing_parts, shorten
from pagetrail.app.services.composition import Services, replace_services
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Batch, Campaign, ReviewTask, Task
from pagetrail.storage.progress.dashboard import still_to_do
from pagetrail.storage.review.actions import ReviewedVersion
from pagetrail.storage.review.bulk_acceptance import ProposedGold
from pagetrail.storage.review.facets import reviewed_campaigns
from pagetrail.storage.review.overview import review_overview
from pagetrail.storage.review.projection import refresh, stale_tasks
from pagetrail.storage.review.queue import PartScore
from tests.app.screens import at_screen
from tests.storage.review.test_actions import PROTOCOL, RECORDS
from tests.support.audit_log import audited
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
    reviewed.answer("2-Ada", "57", 3)
    reviewed.answer("2-Bo", "57", 3)
    reviewed.do("3-Ada", ev.Flagged(comment="odd"))
    reviewed.answer("3-Ada", "1", 1)
    return reviewed


def screen(
    reviewed: Reviewed, name: str, monkeypatch: pytest.MonkeyPatch, **address: str
) -> AppTest:
    """The queue as that person opens it under an address."""
    replace_services(Services(reviewed.workspace, reviewed.clock))
    at = at_screen(Services(reviewed.workspace), name, monkeypatch, "review")
    for key, value in address.items():
        at.query_params[key] = value
    at.run()
    assert not at.exception
    return at


@pytest.fixture(autouse=True)
def _closed() -> object:
    yield
    replace_services(None)


def test_annotator_cannot_open_the_queue(
    reviewed: Reviewed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refusal, no table, nothing compared, and a line in the audit log."""
    at = screen(reviewed, "Ada", monkeypatch)
    assert [error.value for error in at.error] == [
        "This page is for supervisors. The access was noted."
    ]
    assert not at.dataframe
    assert stale_tasks(reviewed.workspace.engine) == 3
    assert ("Ada", "forbidden screen", "review") in audited(reviewed.workspace)


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


def test_empty_queue_advises_the_next_step() -> None:
    """Nothing yet, nothing now, and all done are different things."""
    for counts, begins in (
        ({}, "This campaign has no tasks"),
        ({"waiting": 3}, "Nothing to review yet"),
        (
            {"waiting": 3, "accepted": 2},
            "Nothing needs a reviewer now. Decided or about to be accepted: 2;",
        ),
        ({"decided": 2}, "All 2 tasks are gold"),
    ):
        assert empty_queue_advice(counts, is_queue=True, is_filtered=False).startswith(begins)  # type: ignore[arg-type]
    assert empty_queue_advice({}, is_queue=False, is_filtered=False) == "No tasks have this status."


def test_words_of_the_table() -> None:
    """Three parts at most, and a question on one line."""
    parts = tuple(PartScore(name, name.title(), 0.5) for name in ("a", "b", "c", "d", "e"))
    assert differing_parts(parts) == "A 0.50, B 0.50, C 0.50, 2 more"
    assert differing_parts(()) == ""
    assert shorten("one\n two three", 9) == "one two…"


def test_the_command_lists_settles_and_prints_json(reviewed: Reviewed) -> None:
    """What is still to be compared is said; --settle does it; JSON is alone on standard output."""
    line = ["review", str(reviewed.workspace.root), "--campaign", "Random"]
    before = runner.invoke(program, [*line, "--json"])
    assert json.loads(before.stdout)["to_compare"] == 3
    result = runner.invoke(program, [*line, "--settle"], env={"COLUMNS": "200"})
    assert result.exit_code == 0, result.stderr
    assert "1 task accepted automatically." in result.stderr
    assert "to decide: 1" in result.stderr
    assert "t/1" in result.stdout
    assert "t/2" not in result.stdout
    data = json.loads(runner.invoke(program, [*line, "--status", "all", "--json"]).stdout)
    assert [task["key"] for task in data["tasks"]] == ["t/1", "t/3", "t/2", "t/4"]
    assert (data["to_compare"], data["counts"]["accepted"]) == (0, 1)
    assert data["tasks"][0]["people"] == ["Ada", "Bo"]


def test_comparison_step_is_not_the_last(
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
    reviewed.reviews.acceptance.settle(1, budget_s=-1)
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
        patched.setattr(
            "pagetrail.storage.review.automatic_acceptance.AutomaticAcceptance.settle", stop
        )
        stopped = runner.invoke(program, line)
    assert stopped.exit_code == 130
    assert "the rest is left for next time" in stopped.stderr
    assert stale_tasks(reviewed.workspace.engine) == 3
    assert "1 task accepted automatically." in runner.invoke(program, line).stderr


def test_pilots_stay_out_unless_asked_for(
    reviewed: Reviewed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not the default, nor in all campaigns, their counts and filters; by switch or by name."""
    with write_transaction(reviewed.workspace.engine) as connection:
        row = connection.execute(select(Campaign)).one()._asdict()
        protocol = with_overrides(PROTOCOL, {"pilot.enabled": True}).model_dump(mode="json")
        pilot = row | {"id": 2, "name": "A pilot", "protocol": protocol}
        connection.execute(insert(Campaign).values(**pilot))
        connection.execute(update(Batch).where(Batch.id == 1).values(campaign_id=2))
        connection.execute(update(Task).where(Task.batch_id == 1).values(campaign_id=2))
        of_pilot = ReviewTask.task_id.in_((1, 2))
        connection.execute(update(ReviewTask).where(of_pilot).values(campaign_id=2))
    engine = reviewed.workspace.engine
    refresh(engine)
    assert list(reviewed_campaigns(engine)) == ["Random"]
    assert list(reviewed_campaigns(engine, pilots=True)) == ["Random", "A pilot"]
    assert [queue_row.campaign for queue_row in review_overview(engine)] == ["Random"]
    assert len(review_overview(engine, pilots=True)) == 2
    all_campaigns = {"campaign": "All campaigns"}
    for address, keys in (
        ({}, []),
        (all_campaigns, []),
        (all_campaigns | {"pilots": "true"}, ["t/1"]),
        ({"campaign": "A pilot"}, ["t/1"]),
        ({"pilot": "A pilot"}, ["t/1"]),
    ):
        at = screen(reviewed, "Sofia", monkeypatch, **address)
        listed_keys = [key for table in at.dataframe for key in table.value["Key"]]
        assert listed_keys == keys, address
        assert [toggle.value for toggle in at.toggle if toggle.label == "Pilots too"] == [
            bool(keys)
        ]
    for pilots_param, ids in (("", (1,)), ("&pilots=true", (1, 2))):
        address = f"campaign=All+campaigns{pilots_param}"
        assert campaigns_in(reviewed.workspace, 1, address) == ids


def test_a_workspace_of_pilots_alone_says_why_nothing_is_listed(
    reviewed: Reviewed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The switch is there."""
    protocol = with_overrides(PROTOCOL, {"pilot.enabled": True}).model_dump(mode="json")
    with write_transaction(reviewed.workspace.engine) as connection:
        connection.execute(update(Campaign).values(protocol=protocol))
    at = screen(reviewed, "Sofia", monkeypatch)
    assert at.info[0].value.startswith("All campaigns are pilots.")
    assert not at.dataframe
    at = next(toggle for toggle in at.toggle if toggle.label == "Pilots too").set_value(True).run()
    assert not at.exception
    assert list(at.dataframe[0].value["Key"]) == ["t/1"]


def test_address_filters_unanimous_tasks_that_differ_from_the_dataset(
    reviewed: Reviewed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is in the queue, says what it differs from, and the next task is one of the same."""
    with write_transaction(reviewed.workspace.engine) as connection:
        record = RECORDS[1] | {"answer_variants": [["99"]]}
        connection.execute(update(Task).where(Task.id == 2).values(record=record))
    at = screen(reviewed, "Sofia", monkeypatch, contradicts="true")
    (table,) = at.dataframe
    assert list(table.value["Key"]) == ["t/2"]
    assert list(table.value["Differs most in"]) == ["from the dataset"]
    assert filters_in(reviewed.workspace, [1], "contradicts=true").contradicts_dataset


def test_bulk_acceptance_dialog_describes_each_task() -> None:
    """Values by part, votes with what the others gave, pages by document; what is not ticked."""
    answer = PartVotes("answer", "Answer", "0.61", 2, (("0.83", 1),), "0.83")
    verdict = PartVotes("verdict", "Verdict", "Right", 3, (), "")
    proposed = ProposedGold(
        task_id=1,
        campaign="Random",
        key="t/1",
        question="How much?",
        votes=(answer,),
        annotators=3,
        pages=(("b.pdf", 1), ("c.pdf", 2), ("b.pdf", 3)),
        dataset_pages=(("b.pdf", 1),),
        unlike_dataset={"answer": "Answer", "evidence": "Evidence pages"},
        contradicts_dataset=True,
        contradicts_answers=True,
        confirms=False,
        left_out="",
        version=ReviewedVersion({}, 0),
        merged=None,
    )
    agreed = replace(
        proposed, key="t/2", votes=(answer, verdict), unlike_dataset={}, contradicts_dataset=False
    )
    frame = ready_frame([proposed, agreed])
    assert dict(frame.iloc[0]) == {
        "Accept": False,
        "Key": "t/1",
        "Question": "How much?",
        "Gold": "0.61",
        "Votes": "2 of 3; 0.83 (1)",
        "Dataset": "0.83",
        "Differs in": "Answer, Evidence pages",
        "Pages": "b.pdf 1, 3; c.pdf 2",
        "Dataset’s pages": "b.pdf 1",
    }
    assert frame.iloc[1]["Accept"]
    assert frame.iloc[1]["Gold"] == "Answer: 0.61; Verdict: Right"
    assert frame.iloc[1]["Votes"] == "Answer: 2 of 3; 0.83 (1); Verdict: 3 of 3"
    tied = replace(
        agreed, votes=(replace(answer, value="", in_favour=0),), left_out="A tie: Answer."
    )
    assert list(left_out_frame([tied])["Reason"]) == ["A tie: Answer."]
    assert list(left_out_frame([tied])["Votes"]) == ["0.83 (1)"]
    assert summary_sentences([proposed, agreed], [tied], 9) == (
        "**2 of 3** can be accepted as shown. 1 differs from the dataset and is not ticked. "
        "These are the first 3 of 9; the others come next time."
    )
    assert summary_sentences([], [], 0) == "No task of the list waits for a decision."
