"""The command line as a whole: what it lists, and what that costs."""

from __future__ import annotations

import re
from importlib.metadata import version

import pytest
from typer.testing import CliRunner

from pagetrail.app.cli.main import COMMANDS, app, load
from tests.support.function_process import output_of, print_imported

HEAVY = "streamlit sqlalchemy whoosh pymupdf pandas pyarrow"


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_says_what_the_command_says(name: str) -> None:
    """The summary in the list is how the command's own help begins, and each has an example."""
    command = load(name)
    assert command.help.startswith(COMMANDS[name][1])
    assert "Example" in command.epilog


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name: str) -> None:
    """Groups and each of their commands show a command line to copy, without a workspace."""
    command = load(name)
    subcommands = getattr(command, "commands", {})
    takes_workspace = bool(subcommands) and any(
        parameter.param_type_name == "argument" for parameter in command.params
    )
    prefix = [name, "my-workspace"] if takes_workspace else [name]
    for arguments in ([name], *([*prefix, subcommand] for subcommand in subcommands)):
        result = CliRunner(env={"COLUMNS": "200"}).invoke(app, [*arguments, "--help"])
        assert result.exit_code == 0
        help_text = " ".join(result.stdout.split())
        assert re.search(r"Examples?: pagetrail", help_text), arguments
        assert f"pagetrail {' '.join(arguments)}" in help_text


def test_help_lists_every_command_in_order() -> None:
    """All names, in the order in which one needs them."""
    help_text = CliRunner().invoke(app, ["--help"]).output
    commands = re.findall(r"^\S ([a-z-]+)\s", help_text, re.MULTILINE)
    assert [name for name in commands if name in COMMANDS] == list(COMMANDS)


def test_help_does_not_wait_for_large_libraries() -> None:
    """Nothing that takes long to import comes with the list of commands."""
    assert output_of(print_imported, f"typer {HEAVY}", "pagetrail.app.cli.main") == "typer\n"


def test_version() -> None:
    """One line, as scripts read it."""
    assert CliRunner().invoke(app, ["--version"]).output == f"pagetrail {version('pagetrail')}\n"


def test_mistyped_command_suggests_the_right_one() -> None:
    """``serch`` is told of ``search``."""
    result = CliRunner().invoke(app, ["serch"])
    assert result.exit_code == 2
    assert "search" in result.output
