"""The demo workspace: something to see on every screen, made by the app's own actions."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from shutil import copytree

import pytest
from sqlalchemy import select

from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.errors import WorkspaceError
from pagetrail.annotation.events.pages import Searched
from pagetrail.annotation.protocols.protocol import preset_names
from pagetrail.app.demo.agent_runs import agent_plans
from pagetrail.app.demo.build import (
    ASSISTED,
    CAMPAIGN,
    ORACLE,
    PASSWORD,
    PEOPLE,
    _mixed,
    build_demo,
)
from pagetrail.app.demo.campaigns import build
from pagetrail.app.demo.campaigns.pilot import PILOT, PRODUCTION
from pagetrail.app.demo.campaigns.reviews import PAGE_PICKER
from pagetrail.app.demo.judges import JUDGES
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.agreement.report import AgreementOptions, agreement
from pagetrail.exports.reports.metrics.report import MetricsOptions, metrics
from pagetrail.exports.reports.model import Table
from pagetrail.exports.reports.suspects.report import SuspectsOptions, suspects
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.batches import my_batches
from pagetrail.storage.campaigns.lookup import list_campaigns
from pagetrail.storage.database.location import DATABASE_NAME
from pagetrail.storage.database.tables import Campaign, ReviewTask
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import authenticate
from pagetrail.storage.qualification.gate import pilot_results
from pagetrail.storage.search.engine import WhooshIndex
from pagetrail.storage.search.store import current_index, ensure_index
from pagetrail.storage.snapshot.snapshot import snapshot
from tests.support.built_once import demo_folder

AGENTS = tuple(agent_plans())
SMALL = {
    build.RELEVANCE,
    build.VERIFY,
    build.CHARTS,
    build.TABLES,
    build.PATCHES,
    build.TEXTS,
    build.PAIRS,
    build.AUTHOR,
    build.JUDGE,
    build.BLIND,
    build.VARIANTS,
    build.SCORED,
    build.TRAJECTORIES,
    PILOT,
}


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What the build told the person who waits."""
    return (demo_folder(tmp_path_factory) / "steps").read_text(encoding="utf-8").split("\n")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's folder."""
    return copytree(demo_folder(tmp_path_factory) / "ws", tmp_path_factory.mktemp("demo") / "ws")


@pytest.fixture(scope="module")
def workspace(root: Path) -> Workspace:
    """The demo, opened."""
    return Workspace.open(root)


def test_people_can_sign_in(workspace: Workspace) -> None:
    """All of them exist with the printed password and their roles."""
    for name, role, _ in PEOPLE:
        assert authenticate(workspace, name, PASSWORD).role == role


def test_demo_has_every_attempt_state(workspace: Workspace) -> None:
    """Submitted, skipped, flagged and half-done tasks and one closed batch: no screen is empty."""
    rows = my_batches.assignments(workspace.engine)
    assert {row.campaign for row in rows} == {CAMPAIGN, ASSISTED, ORACLE, *SMALL}
    assert sum(row.status == "closed" for row in rows) == 1
    closed = next(row for row in rows if row.status == "closed")
    assert (closed.user_name, closed.handled) == ("alma", closed.tasks)
    assert sum(row.skipped for row in rows) == 1
    assert sum(row.flagged for row in rows) >= 2
    for campaign in (CAMPAIGN, ASSISTED, ORACLE):
        campaign_rows = [row for row in rows if row.campaign == campaign]
        assert sum(row.submitted for row in campaign_rows) >= 2
        with snapshot(workspace) as database:
            summaries = database.summaries(database.campaign(campaign).id)
            assert any(summary.status == "open" for summary in summaries), campaign


def test_every_preset_has_a_campaign_with_work(workspace: Workspace) -> None:
    """No preset is without a campaign, and somebody has submitted something on each."""
    summaries = {row.name: row for row in list_campaigns(workspace)}
    assert {row.protocol for row in summaries.values()} == set(preset_names())
    idle = {name for name, row in summaries.items() if not row.submitted}
    assert idle == {PRODUCTION}
    assert summaries[PRODUCTION].assignments == 0


