"""What the server's process does not load."""

from __future__ import annotations

import subprocess
import sys

_IMPORT_ALL = """
import importlib, pkgutil, sys
import pagetrail.app

def modules(package):
    for found in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        if found.name in BESIDE:
            continue
        # The screens' scripts draw when they are imported; they hold no logic.
        if found.name != "pagetrail.app.main" and not found.name.startswith("pagetrail.app.views."):
            module = importlib.import_module(found.name)
            if found.ispkg:
                modules(module)

NAMES = ("agents", "cli", "demo", "jobs.worker", "practice.build")
BESIDE = {"pagetrail.app." + name for name in NAMES}
modules(pagetrail.app)
print(" ".join(name for name in ("pymupdf", "pymupdf.mupdf") if name in sys.modules))
"""


def test_server_does_not_import_pymupdf() -> None:
    """Whoever adds a screen or route that opens PDFs in the server's own process is told here."""
    process = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _IMPORT_ALL],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert process.returncode == 0, process.stderr
    assert process.stdout.split() == []
