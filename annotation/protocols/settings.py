"""The settings of a protocol that a form can offer: everything that is one value or a set of names.

Fields, labels, material and conditions have an inner structure; they are written in TOML.
"""

from __future__ import annotations

import types
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.option_labels import OptionLabels
from pagetrail.annotation.protocols.protocol import Protocol

Kind = Literal["switch", "whole", "number", "choice", "names", "text"]

# The name is part of an attempt's identity and says which preset it is.
_FIXED = frozenset({"name"})


@dataclass(frozen=True)
class Setting:
    """One setting with the value that a protocol has.

    Attributes:
        key: dotted, as ``annotation.protocols.protocol.override`` takes it.
        group: the part of the screen, ``""`` for the protocol itself.
        label: what it does, in a few words, without its key.
        optional: None is a value, and means that there is no such limit.
        low, high: bounds of numbers, and the longest text; None where there is none.
        options: what can be chosen, for ``choice`` and ``names``.
        option_labels: what the options are called; one that is missing goes by its value.
    """

    key: str
    group: str
    kind: Kind
    value: Any
    label: str
    description: str
    optional: bool = False
    low: float | None = None
    high: float | None = None
    options: tuple[str, ...] = ()
    option_labels: Mapping[str, str] = field(default_factory=dict)

    def in_words(self, value: Any) -> str:
        """A value of this setting as people read it."""
        if value is None or value == "" or value in ((), []):
            return gettext("none")
        if isinstance(value, bool):
            return gettext("on") if value else gettext("off")
        if isinstance(value, list | tuple):
            return ", ".join(gettext(self.option_labels.get(entry, str(entry))) for entry in value)
        if isinstance(value, str):
            return gettext(self.option_labels.get(value, value))
        return f"{value:,}" if isinstance(value, int) else f"{value:g}"


def settings(protocol: Protocol) -> list[Setting]:
    """Every setting in the order of the reference: first the protocol's own, then part by part."""
    settings, parts = [], []
    for name, info in Protocol.model_fields.items():
        value = getattr(protocol, name)
        if isinstance(value, BaseModel) and isinstance(info.annotation, type):
            parts += list(_of_part(name, value))
        elif name not in _FIXED:
            settings += list(_setting(name, "", info, value))
    return [*settings, *parts]


def setting_differences(
    base: Protocol, protocol: Protocol, *, leave_out: Collection[str] = ()
) -> list[str]:
    """The settings in which a protocol differs from the one it was made from, in words.

    Args:
        leave_out: dotted keys that are said elsewhere.
    """
    differences = [
        gettext(
            "{setting}: {value} (not {previous})",
            setting=gettext(after.label),
            value=after.in_words(after.value),
            previous=after.in_words(before.value),
        )
        for before, after in zip(settings(base), settings(protocol), strict=True)
        if before.value != after.value and after.key not in leave_out
    ]
    names = [label.name for label in protocol.boxes.labels]
    if protocol.boxes.labels != base.boxes.labels:
        differences.append(
            gettext("Box labels: {labels}", labels=", ".join(names) or gettext("none"))
        )
    return differences


def _of_part(part: str, model: BaseModel) -> Iterator[Setting]:
    for name, info in type(model).model_fields.items():
        yield from _setting(f"{part}.{name}", part, info, getattr(model, name))


def _setting(key: str, group: str, info: FieldInfo, value: Any) -> Iterator[Setting]:
    kind, options, optional, inner = _kind(info.annotation)
    if kind is None:
        return
    limits = [*info.metadata, *inner]
    longest = limit(limits, "max_length") if kind == "text" else limit(limits, "le")
    yield Setting(
        key=key,
        group=group,
        kind=kind,
        value=value,
        label=info.title or key,
        description=info.description or "",
        optional=optional,
        low=limit(limits, "ge"),
        high=longest,
        options=options,
        option_labels=next(
            (constraint.labels for constraint in limits if isinstance(constraint, OptionLabels)), {}
        ),
    )


def _kind(annotation: Any) -> tuple[Kind | None, tuple[str, ...], bool, list[Any]]:
    """Kind, options, whether None is allowed, and the limits inside of the annotation."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        kind, options, optional, inner = _kind(arguments[0])
        return kind, options, optional, [*limits_of(arguments[1:]), *inner]
    if origin in (Union, types.UnionType):
        (single_type,) = [argument for argument in arguments if argument is not type(None)] or [
            None
        ]
        kind, options, _, inner = _kind(single_type)
        return kind, options, True, inner
    if origin is Literal:
        return "choice", tuple(map(str, arguments)), False, []
    if origin is tuple and get_origin(arguments[0]) is Literal:
        return "names", tuple(map(str, get_args(arguments[0]))), False, []
    simple: dict[Any, Kind] = {bool: "switch", int: "whole", float: "number", str: "text"}
    return simple.get(annotation) if isinstance(annotation, type) else None, (), False, []


def limits_of(metadata: tuple[Any, ...]) -> list[Any]:
    """The limits inside of what ``Field(…)`` leaves in an annotated type."""
    constraints: list[Any] = []
    for entry in metadata:
        constraints += entry.metadata if isinstance(entry, FieldInfo) else [entry]
    return constraints


def limit(limits: list[Any], name: str) -> Any:
    """The limit of that name, such as ``le`` or ``max_length``; None where there is none."""
    values = (getattr(constraint, name, None) for constraint in limits)
    return next((value for value in values if value is not None), None)
