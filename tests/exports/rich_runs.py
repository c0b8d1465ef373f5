"""Runs with all that agents write: usage, reasoning, prompts, parameters, other tools, ids."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

from inspect_ai.event import Event, ModelEvent, SpanBeginEvent, SpanEndEvent, ToolEvent
from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalPlan,
    EvalPlanStep,
    EvalRevision,
    EvalSample,
    EvalSpec,
    write_eval_log,
)
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.scorer import Score
from inspect_ai.tool import ToolCall, ToolInfo, ToolParam, ToolParams

from tests.storage.importers.runs.run_data import PAGES, STARTED_AT, at

MODEL = "anthropic/claude-x"
GRADER = "openai/grader"


def rich_atif(task: str = "t/1") -> dict[str, Any]:
    """A trajectory as Harbor's agents write it, version 1.7."""
    return {
        "schema_version": "ATIF-v1.7",
        "session_id": "session-7",
        "trajectory_id": "trajectory-9",
        "agent": {
            "name": "claude-code",
            "version": "2.1.0",
            "model_name": "claude-x",
            "tool_definitions": [
                {
                    "type": "function",
                    "function": {
                        "name": "search_documents",
                        "description": "Search.",
                        "parameters": {"type": "object", "properties": {}},
                    },
                }
            ],
            "extra": {"temperature": 0.5, "person": False},
        },
        "notes": "second try",
        "extra": {"task_id": task, "seed": 7},
        "steps": [
            {
                "step_id": 1,
                "source": "system",
                "message": "You answer questions.",
                "timestamp": at(0),
            },
            {"step_id": 2, "source": "user", "message": "How many otters?", "timestamp": at(0)},
            {
                "step_id": 3,
                "timestamp": at(3),
                "source": "agent",
                "message": "I look for otters.",
                "reasoning_content": "Otters live in rivers.",
                "reasoning_effort": "high",
                "model_name": "claude-small",
                "llm_call_count": 1,
                "tool_calls": [
                    {
                        "tool_call_id": "toolu_1",
                        "function_name": "mcp__pagetrail__search_documents",
                        "arguments": {"query": "otters", "top_k": 2},
                    },
                    {
                        "tool_call_id": "toolu_2",
                        "function_name": "read_page",
                        "arguments": {"file": "b.pdf", "page": 1},
                    },
                ],
                "observation": {
                    "results": [
                        {
                            "source_call_id": "toolu_1",
                            "content": json.dumps(
                                {"results": [{**p, "score": 1.5} for p in PAGES]}
                            ),
                        },
                        {"source_call_id": "toolu_2", "content": "Otters: 40 and 2."},
                    ]
                },
                "metrics": {
                    "prompt_tokens": 1_200,
                    "completion_tokens": 80,
                    "cached_tokens": 1_000,
                    "cost_usd": 0.0125,
                    "extra": {"reasoning_tokens": 30, "latency_ms": 1_500, "service_tier": "std"},
                },
                "extra": {"message_id": "msg_1"},
            },
            {
                "step_id": 4,
                "timestamp": at(5),
                "source": "agent",
                "message": "",
                "tool_calls": [
                    {
                        "tool_call_id": "toolu_3",
                        "function_name": "calculator",
                        "arguments": {"sum": "40+2"},
                    }
                ],
                "observation": {"results": [{"source_call_id": "toolu_3", "content": "42"}]},
                "metrics": {
                    "prompt_tokens": 1_400,
                    "completion_tokens": 20,
                    "cached_tokens": 1_200,
                    "cost_usd": 0.01,
                    "extra": {"reasoning_tokens": 0, "latency_ms": 500},
                },
            },
            {
                "step_id": 5,
                "timestamp": at(9),
                "source": "agent",
                "message": 'Done: {"answer": "42"}\n{"answer": ["42"], "citations": '
                '[{"document": "b.pdf", "page": 1}]}',
                "metrics": {
                    "prompt_tokens": 1_500,
                    "completion_tokens": 40,
                    "cached_tokens": 0,
                    "cost_usd": 0.02,
                    "extra": {"reasoning_tokens": 0, "latency_ms": 700},
                },
            },
        ],
        "final_metrics": {
            "total_prompt_tokens": 4_100,
            "total_completion_tokens": 140,
            "total_cached_tokens": 2_200,
            "total_cost_usd": 0.0425,
            "total_steps": 5,
            "extra": {"duration": "short"},
        },
    }


def rich_madqa(task: str = "t/1") -> dict[str, Any]:
    """A row with usage in each step, as OpenAI's interface returns it."""

    def usage(tokens_in: int, out: int) -> dict[str, Any]:
        return {
            "prompt_tokens": tokens_in,
            "completion_tokens": out,
            "total_tokens": tokens_in + out,
            "prompt_tokens_details": {"cached_tokens": tokens_in // 2, "audio_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": out // 2},
        }

    return {
        "id": task,
        "answer": ["42"],
        "citations": PAGES[:1],
        "model": "gpt-x",
        "agent_version": "1.4",
        "system_prompt": "You answer questions.",
        "cost": 0.03,
        "started_at": at(0),
        "trajectory": [
            {
                "role": "assistant",
                "content": "I look.",
                "reasoning": "Rivers.",
                "tool_calls": [
                    {"id": "c1", "name": "search_documents", "arguments": {"query": "otters"}},
                    {"id": "c2", "name": "calculator", "arguments": '{"sum": "40+2"}'},
                ],
                "tool_results": [
                    {
                        "tool_call_id": "c1",
                        "name": "search_documents",
                        "query": "otters",
                        "results": [{**page, "score": 2.5} for page in PAGES],
                    },
                    {"tool_call_id": "c2", "name": "calculator", "content": "42"},
                ],
                "usage": usage(1_000, 50),
                "latency_s": 1.25,
                "logprobs": [0.5],
                "timestamp": at(2),
            },
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [],
                "parsed_answer": {"answer": ["42"]},
                "usage": usage(1_200, 20),
                "latency_s": 0.5,
                "timestamp": at(5),
            },
        ],
    }


