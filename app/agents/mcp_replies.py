"""Replies of the MCP server: values as JSON, errors as tool errors."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from mcp.types import CallToolResult, TextContent

from pagetrail.annotation.errors import ALREADY_SUBMITTED, PagetrailError, Refusal
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.app.agents.replies import SearchReply, StateReply
from pagetrail.app.agents.task_text import takes_boxes


def pages(numbered_pages: Iterable[tuple[str, int]]) -> list[dict[str, Any]]:
    """Pages in the form the benchmark's agents use."""
    return [{"file": document, "page": page} for document, page in numbered_pages]


def drawn_boxes(state: StateReply) -> list[dict[str, Any]]:
    """The boxes drawn so far."""
    return [
        {"box": box.id, "file": box.document, "page": box.page, "label": box.label}
        for box in state.boxes
    ]


def search_result(reply: SearchReply) -> dict[str, Any]:
    """What a search returned."""
    results = []
    for hit in reply.hits:
        entry: dict[str, Any] = {"file": hit.document, "page": hit.page, "rank": hit.rank}
        if hit.snippet is not None:
            entry["snippet"] = hit.snippet
        results.append(entry)
    reply_json = {
        "results": results,
        "total_hits": reply.total_hits,
        "understood_as": reply.understood_as,
        "query": reply.query,
    }
    if reply.suggestion is not None:
        reply_json["did_you_mean"] = reply.suggestion
    return reply_json


def task_description(state: StateReply, protocol: Protocol) -> dict[str, Any]:
    """An opened task as the model gets it."""
    outcomes = {
        "answered": protocol.answer.kind != "off",
        "not_found": protocol.answer.kind != "off" and protocol.answer.not_found,
        "unanswerable": protocol.answer.kind != "off" and protocol.answer.unanswerable,
        "completed": protocol.answer.kind == "off" or protocol.ends is not None,
    }
    description: dict[str, Any] = {
        "task": state.task,
        "question": state.question,
        "status": state.status,
        "pages": None if state.pages is None else pages(state.pages),
        "search": protocol.search.enabled,
        "outcomes": [name for name, allowed in outcomes.items() if allowed],
        "citations_required": protocol.evidence.enabled and protocol.evidence.required,
        "seconds_left": state.left_s,
        "done_so_far": {
            "searches": [{"query": query, "total_hits": n} for query, n in state.searches],
            "pages_read": state.pages_read,
            "citations": pages(state.citations),
        },
    }
    if state.material:
        description["material"] = [part.model_dump() for part in state.material]
    if protocol.fields:
        description["fields"] = [
            {
                "field": spec.name,
                "label": spec.label,
                "of_each": spec.scope,
                "kind": spec.kind,
                "required": spec.required,
                "options": [
                    {"value": option.value, "label": option.label, "help": option.help}
                    for option in spec.options
                ],
                "value": state.fields.get(spec.name),
            }
            for spec in protocol.fields
        ]
        description["set_before_pages_open"] = list(state.locked)
    if takes_boxes(protocol):
        description["boxes"] = {
            "labels": [label.name for label in protocol.boxes.labels],
            "required": protocol.boxes.required,
        }
        description["done_so_far"]["boxes"] = drawn_boxes(state)
    return description


def already_finished(task: str) -> Refusal:
    """The refusal of a task that cannot be opened any more."""
    return Refusal(
        f"Task {task} is already submitted or skipped. Choose one that is new or open.",
        code=ALREADY_SUBMITTED,
    )


def result(value: dict[str, Any]) -> CallToolResult:
    """A reply as JSON, both as text and as structure."""
    text = json.dumps(value, ensure_ascii=False)
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=value)


def failed(error: PagetrailError) -> CallToolResult:
    """A tool error: the sentence as text, its code as structure."""
    details: dict[str, Any] = {"code": error.code, "message": error.message}
    problems = getattr(error, "problems", None)
    if problems:
        details["problems"] = [asdict(problem) for problem in problems]
    return CallToolResult(
        content=[TextContent(type="text", text=error.message)],
        structured_content={"error": details},
        is_error=True,
    )
