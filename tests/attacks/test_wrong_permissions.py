"""Files and folders without the permissions they need: the reason and the way out, nothing lost."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from httpx import Request
from starlette.testclient import TestClient

from pagetrail.app.cli.main import main
from pagetrail.app.routes.common import TOKEN_HEADER
from pagetrail.app.services.composition import Services
from pagetrail.app.services.supervisor_rights import oversight_token
from pagetrail.storage.database.location import DATABASE_NAME
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import find_person
from tests.app.conftest import PASSWORD, write_pdf
from tests.app.signed_in import attempts_of, boot, send, sign_in, stored_types
from tests.attacks.served_routes import served_routes
from tests.support.file_permissions import changed_modes, permissions_in_force

_NOBODY = 65_534
READ_ONLY, CLOSED = (0o500, 0o400), (0o000, 0o000)
"""Permissions of folders and of files."""

_READING = ("campaigns {ws}", "metrics {ws} --campaign Otters")
_WRITING = ("users {ws} deactivate alma",)
PLACES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "": ((), (*_READING, *_WRITING)),
    DATABASE_NAME: (_READING, _WRITING),
    "corpus": (("verify {ws}", "backup {ws} {files}/b.tar"), ("ingest {ws} {files}/new.pdf",)),
    "index": (("search {ws} otters",), ("index {ws} --force",)),
    "exports": ((), ("metrics {ws} --campaign Otters",)),
    "cache": ((), ()),
}
"""Parts of a workspace (the first is all of it): commands that read there, and that write there."""


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with a PDF."""
    folder = tmp_path / "files"
    folder.mkdir()
    write_pdf(folder / "new.pdf", ["badgers"])
    return folder


@contextmanager
def wrong_modes(root: Path, place: str, modes: tuple[int, int]) -> Iterator[None]:
    """A part of the workspace has other permissions; SQLite gives new files those of its own."""
    with changed_modes(root / place, folder_mode=modes[0], file_mode=modes[1]):
        yield
    for path in root.glob(f"{DATABASE_NAME}-*"):
        path.chmod(0o600)


def run(command: str) -> int:
    """Exit code of a command; no other exception leaves it."""
    with pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit) as ended:
        patch.setattr(sys, "argv", ["pagetrail", *command.split()])
        main()
    return int(ended.value.code or 0)


@pytest.mark.parametrize("modes", [READ_ONLY, CLOSED], ids=["read-only", "closed"])
@pytest.mark.parametrize("place", PLACES)
def test_commands_name_what_they_cannot_access(
    place: str,
    modes: tuple[int, int],
    root: Path,
    files: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One sentence and exit code 1 where a command needs the place; the workspace stays sound."""
    reading, writing = PLACES[place]
    refused = writing if modes == READ_ONLY else reading + writing
    with wrong_modes(root, place, modes), permissions_in_force():
        for command in (*reading, *writing):
            code = run(command.format(ws=root, files=files))
            output = capsys.readouterr().err
            if command in refused:
                assert code == 1, command
                assert output.startswith("Error: ")
                assert "Permission denied" in output or "needs write access" in output
            else:
                assert code == 0, (command, output)
    assert run(f"verify {root}") == 0


@pytest.mark.parametrize("modes", [READ_ONLY, CLOSED], ids=["read-only", "closed"])
def test_reports_do_without_a_cache(
    modes: tuple[int, int], root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are computed again each time."""
    with wrong_modes(root, "cache", modes), permissions_in_force():
        assert run(f"metrics {root} --campaign Otters") == 0
        assert run(f"metrics {root} --campaign Otters --overwrite") == 0
    assert "Error" not in capsys.readouterr().err


@pytest.mark.parametrize("modes", [READ_ONLY, CLOSED], ids=["read-only", "closed"])
@pytest.mark.parametrize("place", PLACES)
def test_requests_are_answered_or_refused_with_the_reason(
    place: str, modes: tuple[int, int], root: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Done, or 503 with a sentence and a time. The log has no trace; an event that was refused is
    stored when it is sent again, and one that was not is stored once."""
    with permissions_in_force(), served_routes(root, "sven") as (browser, services):
        requests = [
            *supervisors_requests(browser, services),
            *annotators_requests(browser, services),
        ]
        attempt = attempts_of(services, "alma")[0]
        note = attempt, boot(browser, attempt)["token"], ("n1", "note_edited", {"text": "a note"})
        services.workspace.engine.dispose()  # the next connections open the file
        with wrong_modes(root, place, modes):
            replies = [send(browser, *note), *map(browser.send, requests)]
        for reply in replies:
            assert reply.status_code in (200, 303, 503), (str(reply.url), reply.text[:300])
            assert "Traceback" not in reply.text
            if reply.status_code == 503:
                assert int(reply.headers.get("retry-after", 0)) > 0, (str(reply.url), reply.text)
        assert [record.getMessage() for record in caplog.records if record.exc_info] == []
        sign_in(browser, "alma")
        for _ in range(2):
            assert len(send(browser, *note).json()["receipts"]) == 1
        assert stored_types(services, attempt).count("note_edited") == 1


def test_somebody_elses_workspace_that_all_may_read_is_reported(
    root: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Its permissions cannot be narrowed, so the log says who may read the work; it opens."""
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder to somebody else")
    with changed_modes(root, folder_mode=0o777, file_mode=0o666):
        for path in (root, *root.rglob("*")):
            os.chown(path, _NOBODY, _NOBODY)
        with permissions_in_force():
            workspace = Workspace.open(root)
            assert find_person(workspace, "alma").name == "alma"
            workspace.engine.dispose()
    assert "other users of this machine may read the workspace" in caplog.text


def supervisors_requests(browser: TestClient, services: Services) -> list[Request]:
    """Requests for an upload by Sven, who has signed in, and for signing in."""
    headers = {TOKEN_HEADER: oversight_token(services, find_person(services.workspace, "sven"))}
    return [
        browser.build_request(
            "PUT", "/pagetrail/uploads/new.pdf", content=b"%PDF-", headers=headers
        ),
        browser.build_request(
            "POST", "/pagetrail/login", data={"name": "bruno", "password": PASSWORD}
        ),
    ]


def annotators_requests(browser: TestClient, services: Services) -> list[Request]:
    """Requests of a task's screen and of a load balancer, after Alma has signed in."""
    sign_in(browser, "alma")
    attempt = attempts_of(services, "alma")[0]
    token = boot(browser, attempt)["token"]
    info = services.corpus.document("report.pdf")
    assert info is not None
    task, page = f"/pagetrail/attempts/{attempt}", f"/pagetrail/page/{info.sha256}/1"
    search = {"id": "s1", "query": "otters", "session": "a"}
    return [
        browser.build_request("GET", "/healthz"),
        browser.build_request("GET", "/readyz"),
        browser.build_request("GET", task),
        browser.build_request("GET", page, params={"v": token, "dpi": 40}),
        browser.build_request("POST", f"{task}/search", json=search, headers={TOKEN_HEADER: token}),
    ]
