"""Results of agents in the three formats, about the tasks of ``tests.support.factory``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from inspect_ai.event import ModelEvent, ToolEvent
from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalError,
    EvalLog,
    EvalSample,
    EvalSpec,
    write_eval_log,
)
from inspect_ai.model import ChatMessageUser, GenerateConfig, ModelOutput
from sqlalchemy import select

from pagetrail.annotation import events as ev
from pagetrail.annotation.events import Event
from pagetrail.annotation.runs.record import RunRecord, RunStep
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.database.tables import Attempt, Task, User
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.runs.importer import RunImportReport, import_run

CAMPAIGN = "Otters"
STARTED_AT = datetime(2026, 3, 1, 8, tzinfo=UTC)
PAGES = [{"file": "annual report.pdf", "page": 3}, {"file": "b.pdf", "page": 1}]


def at(seconds: float) -> str:
    """A stamp so many seconds after the run began."""
    return (STARTED_AT + timedelta(seconds=seconds)).isoformat()


def madqa(task: str = "t/1", **fields: Any) -> dict[str, Any]:
    """A row with a search, another tool, and a timed trajectory."""
    return {
        "id": task,
        "answer": ["42"],
        "citations": [{"file": "annual report.pdf", "page": 3}],
        "iterations": 3,
        "started_at": at(0),
        "search_history": [{"iteration": 1, "query": "otters", "num_results": 2}],
        "trajectory": [
            {
                "iteration": 1,
                "role": "assistant",
                "content": "I look for otters.",
                "tool_calls": [
                    {"id": "c1", "name": "search_documents", "arguments": {"query": "otters"}}
                ],
                "tool_results": [
                    {
                        "tool_call_id": "c1",
                        "name": "search_documents",
                        "query": "otters",
                        "results": PAGES,
                    }
                ],
                "usage": {"total_tokens": 9},
                "timestamp": at(2),
            },
            {
                "iteration": 2,
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "c2", "name": "calculator", "arguments": {"sum": "40+2"}}],
                "tool_results": [],
                "timestamp": at(5.5),
            },
            {
                "iteration": 3,
                "role": "assistant",
                "content": None,
                "tool_calls": [],
                "parsed_answer": {"answer": ["42"], "citations": []},
                "timestamp": at(9),
            },
        ],
        "model": "model-1",
        **fields,
    }


def bare(task: str = "t/1", **fields: Any) -> dict[str, Any]:
    """A row that tells of the answer alone."""
    return {"id": task, "answer": "42", "citations": [], **fields}


def atif(task: str = "t/1", **fields: Any) -> dict[str, Any]:
    """A trajectory with a search and a message at the end."""
    return {
        "schema_version": "ATIF-v1.6",
        "session_id": "session-1",
        "agent": {"name": "agent", "version": "1", "model_name": "model-2"},
        "extra": {"task_id": task},
        "steps": [
            {"step_id": 1, "source": "user", "message": "How many?", "timestamp": at(0)},
            {
                "step_id": 2,
                "source": "agent",
                "message": "",
                "timestamp": at(3),
                "tool_calls": [
                    {
                        "tool_call_id": "c1",
                        "function_name": "mcp__pagetrail__search_documents",
                        "arguments": {"query": "otters"},
                    },
                    {
                        "tool_call_id": "c2",
                        "function_name": "read_page",
                        "arguments": {"document": "b.pdf", "page": 1},
                    },
                ],
                "observation": {
                    "results": [
                        {"source_call_id": "c2", "content": "Otters."},
                        {"source_call_id": "c1", "content": json.dumps({"results": PAGES})},
                    ]
                },
            },
            {
                "step_id": 3,
                "source": "agent",
                "message": 'Done.\n```json\n{"answer": "42", "citations": '
                '[{"document": "b.pdf", "page": "1"}]}\n```',
                "timestamp": at(7),
            },
        ],
        **fields,
    }


def sample(id_: str | int = "t/1", completion: str | None = None, **fields: Any) -> EvalSample:
    """A sample with a model's turn and a search."""
    completion = (
        json.dumps({"answer": ["42"], "citations": PAGES}) if completion is None else completion
    )
    turn = ModelEvent(
        timestamp=STARTED_AT + timedelta(seconds=1),
        model="model-3",
        input=[ChatMessageUser(content="How many otters were counted? " * 20)],
        tools=[],
        tool_choice="auto",
        config=GenerateConfig(),
        output=ModelOutput.from_content("model-3", "I look for otters."),
    )
    call = ToolEvent(
        timestamp=STARTED_AT + timedelta(seconds=4),
        id="c1",
        function="search_documents",
        arguments={"query": "otters"},
        result=json.dumps(PAGES),
    )
    defaults: dict[str, Any] = {
        "id": id_,
        "epoch": 1,
        "input": "How many?",
        "target": "gold",
        "events": [turn, call],
        "output": ModelOutput.from_content("model-3", completion),
        "started_at": at(0),
        "completed_at": at(8),
    }
    return EvalSample(**{**defaults, **fields})


def failed_sample(id_: str) -> EvalSample:
    """A sample that ended in an error."""
    error = EvalError(message="out of tokens", traceback="", traceback_ansi="")
    return sample(id_, error=error)


def eval_log(path: Path, samples: Sequence[EvalSample]) -> Path:
    """A log as Inspect writes it, by the ending of its name."""
    spec = EvalSpec(
        created=at(0),
        task="otters",
        dataset=EvalDataset(),
        model="openai/model-3",
        config=EvalConfig(),
    )
    write_eval_log(EvalLog(status="success", eval=spec, samples=list(samples)), str(path))
    return path


def write_json(path: Path, value: Any) -> Path:
    """One JSON value."""
    path.write_text(json.dumps(value, indent=1), encoding="utf-8")
    return path


def run(workspace: Workspace, path: Path, **options: Any) -> RunImportReport:
    """Import a file as the system ``agent``."""
    return import_run(workspace, path, **{"campaign": CAMPAIGN, "system": "agent", **options})


def acts(record: RunRecord) -> list[RunStep]:
    """The steps of a run without the beginnings of its turns."""
    return [step for step in record.steps if not isinstance(step.payload, ev.AgentTurn)]


def events(workspace: Workspace, task: str = "t/1", system: str = "agent") -> list[Event]:
    """What is stored of a system's attempt at a task."""
    with workspace.engine.connect() as connection:
        attempt = connection.execute(
            select(Attempt)
            .join(Task, Task.id == Attempt.task_id)
            .join(User, User.id == Attempt.user_id)
            .where(Task.key == task, User.name == system)
        ).one_or_none()
    return [] if attempt is None else list(SqlEventLog(workspace.engine).events(attempt.id))


def stored_agent_events(workspace: Workspace) -> list[tuple[Any, ...]]:
    """All events of systems in the database, without the moment they were stored."""
    with workspace.engine.connect() as connection:
        rows = connection.exec_driver_sql(
            "select t.key, u.name, e.seq, e.type, e.client_ts, e.elapsed_ms, e.client_event_id,"
            " e.payload from event e join attempt a on a.id = e.attempt_id"
            " join task t on t.id = a.task_id join user_account u on u.id = a.user_id"
            " where u.role = 'system' order by t.key, u.name, e.seq"
        )
        return [tuple(row) for row in rows]
