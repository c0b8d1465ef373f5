"""The program's source, which the AGPL (section 13) has a server offer to the people who use it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from threading import Lock
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pagetrail
from pagetrail.app.services.addresses import PREFIX

SOURCE_URL = "PAGETRAIL_SOURCE_URL"
"""Environment variable: where the source of a changed version is published."""

ARCHIVE_PATH = f"{PREFIX}/source.zip"

_PACKAGES = ("annotation", "storage", "exports", "app")
_CHECKOUT = (
    *("README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "CITATION.cff"),
    *("pyproject.toml", "constraints.txt", "package.json", "package-lock.json", "tsconfig.json"),
    *("scripts", "docs", "tests", "benchmarks", "deploy"),
)
"""What a checkout has besides the packages. A list, since a workspace may be in the same folder."""
_EPOCH = (1980, 1, 1, 0, 0, 0)
_ARCHIVE_LOCK = Lock()


def source_url() -> str:
    """Where people get the source of the running version: the stated address, or this server."""
    return os.environ.get(SOURCE_URL, "").strip() or ARCHIVE_PATH


def source_archive() -> Path:
    """A zip of the running source, written once per process."""
    with _ARCHIVE_LOCK:
        return _written_archive()


@cache
def _written_archive() -> Path:
    target = Path(tempfile.mkdtemp(prefix="pagetrail-source-"), "pagetrail-source.zip")
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        for name, path in _source_files():
            archive.writestr(ZipInfo(f"pagetrail/{name}", _EPOCH), path.read_bytes(), ZIP_DEFLATED)
    return target


def _source_files() -> Iterator[tuple[str, Path]]:
    package = Path(pagetrail.__file__).parent
    checkout = package.parent
    is_checkout = (checkout / "pyproject.toml").is_file() and (checkout / "LICENSE").is_file()
    roots = [package / "__init__.py", *(package / name for name in _PACKAGES)]
    if is_checkout:
        roots = [package / "__init__.py", *(checkout / n for n in (*_PACKAGES, *_CHECKOUT))]
    base = checkout if is_checkout else package
    for root in roots:
        for path in sorted(root.rglob("*")) if root.is_dir() else [root]:
            hidden = any(part.startswith(".") for part in path.relative_to(base).parts)
            if path.is_file() and not hidden and path.suffix != ".pyc":
                yield path.relative_to(base).as_posix(), path
