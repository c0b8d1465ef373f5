"""A browser with a profile on the disk whose processes are killed and started again."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from playwright.sync_api import BrowserContext, BrowserType

from tests.e2e.support.browsers import ARGUMENTS, SIZE

START_S = 180.0
_PAUSE_S = 0.05


class KillableBrowser:
    """The browser and its profile.

    Args:
        browsers: what connects to it.
        program: its executable.
        profile: the folder of its profile.
    """

    def __init__(self, browsers: BrowserType, program: str, profile: Path) -> None:
        self._browsers, self._program, self._profile = browsers, program, profile
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> BrowserContext:
        """Start it; returns the context of its profile.

        Raises:
            RuntimeError: it ended or did not tell where it listens.
        """
        port_file = self._profile / "DevToolsActivePort"
        port_file.unlink(missing_ok=True)
        size = f"--window-size={SIZE['width']},{SIZE['height']}"
        self._process = subprocess.Popen(
            [
                self._program,
                *("--headless", "--remote-debugging-port=0", size),
                f"--user-data-dir={self._profile}",
                *ARGUMENTS,
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        end = time.monotonic() + START_S
        while self._process.poll() is None and time.monotonic() < end:
            lines = port_file.read_text().splitlines() if port_file.exists() else []
            if len(lines) == 2:
                browser = self._browsers.connect_over_cdp(f"http://127.0.0.1:{lines[0]}")
                return browser.contexts[0]
            time.sleep(_PAUSE_S)
        self.kill()
        raise RuntimeError("The browser did not start.")

    def kill(self) -> None:
        """Kill all of its processes with SIGKILL: no page is told."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.kill()
