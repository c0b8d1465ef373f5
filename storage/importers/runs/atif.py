"""ATIF, the Agent Trajectory Interchange Format of Harbor, versions 1.0 to 1.7: one run each.

A trajectory does not say in a fixed place which task it is of. Looked at in this order:
``extra.task_id``, ``extra.id``, ``task_id``, ``agent.extra.task_id``, ``session_id``. The answer is
``extra.answer`` (with ``extra.citations``), else what was given to a tool of handing in
(``submit``, ``submit_answer``, ``final_answer``; ``skip_task`` gives none), else the last message
of the agent, read as JSON with ``answer`` and ``citations`` where it is that. Trajectories of
subagents are not read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pagetrail.annotation import events as ev
from pagetrail.annotation.runs.record import MAX_STEPS, RunRecord, RunStep
from pagetrail.storage.importers.runs import values as values
from pagetrail.storage.importers.runs.final_answer import Final, final, handed_in
from pagetrail.storage.importers.runs.madqa import stamp
from pagetrail.storage.importers.runs.values import Notes


def is_atif(row: dict[str, Any]) -> bool:
    """Whether an object looks like a trajectory."""
    version = row.get("schema_version")
    if isinstance(version, str) and version.upper().startswith("ATIF"):
        return True
    return isinstance(row.get("steps"), list) and isinstance(row.get("agent"), dict)


def read_trajectory(number: int, row: dict[str, Any]) -> RunRecord:
    """The run in a trajectory; ``number`` is its place in the file.

    Raises:
        ValueError: it breaks the format; the message names the field and what is wrong.
    """
    notes = Notes()
    steps = _steps(row)
    extra = _object(row, "extra")
    agent = _object(row, "agent")
    task = values.task_id(_task(row))
    if "subagent_trajectories" in row:
        notes.add("its subagents' trajectories are not read")
    if row.get("continued_trajectory_ref"):
        notes.add("it goes on in another file, which is not read with it")
    told = [_at(step, notes) for step in steps]
    made: list[RunStep] = []
    ids = values.SearchIds()
    given: Any = None
    for place, (step, at) in enumerate(zip(steps, told, strict=True)):
        if step.get("source") != "agent":
            continue
        text = values.words(step.get("message"))
        calls = list(_calls(step, place))
        if text and not (calls and calls[0].other):
            made.append(RunStep(values.step(text, None, None, notes), at))
            text = ""
        for call in calls:
            given = handed_in(call.name, call.arguments) or given
            made.append(RunStep(call.event(ids, text, notes), at))
            text = "" if call.other else text
    if len(made) > MAX_STEPS:
        raise ValueError(f"steps: {len(made):,} are too many; {MAX_STEPS:,} are allowed")
    answer = _final(extra, given, steps, notes)
    searches = [s.payload for s in made if isinstance(s.payload, ev.Searched)]
    failed = extra.get("error")
    return RunRecord(
        record=number,
        task=task,
        answer=answer.answer,
        outcome=answer.outcome,
        citations=answer.citations,
        steps=tuple(made),
        model=_model(agent, notes),
        started=told[0],
        finished=_finished(steps, told),
        results_known=values.known(searches),
        failed=failed[:300] if isinstance(failed, str) and failed.strip() else None,
        notes=notes.all(),
    )


def shown_task(row: dict[str, Any]) -> str | None:
    """The task's id as a report shows it, good or bad."""
    return values.shown_id(_task(row))


def _task(row: dict[str, Any]) -> Any:
    extra, agent = row.get("extra"), row.get("agent")
    inner = agent.get("extra") if isinstance(agent, dict) else None
    places = ((extra, "task_id"), (extra, "id"), (row, "task_id"), (inner, "task_id"))
    for holder, name in (*places, (row, "session_id")):
        if isinstance(holder, dict) and holder.get(name) is not None:
            return holder[name]
    return None


def _steps(row: dict[str, Any]) -> list[dict[str, Any]]:
    steps = row.get("steps")
    if not isinstance(steps, list) or not steps:
        raise ValueError("steps: must be a list of at least one step")
    for place, step in enumerate(steps):
        if not isinstance(step, dict):
            raise ValueError(f"steps[{place}]: must be an object")
    return steps


def _object(row: dict[str, Any], name: str) -> dict[str, Any]:
    found = row.get(name)
    return found if isinstance(found, dict) else {}


def _at(step: dict[str, Any], notes: Notes) -> datetime | None:
    value = step.get("timestamp")
    return None if value is None else stamp(value, notes)


def _finished(steps: list[dict[str, Any]], told: list[datetime | None]) -> datetime | None:
    by_agent = [at for step, at in zip(steps, told, strict=True) if step.get("source") == "agent"]
    return by_agent[-1] if by_agent else None


@dataclass(frozen=True)
class _Call:
    name: str
    arguments: Any
    id: Any
    content: Any

    @property
    def query(self) -> str | None:
        return values.query_of(self.arguments) if values.is_search(self.name) else None

    @property
    def other(self) -> bool:
        """Whether it is a step beside searching."""
        return self.query is None

    def event(self, ids: values.SearchIds, text: str, notes: Notes) -> ev.Searched | ev.AgentStep:
        """What it is in the log; ``text`` was written with it."""
        if self.query is None:
            return values.step(text, self.name, self.arguments, notes)
        return values.search(ids.next(self.id), self.query, values.hits(self.content), notes)


def _calls(step: dict[str, Any], place: int) -> Iterator[_Call]:
    calls = step.get("tool_calls") or []
    if not isinstance(calls, list) or not all(isinstance(call, dict) for call in calls):
        raise ValueError(f"steps[{place}].tool_calls: must be a list of objects")
    observation = _object(step, "observation").get("results")
    listed = observation if isinstance(observation, list) else []
    results = [result for result in listed if isinstance(result, dict)]
    by_id = {
        r["source_call_id"]: r.get("content")
        for r in results
        if isinstance(r.get("source_call_id"), str)
    }
    for number, call in enumerate(calls):
        name = call.get("function_name")
        if not isinstance(name, str):
            raise ValueError(f"steps[{place}].tool_calls[{number}].function_name: must be text")
        id_ = call.get("tool_call_id")
        content = by_id.get(id_) if isinstance(id_, str) else None
        if content is None and not by_id and len(results) == len(calls):
            content = results[number].get("content")
        yield _Call(name, call.get("arguments"), id_, _plain(content))


def _plain(content: Any) -> Any:
    """Content of parts as their text; results that stand there as they are stay so."""
    if not isinstance(content, list):
        return content
    parts = any(isinstance(part, dict) and part.get("type") == "text" for part in content)
    return values.words(content) if parts else content


def _final(extra: dict[str, Any], given: Any, steps: list[dict[str, Any]], notes: Notes) -> Final:
    if "answer" in extra:
        return final(extra, notes)
    if given is not None:
        return final(given, notes, extra.get("citations"))
    said = (values.words(step.get("message")) for step in steps if step.get("source") == "agent")
    last = next((text for text in reversed(list(said)) if text.strip()), None)
    return final(last, notes, extra.get("citations"))


def _model(agent: dict[str, Any], notes: Notes) -> str | None:
    for name in ("model_name", "name"):
        value = agent.get(name)
        if isinstance(value, str) and value.strip():
            return values.tidy(value, notes)[:1_000]
    return None
