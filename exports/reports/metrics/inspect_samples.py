"""One sample of an Inspect log: an attempt as messages, events, output and scores."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from urllib.parse import quote

from pagetrail.annotation import events as ev
from pagetrail.annotation.clock import iso, parse_iso
from pagetrail.annotation.events.agents import RunFormat
from pagetrail.annotation.metrics.attempt_rows import Row
from pagetrail.annotation.timing.durations import DEFAULT_IDLE_CAP_S
from pagetrail.exports.formats.agent_turns import usage_by_model
from pagetrail.exports.formats.page_replies import PageReplies
from pagetrail.exports.formats.tool_calls import FINAL_ANSWER, Call, ToolRun, Turn
from pagetrail.exports.reading.attempts import ReadAttempt, is_guess
from pagetrail.exports.writing.file_formats import json_text

OWN_FORMAT: RunFormat = "inspect"
_STOP_REASONS = (
    "stop", "max_tokens", "model_length", "tool_calls", "content_filter",
)  # fmt: skip
_SAMPLE_DETAILS = ("limit", "turn_count", "token_limit", "role_usage")
_EVENT_DETAILS = ("role", "retries", "cache", "working_time", "uuid", "span_id")

_SUMMARY = (
    "id", "epoch", "input", "target", "metadata", "scores", "started_at", "completed_at",
    "total_time", "working_time",
)  # fmt: skip


@dataclass
class SampleWriter:
    """Makes the sample of an attempt.

    Attributes:
        model: the log's.
        attachments: images of the sample, by their hash; messages and events refer to them.
    """

    run: ToolRun
    model: str
    replies: PageReplies
    attachments: dict[str, str] = field(default_factory=dict)

    def sample(self, submission: ReadAttempt, row: Row | None) -> dict[str, Any]:
        """The sample; ``row`` is None where its task's record is broken.

        Its id is the task's, percent-encoded so that it can name a file; ``metadata.task_id`` is
        the task's as it is.
        """
        head, run, imported = submission.head, self.run, self.run.run
        ends_itself = run.ends_with_own_message(OWN_FORMAT)
        output = self._output(run.turns[-1]) if ends_itself else self._closing()
        messages = list(self._messages())
        if not ends_itself:
            messages.append(output["choices"][0]["message"])
        events = [] if run.started is None else list(self._events())
        details = imported.details if imported and imported.format == OWN_FORMAT else {}
        return {
            "id": quote(head.task, safe=" "),
            "epoch": details.get("epoch", 1),
            "input": run.question,
            "target": _targets(head.record),
            "messages": messages,
            "output": output,
            "scores": _scores(row, run),
            "metadata": {
                "task_id": head.task,
                "attempt": head.id,
                **_metadata(submission, run, row),
            },
            "store": run.final if ends_itself else {},
            "events": events,
            "model_usage": self._model_usage(),
            **({"uuid": imported.ids["uuid"]} if imported and "uuid" in imported.ids else {}),
            **{name: details[name] for name in _SAMPLE_DETAILS if name in details},
            **({"attachments": self.attachments} if self.attachments else {}),
            **_error(imported),
            **_times(run, row),
        }

    def _closing(self) -> dict[str, Any]:
        """The final output, which repeats the submission."""
        run = self.run
        turn = Turn(run.finished, json_text(run.final), (), run.closing)
        output = self._output(turn)
        output["choices"][0]["message"]["metadata"] = FINAL_ANSWER
        return output

    def _model_usage(self) -> dict[str, Any]:
        if self.run.run is None:
            return {}
        turns = [turn.details for turn in self.run.turns if not turn.details.is_empty]
        if not self.run.closing.is_empty:
            turns.append(self.run.closing)
        usage = usage_by_model(self.run.run, turns)
        usages = {name or self.model: _usage(usage) for name, usage in usage.items()}
        return {name: usage for name, usage in usages.items() if usage is not None}

    def _messages(self) -> Iterator[dict[str, Any]]:
        run = self.run
        if run.run is not None and run.run.system_prompt:
            yield {"role": "system", "content": run.run.system_prompt}
        yield {"role": "user", "content": run.question}
        for turn in run.turns:
            yield self._message(turn)
            for call in turn.calls:
                error = {"type": "unknown", "message": call.error}
                yield {
                    "role": "tool",
                    "content": self._content(call),
                    "tool_call_id": call.id,
                    "function": call.tool,
                    **({"error": error} if call.error else {}),
                }

    def _message(self, turn: Turn) -> dict[str, Any]:
        """The model's message of a turn with its tool calls."""
        details = turn.details
        content: str | list[dict[str, Any]] = turn.text
        if details.reasoning:
            content = [{"type": "reasoning", "reasoning": details.reasoning}]
            content += [{"type": "text", "text": turn.text}] if turn.text else []
        calls = [
            {"id": call.id, "function": call.tool, "arguments": call.arguments}
            for call in turn.calls
        ]
        return {
            "role": "assistant",
            **({"id": details.message_id} if details.message_id else {}),
            "content": content,
            **({"tool_calls": calls} if calls else {}),
            "source": "generate",
            **({"model": details.model} if details.model else {}),
        }

    def _content(self, call: Call) -> str | list[dict[str, Any]]:
        reply = self.replies.reply_to(call)
        if reply is None:
            return ""
        if reply.image is None:
            return reply.text
        key = hashlib.sha256(reply.image.encode()).hexdigest()[:32]
        self.attachments[key] = reply.image
        image = {"type": "image", "image": f"attachment://{key}"}
        return [{"type": "text", "text": reply.text}, image]

    def _events(self) -> Iterator[dict[str, Any]]:
        """Messages and calls as events, in order; Inspect also stores seconds since the start."""
        turns = self.run.turns
        if not self.run.closing.is_empty:
            turns = (*turns, Turn(self.run.finished, "", (), self.run.closing))
        tools = list(self.run.run.tools) if self._of_own_format() and self.run.run else []
        for turn in turns:
            if turn.text or len(turn.calls) > 1 or not turn.details.is_empty:
                yield self._model_event(turn, tools)
                tools = []
            for call in turn.calls:
                yield self._tool_event(call)

    def _of_own_format(self) -> bool:
        return self.run.run is not None and self.run.run.format == OWN_FORMAT

    def _model_event(self, turn: Turn, tools: list[dict[str, Any]]) -> dict[str, Any]:
        ended, took = turn.at or self.run.started or "", None
        if turn.details.usage is not None:
            took = turn.details.usage.latency_ms
        started = ended
        if took is not None:
            started = iso(parse_iso(ended) - timedelta(milliseconds=took))
        details = turn.details.details if self._of_own_format() else {}
        return {
            **self._timestamps(started),
            **({"completed": ended} if took is not None else {}),
            "event": "model",
            "model": turn.details.model or self._own_model(),
            "input": [],
            "tools": tools,
            "tool_choice": "auto",
            "config": details.get("config", {}),
            "output": self._output(turn),
            **({"error": turn.details.error} if turn.details.error else {}),
            **{name: details[name] for name in _EVENT_DETAILS if name in details},
        }

    def _tool_event(self, call: Call) -> dict[str, Any]:
        started = call.at or self.run.started or ""
        ended = {}
        if call.took_ms is not None:
            ended = {"completed": iso(parse_iso(started) + timedelta(milliseconds=call.took_ms))}
        error = {"type": "unknown", "message": call.error}
        return {
            **self._timestamps(started),
            **ended,
            "event": "tool",
            "type": "function",
            "id": call.id,
            "function": call.tool,
            "arguments": call.arguments,
            "result": self._content(call),
            **({"error": error} if call.error else {}),
            "events": [],
        }

    def _own_model(self) -> str:
        model = None if self.run.run is None else self.run.run.model
        return model or self.model

    def _timestamps(self, at: str) -> dict[str, Any]:
        seconds = (parse_iso(at) - parse_iso(self.run.started or at)).total_seconds()
        return {"timestamp": at, "working_start": max(0.0, seconds)}

    def _output(self, turn: Turn) -> dict[str, Any]:
        details = turn.details
        usage = None if details.usage is None else _usage(details.usage)
        extra = details.details if self._of_own_format() else {}
        reason = details.stop_reason or ("tool_calls" if turn.calls else "stop")
        return {
            "model": details.model or self._own_model(),
            "choices": [
                {
                    "message": self._message(turn),
                    "stop_reason": reason if reason in _STOP_REASONS else "unknown",
                }
            ],
            "completion": turn.text,
            **({} if usage is None else {"usage": usage}),
            **({"time": extra["time"]} if "time" in extra else {}),
        }


