"""Write the JSON Schema of the event classes and their tables in docs/formats.md.

Run as ``python -m scripts.event_schema``; tests fail if the files are out of date.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel, TypeAdapter

from pagetrail.annotation.events import EVENT_TYPES, GoldEvent, Payload
from scripts.generated_text import with_generated_text

ROOT = Path(__file__).parents[1]
PATH = ROOT / "annotation" / "events" / "events.schema.json"
PAGE = ROOT / "docs" / "formats.md"
_REFERENCE = "#/$defs/{model}"


def event_schema() -> dict[str, Any]:
    """The schema of a row of ``events.jsonl`` of the format ``trajectories``.

    ``type`` decides which definition the payload has, and each definition is named by its type.
    """
    definitions: dict[str, Any] = {}
    for payload in EVENT_TYPES.values():
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
            "type": {"enum": sorted(EVENT_TYPES)},
            "document_version": {"type": ["integer", "null"], "minimum": 1},
        },
        "oneOf": [
            {
                "properties": {
                    "type": {"const": _tag(payload)},
                    "version": {"maximum": payload.VERSION, "minimum": 1},
                    "payload": {"$ref": _REFERENCE.format(model=_tag(payload))},
                }
            }
            for payload in EVENT_TYPES.values()
        ],
        "$defs": {name: definitions[name] for name in sorted(definitions)},
    }


def event_schema_text() -> str:
    """The file's content, one definition per line, so that diffs are readable."""
    schema = event_schema()
    definitions = schema.pop("$defs")
    lines = [f" {json.dumps(name)}: {json.dumps(value)}" for name, value in definitions.items()]
    head = json.dumps(schema, indent=1).removesuffix("\n}")
    return head + ',\n "$defs": {\n' + ",\n".join(lines) + "\n }\n}\n"


def with_event_tables(page: str) -> str:
    """The page with its tables of event types up to date."""
    for name, is_gold in (("event types", False), ("event types of gold", True)):
        rows = [
            _table_row(payload)
            for payload in EVENT_TYPES.values()
            if issubclass(payload, GoldEvent) == is_gold
        ]
        table = "\n".join(["| type | event | payload |", "|---|---|---|", *rows])
        page = with_generated_text(page, name, table)
    return page


def _table_row(payload: type[Payload]) -> str:
    star = "*" if payload.server_only else ""
    event = " ".join(str(payload.__doc__).partition("\n\n")[0].split()).replace("``", "`")
    fields = [
        f"`{name}`: {info.description}{_details(info.annotation)}"
        for name, info in payload.model_fields.items()
        if name != "type"
    ]
    row = f"| `{_tag(payload)}`{star} | {event} | {'<br>'.join(fields) or 'nothing'} |"
    return row.replace("``", "`").replace("None", "null")


def _details(annotation: Any) -> str:
    """The values of a literal, or the fields of a model, in parentheses."""
    names = list(_literal_values(annotation)) or _field_names(annotation)
    return f" ({', '.join(f'`{name}`' for name in names)})" if names else ""


def _literal_values(annotation: Any) -> tuple[Any, ...]:
    if get_origin(annotation) is Literal:
        return get_args(annotation)
    return next(filter(None, map(_literal_values, get_args(annotation))), ())


def _field_names(annotation: Any) -> list[str]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return list(annotation.model_fields)
    return next(filter(None, map(_field_names, get_args(annotation))), [])


def _tag(payload: type[Payload]) -> str:
    return str(payload.model_fields["type"].default)


def _without_tag(schema: dict[str, Any]) -> dict[str, Any]:
    properties = {name: value for name, value in schema["properties"].items() if name != "type"}
    required = [name for name in schema.get("required", ()) if name != "type"]
    return {**schema, "properties": properties, "required": required}


if __name__ == "__main__":
    PATH.write_text(event_schema_text(), encoding="utf-8")
    PAGE.write_text(with_event_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
