"""Everything that is wrong with a protocol file: line, key, offending value, what is allowed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError, model_validator
from pydantic_core import ErrorDetails

from pagetrail.annotation.protocols.hot_keys import key_collisions
from pagetrail.annotation.protocols.protocol import Contradiction, Protocol, problems
from pagetrail.annotation.protocols.toml_lines import Path, line_of, lines
from pagetrail.annotation.protocols.toml_text import TomlError, read_toml
from pagetrail.annotation.sentences import shortened

_MAX_SHOWN = 60
_LONGEST_NAME = 60
"""Characters of a key that may be meant for another; comparing longer ones takes long."""


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong.

    Attributes:
        line: 1-based; None where nothing in the file stands for it.
        key: dotted, with names for the entries of lists: ``fields.relevance.options.2``; empty
            for the file as a whole.
        message: the offending value and what is allowed.
    """

    line: int | None
    key: str
    message: str

    def sentence(self, source: str) -> str:
        """``file:line: key: message``."""
        location = source if self.line is None else f"{source}:{self.line}"
        return (
            f"{location}: {self.key}: {self.message}" if self.key else f"{location}: {self.message}"
        )


class _Draft(Protocol):
    """A protocol whose sections are not checked against each other."""

    @model_validator(mode="after")
    def _consistent(self) -> _Draft:
        return self


def lint(text: str) -> list[Problem]:
    """All problems of a protocol's TOML, in the order of its lines; empty where it can be used.

    What contradicts itself between parts is looked for once each part is right by itself; a
    misspelt key counts as the one it was taken for.
    """
    try:
        data = read_toml(text)
    except TomlError as error:
        return [Problem(error.line, "", str(error))]
    line_numbers = lines(text)
    reported: list[Problem] = []
    try:
        draft = _Draft.model_validate(data)
    except ValidationError as error:
        errors = error.errors(include_url=False)
        misspelt = {(*error["loc"][:-1], _intended(error)) for error in errors}
        reported += [
            _problem(error, data, line_numbers)
            for error in errors
            if error["type"] != "missing" or error["loc"] not in misspelt
        ]
        try:
            draft = _Draft.model_validate(_repaired(data, errors))
        except ValidationError:
            return _sorted(reported)
    contradictions = (*problems(draft), *key_collisions(draft))
    reported += [_contradiction(entry, data, line_numbers) for entry in contradictions]
    return _sorted(reported)


def _sorted(problems: list[Problem]) -> list[Problem]:
    return sorted(problems, key=lambda problem: problem.line or 0)


def _problem(error: ErrorDetails, data: Any, line_numbers: dict[Path, int]) -> Problem:
    loc = error["loc"]
    return Problem(line_of(line_numbers, loc), _key(loc, data), _error_sentence(error))


def _contradiction(
    contradiction: Contradiction, data: Any, line_numbers: dict[Path, int]
) -> Problem:
    path = tuple(int(part) if part.isdecimal() else part for part in contradiction.key.split("."))
    return Problem(line_of(line_numbers, path), _key(path, data), contradiction.problem)


def _key(path: Sequence[str | int], data: Any) -> str:
    """The path with names in place of numbers where entries have names."""
    shown_path, node = [], data
    for part in path:
        node = _child(node, part)
        name = node.get("name", node.get("value")) if isinstance(node, dict) else None
        if isinstance(part, str):
            shown_path.append(part)
        else:
            shown_path.append(name if isinstance(name, str) and name else str(part + 1))
    return ".".join(shown_path)


def _child(node: Any, part: str | int) -> Any:
    try:
        return node[part]
    except (KeyError, IndexError, TypeError):
        return None


