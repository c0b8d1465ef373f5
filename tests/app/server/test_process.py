"""What the server's process does not load."""

from __future__ import annotations

import pkgutil
import sys
from importlib import import_module

from tests.support.function_process import output_of, print_line

_NOT_OF_THE_SERVER = {
    f"pagetrail.app.{name}" for name in ("agents", "cli", "demo", "jobs.worker", "practice.build")
}


def print_pdf_modules() -> None:
    """Import everything that the server may, and print the names of PyMuPDF among it."""
    _import_modules("pagetrail.app")
    print_line(*(name for name in ("pymupdf", "pymupdf.mupdf") if name in sys.modules))


def _import_modules(package: str) -> None:
    for module in pkgutil.iter_modules(import_module(package).__path__, f"{package}."):
        # The screens' scripts draw when they are imported; they hold no logic.
        is_screen = module.name.startswith(("pagetrail.app.main", "pagetrail.app.views."))
        if module.name in _NOT_OF_THE_SERVER or is_screen:
            continue
        if module.ispkg:
            _import_modules(module.name)
        else:
            import_module(module.name)


def test_server_does_not_import_pymupdf() -> None:
    """Whoever adds a screen or route that opens PDFs in the server's own process is told here."""
    assert output_of(print_pdf_modules).split() == []
