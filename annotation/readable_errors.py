"""What is wrong with data from a file, as sentences that name the place, the value and the way out.

Shared by everything that validates data from outside with pydantic. What a type should hold is
here; our own validators raise ValueError with a sentence.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from pagetrail.annotation.messages import N_, gettext, ngettext
from pagetrail.annotation.sentences import shortened

_MAX_PROBLEMS = 3

HALF_CHARACTER = N_("holds half of a surrogate pair (such as \\ud800), which is not a character")

_EXPECTED = {
    "string_type": "text",
    "is_instance_of": "text",
    "int_type": N_("a whole number"),
    "int_parsing": N_("a whole number"),
    "int_from_float": N_("a whole number"),
    "float_type": N_("a finite number"),
    "float_parsing": N_("a finite number"),
    "finite_number": N_("a finite number"),
    "bool_type": N_("true or false"),
    "bool_parsing": N_("true or false"),
    "list_type": N_("a list"),
    "tuple_type": N_("a list"),
    "dict_type": N_("an object"),
    "model_type": N_("an object"),
    "model_attributes_type": N_("an object"),
}
"""What a value should have been, by pydantic's type of error."""


def describe(error: ValidationError) -> str:
    """The first three problems as ``evidence[0].page: must be a whole number, not 'x'``."""
    problems = error.errors(include_url=False)
    lines = [
        ": ".join(filter(None, (place_of(problem["loc"]), sentence_of(problem))))
        for problem in problems[:_MAX_PROBLEMS]
    ]
    if len(problems) > _MAX_PROBLEMS:
        lines.append(gettext("and {number} more", number=len(problems) - _MAX_PROBLEMS))
    return "; ".join(lines)


def reason_of(error: ValueError) -> str:
    """The reason of a pydantic error, or of a ValueError of ours."""
    return describe(error) if isinstance(error, ValidationError) else str(error)


def storable(text: str) -> str:
    """The text, if it is one that can be stored.

    Raises:
        ValueError: it holds half of a surrogate pair.
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(gettext(HALF_CHARACTER)) from error
    return text


def place_of(path: Sequence[str | int]) -> str:
    """A path into JSON as a person writes it: ``evidence[0].page``."""
    return "".join(
        f"[{part}]" if isinstance(part, int) else f".{_printable(part)}" for part in path
    ).removeprefix(".")


def _printable(name: str) -> str:
    return (name if name.isprintable() else repr(name)[1:-1])[:60]


def sentence_of(problem: ErrorDetails) -> str:
    """What is wrong with one value, without its place."""
    kind, value, context = problem["type"], problem["input"], problem.get("ctx", {})
    if kind in _EXPECTED:
        return gettext(
            "must be {expected}, not {value}",
            expected=gettext(_EXPECTED[kind]),
            value=short_value(value),
        )
    if kind == "greater_than_equal":
        return gettext(
            "must be at least {limit:,}, not {value}", limit=context["ge"], value=short_value(value)
        )
    if kind == "less_than_equal":
        return gettext(
            "must be at most {limit:,}, not {value}", limit=context["le"], value=short_value(value)
        )
    if kind == "string_unicode":
        return gettext(HALF_CHARACTER)
    if kind == "missing":
        return gettext("is missing")
    if kind == "extra_forbidden":
        return gettext("there is no such key")
    if kind == "literal_error":
        return gettext(
            "must be {expected}, not {value}",
            expected=context["expected"],
            value=short_value(value),
        )
    if kind in ("string_too_short", "too_short"):
        return gettext("is empty")
    if kind in ("string_too_long", "too_long") and isinstance(value, str):
        return gettext(
            "has {number:,} characters; {most:,} are allowed",
            number=len(value),
            most=context["max_length"],
        )
    if kind == "too_long":
        return gettext(
            "{number:,} are too many; {most:,} are allowed",
            number=len(value),
            most=context["max_length"],
        )
    message = str(context["error"]) if kind == "value_error" else problem["msg"]
    return message[:1].lower() + message[1:]


def short_value(value: Any, limit: int = 60) -> str:
    """A value as a sentence shows it: short, and printable."""
    if isinstance(value, list | tuple):
        return (
            ngettext("a list of {number:,} item", "a list of {number:,} items", len(value))
            if value
            else gettext("an empty list")
        )
    if isinstance(value, dict):
        return gettext("an object")
    if isinstance(value, int) and value.bit_length() > 600:
        # Python refuses to write an integer of thousands of digits as text.
        return gettext("a huge number")
    if isinstance(value, float) and not math.isfinite(value):
        return json.dumps(value)
    text = repr(value[: limit + 1]) if isinstance(value, str) else str(value)
    text = text.encode("utf-8", "backslashreplace").decode()
    return shortened(text, limit)