def _error_sentence(error: ErrorDetails) -> str:
    kind, given_input, context = (
        error["type"],
        _short_repr(error.get("input")),
        error.get("ctx") or {},
    )
    if error["loc"][-1:] == ("key",):
        return f"must be one letter or digit in quotes, not {given_input}"
    match kind:
        case "missing":
            return "is missing"
        case "extra_forbidden":
            return _unknown(error["loc"])
        case "value_error":
            return str(context["error"])
        case "literal_error":
            return f"must be {context['expected']}, not {given_input}"
        case "bool_parsing" | "bool_type":
            return f"must be true or false, not {given_input}"
        case "int_type" | "int_parsing" | "int_from_float":
            return f"must be a whole number, not {given_input}"
        case "float_type" | "float_parsing":
            return f"must be a number, not {given_input}"
        case "string_type":
            return f"must be text in quotes, not {given_input}"
        case "tuple_type":
            return f"must be a list in square brackets, not {given_input}"
        case "greater_than_equal":
            return f"must be at least {context['ge']:g}, not {given_input}"
        case "less_than_equal":
            return f"must be at most {context['le']:g}, not {given_input}"
        case "string_too_long":
            return f"has more than the {context['max_length']:,} characters that are allowed"
        case "string_too_short" | "too_short":
            return "is empty; something has to be there"
        case "too_long":
            return f"has more than the {context['max_length']:,} entries that are allowed"
        case "string_pattern_mismatch":
            expected = "a lower-case letter and then such letters, digits and _"
            return f"must be {expected}, not {given_input}"
        case "model_type" | "model_attributes_type" | "dict_type":
            return f"must be a table, not {given_input}"
        case _:
            return f"{error['msg'][:1].lower() + error['msg'][1:]}, not {given_input}"


def _short_repr(value: Any) -> str:
    text = {True: "true", False: "false"}[value] if isinstance(value, bool) else repr(value)
    return shortened(text, _MAX_SHOWN)


def _unknown(loc: Sequence[str | int]) -> str:
    known_keys = _keys_at(loc[:-1])
    suggestion = _similar_key(str(loc[-1]), known_keys)
    hint = f"; did you mean {suggestion!r}?" if suggestion else "."
    return f"there is no such key{hint} Keys: {', '.join(known_keys)}"


def _similar_key(key: str, known_keys: Sequence[str]) -> str | None:
    return _closest(key, tuple(known_keys)) if len(key) <= _LONGEST_NAME else None


@lru_cache(1_000)
def _closest(key: str, known_keys: tuple[str, ...]) -> str | None:
    return next(iter(get_close_matches(key.replace("-", "_").casefold(), known_keys, 1, 0.7)), None)


def _keys_at(loc: Sequence[str | int]) -> list[str]:
    """The keys of the table at a place in a protocol."""
    model: type[BaseModel] = Protocol
    for part in loc:
        if isinstance(part, str):
            inner = model_in(model.model_fields[part].annotation)
            if inner is None:
                return []
            model = inner
    return list(model.model_fields)


def model_in(annotation: Any) -> type[BaseModel] | None:
    """The model inside an optional, annotated or repeated type; None where there is none."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    if get_origin(annotation) in (Annotated, Union, UnionType, tuple):
        return next(filter(None, map(model_in, get_args(annotation))), None)
    return None


def _intended(error: ErrorDetails) -> str | None:
    """The key that an unknown one was meant to be."""
    if error["type"] != "extra_forbidden":
        return None
    return _similar_key(str(error["loc"][-1]), _keys_at(error["loc"][:-1]))


def _repaired(data: Any, errors: Sequence[ErrorDetails]) -> Any:
    """The data with misspelt keys under the name they were meant for, unknown ones left out."""
    repaired = _copy(data)
    for error in errors:
        if error["type"] != "extra_forbidden":
            continue
        *parents, leaf = error["loc"]
        node = repaired
        for part in parents:
            node = node[part]
        value = node.pop(leaf)
        suggestion = _intended(error)
        if suggestion is not None and suggestion not in node:
            node[suggestion] = value
    return repaired


def _copy(node: Any) -> Any:
    if isinstance(node, dict):
        return {key: _copy(value) for key, value in node.items()}
    return [_copy(item) for item in node] if isinstance(node, list) else node
