"""Generated attempts: what people do on the search screen, and what agents write into files."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from inspect_ai.event import ModelEvent, ToolEvent
from inspect_ai.log import EvalSample
from inspect_ai.model import ModelOutput
from inspect_ai.tool import ToolCallError

from pagetrail.annotation import events as ev
from pagetrail.storage.database.workspace import Workspace
from tests.storage.importers.runs.run_data import (
    STARTED_AT,
    at,
    atif,
    bare,
    eval_log,
    failed_sample,
    run,
    sample,
    write_json,
)
from tests.storage.task_data import write_jsonl
from tests.support.factory import DOCUMENTS, PEOPLE, TASKS, driver, make_workspace, searched

SYSTEMS = ("..", "inspected", "harboured")
IDS = [str(task["id"]) for task in TASKS]
TEXTS = (
    "42", "Saône", "a\nb", "  two  \n\n lines ", "a\u2028b", "🦦 \\n", '"x" & <y>',
    "```json\n{}\n```", '{"answer": "7"}', "[1, 2]", "null", "Done.\n{", "",
)  # fmt: skip
FAILURE = "The index took too long."
OUTCOMES: tuple[ev.Outcome, ...] = ("answered", "not_found")


def generated(root: Path, draw: random.Random) -> Workspace:
    """Two people and a system for each format; each did some of the tasks, in any way."""
    workspace = make_workspace(root / "ws")
    for number in range(1, len(TASKS) + 1):
        for person in PEOPLE:
            if draw.random() < 0.8 or number == 1:
                _person(draw, workspace, f"{number}-{person}")
    rows = [_madqa(draw, task) for task in IDS]
    run(workspace, write_jsonl(root / "r.jsonl", rows), system=SYSTEMS[0])
    samples = [_sample(draw, task) for task in IDS]
    run(workspace, eval_log(root / "r.eval", samples), system=SYSTEMS[1])
    run(workspace, write_json(root / "r.json", [_atif(draw, t) for t in IDS]), system=SYSTEMS[2])
    return workspace


def _person(draw: random.Random, workspace: Workspace, attempt: str) -> None:
    attempt_driver = driver(workspace, attempt)
    attempt_driver.do(ev.Opened(session="tab-1"))
    for reopened in range(draw.choice((1, 1, 2))):
        if reopened:
            attempt_driver.do(ev.Reopened(), after_s=draw.randint(1, 4_000))
        for step in range(draw.randint(0, 9)):
            # One that is refused, such as a page cited twice, is part of the work as well.
            attempt_driver.do(
                _action(draw, 10 * reopened + step), after_s=draw.choice((0, 0.25, 7, 90))
            )
        attempt_driver.do(ev.Resumed(), after_s=1)
        outcome = draw.choice(OUTCOMES)
        if outcome == "answered":
            document, page = _page(draw)
            attempt_driver.do(ev.CitationAdded(document=document, page=page), after_s=1)
            attempt_driver.do(ev.AnswerEdited(text=f"{draw.choice(TEXTS)}\nyes"), after_s=1)
        submitted = attempt_driver.do(ev.Submitted(outcome=outcome), after_s=draw.randint(0, 9))
        assert not submitted.refusals


def _action(draw: random.Random, number: int) -> ev.Payload:
    document, page = _page(draw)
    pages = draw.choices(range(1, 13), k=draw.randint(0, 5))
    search = searched(
        draw.choice((*TEXTS[:-1], "otters")), number, draw.choice((len(pages), 80)), pages
    )
    look_back = {"looks_back_at": "s0"}
    makers: list[Callable[[], ev.Payload]] = [
        lambda: search,
        lambda: search.model_copy(update=look_back if number else {}),
        lambda: ev.SearchRefused(
            search_id=f"s{number}", query="", reason="query_refused", message="Type a word."
        ),
        lambda: ev.PageViewed(document=document, page=page, via="document"),
        lambda: ev.PageViewed(document=document, page=page, via="restored"),
        lambda: ev.CitationAdded(document=document, page=page),
        lambda: ev.CitationRemoved(document=document, page=page),
        lambda: ev.AnswerEdited(text=draw.choice(TEXTS)),
        lambda: ev.NoteEdited(text=draw.choice(TEXTS)),
        ev.Paused,
        ev.Resumed,
    ]
    return draw.choice(makers)()


def _page(draw: random.Random) -> tuple[str, int]:
    document = draw.choice([*DOCUMENTS])
    return document, draw.randint(1, DOCUMENTS[document])


def _cited(draw: random.Random) -> list[dict[str, Any]]:
    pages = {_page(draw) for _ in range(draw.randint(0, 3))}
    key = draw.choice(("file", "document"))
    return [{key: document, "page": page} for document, page in sorted(pages)]


def _answer(draw: random.Random) -> Any:
    answers = [draw.choice(TEXTS) for _ in range(draw.randint(0, 3))]
    return draw.choice((answers, draw.choice(TEXTS[:8]), None, 7))


def _confidence(task: str) -> dict[str, float]:
    return {"confidence": 0.75} if IDS.index(task) % 2 else {}


def _arguments(draw: random.Random) -> dict[str, Any]:
    return draw.choice(({}, {"n": 1.5, "s": draw.choice(TEXTS)}, {"x": [None, {"y": True}]}))


def _search_result(draw: random.Random) -> dict[str, Any]:
    total = draw.choice(({}, {"total_hits": 99}))
    return {"results": [{"file": f, "page": p} for f, p in map(_page, [draw] * 3)], **total}


def _madqa(draw: random.Random, task: str) -> dict[str, Any]:
    steps, history, seconds = [], [], 0.0
    timed = draw.random() < 0.7
    for number in range(draw.randint(0, 5)):
        seconds += draw.choice((0, 0.5, 3))
        arguments = draw.choice((_arguments(draw), '{"n": 1e999}', "12"))
        call: dict[str, Any] = {"name": "calculator", "arguments": arguments}
        results = []
        if draw.random() < 0.6:
            query = draw.choice(TEXTS[:-1])
            call = {"id": f"c{number}", "name": "search_documents", "arguments": {"query": query}}
            history.append({"query": query, "num_results": draw.choice((0, 3))})
            if draw.random() < 0.7:
                result = draw.choice((_search_result(draw), {"error": FAILURE}))
                results = [{"tool_call_id": f"c{number}", "name": call["name"], **result}]
        steps.append(
            {
                "role": "assistant",
                "content": draw.choice((None, *TEXTS)),
                "tool_calls": draw.choice(([call], [call], [])) if not history else [call],
                "tool_results": results,
                **({"timestamp": at(seconds)} if timed else {}),
            }
        )
    shape = draw.choice(({}, {"search_history": history}, {"trajectory": steps}))
    more: dict[str, Any] = {"started_at": at(0)} if timed else {}
    history_fields = (
        {"search_history": history, "trajectory": steps} if draw.random() < 0.5 else shape
    )
    more |= draw.choice(({}, {"outcome": "unanswerable"})) | _confidence(task)
    return bare(task, answer=_answer(draw), citations=_cited(draw), **history_fields, **more)


def _atif(draw: random.Random, task: str) -> dict[str, Any]:
    timed, seconds = draw.random() < 0.7, 0.0

    def step(**fields: Any) -> None:
        stamp = {"timestamp": at(seconds)} if timed else {}
        steps.append(
            {"step_id": len(steps) + 1, "source": "agent", "message": "", **stamp, **fields}
        )

    steps: list[dict[str, Any]] = []
    step(source="user", message="How many?")
    for _ in range(draw.randint(0, 4)):
        seconds += draw.choice((0.5, 3))
        calls, results = [], []
        for position in range(draw.randint(0, 3)):
            id_ = f"c{len(steps)}-{position}"
            tool = draw.choice(("search_documents", "mcp__p__search_documents", "read_page"))
            sought = tool != "read_page"
            arguments = {"query": draw.choice(TEXTS[:-1])} if sought else _arguments(draw)
            calls.append({"tool_call_id": id_, "function_name": tool, "arguments": arguments})
            if sought and draw.random() < 0.7:
                content = {"content": json.dumps(_search_result(draw))}
                result = draw.choice((content, {"extra": {"error": FAILURE}}))
                results.append({"source_call_id": id_, **result})
        step(message=draw.choice(TEXTS), tool_calls=calls, observation={"results": results})
    answer = json.dumps({"answer": _answer(draw), "citations": _cited(draw), **_confidence(task)})
    step(message=draw.choice(("", "Done.\n")) + answer)
    return atif(task, steps=steps)


def _sample(draw: random.Random, task: str) -> EvalSample:
    if draw.random() < 0.1:
        return failed_sample(task)
    template = sample(task)
    model, tool = template.events
    assert isinstance(model, ModelEvent) and isinstance(tool, ToolEvent)
    events: list[Any] = []
    for number in range(draw.randint(0, 5)):
        timestamp = STARTED_AT + timedelta(seconds=number * draw.choice((1, 2)))
        output = ModelOutput.from_content("model-3", draw.choice(TEXTS))
        search = {"arguments": {"query": draw.choice(TEXTS[:-1])}}
        called = {
            "id": f"c{number}",
            "function": "search_documents",
            **draw.choice(
                (
                    {"function": "calculator", "arguments": _arguments(draw), "result": "7"},
                    {**search, "result": json.dumps(_search_result(draw))},
                    {**search, "result": "", "error": ToolCallError("timeout", FAILURE)},
                )
            ),
        }
        update = draw.choice(({"output": output}, called))
        source = model if "output" in update else tool
        events.append(source.model_copy(update={**update, "timestamp": timestamp, "uuid": None}))
    answer = json.dumps({"answer": _answer(draw), "citations": _cited(draw), **_confidence(task)})
    return sample(task, completion=answer, events=events)
