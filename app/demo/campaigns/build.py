"""Importing the demo's small campaigns, and the work that has been done on them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from pagetrail.annotation.clock import ManualClock
from pagetrail.app.demo.campaigns import (
    author,
    blind,
    relevance,
    reviews,
    tables,
    trajectories,
    transcripts,
    verify,
)
from pagetrail.app.demo.campaigns.pilot import (
    PILOT,
    PRODUCTION,
    pilot_tasks,
    production_tasks,
    take_pilot,
)
from pagetrail.app.demo.corpus import Demo, Record, load_demo
from pagetrail.app.demo.simulated_work import SimulatedTab
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import open_assignment
from pagetrail.storage.attempts import queries
from pagetrail.storage.batches import my_batches
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.people.accounts import Person, find_person

RELEVANCE = "Pages: graded for relevance"
VERIFY = "Elements: a model's layout verified"
CHARTS = "Charts: data points verified"
TABLES = "Tables: cells verified"
PATCHES = "Transcripts: changes reviewed"
TEXTS = "Texts: corrected in rounds"
PAIRS = "Pairs: questions and answers reviewed"
AUTHOR = "Questions: written with live checks"
JUDGE = "Predictions: judged blind"
BLIND = "Questions: written from summaries"
VARIANTS = "Questions: variants checked"
SCORED = "Pages: filtered by a model, then graded"
TRAJECTORIES = "Trajectories: judged step by step"

Worker = Callable[[SimulatedTab, Record, bool], None]


@dataclass(frozen=True)
class SmallCampaign:
    """One small campaign.

    Attributes:
        done: how many tasks each of alma and bruno has submitted; the next one is half done.
        work: does a task; the last argument says whether to submit it.
    """

    name: str
    protocol: str
    rows: list[Record]
    work: Worker
    done: tuple[int, int]
    settings: dict[str, Any] = field(default_factory=dict)


def small_campaigns(demo: Demo, services: Services) -> list[SmallCampaign]:
    """One campaign of each preset that the large ones do not show, and a pilot."""
    elements, planted = verify.element_tasks(demo, services)
    charts = verify.chart_tasks(demo)
    by_id = {row["id"]: row for row in charts}
    texts, transcribed = transcripts.transcript_tasks(demo, services)
    gold = {row["id"]: row for row in elements}
    return [
        SmallCampaign(
            PILOT, "search", pilot_tasks(demo), take_pilot, (3, 1), {"pilot.enabled": True}
        ),
        SmallCampaign(
            PRODUCTION, "search", production_tasks(demo), _do_nothing, (0, 0), {"requires": PILOT}
        ),
        SmallCampaign(
            RELEVANCE,
            "relevance",
            relevance.relevance_tasks(demo),
            lambda tab, row, submit: relevance.grade(
                tab, row, accuracy=_accuracy(tab), submit=submit
            ),
            (5, 5),
        ),
        SmallCampaign(
            VERIFY,
            "verify",
            elements,
            lambda tab, row, submit: verify.verify(
                tab, gold[row["id"]], planted[row["id"]], submit=submit
            ),
            (2, 1),
        ),
        SmallCampaign(
            CHARTS,
            "verify_chart",
            charts,
            lambda tab, row, submit: verify.read_chart(tab, by_id[row["id"]]) if submit else None,
            (2, 1),
        ),
        SmallCampaign(
            TABLES,
            "verify_table",
            tables.table_tasks(),
            lambda tab, row, submit: tables.verify_tables(
                tab, row, flags=tab.person.name == "alma", submit=submit
            ),
            (2, 1),
        ),
        SmallCampaign(
            PATCHES,
            "verify_transcript",
            verify.patch_tasks(demo, services),
            lambda tab, row, submit: verify.decide(tab, row) if submit else None,
            (1, 1),
        ),
        SmallCampaign(
            TEXTS,
            "transcribe",
            texts,
            lambda tab, row, submit: transcripts.correct(
                tab,
                transcribed[row["id"]],
                care=0.95 if tab.person.name == "alma" else 0.3,
                submit=submit,
            ),
            (3, 3),
        ),
        SmallCampaign(
            PAIRS,
            "qa_review",
            reviews.pairs(demo),
            lambda tab, row, submit: reviews.review(
                tab, row, demo, accuracy=_accuracy(tab), submit=submit
            ),
            (4, 4),
        ),
        SmallCampaign(
            AUTHOR,
            "author",
            author.briefs(),
            lambda tab, row, submit: author.write(tab, demo, submit=submit),
            (1, 0),
        ),
        SmallCampaign(
            JUDGE,
            "judge",
            reviews.predictions(demo),
            lambda tab, row, submit: (
                reviews.judge(tab, row, accuracy=_accuracy(tab)) if submit else None
            ),
            (38, 25),
        ),
        SmallCampaign(
            BLIND,
            "author_blind",
            blind.summaries(),
            lambda tab, row, submit: blind.write_blind(tab, submit=submit),
            (2, 1),
        ),
        SmallCampaign(
            VARIANTS,
            "variants",
            blind.variants(),
            lambda tab, row, submit: blind.check_variant(tab, row) if submit else None,
            (2, 1),
        ),
        SmallCampaign(
            SCORED,
            "relevance",
            relevance.scored_tasks(demo),
            lambda tab, row, submit: relevance.grade(
                tab, row, accuracy=_accuracy(tab), submit=submit
            ),
            (4, 4),
            {"prefilter.cut": 0.4, "prefilter.sample_rate": 0.25, "prefilter.model": "page-filter"},
        ),
    ]


def judged_trajectories(services: Services, campaign: str) -> SmallCampaign:
    """The campaign that judges how people and agents answered the questions of another."""
    return SmallCampaign(
        TRAJECTORIES,
        "trajectory",
        trajectories.tasks_of(services, campaign),
        lambda tab, row, submit: (
            trajectories.judge(tab, row, accuracy=_accuracy(tab)) if submit else None
        ),
        (12, 10),
    )


def import_small(services: Services, folder: Path, campaigns: list[SmallCampaign]) -> None:
    """Import them; both people get all of their tasks."""
    for number, small in enumerate(campaigns, start=1):
        path = folder / f"small-{number}.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in small.rows), encoding="utf-8")
        report = import_tasks(
            services.workspace,
            path,
            campaign=small.name,
            protocol=small.protocol,
            settings=small.settings,
            batch_size=40,
            overlap=2,
            seed=7,
            clock=services.clock,
        )
        if report.bad:
            raise RuntimeError(f"the demo's {small.name}: {report.bad[0].reason}")


def work_small(
    services: Services, clock: ManualClock, rng: Random, campaigns: list[SmallCampaign]
) -> None:
    """Do the work of the last days on them."""
    for small in campaigns:
        for name, submitted in zip(("alma", "bruno"), small.done, strict=True):
            if submitted:
                _simulate_work(
                    services, clock, rng, small, find_person(services.workspace, name), submitted
                )


def work_second_round(services: Services, clock: ManualClock, rng: Random, folder: Path) -> None:
    """Import a model's patches for the corrected texts, and work on some pages again.

    Both people leave the pages that they share as they are, so that their texts can be reviewed;
    alma corrects another one.
    """
    _, pages = transcripts.transcript_tasks(load_demo(), services)
    model = transcripts.CarelessModel(rng)
    transcripts.start_next_round(services.workspace, TEXTS, model, pages, folder, clock)
    open_tasks = {name: _returned_tasks(services, name) for name in ("alma", "bruno")}
    shared = open_tasks["alma"].keys() & open_tasks["bruno"].keys()
    for name, attempts in open_tasks.items():
        person = find_person(services.workspace, name)
        for key in sorted(attempts):
            tab = SimulatedTab(services, person, attempts[key], clock, rng, "round-2")
            if key in shared:
                transcripts.leave(tab, pages[key])
            elif name == "alma":
                transcripts.correct(tab, pages[key], care=0.95)


def _returned_tasks(services: Services, name: str) -> dict[str, str]:
    """Task id → attempt of the texts that a person has back in the second round."""
    engine = services.workspace.engine
    person = find_person(services.workspace, name)
    return {
        task.key: task.attempt_id
        for row in my_batches.assignments(engine, person.id)
        if row.campaign == TEXTS
        for task in queries.batch_tasks(engine, row.assignment_id)
        if (text := services.log.state(task.attempt_id).transcript) and text.round > 1
    }


def _simulate_work(
    services: Services,
    clock: ManualClock,
    rng: Random,
    small: SmallCampaign,
    person: Person,
    submitted: int,
) -> None:
    engine = services.workspace.engine
    assignments = [
        row.assignment_id
        for row in my_batches.assignments(engine, person.id)
        if row.campaign == small.name
    ]
    open_assignment(services, person, assignments[0])
    tasks = queries.batch_tasks(engine, assignments[0])
    for index, task in enumerate(tasks[: submitted + 1]):
        row = queries.attempt(engine, task.attempt_id)
        tab = SimulatedTab(services, person, task.attempt_id, clock, rng)
        small.work(tab, {**row.record, "id": row.key}, index < submitted)
        clock.advance(seconds=rng.uniform(5, 40))


def _accuracy(tab: SimulatedTab) -> float:
    """The chance to judge as the gold does: people differ, so that there is something to review."""
    return 0.95 if tab.person.name == "alma" else 0.72


def _do_nothing(_desk: SimulatedTab, _record: Record, _submit: bool) -> None:
    """Do nothing: the campaign is for people who have passed the pilot."""
