"""Write the TypeScript declarations of what the server sends, from the models that it is sent from.

Run as ``python -m scripts.javascript_types``; a test fails while the file is not up to date.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.protocols.protocol import Protocol

PATH = Path(__file__).parents[1] / "app" / "components" / "types" / "models.d.ts"
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
    """The interfaces of a protocol and of an attempt's state, and of all that they hold."""
    found: dict[str, Any] = {}
    for model in (Protocol, AttemptState):
        schema = TypeAdapter(model).json_schema(mode="serialization")
        found |= schema.pop("$defs", {})
        found[model.__name__] = schema
    parts = [_interface(name, found[name]) for name in sorted(found)]
    return HEAD + "declare namespace Pt {\n" + "\n\n".join(parts) + "\n}\n"


def _interface(name: str, schema: dict[str, Any]) -> str:
    if "properties" not in schema:
        return f"  type {name} = {_type(schema)};"
    lines = [f"    {key}: {_type(value)};" for key, value in schema["properties"].items()]
    return "\n".join([f"  interface {name} {{", *lines, "  }"])


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
