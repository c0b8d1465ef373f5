"""Commands whose options are the fields of models."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, get_args, get_origin

import typer
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from pagetrail.annotation.options import options_of


def with_model_options(command: Callable[..., None]) -> Callable[..., None]:
    """The command with an option for each field of the models among its parameters.

    The field's description is the help, and ``json_schema_extra`` says how it is shown:
    ``flag``, ``metavar`` and ``min``. A field for which the command has a parameter of its own
    has no option here; the command adds it to the model.
    """
    signature = inspect.signature(command, eval_str=True)
    models: dict[str, type[BaseModel]] = {
        name: parameter.annotation
        for name, parameter in signature.parameters.items()
        if isinstance(parameter.annotation, type) and issubclass(parameter.annotation, BaseModel)
    }
    parameters: list[inspect.Parameter] = []
    for name, parameter in signature.parameters.items():
        if name not in models:
            parameters.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY))
            continue
        parameters += [
            _parameter(field_name, field)
            for field_name, field in options_of(models[name]).items()
            if field_name not in signature.parameters
        ]

    def run(**values: Any) -> None:
        arguments = {name: values[name] for name in signature.parameters if name not in models}
        for name, model in models.items():
            fields = model.model_fields.keys() & values.keys() - signature.parameters.keys()
            field_values = {key: values[key] for key in fields if values[key] is not None}
            arguments[name] = model(**field_values)
        command(**arguments)

    vars(run)["__signature__"] = signature.replace(parameters=parameters)
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _parameter(name: str, field: FieldInfo) -> inspect.Parameter:
    shown = field.json_schema_extra
    looks: Mapping[str, Any] = shown if isinstance(shown, dict) else {}
    type_ = _type_of(field)
    flag = looks.get("flag", f"--{name.replace('_', '-')}")
    info = typer.Option(
        flag, metavar=looks.get("metavar"), min=looks.get("min"), help=field.description
    )
    default = None if get_origin(type_) is not None else field.default
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[type_, info]
    )


def _type_of(field: FieldInfo) -> Any:
    """What the command line takes: words for literals, several values for tuples."""
    annotation = field.annotation
    if get_origin(annotation) is Literal:
        return str
    if any(get_origin(part) is tuple for part in (annotation, *get_args(annotation))):
        return list[str] | None
    return annotation
