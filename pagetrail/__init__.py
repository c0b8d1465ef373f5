"""Human annotation and human baselines over collections of PDF documents.

The four packages are the folders of the same names at the root of the repository, linked here so
that what is installed has one name, ``pagetrail``.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pagetrail.exports.notebook import NotebookWorkspace


def open(folder: Path | str, **options: Any) -> NotebookWorkspace:
    """A workspace as data frames, for notebooks; see ``NotebookWorkspace`` for the options."""
    # Not imported above: commands and workers would load pandas.
    notebook = import_module("pagetrail.exports.notebook")
    made: NotebookWorkspace = notebook.NotebookWorkspace(folder, **options)
    return made
