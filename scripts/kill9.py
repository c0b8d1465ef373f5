"""Kill the server repeatedly while people work, then check the log against what was promised.

    .venv/bin/python -m scripts.kill9 --rounds 500 --people 20

Clients work as the browser does: their events carry stable ids and are resent until the server
answers. Annotators record events, search, type into the text of a page, correct and flag cells of a
table, and reopen what they submitted; supervisors take tasks,
merge, decide and reopen gold, return work and comment on it, while the server accepts agreeing
tasks automatically. The server is killed with SIGKILL at random moments, also while it starts, and
restarted on its port. In every other round only the main process is killed, so that the search
processes must notice by themselves. Backups, restores, index builds and imports run beside it and
are killed as well (``kill9_operations``). With ``--replicas 2`` so many servers share a PostgreSQL
database: the tabs of a person use different ones, one of them is killed at a time, and now and then
a process of PostgreSQL, which then ends all others; of the commands only imports run.

In the end everything acknowledged is in the log once, with what was sent and, for events, under the
acknowledged number; nothing refused may be there; numbers and versions of gold have no gaps; each
decision rests on the work that its supervisor saw and that was submitted at that moment; the stored
projections are what the events say; an imported campaign has all of its tasks or none; SQLite finds
the file sound. Exit code 0 when all of this holds.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import cycle
from pathlib import Path

from pagetrail.storage.attempts import queries
from pagetrail.storage.database.workspace import Workspace
from scripts.kill9_checks import LogContents, check
from scripts.kill9_operations import COMMANDS, Operator
from scripts.kill9_reviewers import Reviewer
from scripts.kill9_setting import (
    CROWD,
    crowd,
    in_postgresql,
    kill_connections,
    plant,
    plant_pages,
)
from scripts.kill9_tabs import Client, Tab
from tests.e2e.support.server_process import ServerProcess
from tests.e2e.support.small_workspace import (
    attempts,
    build,
)

TABS = ("alma", "alma", "bruno", "bruno")
REVIEWERS = ("sven", "sven", "sigrid")
MOST_WORK = 60
"""Maximum number of confirmed events and searches before the server is killed at a random time."""
MOST_ACTS = 8
"""Maximum number of answered supervisors' actions, likewise."""
LONGEST_WAIT_S = 0.3
KILLED_WHILE_STARTING = 0.1
_DRAIN_S = 60.0
_PAUSE_S = 0.005


@dataclass
class Report:
    """Outcome of a run, with the problems found.

    Attributes:
        database_kills: kills of a process of PostgreSQL.
        acknowledged: events and searches that the server confirmed.
        mid_request: kills that hit at least one request under way.
        answers_lost: events that were stored although their answer never arrived.
        acts: what supervisors did; all of it was answered.
        acts_refused: of that, what was refused, mostly because others were faster.
        log: what the log holds in the end.
        wrong: sentences; empty when every promise was kept.
    """

    rounds: int = 0
    seconds: float = 0.0
    kills: int = 0
    mid_request: int = 0
    while_starting: int = 0
    database_kills: int = 0
    starts_s: float = 0.0
    acknowledged: int = 0
    requests_broken: int = 0
    answers_lost: int = 0
    acts: int = 0
    acts_refused: int = 0
    commands_ended: dict[str, int] = field(default_factory=dict)
    commands_killed: dict[str, int] = field(default_factory=dict)
    log: LogContents = field(default_factory=LogContents)
    wrong: list[str] = field(default_factory=list)


