"""The administration screen in tests: one part of it, opened by one person."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pagetrail.app.jobs.manager import Job, Jobs
from pagetrail.app.services.composition import Services
from tests.app.screens import at_screen
from tests.support.audit_log import audited


def part(
    services: Services, monkeypatch: pytest.MonkeyPatch, name: str, person: str = "sven"
) -> AppTest:
    """The part of that name."""
    at = at_screen(services, person, monkeypatch, "administration").run()
    if person == "sven":
        at.session_state["part"] = name
        at = at.run()
    assert not at.exception
    return at


def click(at: AppTest, key: str) -> AppTest:
    """Click the button with that key."""
    at = at.button(key=key).click().run()
    assert not at.exception
    return at


def held_still(monkeypatch: pytest.MonkeyPatch, at: AppTest, key: str) -> AppTest:
    """Click the button that starts a job; the job is paused at once, so that it cannot end."""
    start = Jobs.start

    def hold(self: Jobs, *args: Any, **options: Any) -> Job:
        job = start(self, *args, **options)
        assert self.pause(job.kind, job.id, on=True)
        return job

    with monkeypatch.context() as patched:
        patched.setattr(Jobs, "start", hold)
        return click(at, key)


def screen_messages(at: AppTest) -> list[str]:
    """Every message on the screen."""
    return [m.value for kind in (at.success, at.info, at.warning, at.error) for m in kind]


def screen_text(at: AppTest) -> str:
    """All text in Markdown and captions."""
    return "\n".join(element.value for element in [*at.markdown, *at.caption])


def audit_rows(services: Services) -> list[tuple[str, str, str]]:
    """The audit log: actor, action, detail."""
    return audited(services.workspace)


def table(at: AppTest, table_number: int = 0) -> list[dict[str, Any]]:
    """The rows of a table."""
    rows: list[dict[str, Any]] = at.dataframe[table_number].value.to_dict("records")
    return rows
