"""Human annotation and human baselines over collections of PDF documents.

The four packages are the folders of the same names at the root of the repository, linked here so
that what is installed has one name, ``pagetrail``.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from pagetrail.exports.notebook import NotebookWorkspace


def open(
    folder: Path | str, *, identify: bool = False, submission: Literal["first", "final"] = "first"
) -> NotebookWorkspace:
    """Open a workspace to read it as data frames; arguments as of ``NotebookWorkspace``.

    Raises:
        WorkspaceError: the folder is no workspace, or it cannot be opened.
    """
    # Imported here: commands and workers import this package too.
    notebook = import_module("pagetrail.exports.notebook")
    workspace: NotebookWorkspace = notebook.NotebookWorkspace(
        folder, identify=identify, submission=submission
    )
    return workspace