def test_judged_trajectories_are_reported_beside_the_cascade(workspace: Workspace) -> None:
    """Marks of steps and kinds of failure of people and agents."""
    with open_source(workspace, CAMPAIGN) as source:
        report = metrics(source, MetricsOptions(judgements=build.TRAJECTORIES, replicates=2))
    (section,) = [
        section for section in report.sections if section.title == "Trajectories as judged"
    ]
    steps, failures, failed_attempts = (part for part in section.parts if isinstance(part, Table))
    assert {str(row.cells["side"].value) for row in steps.rows} > {"Humans"}
    kinds = sum(int(str(row.cells["count"].value)) for row in failures.rows)
    assert kinds == sum(int(str(row.cells["attempts"].value)) for row in failed_attempts.rows) > 0


def test_judges_have_rounds_and_runs_and_are_calibrated(workspace: Workspace) -> None:
    """Two judges with two rounds and runs of the second; people judged the answers, too."""
    with open_source(workspace, CAMPAIGN) as source:
        report = metrics(source, MetricsOptions(judgements=build.JUDGE, replicates=20))
    tables = {table.key: table for table in report.tables}
    names = [judge.name for judge in JUDGES]
    runs = [
        (row.cells["judge"].value, row.cells["runs"].value) for row in tables["judges-runs"].rows
    ]
    assert runs == sorted((judge.name, judge.runs) for judge in JUDGES)
    rounds = [
        (row.cells["judge"].value, row.cells["round"].value) for row in tables["judges-rounds"].rows
    ]
    assert rounds == [(name, round_) for name in sorted(names) for round_ in (1, 2)]
    corrected = [
        row.cells
        for row in tables["judges-corrected"].rows
        if row.cells["side"].value == PAGE_PICKER
    ]
    assert len(corrected) > len(names)
    assert all(cells["corrected"].value is not None for cells in corrected)


def test_one_campaign_shows_judges_cost_horizon_and_boxes_of_a_system(
    workspace: Workspace,
) -> None:
    """The large campaign has all that people and agents are compared by."""
    with open_source(workspace, CAMPAIGN) as source:
        deciding = replace(source, verdicts=f"{JUDGES[1].name}-round-2-run-1")
        reports = [
            metrics(deciding, MetricsOptions(judgements=build.JUDGE, replicates=20)),
            agreement(source, AgreementOptions(replicates=20)),
        ]
    tables = {table.key: table for report in reports for table in report.tables}
    for key in ("judges-corrected", "judges-runs", "judges-rounds", "cost", "tokens", "boxes"):
        assert tables[key].rows, key
    with open_source(workspace, CAMPAIGN) as source:
        decided = metrics(source, MetricsOptions(rule="exact_match", replicates=2))
    (cost,) = [table for table in decided.tables if table.key == "cost"]
    priced = [row.cells["cost_per_correct"].value for row in cost.rows]
    assert sum(isinstance(value, float) for value in priced) >= 3
    pooled = [row for row in tables["system-boxes"].rows if row.kind == "pooled"]
    assert pooled[0].cells["dice"].value is not None


def test_a_time_horizon_has_an_interval(workspace: Workspace) -> None:
    """Of the agent that searches, with and without the task that nobody solved."""
    with open_source(workspace, CAMPAIGN) as source:
        report = metrics(source, MetricsOptions(rule="exact_match"))
    (table,) = [table for table in report.tables if table.key == "time-horizon"]
    horizons = [
        row.cells["horizon_50"] for row in table.rows if row.cells["side"].value == AGENTS[0]
    ]
    assert len(horizons) == 2
    for horizon in horizons:
        assert isinstance(horizon.value, float)
        assert horizon.low is not None and horizon.low < horizon.value


def test_suspect_gold_is_checked(workspace: Workspace) -> None:
    """Confirmed, corrected and dropped, with the control sample, which gives what remains."""
    with open_source(workspace, CAMPAIGN) as source:
        tables = {
            table.key: table for table in suspects(source, SuspectsOptions(replicates=20)).tables
        }
    counts = {row.cells["stratum"].value: row.cells for row in tables["gold-checks"].rows}
    everything, controls = counts["All"], counts["Control sample"]
    assert (everything["corrected"].value, everything["dropped"].value) == (1, 1)
    assert controls["checked"].value == controls["tasks"].value
    assert tables["gold-remaining"].rows[0].cells["remaining"].value is not None
    changes = [row.cells["change"].value for row in tables["gold-scores"].rows]
    assert any(change for change in changes)


