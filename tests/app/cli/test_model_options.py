"""Options of commands that are the fields of a model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import pytest
import typer
from pydantic import BaseModel, BeforeValidator
from typer.testing import CliRunner

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.options import option, options_of
from pagetrail.app.cli.main import app as pagetrail
from pagetrail.app.cli.model_options import with_model_options
from pagetrail.app.operations.registry import OPERATIONS, operation_named
from pagetrail.exports.papers.options import PaperOptions
from pagetrail.exports.reports.agreement.report import AgreementOptions
from pagetrail.exports.reports.metrics.report import MetricsOptions
from pagetrail.exports.reports.quality.report import QualityOptions
from pagetrail.exports.reports.suspects.report import SuspectsOptions


def refuse_grey(colour: str) -> str:
    """Every colour but one."""
    if colour == "grey":
        raise PagetrailError("Grey is no colour.", code="invalid_colour")
    return colour


class Drawing(BaseModel):
    """How something is drawn."""

    colour: Annotated[Literal["red", "grey"], BeforeValidator(refuse_grey)] = option(
        "red", "The colour of lines.", metavar="COLOUR"
    )
    width_px: int = option(2, "The width of lines.", flag="--width", min=1)


class MapDrawing(Drawing):
    """How a map is drawn."""

    layers: tuple[str, ...] = option((), "What is on it; may be repeated.")
    out: Path | None = option(None, "Where it goes.")
    draft: bool = option(False, "With fewer details.")


def draw(*arguments: str) -> tuple[int, str, list[MapDrawing]]:
    """Exit code, output, and the model of a call."""
    drawn: list[MapDrawing] = []

    def run(
        drawing: MapDrawing, layers: Annotated[list[str] | None, typer.Option()] = None
    ) -> None:
        drawn.append(drawing.model_copy(update={"layers": tuple(layers or ())}))

    run.__annotations__ = {
        "drawing": MapDrawing,
        "layers": Annotated[list[str] | None, typer.Option()],
    }
    program = typer.Typer()
    program.command()(with_model_options(run))
    result = CliRunner().invoke(program, arguments)
    if isinstance(result.exception, PagetrailError):
        raise result.exception
    return result.exit_code, result.output, drawn


def test_fields_are_options() -> None:
    """With their flags, types and defaults; one that the command declares itself is left to it."""
    assert draw()[2] == [MapDrawing()]
    _, _, drawn = draw("--width", "3", "--out", "a.svg", "--draft", "--layers", "x")
    assert drawn == [MapDrawing(width_px=3, out=Path("a.svg"), draft=True, layers=("x",))]


def test_help_and_refusals() -> None:
    """The field's sentence is the help; its own check refuses what the type allows."""
    _, shown, _ = draw("--help")
    assert "The width of lines." in shown and "COLOUR" in shown
    assert shown.index("--draft") < shown.index("--colour"), "a model's own fields come first"
    assert draw("--width", "0")[0] == 2
    with pytest.raises(PagetrailError, match="no colour"):
        draw("--colour", "grey")


@pytest.mark.parametrize(
    ("command", "model"),
    [
        ("metrics", MetricsOptions),
        ("agreement", AgreementOptions),
        ("quality", QualityOptions),
        ("suspects", SuspectsOptions),
        ("report", PaperOptions),
        *((name, operation_named(name)) for name in OPERATIONS),
    ],
)
def test_every_field_is_an_option_of_its_command(command: str, model: type[BaseModel]) -> None:
    """Its sentence is the help."""
    result = CliRunner().invoke(pagetrail, [command, "--help"], env={"COLUMNS": "200"})
    shown = " ".join(result.output.replace("│", " ").split())
    for name, field in options_of(model).items():
        looks = field.json_schema_extra or {}
        assert isinstance(looks, dict), name
        if field.description is None and command in OPERATIONS:
            continue  # what only the creation of a campaign in the browser asks for
        assert field.description, name
        flag = looks.get("flag", f"--{name.replace('_', '-')}")
        assert str(looks["metavar"] if "argument" in looks else flag) in shown
        assert field.description[:40] in shown
