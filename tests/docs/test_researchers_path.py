"""The path from a run to a published table in docs/researchers.md, run as it is printed."""

from __future__ import annotations

import csv
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Recorder
from pagetrail.app.cli.main import app
from pagetrail.storage.attempts import queries
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.batches.assignments import assign
from pagetrail.storage.batches.my_batches import assignments
from pagetrail.storage.batches.open_close import ensure_attempts
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.people.accounts import find_person
from tests.docs.test_pages import page
from tests.storage.task_data import FILES, add_people, register_documents, task, write_jsonl
from tests.support.factory import AttemptDriver, FakePages, start_clock

SYSTEM = "my-agent"
TASKS = 48
PRICES = """
name = "List prices"
date = 2026-11-01

[models."agent-1"]
input = 2.0
output = 8.0

[rates]
EUR = 1.1
"""


def commands() -> list[list[list[str]]]:
    """The arguments of each command, by code block."""
    match = re.search(
        r"^### From a run to a published table\n(.*?)^### ", page("researchers.md"), re.S | re.M
    )
    assert match is not None
    blocks = re.findall(r"^```sh\n(.*?)^```", match[1], re.S | re.M)
    return [[shlex.split(line) for line in block.splitlines()] for block in blocks]


def run_block(block: list[list[str]]) -> None:
    """Run each line as it is printed."""
    for program, *arguments in block:
        assert program == "pagetrail"
        result = CliRunner().invoke(app, arguments)
        assert result.exit_code == 0, (arguments, result.output)


def answer_of(number: int) -> str:
    """The agent is right at short tasks, mostly; a third of its answers need a judge."""
    if number % 3 == 0:
        return f"about {number}"
    return str(number) if number < TASKS / 2 or number % 5 == 0 else "unknown"


def work_on_all(workspace: Workspace, name: str, campaign: str, *, judges: bool) -> None:
    """A person answers or judges every task; to answer one takes 10 s more than the one before."""
    assign(workspace, campaign, [name])
    clock = start_clock()
    for batch in assignments(workspace.engine, find_person(workspace, name).id):
        ensure_attempts(workspace.engine, batch.assignment_id, clock)
        for row in queries.batch_tasks(workspace.engine, batch.assignment_id):
            attempt = queries.attempt(workspace.engine, row.attempt_id)
            if attempt.campaign != campaign:
                continue
            log = SqlEventLog(workspace.engine)
            driver = AttemptDriver(log, attempt.context(), clock)
            driver.recorder = Recorder(log, FakePages(FILES), clock)
            driver.do(ev.Opened(session="tab-1"))
            if judges:
                is_right = attempt.record["prediction"]["answer"][0] != "unknown"
                driver.do(
                    ev.FieldSet(field="verdict", value="correct" if is_right else "incorrect")
                )
                if not is_right:
                    driver.do(ev.FieldSet(field="issue", value="refusal"))
                outcome: ev.Outcome = "completed"
            else:
                number = int(row.key.removeprefix("q"))
                place = {"document": "report.pdf", "page": number % 9 + 1}
                driver.do(ev.PageViewed(**place, via="document"), after_s=3)
                driver.do(ev.CitationAdded(**place), after_s=5)
                for line in range(number):  # nobody is idle
                    driver.do(ev.NoteEdited(text=f"line {line}"), after_s=10)
                driver.do(ev.AnswerEdited(text=str(number)), after_s=10)
                outcome = "answered"
            recorded = driver.do(ev.Submitted(outcome=outcome), after_s=2)
            assert not recorded.refusals, recorded.refusals


@pytest.fixture
def baseline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """The workspace ``ws`` with people's answers, and the researcher's files, in one folder."""
    monkeypatch.chdir(tmp_path)
    workspace = Workspace.create(tmp_path / "ws")
    register_documents(workspace)
    rows = [task(number) for number in range(TASKS)]
    import_tasks(workspace, write_jsonl(tmp_path / "tasks.jsonl", rows), campaign="baseline")
    add_people(workspace, ["Ada", "Bea"])
    work_on_all(workspace, "Ada", "baseline", judges=False)
    usage = {"model": "agent-1", "usage": {"input_tokens": 9_000, "output_tokens": 400}}
    write_jsonl(
        tmp_path / "results.jsonl",
        [{"id": f"q{n}", "answer": [answer_of(n)], "citations": [], **usage} for n in range(TASKS)],
    )
    with (tmp_path / "verdicts.csv").open("w", newline="", encoding="utf-8") as file:
        rows_of_judge = csv.writer(file)
        rows_of_judge.writerow(["task", "system", "verdict"])
        for n in range(TASKS):
            is_right = answer_of(n) != "unknown"
            rows_of_judge.writerow([f"q{n}", SYSTEM, float(is_right != (n % 11 == 3))])
    (tmp_path / "prices.toml").write_text(PRICES, encoding="utf-8")
    return workspace


def agents_rows(tables: Path, name: str, **values: str) -> list[dict[str, str]]:
    """The agent's rows of a table of the written report that have these values."""
    with (tables / f"{name}.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return [row for row in rows if {"side": SYSTEM, **values}.items() <= row.items()]


def test_from_a_run_to_a_published_table(baseline: Workspace, tmp_path: Path) -> None:
    """Imports, sample, people's judgements, then corrected accuracy, cost and horizon in files."""
    before, after = commands()
    run_block(before)
    work_on_all(baseline, "Bea", "judging", judges=True)
    run_block(after)
    tables = tmp_path / "report" / "tables"
    is_right = [answer_of(n) != "unknown" for n in range(TASKS)]
    (corrected,) = agents_rows(tables, "judges-corrected", judge="llm-judge")
    assert float(corrected["corrected"]) == pytest.approx(sum(is_right) / TASKS)
    assert float(corrected["corrected_low"]) < float(corrected["raw"])
    (cost,) = agents_rows(tables, "cost")
    assert float(cost["cost_per_task"]) == pytest.approx((9_000 * 2 + 400 * 8) / 1e6)
    (horizon, _) = agents_rows(tables, "time-horizon")
    assert 4 < float(horizon["horizon_50"]) < 8
    assert (tables / "sample-strata.csv").exists()
    paper = {path.stem for path in (tmp_path / "paper").rglob("*.csv")}
    assert len(paper) > 20