def _usage(usage: ev.ModelUsage) -> dict[str, Any] | None:
    """Usage as Inspect counts it; None if no tokens are known, since it would show 0."""
    total = usage.all_tokens
    if total is None and usage.output_tokens is None:
        return None
    read, write = usage.cached_tokens, usage.cache_write_tokens
    fresh = max(0, (usage.input_tokens or 0) - (read or 0) - (write or 0))
    fields = {
        "input_tokens": None if usage.input_tokens is None else fresh,
        "output_tokens": usage.output_tokens,
        "total_tokens": total,
        "input_tokens_cache_write": write,
        "input_tokens_cache_read": read,
        "reasoning_tokens": usage.reasoning_tokens,
        "total_cost": usage.cost_usd,
    }
    return {name: value for name, value in fields.items() if value is not None}


def _error(run: ev.RunImported | None) -> dict[str, Any]:
    if run is None or not run.error:
        return {}
    return {"error": {"message": run.error, "traceback": "", "traceback_ansi": ""}}


def summary_of(sample: dict[str, Any]) -> dict[str, Any]:
    """A sample's entry in the log's list of samples."""
    return {
        **{name: sample[name] for name in _SUMMARY if name in sample},
        "completed": True,
        "message_count": len(sample["messages"]),
    }


def scores_of(row: Row | None) -> dict[str, float]:
    """The defined measures of an attempt, by name."""
    if row is None:
        return {}
    decided = row.correctness
    scores = {
        "correct": None if decided.correct is None else float(decided.correct),
        "anls_star": decided.anls,
        "page_f1": row.page_f1.value,
        "doc_f1": row.doc_f1.value,
    }
    return {name: value for name, value in scores.items() if value is not None}


