"""Fields of models that commands show as options, with the same sentence everywhere."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field
from pydantic.fields import FieldInfo


def option(default: Any, sentence: str, **command_line: Any) -> Any:
    """A field with its sentence.

    Args:
        command_line: how the command shows it, where it is not ``--name``: ``flag``, ``metavar``,
            ``min`` and ``max`` of a number; ``file`` is the help of a second option, for a file
            with the text; ``only_in_commands`` that nobody can ask for it in the browser.
    """
    return Field(default, description=sentence, json_schema_extra=command_line)


def options_of(model: type[BaseModel]) -> dict[str, FieldInfo]:
    """The model's fields by name, its own before those of the models that it extends."""
    names = (name for part in model.__mro__ for name in vars(part).get("__annotations__", ()))
    return {name: model.model_fields[name] for name in names if name in model.model_fields}