def test_passing_the_pilot_opens_its_campaign(workspace: Workspace) -> None:
    """alma has passed and may take a batch; bruno has not finished and may not."""
    passed = {row.user_name: row.passed for row in pilot_results(workspace.engine, PILOT)}
    assert passed["alma"]
    assert not passed["bruno"]


def test_people_differ_on_what_they_both_graded(workspace: Workspace) -> None:
    """There is something to review: pages that both graded, some of them differently."""
    grades: dict[tuple[str, str, int], list[object]] = {}
    log = SqlEventLog(workspace.engine)
    with snapshot(workspace) as database:
        for row in database.summaries(database.campaign(build.RELEVANCE).id):
            if row.status == "submitted":
                for value in log.state(row.id).fields:
                    if value.field == "relevance":
                        graded_page = (row.task, str(value.document), value.page or 0)
                        grades.setdefault(graded_page, []).append(value.value)
    twice_graded = [page_grades for page_grades in grades.values() if len(page_grades) == 2]
    assert len(twice_graded) >= 20
    assert any(len(set(page_grades)) == 2 for page_grades in twice_graded)


def test_models_and_peoples_values_are_both_kept(workspace: Workspace) -> None:
    """A verified page has elements accepted, corrected, deleted and added, beside the model's."""
    log = SqlEventLog(workspace.engine)
    with snapshot(workspace) as database:
        states = [
            log.state(row.id)
            for row in database.summaries(database.campaign(build.VERIFY).id)
            if row.status == "submitted"
        ]
    assert states
    for state in states:
        verdicts = {box.verdict for box in state.boxes.boxes}
        assert verdicts == {"accepted", "corrected", "deleted", "added"}
        assert all(box.model for box in state.boxes.boxes if box.verdict == "corrected")


def test_trajectories_fold_to_what_is_stored(workspace: Workspace) -> None:
    """Replaying the events of each attempt gives the stored response, field for field."""
    log = SqlEventLog(workspace.engine)
    kinds: Counter[str] = Counter()
    with snapshot(workspace) as database:
        attempts = [summary.id for summary in database.summaries()]
        for attempt in attempts:
            events = database.events(attempt)
            assert fold(events) == log.state(attempt)
            stamps = [event.server_ts for event in events]
            assert stamps == sorted(stamps)
            kinds.update(event.payload.type for event in events)
    assert len(attempts) >= 20
    expected = {
        "searched",
        "page_viewed",
        "citation_added",
        "answer_edited",
        "submitted",
        "reopened",
        "flagged",
        "skipped",
        "paused",
    }
    assert expected <= set(kinds)


def test_two_people_did_the_same_tasks(workspace: Workspace) -> None:
    """Agreement has something to work with: tasks that both annotators submitted."""
    with snapshot(workspace) as database:
        submissions_per_task = Counter(
            row.task
            for row in database.summaries(database.campaign(CAMPAIGN).id)
            if row.status == "submitted" and row.user not in AGENTS
        )
    assert sum(count > 1 for count in submissions_per_task.values()) >= 3


def test_two_agents_did_every_task(workspace: Workspace) -> None:
    """Both runs hold each task once; the ranked lists are what the demo's search returns."""
    with snapshot(workspace) as database:
        campaign = database.campaign(CAMPAIGN)
        tasks = {task.key for task in database.tasks(campaign.id)}
        attempts = [row for row in database.attempts(campaign.id) if row.head.user in AGENTS]
    for name in AGENTS:
        assert sorted(row.head.task for row in attempts if row.head.user == name) == sorted(tasks)
    ensure_index(workspace)
    stored = current_index(workspace)
    assert stored is not None
    index = WhooshIndex(stored.folder, stored.identity)
    searches = [event.payload for row in attempts for event in row.events]
    ran = [payload for payload in searches if isinstance(payload, Searched)]
    assert len(ran) > len(tasks) * 2
    for payload in ran:
        logged_hits = [(hit.file, hit.page) for hit in payload.results]
        repeated_search = index.search(payload.query, campaign.protocol.search.top_k)
        assert logged_hits == [(hit.file, hit.page) for hit in repeated_search.results], (
            payload.query
        )
    index.close()