def rich_sample(task: str = "t/1", epoch: int = 1) -> EvalSample:
    """A sample with two calls of a model, two tools, a grader's call, and scores."""
    calls = [
        ToolCall(id="toolu_1", function="search_documents", arguments={"query": "otters"}),
        ToolCall(id="toolu_2", function="calculator", arguments={"sum": "40+2"}),
    ]
    first = ChatMessageAssistant(
        id="msg_1",
        content=[
            ContentReasoning(reasoning="Otters live in rivers."),
            ContentText(text="I look for otters."),
        ],
        tool_calls=calls,
        source="generate",
        model="claude-x",
    )
    completion = json.dumps({"answer": ["42"], "citations": PAGES})
    last = ChatMessageAssistant(id="msg_2", content=completion, source="generate", model="claude-x")
    usage = [
        ModelUsage(
            input_tokens=200,
            input_tokens_cache_read=1_000,
            input_tokens_cache_write=50,
            output_tokens=80,
            reasoning_tokens=30,
            total_tokens=1_330,
            total_cost=0.0125,
        ),
        ModelUsage(
            input_tokens=100,
            input_tokens_cache_read=1_250,
            input_tokens_cache_write=0,
            output_tokens=20,
            reasoning_tokens=0,
            total_tokens=1_370,
            total_cost=0.0075,
        ),
    ]
    tools = [
        ToolInfo(
            name="search_documents",
            description="Search.",
            parameters=ToolParams(
                properties={"query": ToolParam(type="string", description="The query.")},
                required=["query"],
            ),
        )
    ]

    def turn(
        message: ChatMessageAssistant,
        used: ModelUsage,
        start_s: float,
        end_s: float,
        stop_reason: Any,
    ) -> ModelEvent:
        return ModelEvent(
            uuid=f"event-{message.id}",
            span_id="agent",
            timestamp=STARTED_AT + timedelta(seconds=start_s),
            completed=STARTED_AT + timedelta(seconds=end_s),
            working_start=start_s,
            working_time=end_s - start_s,
            model="claude-x",
            input=[],
            tools=tools if message is first else [],
            tool_choice="auto",
            config=GenerateConfig(temperature=0.5, reasoning_effort="high"),
            output=ModelOutput(
                model="claude-x",
                choices=[ChatCompletionChoice(message=message, stop_reason=stop_reason)],
                usage=used,
                time=end_s - start_s,
            ),
        )

    def tool(call: ToolCall, result: str, start_s: float) -> ToolEvent:
        return ToolEvent(
            timestamp=STARTED_AT + timedelta(seconds=start_s),
            completed=STARTED_AT + timedelta(seconds=start_s + 0.25),
            working_start=start_s,
            id=call.id,
            function=call.function,
            arguments=call.arguments,
            result=result,
        )

    search_result = json.dumps({"results": PAGES, "total_hits": 9})
    prompts: list[ChatMessage] = [
        ChatMessageSystem(content="You answer questions."),
        ChatMessageUser(content="How many otters?"),
    ]
    events: list[Event] = [
        turn(first, usage[0], 0.5, 2.0, "tool_calls"),
        tool(calls[0], search_result, 2.5),
        tool(calls[1], "42", 3.0),
        turn(last, usage[1], 4.0, 6.0, "stop"),
        SpanBeginEvent(id="s", name="scorers", timestamp=STARTED_AT + timedelta(seconds=7)),
        SpanEndEvent(id="s", timestamp=STARTED_AT + timedelta(seconds=7)),
    ]
    return EvalSample(
        id=task,
        epoch=epoch,
        uuid=f"sample-{task}-{epoch}",
        input="How many otters?",
        target="42",
        messages=[
            *prompts,
            first,
            ChatMessageTool(
                content=search_result, tool_call_id="toolu_1", function="search_documents"
            ),
            ChatMessageTool(content="42", tool_call_id="toolu_2", function="calculator"),
            last,
        ],
        output=events_output(events),
        scores={"judge": Score(value="C", answer="42", explanation="equal")},
        metadata={"task_id": task, "level": 2},
        events=events,
        model_usage={MODEL: usage[0] + usage[1]},
        started_at=at(0),
        completed_at=at(8),
        total_time=8.0,
        working_time=7.5,
    )


def events_output(events: list[Event]) -> ModelOutput:
    """The output of the last call of the model."""
    return [event for event in events if isinstance(event, ModelEvent)][-1].output


def rich_log(path: Path, samples: list[EvalSample]) -> Path:
    """A log as Inspect writes it."""
    spec = EvalSpec(
        created=at(0),
        eval_id="eval-1",
        run_id="run-1",
        task="otters",
        task_version=3,
        task_args={"hard": True},
        solver="react",
        solver_args={"attempts": 2},
        dataset=EvalDataset(),
        model=MODEL,
        model_generate_config=GenerateConfig(temperature=0.5),
        model_args={"region": "eu"},
        revision=EvalRevision(type="git", origin="https://example.org/otters", commit="abc123"),
        packages={"inspect_ai": "0.3.285"},
        config=EvalConfig(epochs=1, message_limit=30),
    )
    plan = EvalPlan(
        steps=[EvalPlanStep(solver="react", params={"attempts": 2})],
        config=GenerateConfig(temperature=0.5),
    )
    write_eval_log(EvalLog(status="success", eval=spec, plan=plan, samples=samples), str(path))
    return path
