"""Write the TypeScript declarations of what the server sends, from the models that it is sent from.

Run as ``python -m scripts.javascript_types``; a test fails while the file is not up to date.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.events import EVENT_TYPES, Payload
from pagetrail.annotation.protocols.protocol import Protocol

PATH = Path(__file__).parents[1] / "app" / "components" / "frontend" / "types" / "models.d.ts"
HEAD = """\
// Written by scripts/javascript_types.py from the Python models; do not edit.
"""
_PLAIN = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}


def declarations() -> str:
    """The interfaces of a protocol, of an attempt's state, and of the events browsers send."""
    interfaces: dict[str, str] = {}
    for model in (Protocol, AttemptState):
        schema = TypeAdapter(model).json_schema(mode="serialization")
        for name, definition in schema.pop("$defs", {}).items():
            interfaces[name] = _interface(name, definition)
        interfaces[model.__name__] = _interface(model.__name__, schema)
    sent = {tag: payload for tag, payload in EVENT_TYPES.items() if not payload.server_only}
    for payload in sent.values():
        interfaces[payload.__name__] = _payload_interface(payload)
    payloads = "\n".join(f"    {tag}: {payload.__name__};" for tag, payload in sent.items())
    interfaces["EventPayloads"] = f"  interface EventPayloads {{\n{payloads}\n  }}"
    body = "\n\n".join(interfaces[name] for name in sorted(interfaces))
    return HEAD + "declare namespace Pt {\n" + body + "\n}\n"


def _interface(name: str, schema: dict[str, Any]) -> str:
    if "properties" not in schema:
        return f"  type {name} = {_type(schema)};"
    lines = [f"    {key}: {_type(value)};" for key, value in schema["properties"].items()]
    return "\n".join([f"  interface {name} {{", *lines, "  }"])


def _payload_interface(payload: type[Payload]) -> str:
    """A payload without its type tag, in which fields with a default may be left out."""
    schema = TypeAdapter(payload).json_schema()
    lines = [
        f"    {key}{'' if key in schema.get('required', ()) else '?'}: {_type(value)};"
        for key, value in schema["properties"].items()
        if key != "type"
    ]
    return "\n".join([f"  interface {payload.__name__} {{", *lines, "  }"])


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " | ".join(dict.fromkeys(_type(one) for one in schema[key]))
    match schema.get("type"):
        case "array" if "prefixItems" in schema:
            return f"[{', '.join(_type(one) for one in schema['prefixItems'])}]"
        case "array":
            item = _type(schema["items"])
            return f"({item})[]" if "|" in item else f"{item}[]"
        case "object":
            values = schema.get("additionalProperties")
            return f"Record<string, {_type(values) if isinstance(values, dict) else 'any'}>"
        case str(plain):
            return _PLAIN[plain]
    return "any"


if __name__ == "__main__":
    PATH.parent.mkdir(exist_ok=True)
    PATH.write_text(declarations(), encoding="utf-8")
