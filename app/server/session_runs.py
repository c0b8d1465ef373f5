"""Every run of a screen checks the signed-in session first: callbacks, fragments and dialogs too.

Streamlit runs callbacks before the script and fragments without it, so that a check in the script
comes too late for them. All of them start in ``ScriptRunner._run_script``.
"""

from __future__ import annotations

import logging
from typing import Any

from streamlit.runtime import app_session
from streamlit.runtime.scriptrunner import RerunData, ScriptRunner

from pagetrail.annotation.errors import PagetrailError
from pagetrail.app.services.composition import services
from pagetrail.app.services.sessions import live_stamps

STAMP = "session"
"""The key in ``st.user`` that holds the stamp of the session; ``config.toml`` names it as well."""

_log = logging.getLogger("pagetrail.server")


class ChecksSession:
    """Mixed into a script runner: what was queued before the session ended does not run after."""

    _user_info: dict[str, Any]

    def _run_script(self, rerun_data: RerunData) -> None:
        if may_run(self._user_info):
            super()._run_script(rerun_data)  # type: ignore[misc]


class SessionRunner(ChecksSession, ScriptRunner):
    """The script runner of the server."""


def may_run(user_info: dict[str, Any]) -> bool:
    """Whether the session is open and its person active, in the role the screen was opened in."""
    stamp = user_info.get(STAMP)
    if not stamp:
        return False
    try:
        return bool(live_stamps(services(), [stamp]))
    except (PagetrailError, OSError):
        _log.exception("the session of a run could not be checked")
        return False


def install() -> None:
    """Let Streamlit run screens by ``SessionRunner``."""
    vars(app_session)["ScriptRunner"] = SessionRunner
