"""Campaigns are made once, closed, reopened and archived, by supervisors, with a note each."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.errors import (
    ConflictError,
    Forbidden,
    InputFileError,
    NotFoundError,
    Refusal,
)
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.storage.attempts.queries import attempt
from pagetrail.storage.batches.assignments import assign
from pagetrail.storage.batches.claims import claim_next_batch
from pagetrail.storage.batches.open_close import close_assignment
from pagetrail.storage.campaigns.lifecycle import (
    archive_campaign,
    close_campaign,
    open_work,
    reopen_campaign,
)
from pagetrail.storage.campaigns.lookup import list_campaigns
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.campaign_import import (
    CampaignImport,
    check_files,
    import_files,
    needs_predictions,
)
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.people import accounts as people
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.administration import change_role
from pagetrail.storage.people.audit import audit_entries
from pagetrail.storage.people.overview import people_overview
from pagetrail.storage.pilots.overview import pilots
from tests.storage.task_data import add_people, register_documents, task, write_jsonl
from tests.support.at_once import run_at_once
from tests.support.factory import driver, make_workspace, record_attempts


@pytest.fixture
def sven(workspace: Workspace) -> Person:
    """A supervisor."""
    add_people(workspace, ["Sven"], "supervisor")
    return people.find_person(workspace, "Sven")


@pytest.fixture
def otters(workspace: Workspace, sven: Person, tmp_path: Path) -> Workspace:
    """A campaign of four tasks in two batches, with nobody at it."""
    register_documents(workspace)
    tasks = write_jsonl(tmp_path / "otters.jsonl", [task(n) for n in range(4)])
    import_tasks(workspace, tasks, campaign="Otters", batch_size=2, overlap=1)
    return workspace


def _status(workspace: Workspace) -> str:
    (campaign,) = list_campaigns(workspace, archived=True)
    return campaign.status


def _acts(workspace: Workspace) -> list[tuple[str, str, str]]:
    return [(e.actor, e.action, e.detail) for e in reversed(audit_entries(workspace))]


def test_a_campaign_is_closed_reopened_and_archived(otters: Workspace, sven: Person) -> None:
    """Each state leads where it should, a second click is refused, and each act is noted once."""
    close_campaign(otters, sven, "Otters")
    with pytest.raises(ConflictError, match="already closed"):
        close_campaign(otters, sven, "Otters")
    archive_campaign(otters, sven, "Otters")
    for change_status in (archive_campaign, close_campaign):
        with pytest.raises(ConflictError, match="already archived"):
            change_status(otters, sven, "Otters")
    reopen_campaign(otters, None, "Otters")
    with pytest.raises(ConflictError, match="already open"):
        reopen_campaign(otters, None, "Otters")
    assert _status(otters) == "open"
    assert _acts(otters) == [
        ("Sven", "campaign_closed", "Otters: open → closed"),
        ("Sven", "campaign_archived", "Otters: closed → archived"),
        ("command line", "campaign_reopened", "Otters: archived → open"),
    ]
    with pytest.raises(NotFoundError):
        close_campaign(otters, sven, "Badgers")


def test_an_annotator_changes_no_campaign(otters: Workspace, sven: Person) -> None:
    """Neither as one, nor with a supervisor's screen from before the role was taken away."""
    add_people(otters, ["Ada"])
    ada = people.find_person(otters, "Ada")
    for act in (close_campaign, reopen_campaign, archive_campaign):
        with pytest.raises(Forbidden):
            act(otters, ada, "Otters")
    change_role(otters, None, "Sven", "annotator")
    with pytest.raises(Forbidden):
        close_campaign(otters, sven, "Otters")
    assert _status(otters) == "open"


@pytest.mark.parametrize("shut", [close_campaign, archive_campaign])
def test_a_campaign_that_is_shut_gives_out_nothing(
    otters: Workspace, sven: Person, tmp_path: Path, shut: object
) -> None:
    """No assignment, no claim, no more tasks, whether it is closed or archived."""
    (ada,) = add_people(otters, ["Ada"])
    shut(otters, sven, "Otters")  # type: ignore[operator]
    more = write_jsonl(tmp_path / "more.jsonl", [task(8)])
    for act in (
        lambda: assign(otters, "Otters"),
        lambda: claim_next_batch(otters, "Otters", ada),
        lambda: import_tasks(otters, more, campaign="Otters"),
    ):
        with pytest.raises(ConflictError, match=r"Campaign Otters is (closed|archived)"):
            act()
    reopen_campaign(otters, sven, "Otters")
    assert len(assign(otters, "Otters").created) == 2


