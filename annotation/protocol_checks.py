"""What must hold between the parts of a protocol, each problem as a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from annotation.fields import CLOSED, Condition, FieldSpec, Scope

if TYPE_CHECKING:
    from annotation.protocol import Protocol

_REACHES: dict[Scope, tuple[Scope, ...]] = {
    "task": ("task",),
    "page": ("task", "page"),
    "box": ("task", "page", "box"),
}
# Refusals, the list of what is missing and a pilot's parts are keyed by field name or by these.
RESERVED = frozenset(
    {
        "answer",
        "boxes",
        "checks",
        "clock",
        "evidence",
        "outcome",
        "question",
        "search",
        "skip",
        "submit",
    }
)


def problems(protocol: Protocol) -> Iterator[str]:
    """Everything that contradicts itself, as ``key: what is wrong``."""
    names = [field.name for field in protocol.fields]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"fields: the name {name!r} is there twice"
    for name in sorted(RESERVED & set(names)):
        yield f"fields: {name!r} names a part of the screen; choose another name"
    for place, field in enumerate(protocol.fields):
        yield from _condition(protocol, field.when, field.scope, f"fields.{place}.when", field)
        for at, option in enumerate(field.options):
            key = f"fields.{place}.options.{at}.when"
            yield from _condition(protocol, option.when, field.scope, key, field)
        if field.scope == "box" and not protocol.boxes.enabled:
            yield f"fields.{place}: {field.name!r} is asked of boxes, and boxes are off"
    yield from _condition(protocol, protocol.boxes.when, "page", "boxes.when", None)
    yield from _condition(protocol, protocol.ends, "task", "ends", None)
    yield from _task_fields(protocol, protocol.pages_after, "pages_after")
    for place, material in enumerate(protocol.material):
        yield from _task_fields(protocol, material.after, f"material.{place}.after")
    if protocol.pages_after and protocol.pages == "search":
        yield 'pages_after: needs pages = "given" or "gold"'
    if protocol.boxes.seed and not protocol.boxes.enabled:
        yield "boxes.seed: boxes are off"
    if protocol.boxes.check_all and not protocol.boxes.seed:
        yield "boxes.check_all: needs boxes.seed"
    if protocol.question.blocking and not protocol.question.checks:
        yield "question.blocking: needs question.checks"
    if protocol.question.checks and protocol.question.kind != "editable":
        yield 'question.checks: needs question.kind = "editable"'
    if protocol.requires is not None and protocol.pilot.enabled:
        yield "requires: a pilot cannot require another pilot"


def _condition(
    protocol: Protocol, when: Condition | None, scope: Scope, key: str, asker: FieldSpec | None
) -> Iterator[str]:
    if when is None:
        return
    field = protocol.field(when.field)
    before = protocol.fields if asker is None else protocol.fields[: protocol.fields.index(asker)]
    reach = [f for f in before if f.scope in _REACHES[scope]]
    known = ", ".join(f.name for f in reach) or "none"
    if field is None or field not in reach:
        # Only earlier fields, so that conditions cannot go round in circles.
        yield f"{key}: there is no earlier field {when.field!r} in reach; fields: {known}"
        return
    if field.kind in CLOSED:
        allowed = [option.value for option in field.options]
    elif field.kind == "boolean":
        allowed = ["true", "false"]
    else:
        yield f"{key}: {when.field!r} is a {field.kind} field; conditions look at choices"
        return
    for value in when.values:
        if value not in allowed:
            yield (
                f"{key}: {when.field!r} has no value {value!r}; allowed values: "
                f"{', '.join(allowed)}"
            )


def _task_fields(protocol: Protocol, names: tuple[str, ...], key: str) -> Iterator[str]:
    known = [field.name for field in protocol.scoped("task")]
    for name in names:
        if name not in known:
            shown = ", ".join(known) or "none"
            yield f"{key}: there is no task field {name!r}; task fields: {shown}"
