"""The progress bar of commands."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn


def progress_bar(*more: ProgressColumn, countable: bool = True) -> Progress:
    """What is done, on standard error, and only if that is a terminal.

    Add a task to it, and update that: its description is shown first.

    Args:
        more: further columns at the end.
        countable: whether the total is known; without it, no bar and no total are shown.
    """
    return Progress(
        TextColumn("{task.description}"),
        *((BarColumn(), MofNCompleteColumn()) if countable else ()),
        *more,
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )
