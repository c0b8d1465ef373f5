"""Vectors of texts that somebody uploads for a report, kept in the cache folder while in use."""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import streamlit as st

from pagetrail.annotation.messages import gettext
from pagetrail.app.ui.file_names import safe_name
from pagetrail.storage.database.workspace import Workspace

MAX_MB = 200
_KEPT = 5
"""Files that are kept, the last ones used."""


def vectors_upload(workspace: Workspace) -> Path | None:
    """Show the upload; returns the file, or None without one."""
    with st.popover(gettext("Vectors"), icon=":material/hub:"):
        file = st.file_uploader(
            gettext("Vectors of texts and pages (Parquet)"),
            type=["parquet"],
            key="vectors-file",
            max_upload_size=MAX_MB,
            help=gettext(
                "Embeddings by a model of your own: a column vector, and text, or document and "
                "page; the model’s name in a column or in the file’s metadata."
            ),
        )
        st.caption(
            gettext(
                "The drift of queries then goes by these vectors, and near duplicates among the "
                "questions are listed. Without them, drift goes by words."
            )
        )
    if file is None:
        return None
    key = f"vectors-path-{file.file_id}"
    path: Path | None = st.session_state.get(key)
    if path is None or not path.exists():
        path = st.session_state[key] = _keep(workspace, file)
    return path


def _keep(workspace: Workspace, file: Any) -> Path:
    """Write the file below a folder named by its content, and remove those used longest ago."""
    content = file.getvalue()
    root = workspace.cache_dir / "vectors"
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder = root / hashlib.sha256(content).hexdigest()
    path = folder / safe_name(file.name)
    if not path.exists():
        partial = Path(mkdtemp(dir=root))
        (partial / path.name).write_bytes(content)
        shutil.rmtree(folder, ignore_errors=True)
        partial.rename(folder)
    os.utime(folder)
    by_use = sorted(root.iterdir(), key=lambda entry: entry.stat().st_mtime, reverse=True)
    for unused in by_use[_KEPT:]:
        shutil.rmtree(unused, ignore_errors=True)
    return path
