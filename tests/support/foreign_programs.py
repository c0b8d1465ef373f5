"""Programs that exports are made for, in a folder of their own beside the packages of Pagetrail."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(sys.prefix) / "foreign"
"""Where ``scripts/test`` installs ``tests/foreign_programs.txt``, or for the other Python
``tests/parsebench_programs.txt``."""


def foreign(module: str) -> Any:
    """A module of such a program; where it is not installed the test is skipped and says so.

    The folder comes last, so that packages which both have are Pagetrail's.
    """
    if str(FOLDER) not in sys.path:
        sys.path.append(str(FOLDER))
    name = module.partition(".")[0]
    reason = f"{name} is not installed; scripts/test installs what tests/*_programs.txt list"
    pytest.importorskip(name, reason=reason)
    return importlib.import_module(module)
