"""``pagetrail serve --workers N``: several servers of one workspace behind one port.

Each server is a process that listens on a port of this machine's own; Caddy passes requests on to
them and keeps a browser at one server by a cookie, since a screen lives in one server's memory.
"""

from __future__ import annotations

import ctypes
import json
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from pagetrail.annotation.errors import WorkspaceError
from pagetrail.storage.database.workspace import Workspace

_LOCAL = "127.0.0.1"
_LOOK_S = 0.2
_AGAIN_S = 1.0
_GOODBYE_S = 15.0
_PR_SET_PDEATHSIG = 1
_WORKER_SCRIPT = "from pagetrail.app.cli.workspaces.serve_workers import work; work()"
_CADDYFILE = """{{
	admin off
	auto_https off
	log {{
		level ERROR
	}}
}}
http://:{port} {{
	bind {host}
	reverse_proxy {upstreams} {{
		lb_policy cookie pagetrail_server {secret}
		lb_try_duration 10s
		fail_duration 2s{trusted}
	}}
}}
"""


def serve_workers(
    workspace: Path,
    workers: int,
    port: int,
    host: str,
    proxies: Sequence[str],
    *,
    json_log: bool,
    ready: Callable[[], None] | None,
) -> None:
    """Run the servers and Caddy until a signal comes; a server that ends is started again.

    Args:
        ready: called once all of them listen.

    Raises:
        WorkspaceError: the database is SQLite's, Caddy is missing, the port is taken, or one of
            them does not start.
    """
    caddy = shutil.which("caddy")
    opened = Workspace.open(workspace)
    secret = sha256(f"workers {opened.meta('secret')}".encode()).hexdigest()
    engine = opened.engine.dialect.name
    opened.engine.dispose()
    if engine == "sqlite":
        raise WorkspaceError(
            "--workers needs the database in PostgreSQL. Move it there: pagetrail move "
            f"{workspace} --to URL. Or leave --workers out: one server is enough for most."
        )
    if caddy is None:
        raise WorkspaceError("--workers needs Caddy, which is not installed: apt install caddy")
    _require_free(host, port)
    ports = _free_ports(workers)
    orders = [json.dumps([port, [*proxies, _LOCAL], json_log]) for port in ports]
    commands = [[sys.executable, "-P", "-c", _WORKER_SCRIPT, order] for order in orders]
    # From here on a signal ends what was started.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _end)
    running: list[subprocess.Popen[bytes]] = []
    try:
        running += [_start(command) for command in commands]
        _wait_until_open(running, ports)
        proxy = _start([caddy, "run", "--config", "-", "--adapter", "caddyfile"], subprocess.PIPE)
        running.append(proxy)
        if proxy.stdin is not None:
            proxy.stdin.write(caddyfile(host, port, ports, secret, proxies).encode())
            proxy.stdin.close()
        _wait_until_open([proxy], [port], host)
        if ready is not None:
            ready()
        while proxy.poll() is None:
            time.sleep(_LOOK_S)
            for index, command in enumerate(commands):
                if running[index].poll() is not None:
                    time.sleep(_AGAIN_S)
                    running[index] = _start(command)
        raise WorkspaceError("Caddy has ended; its message is above.")
    except _Ended:
        return
    finally:
        _stop(running)


def caddyfile(
    host: str, port: int, ports: Sequence[int], secret: str, proxies: Sequence[str]
) -> str:
    """Caddy's configuration: what arrives at the address goes to one of the ports."""
    return _CADDYFILE.format(
        port=port,
        host=host,
        upstreams=" ".join(f"{_LOCAL}:{port}" for port in ports),
        secret=secret,
        trusted=f"\n\t\ttrusted_proxies {' '.join(proxies)}" if proxies else "",
    )


def run_worker() -> None:
    """One of the servers, in a process of its own."""
    from pagetrail.app.cli.workspaces.serve import run  # noqa: PLC0415

    port, proxies, json_log = json.loads(sys.argv[1])
    try:
        run(port, _LOCAL, proxies, json_log=json_log)
    except WorkspaceError as error:
        sys.exit(str(error))


class _Ended(BaseException):
    """A signal asks the program to end."""


def _end(_number: int, _frame: object) -> None:
    raise _Ended


def _start(command: Sequence[str], stdin: int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
    end = _end_with_parent if sys.platform == "linux" else None
    return subprocess.Popen(command, stdin=stdin, start_new_session=True, preexec_fn=end)


def _end_with_parent() -> None:
    """Have the system end this process when the one that started it is killed."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _stop(running: Sequence[subprocess.Popen[bytes]]) -> None:
    for process in running:
        with suppress(ProcessLookupError):
            process.terminate()
    give_up = time.monotonic() + _GOODBYE_S
    for process in running:
        try:
            process.wait(max(0.0, give_up - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_until_open(
    running: Sequence[subprocess.Popen[bytes]], ports: Sequence[int], host: str = _LOCAL
) -> None:
    """Wait until somebody listens on each port.

    Raises:
        WorkspaceError: one of the processes has ended.
    """
    reached = _LOCAL if host in ("0.0.0.0", "::") else host  # noqa: S104 - compared, not bound
    for port in ports:
        while True:
            with suppress(OSError), socket.create_connection((reached, port), timeout=1):
                break
            if any(process.poll() is not None for process in running):
                raise WorkspaceError("A process of the server did not start; see above.")
            time.sleep(_LOOK_S)


def _require_free(host: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise WorkspaceError(
                f"Cannot listen on {host}:{port}: {error.strerror}. "
                "Name another port with --port, or end the program that has it."
            ) from error


def _free_ports(number: int) -> list[int]:
    """Ports of this machine that nobody listens on."""
    probes = [socket.socket() for _ in range(number)]
    for probe in probes:
        probe.bind((_LOCAL, 0))
    ports = [int(probe.getsockname()[1]) for probe in probes]
    for probe in probes:
        probe.close()
    return ports
