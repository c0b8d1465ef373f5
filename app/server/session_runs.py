"""Checks the sign-in session before every run of a screen, callback, fragment or dialog.

Streamlit runs callbacks before the script and fragments without it, so a check in the script would
be too late. All of them start in ``ScriptRunner._run_script``.
"""

from __future__ import annotations

import logging
from typing import Any

from streamlit.runtime import app_session
from streamlit.runtime.scriptrunner import RerunData, ScriptRunner

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import use_translations
from pagetrail.app.services.composition import services
from pagetrail.app.services.languages import chosen_language, translations
from pagetrail.app.services.outages import is_foreseen
from pagetrail.app.services.sessions import live_stamps

STAMP = "session"
"""Key of the session's stamp in ``st.user``; ``config.toml`` names it as well."""
LANGUAGE = "language"
"""Likewise, of the language that the account prefers; empty or missing for none."""


class ChecksSession:
    """Mixin for script runners: runs queued before the session ended are dropped."""

    _user_info: dict[str, Any]

    def _run_script(self, rerun_data: RerunData) -> None:
        try:
            is_allowed = may_run(self._user_info)
        except (PagetrailError, OSError):
            # The page checks the session itself, and shows why it cannot be checked.
            # Callbacks and fragments, which would run first, are left out.
            rerun_data = RerunData(
                query_string=rerun_data.query_string,
                page_script_hash=rerun_data.page_script_hash,
                page_name=rerun_data.page_name,
                context_info=rerun_data.context_info,
            )
            is_allowed = True
        if is_allowed:
            with (
                use_translations(translations(self._language(rerun_data))),
                services().screen_turns.turn(str(self._user_info.get(STAMP))),
            ):
                super()._run_script(rerun_data)  # type: ignore[misc]

    def _language(self, rerun_data: RerunData) -> str:
        """The language of the screen: the account's, or else the browser's."""
        browser = rerun_data.context_info
        return chosen_language(
            str(self._user_info.get(LANGUAGE) or ""), "" if browser is None else browser.locale
        )


class SessionRunner(ChecksSession, ScriptRunner):
    """The server's script runner."""


def may_run(user_info: dict[str, Any]) -> bool:
    """Whether the session is open and its person active and still in the screen's role.

    Raises:
        PagetrailError, OSError: the database cannot be read.
    """
    stamp = str(user_info.get(STAMP) or "")
    return bool(stamp) and bool(live_stamps(services(), [stamp]))


def install() -> None:
    """Have Streamlit use ``SessionRunner``, and log no tracebacks of outages."""
    vars(app_session)["ScriptRunner"] = SessionRunner
    logging.getLogger("streamlit.error_util").addFilter(_has_unforeseen_cause)


def _has_unforeseen_cause(record: logging.LogRecord) -> bool:
    """Whether Streamlit should log a failed screen; ``script_failed`` logs unexpected failures."""
    error = record.exc_info[1] if record.exc_info else None
    return error is None or not is_foreseen(error)
