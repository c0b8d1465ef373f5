"""Functions of tests that run in a process of their own, to be killed or to start from nothing.

They are named by their module, so that no program is kept as a string that no tool checks.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

_ROOT = str(Path(__file__).parents[2])


def start_function(
    function: Callable[..., None],
    *arguments: object,
    stderr: int | None = None,
    environment: dict[str, str] | None = None,
) -> subprocess.Popen[str]:
    """Start a process that calls a module's function.

    Args:
        arguments: are passed as text.
        stderr: as of ``Popen``; standard input and output are pipes.
        environment: added to that of this process.
    """
    return subprocess.Popen(
        [
            *(sys.executable, "-W", "ignore", "-m", __name__),
            *(function.__module__, function.__name__, *map(str, arguments)),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([_ROOT, *filter(None, sys.path)]),
            **(environment or {}),
        },
    )


def exit_code_of(function: Callable[..., None], *arguments: object) -> int:
    """Exit code of a process that called the function; minus the signal that killed it."""
    with start_function(function, *arguments) as process:
        process.communicate()
    return process.returncode


def output_of(
    function: Callable[..., None],
    *arguments: object,
    environment: dict[str, str] | None = None,
) -> str:
    """What a process prints that calls the function.

    Raises:
        AssertionError: the function failed; with what it wrote to standard error.
    """
    with start_function(
        function, *arguments, stderr=subprocess.PIPE, environment=environment
    ) as process:
        output, errors = process.communicate()
    assert process.returncode == 0, errors
    return output


def print_line(*values: object) -> None:
    """Write a line of values at once, for the process that started this one."""
    sys.stdout.write(" ".join(map(str, values)) + "\n")
    sys.stdout.flush()


def print_imported(names: str, *modules: str) -> None:
    """Import modules, and print those of the names (divided by spaces) that came with them."""
    for module in modules:
        import_module(module)
    print_line(*(name for name in names.split() if name in sys.modules))


def main() -> None:
    """Call the function of the module with the other arguments."""
    module, function, *arguments = sys.argv[1:]
    getattr(import_module(module), function)(*arguments)


if __name__ == "__main__":
    main()