def test_searching_more_pays_in_the_demo(workspace: Workspace) -> None:
    """The agent that searches is right on most tasks with one gold page, the other on fewer."""
    right: Counter[str] = Counter()
    single = 0
    with snapshot(workspace) as database:
        campaign = database.campaign(CAMPAIGN)
        for row in database.attempts(campaign.id):
            record = row.head.record
            if row.head.user in AGENTS and len(record["evidence"]) == 1:
                single += row.head.user == AGENTS[0]
                right[row.head.user] += list(fold(row.events).answer) in record["answer_variants"]
    assert right[AGENTS[0]] > single * 0.6
    assert right[AGENTS[1]] < right[AGENTS[0]]


def test_agents_are_wrong_in_every_stage(workspace: Workspace) -> None:
    """Each stage of the error cascade has somebody in it, so that no image is empty."""
    with open_source(workspace, CAMPAIGN) as source:
        report = metrics(source, MetricsOptions(rule="exact_match", replicates=20))
    (table,) = (table for table in report.tables if table.key == "cascade")
    attempts_per_stage: Counter[str] = Counter()
    for row in table.rows:
        attempts_per_stage[str(row.cells["stage"].value)] += int(str(row.cells["attempts"].value))
    assert all(attempts_per_stage.values()), attempts_per_stage


def test_second_build_leaves_the_first_unchanged(root: Path, steps: list[str]) -> None:
    """A second run on the same folder changes nothing and does no work."""
    before = [(path, path.stat().st_mtime_ns) for path in sorted(root.rglob("*"))]
    steps_before = len(steps)
    build_demo(root, steps.append)
    assert [(path, path.stat().st_mtime_ns) for path in sorted(root.rglob("*"))] == before
    assert steps_before == len(steps) > 2


def test_nonempty_folder_is_refused(tmp_path: Path) -> None:
    """The demo is never made over somebody's files."""
    (tmp_path / "thesis.txt").write_text("years of work", encoding="utf-8")
    with pytest.raises(WorkspaceError, match="not an empty folder"):
        build_demo(tmp_path, lambda _: None)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_an_interrupted_build_leaves_no_workspace(tmp_path: Path) -> None:
    """When the build breaks off, the folder is not there, and the next run starts afresh."""

    def give_out(step: str) -> None:
        raise KeyboardInterrupt(step)

    with pytest.raises(KeyboardInterrupt):
        build_demo(tmp_path / "ws", give_out)
    assert not (tmp_path / "ws" / DATABASE_NAME).exists()


def test_documents_take_turns_in_the_batches() -> None:
    """Questions on one document do not fill a batch; unanswerable ones come early enough."""
    rows = [
        {"id": f"{kind}-{n:02d}", "unanswerable": (kind, n) == ("a", 6)}
        for kind in "ab"
        for n in range(1, 7)
    ]
    assert [row["id"] for row in _mixed(rows)][:6] == [
        "a-01",
        "b-01",
        "a-02",
        "a-06",
        "b-02",
        "a-03",
    ]


def test_there_is_something_to_review(workspace: Workspace) -> None:
    """Tasks accepted automatically, decided, sent back, and some to decide."""
    with workspace.engine.connect() as connection:
        campaign = connection.execute(
            select(Campaign.id).where(Campaign.name == CAMPAIGN)
        ).scalar_one()
        by_status = Counter(
            connection.execute(
                select(ReviewTask.status).where(ReviewTask.campaign_id == campaign)
            ).scalars()
        )
    assert by_status["conflict"] >= 2
    assert by_status["accepted"] >= 1
    # One in review, one by correcting suspect gold.
    assert by_status["decided"] == 2
    assert by_status["returned"] == 1