def test_open_work_stands_in_the_way_of_the_archive(tmp_path: Path) -> None:
    """Who has what is said; with the confirmation it goes, and the note says what was open."""
    workspace = make_workspace(tmp_path / "ws")
    record_attempts(workspace)
    opened = open_work(workspace, "Otters")
    # Of 3 + 1 tasks for each of two people, 2 each are submitted; task 3 is started by Ada.
    assert (opened.batches, opened.people, opened.left, opened.begun) == (4, ("Ada", "Grace"), 4, 1)
    with pytest.raises(ConflictError, match="4 assigned batches with 4 tasks left, 1 of them"):
        archive_campaign(workspace, None, "Otters")
    assert _status(workspace) == "open"
    assert {row.open_batches for row in people_overview(workspace)} == {2}
    archive_campaign(workspace, None, "Otters", unfinished=True)
    assert _acts(workspace)[-1][2] == (
        "Otters: open → archived; open: 4 assigned batches with 4 tasks left, 1 of them started "
        "(Ada, Grace)"
    )
    assert {row.open_batches for row in people_overview(workspace)} == {0}
    assert list_campaigns(workspace) == []


def test_two_who_close_at_once_close_once(otters: Workspace, sven: Person) -> None:
    """One is told that it is closed; the log has one line."""
    barrier = threading.Barrier(2)
    refused: list[ConflictError] = []

    def close() -> None:
        barrier.wait()
        try:
            close_campaign(otters, sven, "Otters")
        except ConflictError as error:
            refused.append(error)

    run_at_once([close for _ in range(2)])
    assert len(refused) == 1
    assert len(_acts(otters)) == 1


def test_a_campaign_is_made_from_several_files(
    workspace: Workspace, sven: Person, tmp_path: Path
) -> None:
    """Files of several kinds, one campaign with the settings asked for, each file noted."""
    register_documents(workspace)
    add_people(workspace, ["Ada", "Bob"])
    first = write_jsonl(tmp_path / "a.jsonl", [task(n) for n in range(3)])
    second = tmp_path / "b.csv"
    second.write_text(
        'id,question,evidence\nx1,Where?,"[{""document"":""report.pdf"",""page"":2}]"\n'
    )
    protocol = with_overrides(preset("search"), {"overlap": 2, "batch_size": 2, "search.top_k": 10})
    campaign_import = CampaignImport("New", protocol, seed=11, guidelines="# Mine")
    assert [
        file_report.report.imported
        for file_report in check_files(workspace, [first, second], campaign_import)
    ] == [
        3,
        1,
    ]
    assert list_campaigns(workspace) == []
    file_reports = import_files(workspace, sven, [first, second], campaign_import)
    assert [(file_report.file, file_report.report.imported) for file_report in file_reports] == [
        ("a.jsonl", 3),
        ("b.csv", 1),
    ]
    (campaign,) = list_campaigns(workspace)
    assert (campaign.tasks, campaign.batches, campaign.seed) == (4, 3, 11)
    assert (campaign.overlap, campaign.assignments) == (2, 6)
    assert _acts(workspace) == [
        (
            "Sven",
            "campaign_created",
            "New: 3 tasks in 2 batches from a.jsonl, protocol search, overlap 2",
        ),
        ("Sven", "tasks_imported", "New: 1 tasks in 1 batches from b.csv"),
    ]


def test_making_the_same_campaign_twice_adds_nothing(
    workspace: Workspace, sven: Person, tmp_path: Path
) -> None:
    """A second click, or the other tab, is refused: it must not become more batches."""
    register_documents(workspace)
    file = write_jsonl(tmp_path / "a.jsonl", [task(1)])
    other = write_jsonl(tmp_path / "b.jsonl", [task(2)])
    campaign_import = CampaignImport("New", preset("search"))
    import_files(workspace, sven, [file], campaign_import)
    for repeated in (file, other):
        with pytest.raises(ConflictError, match="There is a campaign New already"):
            import_files(workspace, sven, [repeated], campaign_import)
    assert list_campaigns(workspace)[0].tasks == 1
    assert len(_acts(workspace)) == 1


def test_a_bad_row_in_any_file_stops_all_of_them(
    workspace: Workspace, sven: Person, tmp_path: Path
) -> None:
    """Nothing is stored and the rows are named; with skip_bad the good ones of all come in."""
    register_documents(workspace)
    good = write_jsonl(tmp_path / "a.jsonl", [task(1)])
    bad = write_jsonl(tmp_path / "b.jsonl", [task(2), {"id": "q9"}, task(1)])
    protocol = preset("search")
    file_reports = import_files(workspace, sven, [good, bad], CampaignImport("New", protocol))
    assert [file_report.report.imported for file_report in file_reports] == [0, 0]
    assert [(row.line, row.id) for row in file_reports[1].report.bad] == [(2, "q9")]
    assert list_campaigns(workspace) == []
    assert _acts(workspace) == []
    file_reports = import_files(
        workspace, sven, [good, bad], CampaignImport("New", protocol, skip_bad=True)
    )
    assert [file_report.report.imported for file_report in file_reports] == [1, 1]
    # The task that the first file brought already is a bad row of the second.
    assert [row.line for row in file_reports[1].report.bad] == [2, 3]
    assert "2 rows left out" in _acts(workspace)[-1][2]


