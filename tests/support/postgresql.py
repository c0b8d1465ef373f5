"""A PostgreSQL server of the tests' own: started when the first test asks, ended with the process.

A socket in a temporary folder, no port, nothing synced to disk until a test kills it. Every test
gets a database of its own, copied from one that the migrations have made.
"""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import subprocess
import time
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import gettempdir, mkdtemp

import pytest
from sqlalchemy import create_engine

from pagetrail.storage.database import workspace
from pagetrail.storage.database.postgresql import postgresql_engine, postgresql_url

_numbers = count(1)
_SMALL = "listen_addresses=", "shared_buffers=16MB"
_FAST = "fsync = off\nfull_page_writes = off\n"
_AS_INSTALLED = "ALTER SYSTEM SET fsync = on", "ALTER SYSTEM SET full_page_writes = on"
_FOLDERS = gettempdir(), "/dev/shm", "/tmp"


def _open_to_all(folder: str) -> bool:
    """Whether the user whom the server runs as can reach what is made there."""
    path = Path(folder)
    return path.is_dir() and all(
        folder_above.stat().st_mode & 1 for folder_above in (path, *path.parents)
    )


def new_database() -> str:
    """The address of an empty database with the present schema.

    Skips the test where PostgreSQL is not installed.
    """
    folder = _server()
    name = f"test_{os.getpid()}_{next(_numbers)}"
    _execute(folder, f"CREATE DATABASE {name} TEMPLATE migrated STRATEGY file_copy")
    return _address(folder, name)


def empty_database(name: str) -> str:
    """The address of a database without tables. Skips the test as well."""
    folder = _server()
    _execute(folder, f"CREATE DATABASE {name} TEMPLATE template0")
    return _address(folder, name)


def sync_to_disk() -> None:
    """Have the server sync what it commits from now on, as installed: its processes are killed."""
    for statement in (*_AS_INSTALLED, "SELECT pg_reload_conf()"):
        _execute(_server(), statement)


@cache
def _server() -> Path:
    binaries = _binaries()
    if binaries is None:
        pytest.skip("PostgreSQL is not installed")
    folder = Path(mkdtemp(prefix="pg-", dir=next(filter(_open_to_all, _FOLDERS), None)))
    # PostgreSQL refuses to run as root.
    as_other = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
    as_other += ["--pdeathsig=QUIT"]
    prefix = as_other if os.getuid() == 0 else []
    if prefix:
        shutil.chown(folder, "nobody", "nogroup")
    data = folder / "data"
    quiet = {"stdout": subprocess.DEVNULL, "check": True, "cwd": folder}
    make = [binaries / "initdb", "-D", data, "-U", "test", "-A", "trust", "-E", "UTF8", "--no-sync"]
    subprocess.run([*prefix, *make, "--locale=C.UTF-8"], **quiet)  # type: ignore[call-overload]
    # Not on the command line, which nothing said later would overrule.
    with (data / "postgresql.conf").open("a", encoding="ascii") as configuration:
        configuration.write(_FAST)
    settings = [f"-c{setting}" for setting in (*_SMALL, f"unix_socket_directories={folder}")]
    server = subprocess.Popen(
        [*prefix, binaries / "postgres", "-D", data, *settings],
        cwd=folder,
        stderr=subprocess.DEVNULL,
    )
    atexit.register(_end, server, folder, os.getpid())
    ask = [binaries / "pg_isready", "-q", "-h", folder]
    while subprocess.run(ask, cwd=folder, check=False).returncode:
        assert server.poll() is None, "PostgreSQL ended"
        time.sleep(0.02)
    _execute(folder, "CREATE DATABASE migrated TEMPLATE template0")
    engine = postgresql_engine(postgresql_url(_address(folder, "migrated")))
    workspace.migrate(engine)
    engine.dispose()
    return folder


def _binaries() -> Path | None:
    """The folder with the newest PostgreSQL's programs; Debian leaves them out of PATH."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    folders += [Path(folder) for folder in os.get_exec_path()]
    needed = ("initdb", "postgres", "pg_isready")
    return next((folder for folder in folders if all((folder / n).exists() for n in needed)), None)


def _execute(folder: Path, statement: str) -> None:
    engine = create_engine(
        postgresql_url(_address(folder, "postgres")), isolation_level="AUTOCOMMIT"
    )
    with engine.connect() as connection:
        connection.exec_driver_sql(statement)
    engine.dispose()


def _address(folder: Path, name: str) -> str:
    return f"postgresql://test@/{name}?host={folder}"


def _end(server: subprocess.Popen[bytes], folder: Path, owner: int) -> None:
    if os.getpid() == owner:  # not a process that was forked from the tests
        server.send_signal(signal.SIGQUIT)
        server.wait()
        shutil.rmtree(folder, ignore_errors=True)
