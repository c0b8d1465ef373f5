"""``pagetrail serve``."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console

from pagetrail.annotation.errors import StorageError, WorkspaceError
from pagetrail.app.cli.options import WorkspaceFolder
from pagetrail.app.cli.workspaces.init import JOINED
from pagetrail.app.services.environment import (
    BASE_PATH_VARIABLE,
    CACHE_LIMIT_VARIABLE,
    PUBLIC_URL,
    TOUR_VARIABLE,
    WORKSPACE_VARIABLE,
    public_url,
)
from pagetrail.app.services.signing_in.single_sign_on import single_sign_on
from pagetrail.storage.corpus.image_cache import DEFAULT_LIMIT
from pagetrail.storage.database.location import address_wanted, require_no_own_database
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.files.location import FILES_URL, files_address
from pagetrail.storage.maintenance.serve_lock import server_lock
from pagetrail.storage.people.invitations import first_admin_link
from pagetrail.storage.search.store import ensure_index, usable_index

_SEVERAL_SERVERS = (
    "--workers is gone: several servers are several `pagetrail serve` on one PostgreSQL behind a "
    "proxy. docs/operations.md, “Several servers”, has the steps and files for Caddy, nginx and "
    "Apache. One server is enough for 200 people at once."
)


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "serve",
        epilog="Example: pagetrail serve my-workspace --port 8501",
        help="Serve a workspace to browsers, for any number of people. An empty or missing folder "
        "becomes a new workspace, and a link for its first admin is printed.",
    )(serve)


def serve(
    workspace: WorkspaceFolder,
    port: Annotated[int, typer.Option(help="Port to listen on.", min=1, max=65535)] = 8501,
    host: Annotated[
        str, typer.Option(help="Address to listen on; 0.0.0.0 for other machines too.")
    ] = "127.0.0.1",
    cache_limit: Annotated[
        float, typer.Option(help="Disk space for page images, in GB.", min=0.01)
    ] = DEFAULT_LIMIT / 1e9,
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(
            help="Address or network of a trusted proxy (Forwarded, X-Forwarded-*); may be "
            "repeated.",
            metavar="ADDRESS",
        ),
    ] = None,
    base_path: Annotated[
        str,
        typer.Option(
            help="Path below which a proxy offers the workspace, such as /pagetrail.",
            metavar="PATH",
            envvar=BASE_PATH_VARIABLE,
        ),
    ] = "",
    workers: Annotated[int, typer.Option(hidden=True, min=1)] = 1,
    tour: Annotated[
        bool, typer.Option(help="Show new people a tour of the screen in their first task.")
    ] = True,
    log_format: Annotated[
        Literal["text", "json"],
        typer.Option(
            help="text logs failures; json also logs every request, one JSON object per line.",
            envvar="PAGETRAIL_LOG_FORMAT",
        ),
    ] = "text",
) -> None:
    console = Console(stderr=True)
    if workers != 1:
        raise WorkspaceError(_SEVERAL_SERVERS)
    os.environ[BASE_PATH_VARIABLE] = base = checked_base_path(base_path)
    stated = public_url(os.environ)
    service = single_sign_on(os.environ)
    if service is not None:
        _ = service.client  # what is missing is said now, not when somebody signs in
    if Workspace.join(workspace, address_wanted()):
        console.print(JOINED.format(workspace), highlight=False)
    # A log that is collected may mean a disk that is not mounted, and would keep the link.
    if log_format == "text" and make_if_empty(workspace):
        console.print(f"{workspace} was empty: a new workspace is made there.", highlight=False)
    prepare(workspace)
    os.environ[CACHE_LIMIT_VARIABLE] = str(round(cache_limit * 1e9))
    os.environ[WORKSPACE_VARIABLE] = str(workspace.resolve())
    os.environ[TOUR_VARIABLE] = "on" if tour else "off"

    def announce() -> None:
        at = f"{stated.scheme}://{stated.netloc}" if stated else address(host, port)
        console.print(
            f"Pagetrail serves {workspace} at {at}{base}  (Ctrl-C ends it)", highlight=False
        )
        for line in first_steps(Workspace.open(workspace), at):
            console.print(line, highlight=False, soft_wrap=True)

    ready = announce if log_format == "text" else None
    run(port, host, trusted_proxy or (), json_log=log_format == "json", ready=ready)


def checked_base_path(path: str) -> str:
    """The base path with a slash in front and none at the end; empty for none.

    Raises:
        WorkspaceError: it could not be part of an address as it is.
    """
    stripped = path.strip("/")
    if not re.fullmatch(r"[\w.~-]+(/[\w.~-]+)*", stripped or "x", re.ASCII) or ".." in stripped:
        raise WorkspaceError(
            f"--base-path is {path!r}. Write it as /pagetrail: letters, digits, and - . _ ~ "
            "between slashes."
        )
    return f"/{stripped}" if stripped else ""


def make_if_empty(workspace: Path) -> bool:
    """Make a workspace in a folder that is missing or empty; returns whether it was.

    Raises:
        WorkspaceError: the folder cannot be made.
    """
    if workspace.exists() and (not workspace.is_dir() or any(workspace.iterdir())):
        return False
    Workspace.create(workspace, address_wanted(), files_address()).engine.dispose()
    return True


def address(host: str, port: int) -> str:
    """Where a browser on this machine finds a server that listens there."""
    if host in ("0.0.0.0", "::"):  # noqa: S104 - compared, not bound
        host = "127.0.0.1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def first_steps(workspace: Workspace, at: str) -> list[str]:
    """Lines for the terminal: the link to the first admin's account, where there is no admin yet.

    Args:
        at: the server's address, as ``address`` has it, without the base path.
    """
    # The base path is read when the module is imported.
    from pagetrail.app.services.addresses import invitation_path  # noqa: PLC0415

    link = first_admin_link(workspace)
    if link is None:
        return []
    return [
        "Nobody administers this workspace yet. Open this link to make the first account; it works "
        "once, within 24 hours:",
        f"  {at}{invitation_path(link[0])}",
        "From another machine or behind a proxy, put that address in place of "
        f"{at} (or state it in {PUBLIC_URL}). Whoever has the link becomes admin.",
    ]


def prepare(workspace: Path) -> None:
    """Open the workspace and build its first index, so that problems show up here.

    The server makes an older index current while it answers.

    Raises:
        PagetrailError: not a workspace, or the index cannot be built.
    """
    require_no_own_database(workspace)
    console = Console(stderr=True)
    with console.status("Opening the workspace"):
        opened = Workspace.open(workspace)
        check_bucket(opened, console)
        if usable_index(opened) is None:
            ensure_index(opened)
        opened.engine.dispose()


def check_bucket(workspace: Workspace, console: Console) -> None:
    """Say so where the bucket does not answer; people can work with what the folder has.

    Raises:
        WorkspaceError: the environment names another workspace's bucket, or one although the files
            are in the folder.
    """
    if workspace.files is None:
        if files_address() is not None:
            raise WorkspaceError(
                f"The files of {workspace.root} are in its folder, but {FILES_URL} names a bucket. "
                f"Unset it, or move them there: pagetrail files {workspace.root} --to URL"
            )
        return
    try:
        workspace.files.check()
    except StorageError as error:
        console.print(error.message, highlight=False, soft_wrap=True)


def run(
    port: int,
    host: str,
    proxies: Sequence[str] = (),
    *,
    json_log: bool = False,
    ready: Callable[[], None] | None = None,
) -> None:
    """Start the server for the workspace named in the environment; returns when it ends.

    Args:
        ready: called once the workspace and the port are this server's.

    Raises:
        WorkspaceError: another server has the workspace alone, the address cannot be listened on,
            or a proxy's is no address.
    """
    # Streamlit takes half a second to import, which only this command should pay.
    from pagetrail.app.server import run as serving  # noqa: PLC0415

    workspace = Path(os.environ[WORKSPACE_VARIABLE])
    with server_lock(Workspace.open(workspace), f"a server at {host}:{port}"):
        serving.run(port, host, proxies, json_log=json_log, ready=ready)