def test_a_file_that_cannot_be_used_stores_nothing(
    workspace: Workspace, sven: Person, tmp_path: Path
) -> None:
    """A good file before a broken one does not come in half; no file, or one twice, is refused."""
    register_documents(workspace)
    good = write_jsonl(tmp_path / "a.jsonl", [task(1)])
    broken = tmp_path / "b.jsonl"
    broken.write_bytes(b"%PDF-1.4")
    same_name = tmp_path / "other" / "a.jsonl"
    same_name.parent.mkdir()
    same_name.write_text(good.read_text())
    for files in ([good, broken], [], [good, same_name]):
        with pytest.raises(InputFileError):
            import_files(workspace, sven, files, CampaignImport("New", preset("search")))
    assert list_campaigns(workspace) == []


def test_tasks_are_added_to_a_campaign_that_exists(
    otters: Workspace, sven: Person, tmp_path: Path
) -> None:
    """Without a protocol the campaign's own holds; an annotator may not."""
    file = write_jsonl(tmp_path / "more.jsonl", [task(7)])
    add_people(otters, ["Ada"])
    with pytest.raises(Forbidden):
        import_files(otters, people.find_person(otters, "Ada"), [file], CampaignImport("Otters"))
    import_files(otters, sven, [file], CampaignImport("Otters", assign=False))
    (campaign,) = list_campaigns(otters)
    assert (campaign.tasks, campaign.batches, campaign.assignments) == (5, 3, 0)
    assert _acts(otters)[-1] == (
        "Sven",
        "tasks_imported",
        "Otters: 1 tasks in 1 batches from more.jsonl",
    )


def test_answers_of_systems_come_in_with_a_judging_campaign(
    workspace: Workspace, sven: Person, tmp_path: Path
) -> None:
    """One blind task for each system's answer; other presets need none."""
    register_documents(workspace)
    file = write_jsonl(tmp_path / "a.jsonl", [task(1)])
    systems = {}
    for name in ("alpha", "beta"):
        systems[name] = write_jsonl(tmp_path / f"{name}.jsonl", [{"id": "q1", "answer": name}])
    assert needs_predictions(preset("judge"))
    assert not needs_predictions(preset("search"))
    campaign_import = CampaignImport("Judged", preset("judge"), predictions=systems)
    (file_report,) = import_files(workspace, sven, [file], campaign_import)
    assert file_report.report.imported == 2, json.dumps(
        [row.reason for row in file_report.report.bad]
    )


def test_work_that_is_open_can_be_finished_after_closing(tmp_path: Path) -> None:
    """Closing leaves the events of people at work alone."""
    workspace = make_workspace(tmp_path / "ws")
    close_campaign(workspace, None, "Otters")
    ada = driver(workspace, "1-Ada")
    ada.do(ev.Opened(session="tab"))
    ada.do(ev.AnswerEdited(text="42"), after_s=3)
    ada.do(ev.Submitted(outcome="not_found"), after_s=3)
    assert ada.state.status == "submitted"


def test_a_batch_of_an_archived_campaign_is_not_closed(tmp_path: Path) -> None:
    """Every task of it is submitted; closing would add events all the same."""
    workspace = make_workspace(tmp_path / "ws")
    ada = driver(workspace, "4-Ada")
    ada.do(ev.Opened(session="tab"))
    ada.do(ev.Submitted(outcome="not_found"), after_s=3)
    archive_campaign(workspace, None, "Otters", unfinished=True)
    assignment = attempt(workspace.engine, "4-Ada").assignment_id
    assert assignment is not None
    with pytest.raises(Refusal) as refused:
        close_assignment(workspace.engine, ada.recorder, assignment)
    assert refused.value.code == "archived"
    reopen_campaign(workspace, None, "Otters")
    close_assignment(workspace.engine, ada.recorder, assignment)
    assert ada.state.closed


def test_archived_pilots_are_not_offered(tmp_path: Path) -> None:
    """Neither to look at nor to be required."""
    protocol = with_overrides(preset("search"), {"pilot.enabled": True})
    workspace = make_workspace(tmp_path / "ws", protocol=protocol)
    assert pilots(workspace.engine) == ["Otters"]
    archive_campaign(workspace, None, "Otters", unfinished=True)
    assert pilots(workspace.engine) == []
