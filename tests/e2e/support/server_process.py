"""``pagetrail serve`` as a process that tests freeze, kill and start again on its port."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from random import SystemRandom
from types import TracebackType
from typing import Self

from tests.e2e.support.fork_server import NURSERY, Forked

START_S = 180.0
"""Much more than it takes on a loaded machine: only a server that never answers waits so long."""
_PAUSE_S = 0.02
_PORTS = range(20_000, 32_000)
"""Below those that Linux, macOS and Windows give to outgoing connections."""
CONNECTION_LOST = (
    r"net::ERR_(INTERNET_DISCONNECTED|SOCKET_NOT_CONNECTED|CONNECTION_\w+|EMPTY_RESPONSE"
    # The last: an image of which the killed server had sent a part.
    r"|INCOMPLETE_CHUNKED\w+|CONTENT_LENGTH_MISMATCH)",
    r"WebSocket (connection to|onclose)",
    r"Client Error(: WebSocket onerror| in reaching server endpoint)",
    r"Streamlit server is not responding",
)
"""What the browser and Streamlit's client say of a server out of reach, as regular expressions."""


class ServerProcess:
    """The server of one workspace, in a process group of its own.

    Args:
        root: the workspace folder.
        port: where it listens; a free port is taken when none is given. The port stays the same
            when the server is started again.
        as_installed: with the worker processes that people's servers have. Otherwise, on Linux,
            they are forked, pages have one, and reports and checks none: that starts faster.
        options: of the command, besides the port.
        tour: whether new people's first task begins with the tour.
        page_s: seconds of processor time that drawing a page may take, if not as installed; pages
            then have two processes.

    Attributes:
        version: of the browser code from the next start on, as if another version of the program
            were started; None for what it is (Linux only).
        locales: a folder of translations in place of the program's own (Linux only).
    """

    def __init__(
        self,
        root: Path,
        port: int | None = None,
        as_installed: bool = False,
        options: Sequence[str] = (),
        page_s: float | None = None,
        tour: bool = False,
    ) -> None:
        self.root = root
        self.port = port or free_port()
        self._as_installed = as_installed
        self._options = options if tour else [*options, "--no-tour"]
        self._page_s = page_s
        self.version: str | None = None
        self.locales: Path | None = None
        self._log = root.parent / "server.log"
        self._process: subprocess.Popen[bytes] | Forked | None = None

    @property
    def url(self) -> str:
        """Scheme, host and port, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def started(self) -> bool:
        """Whether it is running: started, and not killed or stopped since."""
        return self._process is not None

    @property
    def log(self) -> str:
        """The server's output so far."""
        return self._log.read_text(errors="replace") if self._log.exists() else ""

    def start(self) -> float:
        """Start the server; returns the seconds until it answered.

        Raises:
            RuntimeError: it ended or did not answer; the message holds what it wrote.
        """
        started_at = time.monotonic()
        process = self.launch()
        while process.poll() is None and time.monotonic() - started_at < START_S:
            if self.answers():
                return time.monotonic() - started_at
            time.sleep(_PAUSE_S)
        self.kill()  # its workers would keep the tests' process from ending
        raise RuntimeError(f"The server does not answer:\n{self.log}")

    def launch(self) -> subprocess.Popen[bytes] | Forked:
        """Start the server without waiting for it."""
        arguments = ["serve", str(self.root), "--port", str(self.port), *self._options]
        if sys.platform == "linux":  # elsewhere forking is not safe once libraries are loaded
            options = (self._as_installed, self._page_s, self.version, self.locales)
            self._process = NURSERY.fork(arguments, self._log, *options)
            return self._process
        with self._log.open("ab") as output:
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "pagetrail",
                    *arguments,
                ],
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        return self._process

    def answers(self) -> bool:
        """Whether ``/healthz`` says that all is well."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request("GET", "/healthz")
            return connection.getresponse().status == 200
        except (OSError, HTTPException):
            return False
        finally:
            connection.close()

    def kill(self, *, group: bool = True) -> None:
        """Kill the server with SIGKILL, with or without its search processes; waits for its end."""
        if self._process is not None:
            with suppress(ProcessLookupError):  # it may have ended by itself
                (os.killpg if group else os.kill)(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def freeze(self) -> None:
        """Suspend the server without closing its connections."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let a frozen server go on."""
        self._signal(signal.SIGCONT)

    def stop(self) -> None:
        """Terminate the server; kill it if it does not end."""
        if self._process is None:
            return
        self._signal(signal.SIGCONT)
        self._process.terminate()
        try:
            self._process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.kill()
        self._process = None

    def _signal(self, number: signal.Signals) -> None:
        if self._process is not None:
            os.killpg(self._process.pid, number)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.stop()


def free_port() -> int:
    """A port that nobody listens on, and that the system gives to nobody who asks for any port.

    Otherwise it might be taken while the server that uses it is started again.
    """
    for port in SystemRandom().sample(_PORTS, 100):
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise RuntimeError("A hundred ports are all in use.")
