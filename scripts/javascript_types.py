"""Write the TypeScript declarations of what the server sends and accepts, from its Python types,
and the limits that the browser has in common with the server.

Run as ``python -m scripts.javascript_types``; a test fails if the files are out of date.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from pagetrail.annotation.arithmetic import DECIMALS, MAX_EXPRESSION
from pagetrail.annotation.attempts.state import MAX_CALCULATIONS, AttemptState
from pagetrail.annotation.events import EVENT_TYPES
from pagetrail.annotation.events.aids import MAX_BOOKMARKS, MAX_SCRATCHPAD
from pagetrail.annotation.events.base import MAX_REASON, MAX_SEEN_MS, MAX_TEXT, MIN_SEEN_MS
from pagetrail.annotation.events.review import MAX_VARIANTS, MergeMethod
from pagetrail.annotation.events.transcripts import MAX_TRANSCRIPT
from pagetrail.annotation.events.work import Outcome
from pagetrail.annotation.geometry.box import Box
from pagetrail.annotation.geometry.element import MAX_ATTRIBUTES, MAX_CONTENT
from pagetrail.annotation.json_types import PageReference
from pagetrail.annotation.protocols.fields import Scope, Value
from pagetrail.annotation.protocols.key_bindings import SCREEN_KEYS, ScreenCondition
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.timing.durations import DEFAULT_IDLE_CAP_MS
from pagetrail.app.components.replay import ReplayData
from pagetrail.app.components.reviewing import ReviewScreenData
from pagetrail.app.components.upload import UploadData
from pagetrail.app.components.workspace import WorkspaceScreenData
from pagetrail.app.reviewing.task_data import DraftPreview, ReviewData
from pagetrail.app.reviewing.work_json import ReviewedContent
from pagetrail.app.routes.attempts import BatchCloseReply, HighlightsReply, SearchResponse
from pagetrail.app.routes.common import ErrorReply
from pagetrail.app.routes.news import NewsReply
from pagetrail.app.routes.page_words import PageTextReply, PageWordsReply, PlacedWord
from pagetrail.app.routes.reviews import ACTS, PreviewRequest
from pagetrail.app.routes.uploads import UploadReply
from pagetrail.app.ui.markdown_nodes import Node
from pagetrail.app.workspace.annotator_actions import MAX_AGE_MS, MAX_EVENTS, EventBatch
from pagetrail.app.workspace.fallback_transport import FallbackMessage
from pagetrail.app.workspace.page_text import MAX_TEXT as MAX_FIND_TEXT
from pagetrail.app.workspace.page_text import PageTextRequest, TextFound
from pagetrail.app.workspace.pilot_feedback import FeedbackReply
from pagetrail.app.workspace.question_checks import ChecksReply, ChecksRequest
from pagetrail.app.workspace.search import SearchRequest

FRONTEND = Path(__file__).parents[1] / "app" / "components" / "frontend"
PATH = FRONTEND / "types" / "models.d.ts"
LIMITS_PATH = FRONTEND / "shared" / "limits.ts"
HEAD = """\
// Written by scripts/javascript_types.py from the Python types of these names; do not edit.
"""
SENT: tuple[Any, ...] = (
    Protocol,
    AttemptState,
    PageReference,
    WorkspaceScreenData,
    ReviewScreenData,
    ReplayData,
    UploadData,
    ReviewData,
    ReviewedContent,
    DraftPreview,
    SearchResponse,
    FeedbackReply,
    ChecksReply,
    PageWordsReply,
    PageTextReply,
    TextFound,
    HighlightsReply,
    NewsReply,
    BatchCloseReply,
    UploadReply,
    ErrorReply,
)
ACCEPTED: tuple[type[BaseModel], ...] = (
    EventBatch,
    FallbackMessage,
    SearchRequest,
    ChecksRequest,
    PageTextRequest,
    PreviewRequest,
    *dict.fromkeys(request for request, _ in ACTS.values()),
)
ALIASES: dict[str, Any] = {
    "MarkdownNode": Node,
    "MergeMethod": MergeMethod,
    "Outcome": Outcome,
    "Rect": Box,
    "Scope": Scope,
    "ScreenCondition": ScreenCondition,
    "Value": Value,
    "Word": PlacedWord,
}
FOLDED = (
    "elements_seeded",
    "rows_seeded",
    "transcript_given",
    "round_started",
    "patches_given",
    "question_seeded",
    "checked",
    "feedback_given",
    "batch_closed",
    "returned",
    "batch_aids_carried",
    "tables_given",
)
"""Events that only the server writes and the browser's copy of the state applies."""
LIMITS = {
    "IDLE_CAP_MS": DEFAULT_IDLE_CAP_MS,
    "MAX_AGE_MS": MAX_AGE_MS,
    "MAX_ATTRIBUTES": MAX_ATTRIBUTES,
    "MAX_BOOKMARKS": MAX_BOOKMARKS,
    "MAX_CONTENT": MAX_CONTENT,
    "MAX_CALCULATIONS": MAX_CALCULATIONS,
    "MAX_EVENTS": MAX_EVENTS,
    "MAX_EXPRESSION": MAX_EXPRESSION,
    "MAX_FIND_TEXT": MAX_FIND_TEXT,
    "MAX_REASON": MAX_REASON,
    "MAX_SCRATCHPAD": MAX_SCRATCHPAD,
    "MAX_SEEN_MS": MAX_SEEN_MS,
    "MAX_TEXT": MAX_TEXT,
    "MAX_TRANSCRIPT": MAX_TRANSCRIPT,
    "MAX_VARIANTS": MAX_VARIANTS,
    "MIN_SEEN_MS": MIN_SEEN_MS,
    "RESULT_DECIMALS": DECIMALS,
}
"""Limits that the server and the browser share."""
_PLAIN = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}


