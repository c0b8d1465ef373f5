"""When pages are recognised, and the languages for it; loads no PDF library."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from typing import Literal

OcrMode = Literal["auto", "never", "always"]


@cache
def ocr_languages() -> tuple[str, ...] | None:
    """Tesseract's languages here, sorted; None if it is not installed."""
    program = shutil.which("tesseract")
    if program is None:
        return None
    listing = subprocess.run(
        [program, "--list-langs"], capture_output=True, text=True, check=False, timeout=30
    )
    return tuple(sorted({line.strip() for line in listing.stdout.splitlines()[1:]} - {"osd", ""}))


@cache
def tesseract_version() -> str:
    """Program and version, e.g. "tesseract 5.3.0"; it must be installed."""
    program = shutil.which("tesseract") or "tesseract"
    listing = subprocess.run(
        [program, "--version"], capture_output=True, text=True, check=False, timeout=30
    )
    return " ".join(listing.stdout.split()[:2]) or "tesseract"


@cache
def tesseract_problem(lang: str) -> str | None:
    """Why text in ``lang`` (e.g. ``"eng"``, ``"eng+deu"``) cannot be recognised here, or None."""
    installed = ocr_languages()
    if installed is None:
        return (
            "Tesseract is not installed. Install it (Debian: apt install tesseract-ocr) and ingest "
            "the same files again: only the pages still without text are read then."
        )
    languages = lang.split("+")
    missing = [part for part in languages if part not in installed]
    if not missing:
        return None
    return (
        f"Tesseract has no language {', '.join(map(repr, missing))}. Installed: "
        f"{', '.join(installed) or 'none'}. Install it (Debian: apt install "
        "tesseract-ocr-LANGUAGE) or choose another."
    )