def _scores(row: Row | None, run: ToolRun) -> dict[str, dict[str, Any]]:
    answer = "\n".join(run.final["answer"])
    scores: dict[str, dict[str, Any]] = {}
    for name, value in scores_of(row).items():
        if name == "correct":
            by = None if row is None else row.correctness.decided_by
            scores[name] = {"value": "C" if value else "I", "answer": answer, "explanation": by}
        else:
            scores[name] = {"value": value}
    return scores


def _metadata(submission: ReadAttempt, run: ToolRun, row: Row | None) -> dict[str, Any]:
    task_labels = {} if row is None else {"domain": row.domain, "hop": row.hop}
    mark = {"without_documents": True} if is_guess(submission.attempt) else {}
    return {"batch": submission.head.batch, "outcome": run.final["outcome"], **task_labels, **mark}


def _times(run: ToolRun, row: Row | None) -> dict[str, Any]:
    if run.started is None or run.finished is None:
        return {}
    took = (parse_iso(run.finished) - parse_iso(run.started)).total_seconds()
    active = None if row is None or row.active_s is None else row.active_s[DEFAULT_IDLE_CAP_S]
    if run.run is not None and run.run.format == OWN_FORMAT:
        active = run.run.details.get("working_time", active)
    return {
        "started_at": run.started,
        "completed_at": run.finished,
        "total_time": took,
        **({} if active is None else {"working_time": active}),
    }


def _targets(record: dict[str, Any]) -> list[str]:
    """The accepted answers, each as one text."""
    variants = record.get("answer_variants") or []
    return ["\n".join(map(str, v)) if isinstance(v, list) else str(v) for v in variants]
