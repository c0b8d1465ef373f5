"""The recipes "An operation" and "An import" of docs/extending.md: one module, listed once."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer
from pydantic import ValidationError
from typer.testing import CliRunner

from pagetrail.app import operations
from pagetrail.app.cli import operations as commands
from pagetrail.app.jobs.imports import import_files
from pagetrail.app.jobs.progress import JobProgress
from pagetrail.app.jobs.requests import ImportRequest
from pagetrail.app.operations.registry import IMPORTS, OPERATIONS
from pagetrail.storage.database.workspace import Workspace
from tests.support.factory import make_workspace

NAME = "import-words"
MODULE = '''
"""Words, which are counted and not stored."""

from pathlib import Path

from pydantic import Field

from pagetrail.annotation.options import option
from pagetrail.app.operations.forms import Form, Input
from pagetrail.app.operations.operation import Context, FileImport, Files
from pagetrail.app.operations.results import Notes, Problem, Problems, Result


class ImportWords(FileImport):
    """Import words."""

    name = "import-words"
    about = " Exit code: 0 when there are any."
    example = "words.txt --campaign Otters --language en"
    files = Files("FILE...", "The words.", ("txt",), uploads_several=True)
    title = "Importing words of {language}"
    phase = "Importing words"
    counts = "word"
    form = Form(
        "words", "Files", "Import", below=[(Input("language", "Language"),)], required=("language",)
    )

    language: str = Field(description="Their language.")
    least: int = option(1, "Letters of the shortest word.", metavar="N", min=1, max=9)
    comment: str | None = option(None, "A comment.", file="Text file with the comment.")
    others: dict[str, str] = option({}, "Read as another.", flag="--map", metavar="OLD=NEW")
    keep: bool = option(True, "Forget them.", flag="--no-keep")
    out: Path | None = option(None, "Where they go.", only_in_commands=True)

    def run(self, context: Context) -> Result:
        lines = [line for file in context.files for line in file.read_text().splitlines()]
        words = [self.others.get(word, word) for word in lines if len(word) >= self.least]
        for number, _ in enumerate(words, start=1):
            context.on_progress(number)
        short = [
            Problem("it is short", number, word, str(context.files[0]))
            for number, word in enumerate(lines, start=1)
            if len(word) < self.least
        ]
        return Result(
            bool(words),
            [Problems("Left out", ("line", "id", "what"), short), Notes(["check these"]), "Done."],
            f"{len(words)} words in {self.language}.",
            {"words": words, "keep": self.keep, "comment": self.comment},
        )


OPERATION = ImportWords
'''


class NoProgress(JobProgress):
    """Progress that nobody reads."""

    def update(self, phase: str, done: int, total: int) -> None:
        pass


@pytest.fixture(autouse=True)
def _toy_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The import of a module in a folder of its own, entered in the list for one test."""
    folder = tmp_path / "modules"
    folder.mkdir()
    (folder / "import_words.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.setattr(operations, "__path__", [*operations.__path__, str(folder)])
    for names in (IMPORTS, OPERATIONS):
        monkeypatch.setitem(names, NAME, "Import words.")
    import_module("pagetrail.app.operations.import_words")

    def run_here(function: Any, *args: object, **_: object) -> Any:
        """In this process, since another one does not find the module."""
        return function(*args)

    monkeypatch.setattr(commands, "run_once", run_here)
    monkeypatch.setattr(commands, "send_progress", lambda _: None)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return make_workspace(tmp_path / "ws")


def call(*arguments: object) -> Any:
    """The result of the command."""
    program = typer.Typer(rich_markup_mode="rich")
    commands.register_operation(program, NAME)
    return CliRunner(env={"COLUMNS": "200"}).invoke(program, [*map(str, arguments)])


def test_the_command_is_derived(workspace: Workspace, tmp_path: Path) -> None:
    """Options, help, parsed values, what is printed, JSON and exit code."""
    shown = " ".join(call("--help").output.replace("│", " ").split())
    assert "Import words. Exit code: 0 when there are any." in shown
    assert "--no-keep <bool> Forget them." in shown and "--comment-file FILE Text file" in shown
    words = tmp_path / "words.txt"
    words.write_text("otter\na\nfish\n")
    (tmp_path / "comment.md").write_text("old ones")
    options = ("--campaign", "Otters", "--language", "en", "--least", "2", "--json")
    more = ("--no-keep", "--map", "fish=trout", "--comment-file", tmp_path / "comment.md")
    result = call(workspace.root, words, *options, *more)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout) == {
        "words": ["otter", "trout"], "keep": False, "comment": "old ones",
    }  # fmt: skip
    assert "it is short" in result.stderr and result.stderr.endswith("Note: check these\nDone.\n")
    assert call(workspace.root, words, *options[:5], "9").exit_code == 1
    for wrong in (("--map", "fish"), (*more[3:], "--comment", "new"), ("--least", "10")):
        assert call(workspace.root, words, *options, *wrong).exit_code == 2, wrong


def test_the_job_is_derived(workspace: Workspace, tmp_path: Path) -> None:
    """Its kind, sentence and rows; the uploads are deleted, and their folder is not named."""
    folder = tmp_path / "sent"
    folder.mkdir()
    (folder / "words.txt").write_text("otter\na\n")
    fields = {"campaign": "Otters", "language": "en", "least": 2}
    request = ImportRequest(operation=NAME, fields=fields, folder=str(folder), by="Ada")
    assert request.kind == "import_words" and request.reads_untrusted_files
    outcome = import_files(workspace, request, NoProgress())
    assert (outcome.state, outcome.message) == ("done", "1 words in en.")
    assert outcome.details == {
        "campaign": "Otters",
        "rows": [
            ["words.txt", 2, "a", "left out", "it is short"], ["", "", "", "check", "check these"],
        ],
    }  # fmt: skip
    assert not folder.exists()


@pytest.mark.parametrize(
    "more", [{"out": "/etc/words"}, {"colour": "red"}, {"least": "many"}], ids=str
)
def test_jobs_refuse_what_the_browser_may_not_ask_for(more: dict[str, str]) -> None:
    """Options of the command alone, unknown fields, and wrong values."""
    fields = {"campaign": "Otters", "language": "en", **more}
    with pytest.raises(ValidationError):
        ImportRequest(operation=NAME, fields=fields, folder="sent", by="Ada")


def test_an_unknown_import_is_refused() -> None:
    with pytest.raises(ValidationError, match="no import"):
        ImportRequest(operation="import-os", fields={}, folder="sent", by="Ada")
