"""The dashboard's results beside those of an independent reading of every event."""

from __future__ import annotations

import shutil
from collections import Counter
from datetime import timedelta
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select, update

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.state import AttemptState, fold
from pagetrail.annotation.clock import ManualClock, parse_iso
from pagetrail.annotation.progress.agreement import agreement_so_far
from pagetrail.annotation.progress.summary import Counts, lines, review_counts
from pagetrail.annotation.timing.durations import timing
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.database.tables import Assignment, Attempt, AttemptStateRow
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.progress import agreement_inputs, dashboard
from pagetrail.storage.progress.flagged_attempts import flagged_attempts
from pagetrail.storage.review.projection import refresh
from tests.support.factory import START, TASKS, cited, driver, make_workspace, searched
from tests.support.randomness import examples

PEOPLE = ("Ada", "Grace")
BATCHES = {"Aquarius": (1, 2, 3), "Orion": (4,)}
NOW = START + timedelta(days=20)
FATES = ("untouched", "begun", "submitted", "not_found", "skipped", "reopened")

attempt_plans = st.fixed_dictionaries(
    {
        "fate": st.sampled_from(FATES),
        "day": st.integers(0, 18),
        "pages": st.sampled_from([(), (3,), (9, 3), (8, 9)]),
        "gap": st.integers(1, 150),
        "flag": st.booleans(),
        "answer": st.sampled_from(["42", "17"]),
    }
)
campaigns = st.lists(attempt_plans, min_size=8, max_size=8)
"""One entry per attempt: tasks 1 to 4, Ada's first."""


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The factory's workspace, made once."""
    workspace = make_workspace(tmp_path_factory.mktemp("dashboard") / "ws")
    workspace.engine.dispose()
    return workspace.root


def attempts() -> list[str]:
    """Ids, in the order of ``campaigns``."""
    return [f"{task}-{name}" for task in (1, 2, 3, 4) for name in PEOPLE]


def played(workspace: Workspace, campaign: list[dict[str, object]]) -> None:
    """The work of a campaign through the real recorder."""
    for attempt, doing in zip(attempts(), campaign, strict=True):
        fate, gap = doing["fate"], int(str(doing["gap"]))
        if fate == "untouched":
            continue
        at = driver(workspace, attempt, ManualClock(START + timedelta(days=int(str(doing["day"])))))
        at.do(ev.Opened(session="tab"))
        for n, page in enumerate(doing["pages"], start=1):  # type: ignore[var-annotated, arg-type]
            at.do(searched(n=n, pages=(page,)), after_s=gap)
        if doing["flag"]:
            at.do(ev.Flagged(comment="look here"), after_s=2)
        if fate == "skipped":
            at.do(ev.Skipped(reason="unreadable"), after_s=gap)
        elif fate != "begun":
            at.do(cited(3), after_s=gap)
            at.do(ev.AnswerEdited(text=str(doing["answer"])), after_s=1)
            outcome = "not_found" if fate == "not_found" else "answered"
            at.do(ev.Submitted(outcome=outcome), after_s=gap)
            if fate == "reopened":
                at.do(ev.Reopened(), after_s=30)


def folded(workspace: Workspace) -> dict[str, tuple[AttemptState, list[ev.Event]]]:
    """Every attempt's state and events, from the log alone."""
    log = SqlEventLog(workspace.engine)
    events_by_attempt = {attempt: list(log.events(attempt)) for attempt in attempts()}
    return {attempt: (fold(events), events) for attempt, events in events_by_attempt.items()}


def expected(states: dict[str, AttemptState], tasks: int) -> Counts:
    """Counted one by one; every batch is held by both people."""
    status = Counter(state.status for state in states.values())
    return Counts(
        expected=tasks,
        submitted=status["submitted"],
        skipped=status["skipped"],
        begun=status["open"],
        flagged=sum(state.flag is not None for state in states.values()),
    )


