"""Commands whose options are the fields of models."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin

import typer
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from pagetrail.annotation.options import options_of
from pagetrail.app.cli.options import labels_of, markdown, settings_of, systems_of

Fields = Mapping[str, FieldInfo]

_PARSERS: Mapping[str, Callable[[Any], Any]] = {
    "OLD=NEW": labels_of,
    "KEY=VALUE": settings_of,
    "SYSTEM=FILE": systems_of,
    "FILE.md": markdown,
    "FIELDS": lambda text: tuple(name.strip() for name in text.split(",") if name.strip()),
}
_FILE_METAVARS = ("FILE.md",)


def with_model_options(command: Callable[..., None]) -> Callable[..., None]:
    """The command with an option for each field of the models among its parameters.

    A field for which the command has a parameter of its own has no option here; the command adds
    it to the model.
    """
    signature = inspect.signature(command, eval_str=True)
    models: dict[str, type[BaseModel]] = {
        name: parameter.annotation
        for name, parameter in signature.parameters.items()
        if isinstance(parameter.annotation, type) and issubclass(parameter.annotation, BaseModel)
    }
    fields = {
        name: {
            field_name: field
            for field_name, field in options_of(model).items()
            if field_name not in signature.parameters
        }
        for name, model in models.items()
    }
    parameters: list[inspect.Parameter] = []
    for name, parameter in signature.parameters.items():
        if name in models:
            parameters += option_parameters(fields[name])
        else:
            parameters.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY))

    def run(**values: Any) -> None:
        arguments = {name: values[name] for name in signature.parameters if name not in models}
        for name, model in models.items():
            arguments[name] = model(**option_values(fields[name], values))
        command(**arguments)

    vars(run)["__signature__"] = signature.replace(parameters=parameters)
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def option_parameters(fields: Fields) -> Iterator[inspect.Parameter]:
    """The options of fields that have a sentence, which is the help.

    ``json_schema_extra`` says how they are shown: ``flag``, ``metavar``, ``min`` and ``max``;
    ``argument`` where it has no flag; and ``file``, the help of a second option, ``--NAME-file``,
    for a text from a file. With a metavar of ``_PARSERS`` the value is parsed.
    """
    for name, field in fields.items():
        if field.description is None:
            continue
        looks = _looks(field)
        type_ = _type_of(field, looks)
        default = field.default
        if field.is_required():
            default = inspect.Parameter.empty
        elif get_origin(type_) not in (None, Literal):
            default = None
        elif default == ():
            default = ""
        elif _is_negated(field):
            default = False
        if "argument" in looks:
            argument = typer.Argument(metavar=looks["metavar"], help=field.description)
            repeated = get_origin(field.annotation) is tuple
            yield parameter(name, Annotated[list[str] if repeated else str, argument])
            continue
        info = typer.Option(
            _flag(name, looks),
            metavar=looks.get("metavar"),
            min=looks.get("min"),
            max=looks.get("max"),
            help=field.description,
        )
        yield parameter(name, Annotated[type_, info], default)
        if "file" in looks:
            file_info = typer.Option(metavar="FILE", help=looks["file"])
            yield parameter(f"{name}_file", Annotated[Path | None, file_info], None)


def option_values(fields: Fields, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of fields that were given as options, parsed.

    Raises:
        typer.BadParameter: a value has another form than its metavar.
    """
    given: dict[str, Any] = {}
    for name, field in fields.items():
        value, looks = values.get(name), _looks(field)
        file = values.get(f"{name}_file") if "file" in looks else None
        if file is not None:
            if value is not None:
                raise typer.BadParameter(f"--{name} and --{name}-file exclude each other.")
            value = markdown(file)
        if value is None:
            continue
        if _is_negated(field):
            value = not value
        choices = _choices(field)
        if choices and not field.metadata and value not in choices:
            raise typer.BadParameter(
                f"{value!r} is none of {', '.join(choices)}.", param_hint=_flag(name, looks)
            )
        parse = _PARSERS.get(looks.get("metavar", ""))
        given[name] = value if parse is None else parse(value)
    return given


def _looks(field: FieldInfo) -> Mapping[str, Any]:
    shown = field.json_schema_extra
    return shown if isinstance(shown, dict) else {}


def _flag(name: str, looks: Mapping[str, Any]) -> str:
    return str(looks.get("flag", f"--{name.replace('_', '-')}"))


def _choices(field: FieldInfo) -> tuple[Any, ...]:
    """The words of a literal; empty for other fields."""
    annotation = field.annotation
    parts = (annotation, *get_args(annotation))
    return next((get_args(part) for part in parts if get_origin(part) is Literal), ())


def _is_negated(field: FieldInfo) -> bool:
    """Whether the option says no to what is done without it."""
    return field.annotation is bool and field.default is True


def parameter(name: str, type_: Any, default: Any = inspect.Parameter.empty) -> inspect.Parameter:
    """A parameter of a derived command."""
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, kind, default=default, annotation=type_)


def _type_of(field: FieldInfo, looks: Mapping[str, Any]) -> Any:
    """What the command line takes: several values for tuples and pairs, words for what is named.

    A literal with a metavar is a word, which is checked afterwards.
    """
    annotation = field.annotation
    if looks.get("metavar") in _FILE_METAVARS:
        return Path | None
    if looks.get("metavar") == "FIELDS":
        return str
    choices = _choices(field)
    if choices:
        optional = NoneType in get_args(annotation)
        return annotation if "metavar" not in looks else str | None if optional else str
    parts = {get_origin(part) or part for part in (annotation, *get_args(annotation))}
    if parts & {tuple, dict}:
        return list[str] | None
    if str in parts and NoneType in parts:
        return str | None
    return annotation
