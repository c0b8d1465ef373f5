"""Commands of operations: options from fields, a process of their own, and their output."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import ValidationError
from rich.progress import TextColumn

from pagetrail.annotation.errors import InputFileError
from pagetrail.annotation.options import options_of
from pagetrail.annotation.readable_errors import describe
from pagetrail.app.cli.model_options import option_parameters, option_values, parameter
from pagetrail.app.cli.options import Json, WorkspaceFolder
from pagetrail.app.cli.progress_bar import progress_bar
from pagetrail.app.cli.terminal import print_message, show_json, show_table
from pagetrail.app.operations.operation import Context, Import, Operation
from pagetrail.app.operations.registry import operation_named
from pagetrail.app.operations.results import (
    MAX_SHOWN,
    Notes,
    Part,
    Problems,
    Refusal,
    Result,
    Table,
)
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.workers.memory import MEMORY_VARIABLE, limit_text, memory_limit
from pagetrail.storage.workers.pool import run_once
from pagetrail.storage.workers.process import WorkerCrashed, WorkerOutOfMemory
from pagetrail.storage.workers.worker_main import send_progress


def register_operation(app: typer.Typer, name: str) -> None:
    """Add the command of an operation to the program."""
    operation = operation_named(name)
    fields = dict(options_of(operation))
    fields = {"campaign": fields.pop("campaign"), **fields}

    def run(**values: Any) -> None:
        try:
            request = operation(**option_values(fields, values))
        except ValidationError as error:
            raise typer.BadParameter(describe(error)) from error
        files = values.get("files", ())
        result = _run(
            request, values["workspace"], (files,) if isinstance(files, Path) else tuple(files)
        )
        if values["as_json"]:
            print_parts(part for part in result.parts if not isinstance(part, Table))
            show_json(result.json)
        else:
            print_parts(result.parts)
        if not result.is_done:
            raise typer.Exit(1)

    parameters = [
        parameter("workspace", WorkspaceFolder),
        *_file_parameters(operation),
        *option_parameters(fields),
        parameter("as_json", Json, default=False),
    ]
    vars(run)["__signature__"] = inspect.Signature(parameters)
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    epilog = f"Example: pagetrail {name} my-workspace {operation.example}"
    app.command(name, help=operation.help(), epilog=epilog)(run)


def _file_parameters(operation: type[Operation]) -> Iterator[inspect.Parameter]:
    if issubclass(operation, Import):
        metavar, about = operation.files.metavar, operation.files.about
        files: Any = list[Path] if metavar.endswith("...") else Path
        yield parameter("files", Annotated[files, typer.Argument(metavar=metavar, help=about)])


def _run(request: Operation, workspace: Path, files: tuple[Path, ...]) -> Result:
    """Run an operation, an import in a process with the memory limit of readers of files.

    Not in this process: parsers written in other languages end it when memory is refused.

    Raises:
        InputFileError: the import needs more memory, or its process died.
    """
    if not isinstance(request, Import) or not request.has_own_process:
        return request.run(Context(Workspace.open(workspace), files))
    limit = memory_limit()
    with progress_bar(
        TextColumn(f"{{task.completed:,}} {request.counts}s"), countable=False
    ) as bar:
        line = bar.add_task("Importing …", total=None, visible=request.counts is not None)
        try:
            return run_once(
                _run_in_worker,
                request,
                workspace,
                files,
                on_progress=lambda completed: bar.update(line, completed=completed),
                memory_bytes=limit,
            )
        except (WorkerOutOfMemory, WorkerCrashed) as error:
            raise InputFileError(
                f"The import needs more than {limit_text(limit)} of memory, or the file is "
                f"damaged. Split the file, write JSON as JSON Lines, or raise {MEMORY_VARIABLE}."
            ) from error


def _run_in_worker(request: Operation, workspace: Path, files: tuple[Path, ...]) -> Result:
    """In a process of its own."""
    return request.run(Context(Workspace.open(workspace), files, on_progress=send_progress))


def print_parts(parts: Iterable[Part]) -> None:
    """Print sentences and problems on standard error, and tables on standard output."""
    for part in parts:
        if isinstance(part, Table):
            show_table(part.columns, part.rows, title=part.title)
        elif isinstance(part, Problems):
            list_some(part.columns, part.cells, part.title)
        elif isinstance(part, Notes):
            for note in part.sentences[:MAX_SHOWN]:
                print_message(f"Note: {note}")
            if len(part.sentences) > MAX_SHOWN:
                n_more = len(part.sentences) - MAX_SHOWN
                print_message(f"… and {n_more:,} more notes; --json lists all.")
        else:
            print_message(part, style="bold" if isinstance(part, Refusal) else "")


def list_some(columns: Sequence[str], rows: Sequence[Sequence[object]], title: str) -> None:
    """Print the first rows as a table on standard error, and how many more there are."""
    if not rows:
        return
    show_table(columns, rows[:MAX_SHOWN], title=title, stderr=True)
    if len(rows) > MAX_SHOWN:
        print_message(f"… and {len(rows) - MAX_SHOWN:,} more; --json lists all.")
