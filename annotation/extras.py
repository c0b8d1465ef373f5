"""The command that installs an optional dependency."""

from __future__ import annotations

import re
import shlex
import sys
from importlib.metadata import requires


def install_command(extra: str) -> str:
    """The shell command that installs an extra's packages into the running environment.

    It names the packages themselves, so it works for a checkout and for a wheel from any source.

    Args:
        extra: its name in ``pyproject.toml``, e.g. ``inspect``.

    Raises:
        LookupError: there is no such extra.
    """
    marker = re.compile(rf"""extra\s*==\s*["']{re.escape(extra)}["']""")
    packages = [
        requirement.partition(";")[0].strip()
        for requirement in requires("pagetrail") or ()
        if marker.search(requirement.partition(";")[2])
    ]
    if not packages:
        raise LookupError(f"Pagetrail has no extra {extra!r}.")
    return shlex.join([sys.executable, "-m", "pip", "install", *packages])
