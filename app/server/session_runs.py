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
from pagetrail.annotation.messages import use_translations
from pagetrail.app.services.composition import services
from pagetrail.app.services.languages import preferred_language, translations
from pagetrail.app.services.outages import is_foreseen
from pagetrail.app.services.sessions import live_stamps

STAMP = "session"
"""The key in ``st.user`` that holds the stamp of the session; ``config.toml`` names it as well."""


class ChecksSession:
    """Mixed into a script runner: what was queued before the session ended does not run after."""

    _user_info: dict[str, Any]

    def _run_script(self, rerun_data: RerunData) -> None:
        try:
            is_allowed = may_run(self._user_info)
        except (PagetrailError, OSError):
            # The page itself asks again who is signed in, and shows why that cannot be told.
            # Callbacks and fragments, which would run before, are left out.
            rerun_data = RerunData(
                query_string=rerun_data.query_string,
                page_script_hash=rerun_data.page_script_hash,
                page_name=rerun_data.page_name,
                context_info=rerun_data.context_info,
            )
            is_allowed = True
        if is_allowed:
            with (
                use_translations(translations(_language(rerun_data))),
                services().screen_turns.turn(str(self._user_info.get(STAMP))),
            ):
                super()._run_script(rerun_data)  # type: ignore[misc]


def _language(rerun_data: RerunData) -> str:
    """The language of the screen: the browser's."""
    browser = rerun_data.context_info
    return preferred_language("" if browser is None else browser.locale)


class SessionRunner(ChecksSession, ScriptRunner):
    """The script runner of the server."""


def may_run(user_info: dict[str, Any]) -> bool:
    """Whether the session is open and its person active, in the role the screen was opened in.

    Raises:
        PagetrailError, OSError: the database cannot be asked.
    """
    stamp = str(user_info.get(STAMP) or "")
    return bool(stamp) and bool(live_stamps(services(), [stamp]))


def install() -> None:
    """Let Streamlit run screens by ``SessionRunner``, and log no trace of an outage."""
    vars(app_session)["ScriptRunner"] = SessionRunner
    logging.getLogger("streamlit.error_util").addFilter(_has_unforeseen_cause)


def _has_unforeseen_cause(record: logging.LogRecord) -> bool:
    """Whether Streamlit is to log a failed screen: ``script_failed`` logs it as well."""
    error = record.exc_info[1] if record.exc_info else None
    return error is None or not is_foreseen(error)
