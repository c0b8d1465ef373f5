"""Imports the modules of the papers, whose figures need a package that is an extra."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.extras import install_command

_PACKAGES = ("matplotlib", "contourpy", "cycler", "fontTools", "kiwisolver", "pyparsing")


def import_paper_module(name: str) -> ModuleType:
    """The module of that name in this package.

    Raises:
        PagetrailError: matplotlib is not installed (code ``missing_package``).
    """
    try:
        return import_module(f"pagetrail.exports.papers.{name}")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _PACKAGES:
            raise
        raise PagetrailError(
            f"Figures need the package matplotlib. Install it with: {install_command('figures')}",
            code="missing_package",
        ) from error
