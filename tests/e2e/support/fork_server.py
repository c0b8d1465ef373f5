"""A process that has imported the server once and forks one for each test.

Importing takes two seconds of processor time, which every browser test would pay. A forked server
runs the same ``app.cli.main.main`` with the same arguments in a session of its own, and can be
frozen and killed like one that was started by itself. Its worker processes are forked, too
(``forked_workers``). Run as a program, it reads requests as lines of JSON.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import pkgutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NoReturn

from streamlit.components.v2 import manifest_scanner

from pagetrail.app.services.environment import PUBLIC_URL
from pagetrail.storage.database.location import DATABASE_URL
from tests.support import forked_workers
from tests.support.shortcuts import scan_packages_once

_PAUSE_S = 0.02
_IMPORTED_LATER = (
    "PIL.JpegImagePlugin",
    "PIL.PngImagePlugin",
    "anyio._backends._asyncio",
    "encodings.idna",
    "starlette.applications",
    "streamlit.material_icon_names",
    "streamlit.runtime.scriptrunner.magic_funcs",
    "streamlit.web.server.starlette.starlette_agent_routes",
    "uvicorn.lifespan.on",
    "uvicorn.loops.asyncio",
    "uvicorn.protocols.websockets.websockets_sansio_impl",
)
"""What a server imports as it starts, or for its first visitor."""


_SINGLE_SIGN_ON = "PAGETRAIL_OIDC_"


class Forked:
    """A forked process, with those parts of ``Popen`` that the tests use."""

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def poll(self) -> int | None:
        """0 once it is gone, however it ended; None while it runs."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return 0
        return None

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it is gone.

        Raises:
            subprocess.TimeoutExpired: it is still there.
        """
        give_up = None if timeout is None else time.monotonic() + timeout
        while self.poll() is None:
            if give_up is not None and time.monotonic() > give_up:
                raise subprocess.TimeoutExpired("server", timeout or 0)
            time.sleep(_PAUSE_S)
        return 0

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it is gone."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)


class Nursery:
    """The one process of a test run that forks servers; started on first use."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def fork(
        self,
        arguments: list[str],
        log: Path,
        as_installed: bool,
        page_s: float | None,
        version: str | None,
        locales: Path | None,
    ) -> Forked:
        """A server that runs ``pagetrail`` with these arguments and writes to ``log``."""
        process = self._running()
        assert process.stdin is not None and process.stdout is not None
        stated = {name: os.environ.get(name, "") for name in (DATABASE_URL, PUBLIC_URL)}
        stated |= {
            name: value for name, value in os.environ.items() if name.startswith(_SINGLE_SIGN_ON)
        }
        folder = None if locales is None else str(locales)
        request = [arguments, str(log), as_installed, page_s, stated, version, folder]
        process.stdin.write(json.dumps(request) + "\n")
        process.stdin.flush()
        return Forked(int(process.stdout.readline()))

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None or self._process.poll() is not None:
            workers = forked_workers.NURSERY.requests().fileno()
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.e2e.support.fork_server", str(workers)],
                pass_fds=[workers],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            atexit.register(self._process.kill)
        return self._process


NURSERY = Nursery()


def main() -> None:
    """Import the server and its screens, then fork one for each line; ends with its input."""
    # Whoever has ended is taken off the list of processes at once: its starter looks there.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    forked_workers.NURSERY.use(socket.socket(fileno=int(sys.argv[1])))
    _import_everything()
    gc.freeze()  # the pages of memory stay shared
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            _serve(*json.loads(line))
        sys.stdout.write(f"{pid}\n")
        sys.stdout.flush()


def _redirect(output: int) -> None:
    """Nothing is read from standard input; what is written goes there."""
    null_device = os.open(os.devnull, os.O_RDONLY)
    for source, target in ((null_device, 0), (output, 1), (output, 2)):
        os.dup2(source, target)


def _import_everything() -> None:
    cli = importlib.import_module("pagetrail.app.cli.main")
    for name in ("serve", "init"):
        cli.load(name)
    for module in pkgutil.walk_packages(importlib.import_module("pagetrail.app").__path__):
        if module.ispkg and module.name not in ("agents", "cli", "demo", "views"):
            name = f"pagetrail.app.{module.name}"
            for inner in pkgutil.walk_packages(importlib.import_module(name).__path__, f"{name}."):
                importlib.import_module(inner.name)
    for name in ("tests.support.thread_pool", *_IMPORTED_LATER):
        importlib.import_module(name)
    scan_packages_once()
    manifest_scanner.scan_component_manifests()


def _serve(
    arguments: list[str],
    log: str,
    as_installed: bool,
    page_s: float | None,
    stated: dict[str, str],
    version: str | None,
    locales: str | None,
) -> NoReturn:
    from pagetrail.app.cli.main import main as run  # noqa: PLC0415
    from pagetrail.app.routes import assets  # noqa: PLC0415
    from pagetrail.app.services import composition, languages  # noqa: PLC0415
    from pagetrail.storage.corpus import page_images  # noqa: PLC0415
    from tests.support.thread_pool import take_server_shortcuts  # noqa: PLC0415

    os.environ.update(stated)
    if version:
        bundle = assets.current()._replace(version=version)
        assets.current = lambda: bundle
    if locales:
        languages._LOCALES = Path(locales)
    if page_s is not None:
        page_images.PageWorkers = partial(page_images.PageWorkers, processor_s=page_s)  # type: ignore[assignment, misc]
    if not as_installed:
        take_server_shortcuts()
        forked_workers.fork_workers()
        # A second process takes longer to start than all searches and pages of a test.
        for module, name, size in (
            (composition, "SearchService", "workers"),
            (page_images, "PageWorkers", "size"),
        ):
            processes = 2 if name == "PageWorkers" and page_s is not None else 1
            setattr(module, name, partial(getattr(module, name), **{size: processes}))
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    _redirect(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600))
    sys.argv = ["pagetrail", *arguments]
    code = 1
    try:
        run()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    main()
