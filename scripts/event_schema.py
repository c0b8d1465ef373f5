"""Write the JSON Schema of every event type, from the event models.

Run as ``python -m scripts.event_schema``; a test fails while the file is not up to date.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from pagetrail.annotation.events import PAYLOADS, Payload

PATH = Path(__file__).parents[1] / "annotation" / "events" / "events.schema.json"
_REFERENCE = "#/$defs/{model}"


def event_schema() -> dict[str, Any]:
    """The schema of a row of ``events.jsonl`` of the format ``trajectories``.

    ``type`` decides which definition the payload has, and each definition is named by its type.
    """
    definitions: dict[str, Any] = {}
    for payload in PAYLOADS:
        schema = TypeAdapter(payload).json_schema(ref_template=_REFERENCE)
        definitions |= schema.pop("$defs", {})
        definitions[_tag(payload)] = _without_tag(schema)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "An event of Pagetrail",
        "description": "One row of events.jsonl as the export format trajectories writes it.",
        "type": "object",
        "required": ["attempt_id", "seq", "type", "version", "server_ts", "elapsed_ms", "payload"],
        "properties": {
            "attempt_id": {"type": "string"},
            "seq": {"type": "integer", "minimum": 1},
            "server_ts": {"type": "string", "format": "date-time"},
            "client_ts": {"type": ["string", "null"]},
            "elapsed_ms": {"type": "integer", "minimum": 0},
            "type": {"enum": sorted(map(_tag, PAYLOADS))},
        },
        "oneOf": [
            {
                "properties": {
                    "type": {"const": _tag(payload)},
                    "version": {"maximum": payload.VERSION, "minimum": 1},
                    "payload": {"$ref": _REFERENCE.format(model=_tag(payload))},
                }
            }
            for payload in PAYLOADS
        ],
        "$defs": {name: definitions[name] for name in sorted(definitions)},
    }


def event_schema_text() -> str:
    """The file's content; each definition is on a line of its own, so that changes can be read."""
    schema = event_schema()
    definitions = schema.pop("$defs")
    lines = [f" {json.dumps(name)}: {json.dumps(value)}" for name, value in definitions.items()]
    head = json.dumps(schema, indent=1).removesuffix("\n}")
    return head + ',\n "$defs": {\n' + ",\n".join(lines) + "\n }\n}\n"


def _tag(payload: type[Payload]) -> str:
    return str(payload.model_fields["type"].default)


def _without_tag(schema: dict[str, Any]) -> dict[str, Any]:
    properties = {name: of for name, of in schema["properties"].items() if name != "type"}
    required = [name for name in schema.get("required", ()) if name != "type"]
    return {**schema, "properties": properties, "required": required}


if __name__ == "__main__":
    PATH.write_text(event_schema_text(), encoding="utf-8")
