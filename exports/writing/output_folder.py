"""Creates folders that appear complete or not at all."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pagetrail.annotation.errors import ConflictError
from pagetrail.exports.writing.manifest import FILE, PRODUCT


def require_free(out: Path, overwrite: bool) -> None:
    """Refuse a folder that is not empty; ``overwrite`` allows an export of this program.

    Raises:
        ConflictError: the folder cannot be used.
    """
    if not out.exists() and not out.is_symlink():
        return
    if not out.is_dir():
        raise ConflictError(f"{out} is not a folder. Choose another.")
    if not any(out.iterdir()):
        return
    if not overwrite:
        raise ConflictError(
            f"{out} is not empty. Choose another folder, or replace an earlier export with "
            "--overwrite."
        )
    if not is_export(out):
        raise ConflictError(
            f"{out} holds files that are not an export of this program. They are not overwritten; "
            "choose another folder."
        )


def is_export(out: Path) -> bool:
    """Whether the folder is an export that this program wrote."""
    try:
        manifest = json.loads((out / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    product = manifest.get("product") if isinstance(manifest, dict) else None
    return isinstance(product, dict) and product.get("name") == PRODUCT


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """A new folder that replaces ``out`` if the block ends without an error."""
    target = out.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    try:
        folder = scratch / "new"
        folder.mkdir()
        yield folder
        old = scratch / "old"
        if target.exists():
            target.rename(old)
        try:
            folder.rename(target)
        except OSError:
            if old.exists():
                old.rename(target)
            raise
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