class _Schema(GenerateJsonSchema):
    """What is sent has all fields of a model, also those with a default, unless left out then."""

    def field_is_required(self, field: Any, total: bool) -> bool:
        if "serialization_exclude_if" in field:
            return False
        is_sent = self.mode == "serialization" and field["type"] != "typed-dict-field"
        return is_sent or super().field_is_required(field, total)


def declarations() -> str:
    """The interfaces of everything sent and accepted, and of the events that browsers send.

    Raises:
        ValueError: two types have the same name.
    """
    sent = {tag: payload for tag, payload in EVENT_TYPES.items() if not payload.server_only}
    folded = {tag: EVENT_TYPES[tag] for tag in FOLDED}
    accepted_schemas = _schemas([*ACCEPTED, *sent.values()], "validation")
    schemas = accepted_schemas | _schemas([*SENT, *folded.values()], "serialization")
    for payload in [*sent.values(), *folded.values()]:
        del schemas[payload.__name__]["properties"]["type"]
    interfaces = {name: _interface(name, schema) for name, schema in schemas.items()}
    for name, events in {"EventPayloads": sent, "ServerEventPayloads": folded}.items():
        payloads = "\n".join(f"    {tag}: {payload.__name__};" for tag, payload in events.items())
        interfaces[name] = f"  interface {name} {{\n{payloads}\n  }}"
    requests = "\n".join(
        f"    {json.dumps(act)}: {request.__name__};" for act, (request, _) in ACTS.items()
    )
    interfaces["ReviewRequests"] = f"  interface ReviewRequests {{\n{requests}\n  }}"
    for name, alias in ALIASES.items():
        schema = TypeAdapter(alias).json_schema(mode="serialization")
        interfaces[name] = f"  type {name} = {_type(schema)};"
    for screen, bindings in SCREEN_KEYS.items():
        commands = {command for binding in bindings for command in binding.keys.values()}
        names = _union(json.dumps(command) for command in sorted(commands - {None}, key=str))
        interfaces[f"{screen}Command"] = f"  type {screen}Command = {names};"
    body = "\n\n".join(interfaces[name] for name in sorted(interfaces))
    return HEAD + "declare namespace Pt {\n" + body + "\n}\n"


def limits() -> str:
    """The module with the limits."""
    constants = "".join(f"export const {name} = {value};\n" for name, value in LIMITS.items())
    return f"/** The server's limits; written by scripts/javascript_types.py. */\n\n{constants}"


def _schemas(
    types: Iterable[Any], mode: Literal["validation", "serialization"]
) -> dict[str, dict[str, Any]]:
    """The schemas of these types and of all that they contain, by name."""
    inputs = [(type_.__name__, mode, TypeAdapter(type_)) for type_ in types]
    by_key, definitions = TypeAdapter.json_schemas(inputs, schema_generator=_Schema)
    schemas: dict[str, dict[str, Any]] = dict(definitions.get("$defs", {}))
    for (name, _), schema in by_key.items():
        schemas.setdefault(name, schema)
    for name in schemas:
        if not name.isidentifier() or "__" in name:
            raise ValueError(f"two types have one name: {name}")
    return schemas


def _interface(name: str, schema: dict[str, Any]) -> str:
    if "properties" not in schema:
        return f"  type {name} = {_type(schema)};"
    required = schema.get("required", ())
    lines = [
        f"    {key}{'' if key in required else '?'}: {_type(value)};"
        for key, value in schema["properties"].items()
    ]
    return "\n".join([f"  interface {name} {{", *lines, "  }"])


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return _union(json.dumps(value) for value in schema["enum"])
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return _union(_type(one) for one in schema[key])
    match schema.get("type"):
        case "array" if "prefixItems" in schema:
            return f"[{', '.join(_type(one) for one in schema['prefixItems'])}]"
        case "array":
            item = _type(schema["items"])
            is_union = "anyOf" in schema["items"] or "enum" in schema["items"]
            return f"({item})[]" if is_union else f"{item}[]"
        case "object":
            by_pattern = schema.get("patternProperties", {}).values()
            values = next(iter(by_pattern), schema.get("additionalProperties"))
            return f"Record<string, {_type(values) if isinstance(values, dict) else 'unknown'}>"
        case str(plain):
            return _PLAIN[plain]
    return "unknown"


def _union(types: Iterable[str]) -> str:
    return " | ".join(dict.fromkeys(types))


if __name__ == "__main__":
    PATH.parent.mkdir(exist_ok=True)
    PATH.write_text(declarations(), encoding="utf-8")
    LIMITS_PATH.write_text(limits(), encoding="utf-8")
