"""File permissions that hold for tests as they do for the user that runs Pagetrail.

Root may read, write and change every file because of three capabilities of Linux; here they are
given up for a while. A program that is started has them again.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_VERSION = 0x20080522
_ROOTS_RIGHTS = 1 << 1 | 1 << 2 | 1 << 3
"""CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH and CAP_FOWNER."""


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Sets(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint32) for name in ("effective", "permitted", "inheritable"))


@contextmanager
def permissions_in_force() -> Iterator[None]:
    """Have files be what their permissions say, for this thread and those that it starts.

    Skips the test where root cannot do without.
    """
    if os.geteuid() != 0:
        yield
        return
    if sys.platform != "linux":
        pytest.skip("runs as root, who may read and write every file")
    library = ctypes.CDLL(None, use_errno=True)
    header, sets = _Header(_VERSION, 0), (_Sets * 2)()
    assert library.capget(ctypes.byref(header), sets) == 0, os.strerror(ctypes.get_errno())
    before = sets[0].effective
    sets[0].effective &= ~_ROOTS_RIGHTS
    assert library.capset(ctypes.byref(header), sets) == 0, os.strerror(ctypes.get_errno())
    try:
        yield
    finally:
        sets[0].effective = before
        assert library.capset(ctypes.byref(header), sets) == 0, os.strerror(ctypes.get_errno())


@contextmanager
def changed_modes(*paths: Path, folder_mode: int, file_mode: int) -> Iterator[None]:
    """Give paths, and everything below them, these permissions for the block."""
    everything = [
        inner for path in paths for inner in (path, *(path.rglob("*") if path.is_dir() else ()))
    ]
    modes = {path: path.stat().st_mode & 0o777 for path in everything if not path.is_symlink()}
    for path in reversed(modes):  # a closed folder keeps its owner from what is in it
        path.chmod(folder_mode if path.is_dir() else file_mode)
    try:
        yield
    finally:
        for path, mode in modes.items():
            if path.exists():
                path.chmod(mode)
