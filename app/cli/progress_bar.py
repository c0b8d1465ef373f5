"""The bar that commands show while they work."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn


def progress_bar() -> Progress:
    """What is done, and how much of how much; on standard error, and only where that is a window.

    Add a task to it, and update that: its description stands before the bar.
    """
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )
