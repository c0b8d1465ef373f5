"""Which browser the tests and scripts drive, and how it is started."""

from __future__ import annotations

import shutil
from pathlib import Path

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = ["--no-sandbox", "--disable-background-networking"]
SIZE = {"width": 1366, "height": 768}
_MAC = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")


def find_browser() -> str | None:
    """The installed browser's program; browsers that Playwright downloads are not used."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    return found or (str(_MAC) if _MAC.is_file() else None)
