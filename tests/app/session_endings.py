"""The ways in which what a signed-in person may do ends while a tab is open."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import update

from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import LoginSession
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import find_person
from pagetrail.storage.people.administration import change_role, set_active
from pagetrail.storage.people.login_sessions import close_session, session_digest

End = Callable[[Workspace, str, str], object]


def _sign_out(workspace: Workspace, _name: str, token: str) -> None:
    close_session(workspace, token)


def _expire(workspace: Workspace, _name: str, token: str) -> None:
    with write_transaction(workspace.engine) as connection:
        connection.execute(
            update(LoginSession)
            .where(LoginSession.token_sha256 == session_digest(token))
            .values(expires_at="2000-01-01T00:00:00.000Z")
        )


def _deactivate(workspace: Workspace, name: str, _token: str) -> None:
    set_active(workspace, None, name, False)


def _change_role(workspace: Workspace, name: str, _token: str) -> None:
    demoted = find_person(workspace, name).role != "annotator"
    change_role(workspace, None, name, "annotator" if demoted else "supervisor")


ENDINGS: dict[str, End] = {
    "signed out": _sign_out,
    "session expired": _expire,
    "deactivated": _deactivate,
    "another role": _change_role,
}
"""What happened → how it is brought about: workspace, name, token."""