@examples(40)
@given(campaigns)
def test_figures_are_those_of_the_events(template: Path, campaign: list[dict[str, object]]) -> None:
    """Counts, times, first queries, days and what waits, by campaign, batch and person."""
    with TemporaryDirectory() as folder:
        shutil.copytree(template, Path(folder) / "ws")
        workspace = Workspace.open(Path(folder) / "ws")
        played(workspace, campaign)
        refresh(workspace.engine)
        truth = folded(workspace)
        stored_campaign = dashboard.campaign_of(workspace.engine, "Otters")
        campaign_work = dashboard.work_of(workspace.engine, stored_campaign.id)
        groups: list[tuple[str | None, str | None, set[str]]] = [(None, None, set(truth))]
        for name in PEOPLE:
            groups.append((None, name, {a for a in truth if a.endswith(name)}))
        for batch, tasks in BATCHES.items():
            group = {a for a in truth if int(a[0]) in tasks}
            groups.append((batch, None, group))
            groups += [(batch, name, {a for a in group if a.endswith(name)}) for name in PEOPLE]
        for batch, person, group in groups:
            line = lines(campaign_work.restricted_to(batch, person), NOW.timestamp())[""]
            states = {a: truth[a][0] for a in group}
            assert line.counts == expected(states, len(group))
            submitted = [a for a in group if states[a].status == "submitted"]
            skipped_attempts = [a for a in group if states[a].status == "skipped"]
            assert (line.pace.submitted, line.pace.skipped) == (
                len(submitted),
                len(skipped_attempts),
            )
            last = [parse_iso(truth[a][1][-1].server_ts) for a in submitted]
            assert line.pace.submitted_last_week == sum(NOW - at < timedelta(days=7) for at in last)
            active = sorted(timing(truth[a][1]).active_ms[60] / 1000 for a in halves(submitted))
            assert line.times.n == len(submitted)
            if active:
                walls = [timing(truth[a][1]).wall_ms / 1000 for a in halves(submitted)]
                assert line.times.median == pytest.approx(median(active))
                assert line.times.wall == pytest.approx(median(walls))
                found_quartiles = (line.times.q1, line.times.q3)
                assert found_quartiles == pytest.approx((quartile(active, 1), quartile(active, 3)))
            tried = [a for a in submitted if first_hit(a, states[a]) is not None]
            hits = [first_hit(a, states[a]) for a in halves(tried)]
            assert line.hit.n == len(tried)
            assert line.hit.value == (pytest.approx(hits.count(True) / len(hits)) if hits else None)
        by_batch = lines(campaign_work, NOW.timestamp(), "batch")
        for batch in BATCHES:
            assert by_batch[batch].counts == lines(campaign_work.restricted_to(batch), 0)[""].counts
        handled_per_task = Counter(
            int(a[0]) for a, (state, _) in truth.items() if state.status in ("submitted", "skipped")
        )
        statuses = review_counts(campaign_work)
        skipped = Counter(int(a[0]) for a, (state, _) in truth.items() if state.status == "skipped")
        # The search preset asks for one person per task; for a skipped one the other is awaited.
        waiting = [
            task for task in (1, 2, 3, 4) if handled_per_task[task] < min(1 + skipped[task], 2)
        ]
        assert statuses.get("waiting", 0) == len(waiting)
        assert sum(statuses.values()) == len(TASKS)
        flagged_or_skipped = {
            a for a, (state, _) in truth.items() if state.flag is not None or state.skip_reason
        }
        rows, total = flagged_attempts(workspace.engine, stored_campaign.id, limit=50)
        assert ({row.attempt_id for row in rows}, total) == (
            flagged_or_skipped,
            len(flagged_or_skipped),
        )
        for row in rows:
            assert ("look here" in row.remark) == (truth[row.attempt_id][0].flag is not None)
        outcome_matches = [
            states_of[0].outcome == states_of[1].outcome
            for task in (1, 2, 3, 4)
            if len(states_of := submitted_of(truth, task)) == 2
        ]
        inputs = (workspace.engine, stored_campaign.id)
        agreed = agreement_so_far(
            stored_campaign.protocol,
            [(task.task, task.parts) for task in agreement_inputs.parts_of(*inputs)],
            agreement_inputs.reads_of(*inputs),
            replicates=20,
        )
        agreement = {part.part: part.similarity for part in agreed}
        assert ("outcome" in agreement) == bool(outcome_matches)
        if outcome_matches:
            mean = agreement["outcome"]
            assert mean is not None and mean.value == pytest.approx(
                sum(outcome_matches) / len(outcome_matches)
            )
        workspace.engine.dispose()