def run(
    rounds: int,
    folder: Path,
    seed: int = 9,
    people: int = 2,
    *,
    commands: bool = False,
    replicas: int = 0,
) -> Report:
    """Run the rounds and check the log.

    Args:
        rounds: number of times the server is killed.
        folder: an empty folder for the workspace.
        people: annotators, of whom the first two have two tabs each.
        commands: whether commands are killed, too: imports, and on SQLite backups, restores and
            index builds.
        replicas: servers on PostgreSQL; 0 for one on SQLite.
        seed: of everything random but the timing of the machine.
    """
    rng = random.Random(seed)
    workspace = build(folder)
    submitted, planted = plant(workspace)
    edited, opened = plant_pages(workspace, folder)
    tasks = sorted({queries.attempt(workspace.engine, a).task_id for a in submitted["alma"]})
    servers = [ServerProcess(workspace.root) for _ in range(max(1, replicas))]
    ports = cycle([server.port for server in servers])
    tabs = []
    for number, name in enumerate(TABS):
        attempt_ids = [attempts(workspace, name)[key] for key in ("q1", "q2")]
        is_first = name not in TABS[:number]
        resubmitted = submitted[name] if is_first else []
        edited_alone = edited[name] if is_first else {}
        tabs.append(Tab(number, name, next(ports), attempt_ids, seed, resubmitted, edited_alone))
    for name in crowd(workspace, folder, people - 2, people - 2 + len(set(TABS))):
        attempt_ids = list(attempts(workspace, name, CROWD).values())
        tabs.append(Tab(len(tabs), name, next(ports), attempt_ids, seed))
    reviewers = [
        Reviewer(number, name, next(ports), tasks, seed)
        for number, name in enumerate(REVIEWERS, start=len(tabs))
    ]
    clients: list[Client] = [*tabs, *reviewers]
    report = Report(rounds=rounds)
    victims: list[Callable[[bool], None]] = [partial(_kill, server) for server in servers]
    if replicas:
        workspace = in_postgresql(workspace)
        victims.append(partial(_kill_database, workspace, report))
    started = time.monotonic()
    starts = []
    names = ("import",) if replicas else COMMANDS
    operators = [Operator(workspace.root, folder, seed, names)] if commands else []
    for thread in (*clients, *operators):
        thread.start()
    for number in range(rounds):
        down = [server for server in servers if not server.started]
        early = down[: rng.random() < KILLED_WHILE_STARTING]
        starts += [server.start() for server in down[len(early) :]]
        if early:
            early[0].launch()
            time.sleep(rng.uniform(0.1, 2.0))
            report.while_starting += 1
            early[0].kill(group=number % 2 == 0)
        else:
            wait_for_confirmations(
                [(tabs, rng.randint(0, MOST_WORK)), (reviewers, rng.randint(0, MOST_ACTS))]
            )
            time.sleep(rng.uniform(0, LONGEST_WAIT_S))
            report.mid_request += any(client.in_flight for client in clients)
            rng.choice(victims)(number % 2 == 0)
        report.kills += 1
    for operator in operators:
        operator.finish.set()
        operator.join()
    with ExitStack() as running:
        for server in servers:
            running.callback(server.stop)
            if not server.started:
                server.start()
        _wait(lambda: any(reviewer.decided for reviewer in reviewers), "a decision")
        for client in clients:
            client.finish.set()
        for client in clients:
            client.join(_DRAIN_S)
            if client.is_alive():
                report.wrong.append(f"{client.name} could not send what it holds")
    report.seconds = round(time.monotonic() - started, 1)
    report.starts_s = round(sum(starts) / max(1, len(starts)), 2)
    add_clients_reports(tabs, reviewers, report)
    for operator in operators:
        operator.check()
        report.commands_ended, report.commands_killed = dict(operator.ended), dict(operator.killed)
        report.wrong += operator.wrong
    report.log = check(workspace, tabs, reviewers, tasks, planted | opened)
    if report.log.stored != report.acknowledged:
        report.wrong.append(f"{report.log.stored} stored, but {report.acknowledged} acknowledged")
    report.wrong += report.log.wrong
    workspace.engine.dispose()
    return report


def _kill_database(workspace: Workspace, report: Report, _group: bool) -> None:
    kill_connections(workspace)
    report.database_kills += 1


def _kill(server: ServerProcess, group: bool) -> None:
    server.kill(group=group)


def wait_for_confirmations(more_confirmations: Sequence[tuple[Sequence[Client], int]]) -> None:
    """Wait for this many confirmations; a slow machine does not kill earlier than a fast one.

    Args:
        more_confirmations: clients, and how many confirmations more they get.

    Raises:
        TimeoutError: no further confirmations arrive.
    """
    goals = [(clients, more + _confirmed(clients)) for clients, more in more_confirmations]
    _wait(
        lambda: all(_confirmed(clients) >= goal for clients, goal in goals),
        f"{[goal for _, goal in goals]} confirmations",
    )


def _wait(condition: Callable[[], bool], description: str) -> None:
    give_up = time.monotonic() + _DRAIN_S
    while not condition():
        if time.monotonic() > give_up:
            raise TimeoutError(f"The tabs wait for the server: {description} were wanted.")
        time.sleep(_PAUSE_S)


def _confirmed(clients: Sequence[Client]) -> int:
    return sum(client.confirmed for client in clients)


def add_clients_reports(tabs: Sequence[Tab], reviewers: Sequence[Reviewer], report: Report) -> None:
    """Add what the tabs recorded."""
    for client in (*tabs, *reviewers):
        report.wrong += client.wrong
        report.requests_broken += client.broken
    for tab in tabs:
        report.acknowledged += len(tab.acknowledged)
        report.answers_lost += tab.repeated
    for reviewer in reviewers:
        report.acts += len(reviewer.acts)
        report.acts_refused += sum(bool(act.code) for act in reviewer.acts)


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=200, help="kills (default 200)")
    parser.add_argument("--people", type=int, default=2, help="annotators (default 2)")
    parser.add_argument(
        "--replicas", type=int, default=0, help="servers on PostgreSQL (default: one on SQLite)"
    )
    parser.add_argument("--seed", type=int, default=9)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pagetrail-kill9-") as folder:
        report = run(
            options.rounds,
            Path(folder),
            options.seed,
            options.people,
            commands=True,
            replicas=options.replicas,
        )
    print(json.dumps(asdict(report), indent=2))
    return 1 if report.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
