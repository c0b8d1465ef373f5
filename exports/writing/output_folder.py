"""Creates folders that appear complete or not at all, and removes them; others' files stay."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pagetrail.annotation.errors import ConflictError
from pagetrail.exports.writing.manifest import FILE, PRODUCT
from pagetrail.storage.maintenance.sole_scratch import sole_scratch_folder


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
    product = _manifest(out).get("product")
    return isinstance(product, dict) and product.get("name") == PRODUCT


@contextmanager
def new_folder(out: Path, *, overwrite: bool = False) -> Iterator[Path]:
    """A new folder that takes the place of ``out`` if the block ends without an error.

    Of what is there, only the files that an earlier export's manifest names are removed.

    Args:
        overwrite: replace an earlier export.

    Raises:
        ConflictError: somebody is writing ``out``, it cannot be used, or at the end it has another
            file with the name of a new one.
    """
    target = out.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    with sole_scratch_folder(target) as scratch:
        _finish_replacing(target)
        require_free(target, overwrite)
        folder = scratch / "new"
        folder.mkdir()
        yield folder
        _replace(target, folder, _written_files(target) if overwrite else frozenset())


def remove_export_folder(folder: Path) -> None:
    """Remove the files that an export's manifest names, and its folder unless it has others.

    Raises:
        ConflictError: somebody is writing it.
        OSError: it cannot be removed.
    """
    with sole_scratch_folder(folder) as scratch:
        _finish_replacing(folder)
        empty = scratch / "new"
        empty.mkdir()
        _replace(folder, empty, _written_files(folder))
        if not any(folder.iterdir()):
            folder.rmdir()


def _replaced(target: Path) -> Path:
    """The name of a folder while another takes its place."""
    return target.with_name(f".{target.name}.replaced")


def _replace(target: Path, folder: Path, written: frozenset[str]) -> None:
    """Put a folder in the place of ``target``, and into it all files but the written ones."""
    if not target.is_dir():
        folder.rename(target)
        return
    replaced = target.rename(_replaced(target))
    try:
        for name in _other_files(replaced, written):
            if (folder / name).exists() or any((folder / p).is_file() for p in name.parents):
                raise ConflictError(
                    f"{target} has a file {name} that no earlier export wrote, and a new file has "
                    "this name. Nothing was changed. Move it away, or choose another folder."
                )
        folder.rename(target)
    except (OSError, ConflictError):
        replaced.rename(target)
        raise
    _return_other_files(replaced, target, written)


def _finish_replacing(target: Path) -> None:
    """Bring to an end what a killed export began."""
    replaced = _replaced(target)
    if not replaced.exists():
        return
    if target.exists():
        _return_other_files(replaced, target, _written_files(replaced))
    else:
        replaced.rename(target)


def _return_other_files(replaced: Path, target: Path, written: frozenset[str]) -> None:
    """Move all files but the written ones back, and remove the rest."""
    for name in _other_files(replaced, written):
        if os.path.lexists(target / name):
            raise ConflictError(
                f"{target} and {replaced} have a file {name}. Both stay; move one of them away."
            )
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (replaced / name).rename(target / name)
    shutil.rmtree(replaced)


def _other_files(folder: Path, written: frozenset[str]) -> list[Path]:
    paths = [path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir()]
    names = (path.relative_to(folder) for path in paths)
    return sorted(name for name in names if name.as_posix() not in written)


def _written_files(folder: Path) -> frozenset[str]:
    """The files of an export, by its manifest; none of any other folder."""
    if not is_export(folder):
        return frozenset()
    files = _manifest(folder).get("files")
    entries = files if isinstance(files, list) else ()
    return frozenset({FILE, *(str(e.get("path")) for e in entries if isinstance(e, dict))})


def _manifest(folder: Path) -> dict[str, Any]:
    try:
        manifest = json.loads((folder / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return manifest if isinstance(manifest, dict) else {}