def halves(attempts: list[str]) -> list[str]:
    """Each attempt once if another person's is at its task as well, else twice."""
    sizes = Counter(attempt[0] for attempt in attempts)
    return [attempt for attempt in attempts for _ in range(2 // sizes[attempt[0]])]


def quartile(values: list[float], n: int) -> float:
    """Of sorted values; the middle of two where it is between them."""
    index, rest = divmod(n * len(values), 4)
    return values[index] if rest else (values[index - 1] + values[index]) / 2


def first_hit(attempt: str, state: AttemptState) -> bool | None:
    """Whether the first query returned a gold page."""
    record = TASKS[int(attempt[0]) - 1]
    gold = {(page["document"], page["page"]) for page in record.get("evidence", [])}
    if not gold or not state.searches:
        return None
    return bool(gold & set(state.searches[0].results))


def submitted_of(
    truth: dict[str, tuple[AttemptState, list[ev.Event]]], task: int
) -> list[AttemptState]:
    """What is submitted for a task."""
    states = [truth[f"{task}-{name}"][0] for name in PEOPLE]
    return [state for state in states if state.status == "submitted"]


def test_every_change_gives_another_moment(tmp_path: Path) -> None:
    """An event, a comparison, an assignment: what is kept for a moment is never shown after it."""
    workspace = make_workspace(tmp_path / "ws")
    engine = workspace.engine
    id_ = dashboard.campaign_of(engine, "Otters").id
    versions = [dashboard.data_version(engine, id_)]
    event_count = dashboard.count_events(engine, id_)

    def changed() -> bool:
        nonlocal event_count
        versions.append(dashboard.data_version(engine, id_))
        event_count = dashboard.count_events(engine, id_, event_count)
        assert event_count == dashboard.count_events(engine, id_), "also when counted on"
        return versions[-1] not in versions[:-1]

    ada = driver(workspace, "1-Ada")
    ada.do(ev.Opened(session="tab"))
    assert changed()
    ada.do(cited(3))
    ada.do(ev.AnswerEdited(text="42"))
    ada.do(ev.Submitted(outcome="answered"))
    assert changed()
    refresh(engine)
    assert changed(), "the comparison's rows are new"
    with engine.begin() as connection:
        connection.execute(update(Assignment).where(Assignment.id == 1).values(status="taken_back"))
    assert changed()
    assert not changed(), "nothing has happened since"


def test_what_was_taken_back_is_wanted_only_where_it_is_done(tmp_path: Path) -> None:
    """A batch that was withdrawn leaves its finished work, and no expectation of more."""
    workspace = make_workspace(tmp_path / "ws")
    played(workspace, [{"fate": "submitted", "day": 1, "pages": (), "gap": 5, "flag": False,
                        "answer": "42"}] + [{"fate": "begun", "day": 1, "pages": (), "gap": 5,
                        "flag": False, "answer": ""}] * 7)  # fmt: skip
    engine = workspace.engine
    with engine.begin() as connection:
        # Ada's places are those of her attempts.
        assignment = (
            connection.execute(select(Attempt).where(Attempt.id == "1-Ada")).one().assignment_id
        )
        connection.execute(
            update(Assignment).where(Assignment.id == assignment).values(status="taken_back")
        )
    campaign_work = dashboard.work_of(engine, dashboard.campaign_of(engine, "Otters").id)
    ada = lines(campaign_work, NOW.timestamp(), "person")["Ada"].counts
    # One finished of the three that were withdrawn, and the one of the other batch.
    assert (ada.expected, ada.submitted, ada.begun) == (2, 1, 1)


def test_no_state_is_read(tmp_path: Path) -> None:
    """With every state broken, all results come out as before."""
    workspace = make_workspace(tmp_path / "ws")
    played(workspace, [{"fate": "submitted", "day": 1, "pages": (3,), "gap": 5, "flag": False,
                        "answer": "42"}] * 8)  # fmt: skip
    engine = workspace.engine
    refresh(engine)
    id_ = dashboard.campaign_of(engine, "Otters").id
    before = lines(dashboard.work_of(engine, id_), NOW.timestamp(), "person")
    with engine.begin() as connection:
        connection.execute(update(AttemptStateRow).values(state="no JSON"))
    assert lines(dashboard.work_of(engine, id_), NOW.timestamp(), "person") == before
    assert before["Ada"].counts.submitted == 4
