"""No callback, fragment, dialog or download runs once the session ended: all of them, by role."""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, ClassVar

import pytest
import streamlit.testing.v1.app_test
from starlette.types import Message
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime import app_session
from streamlit.runtime.scriptrunner import RerunData, ScriptRunnerEvent
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

import pagetrail.app
from pagetrail.app.server.navigation import SCREENS
from pagetrail.app.server.screen_files import SENT_BY_SCREENS, OfferedFiles
from pagetrail.app.server.screen_socket import ScreenSocket
from pagetrail.app.server.session_runs import STAMP, ChecksSession, SessionRunner
from pagetrail.app.services.composition import Services
from pagetrail.app.services.sessions import stamp_of
from pagetrail.app.services.steady_rate import message_rate
from pagetrail.storage.people.accounts import add_user, find_person
from pagetrail.storage.people.login_sessions import open_session
from tests.app.conftest import PASSWORD
from tests.app.screens import at_screen
from tests.app.session_endings import ENDINGS

APP = Path(pagetrail.app.__file__).parent
PEOPLE = ("alma", "sven", "ada")
"""An annotator, a supervisor and an admin; there is a second admin."""
WALKED = {
    "on_click",
    "on_change",
    "on_select",
    "on_dismiss",
    "on_sent_change",
    "on_outbox_change",
    "fragment",
    "dialog",
}
"""How Streamlit calls the app beside the script; ``show_all_callbacks`` below has each."""
PASSED_ON = {"on_outbox", "on_uploaded"}
"""Parameters of our own that end at one of those."""
NO_SCREENS = {"on_progress", "on_question", "on_call_tool", "on_list_tools", "on_script_error"}
_DECORATORS = ("st.fragment", "st.dialog")
_VALUES: dict[str, Any] = {
    "trigger_value": True,
    "bool_value": True,
    "string_value": '{"selection": {"rows": [0], "columns": [], "cells": []}}',
    "json_trigger_value": '[{"event": "sent", "value": 1}]',
    "json_value": '{"sent": 1, "outbox": 1}',
}


class CheckedRunner(ChecksSession, LocalScriptRunner):
    """AppTest's runner with the server's check; runs a fragment if one is named."""

    fragment: ClassVar[str | None] = None
    started: ClassVar[int] = 0

    def _run_script(self, rerun_data: RerunData) -> None:
        if self.fragment:
            rerun_data = RerunData(
                page_script_hash=rerun_data.page_script_hash, fragment_id_queue=[self.fragment]
            )
        super()._run_script(rerun_data)

    def run(self, *args: Any, **kwargs: Any) -> Any:
        tree = super().run(*args, **kwargs)
        CheckedRunner.started = self.events.count(ScriptRunnerEvent.SCRIPT_STARTED)
        return tree


@pytest.fixture(autouse=True)
def checked(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """AppTest runs screens as the server does."""
    monkeypatch.setattr(streamlit.testing.v1.app_test, "LocalScriptRunner", CheckedRunner)
    yield
    CheckedRunner.fragment = None


@pytest.fixture
def staffed(services: Services) -> Services:
    """The services with two admins besides."""
    for name in ("ada", "otto"):
        add_user(services.workspace, name, "admin", PASSWORD)
    return services


def _sign_in(services: Services, name: str) -> tuple[str, str]:
    """A session of that person: its token and its stamp."""
    person = find_person(services.workspace, name)
    token = open_session(services.workspace, person.id, timedelta(hours=1))
    return token, stamp_of(token, person)


def _callbacks(at: AppTest) -> WidgetStates:
    """The message that sets every widget with a callback."""
    states = WidgetStates()
    metadata = at._session_state._state._new_widget_state.widget_metadata
    for widget, widget_info in metadata.items():
        if widget_info.callback is not None or widget_info.callbacks:
            state = states.widgets.add()
            state.id = widget
            _set(state, widget_info.value_type, _VALUES.get(widget_info.value_type))
    return states


def _set(message: Any, name: str, value: Any = None) -> None:
    """Set a field to the value, or to what it is anyway."""
    field = message.DESCRIPTOR.fields_by_name[name]
    if field.message_type:
        getattr(message, name).SetInParent()
    else:
        setattr(message, name, field.default_value if value is None else value)


def _fragments(at: AppTest) -> list[str]:
    return list(at._fragment_storage._fragments)


def _kinds() -> set[str]:
    """The kinds of callback in the app's source."""
    kinds = set()
    for path in APP.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.keyword) and (node.arg or "").startswith("on_"):
                if not isinstance(node.value, ast.Constant):
                    kinds.add(str(node.arg))
            elif isinstance(node, ast.Attribute) and ast.unparse(node) in _DECORATORS:
                kinds.add(node.attr)
    return kinds


def show_all_callbacks() -> None:
    """A screen with everything by which Streamlit calls back."""
    import streamlit as st  # noqa: PLC0415

    from tests.app.server.test_session_runs import ran  # noqa: PLC0415

    st.button("press", on_click=lambda: ran.append("on_click"))
    st.checkbox("tick", on_change=lambda: ran.append("on_change"))
    st.dataframe({"a": [1]}, key="t", on_select=lambda: ran.append("on_select"))
    component = st.components.v2.component("walked", html="<p></p>")
    component(
        key="c",
        on_sent_change=lambda: ran.append("on_sent_change"),
        on_outbox_change=lambda: ran.append("on_outbox_change"),
    )
    st.fragment(lambda: ran.append("fragment"))()
    body = st.dialog("ask", on_dismiss=lambda: ran.append("on_dismiss"))(
        lambda: ran.append("dialog")
    )
    body()


ran: list[str] = []


def test_every_kind_of_callback_in_the_app_is_walked() -> None:
    """A kind that is new to the app has to be added to the walk below."""
    assert _kinds() - PASSED_ON - NO_SCREENS == WALKED


def test_the_server_runs_scripts_by_the_checking_runner() -> None:
    """Streamlit makes its runners by this name."""
    assert app_session.ScriptRunner is SessionRunner


@pytest.mark.parametrize("name", PEOPLE)
@pytest.mark.parametrize("ending", ENDINGS)
def test_no_streamlit_callback_runs_after_the_session_ended(
    ending: str, name: str, staffed: Services
) -> None:
    """Before, each of them runs; afterwards none, nor does the script."""
    token, stamp = _sign_in(staffed, name)
    at = AppTest.from_function(show_all_callbacks, default_timeout=120)
    at.user = {STAMP: stamp}
    ran.clear()
    at.run()
    states, fragments = _callbacks(at), _fragments(at)
    at._run(states)
    for CheckedRunner.fragment in fragments:
        at._run()
    CheckedRunner.fragment = None
    assert set(ran) == WALKED
    ENDINGS[ending](staffed.workspace, name, token)
    ran.clear()
    at._run(states)
    for CheckedRunner.fragment in fragments:
        at._run()
    assert (ran, CheckedRunner.started) == ([], 0)


@pytest.mark.parametrize("name", PEOPLE)
def test_no_screen_runs_after_the_session_ended(
    name: str, staffed: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every screen, with its callbacks and fragments: not a line of it runs, however it ended."""
    for screen in SCREENS:
        token, stamp = _sign_in(staffed, name)
        at = at_screen(staffed, name, monkeypatch, screen, stamp=stamp).run()
        assert CheckedRunner.started
        states, fragments = _callbacks(at), [None, *_fragments(at)]
        ENDINGS["signed out"](staffed.workspace, name, token)
        for CheckedRunner.fragment in fragments:
            at._run(states)
            assert CheckedRunner.started == 0, screen
        CheckedRunner.fragment = None


@pytest.mark.parametrize("ending", ENDINGS)
def test_no_message_reaches_streamlit_after_the_session_ended(
    ending: str, staffed: Services
) -> None:
    """Reruns, deferred downloads, uploads and whatever else there is: it is a lost connection."""
    token, stamp = _sign_in(staffed, "sven")
    kinds = [field.name for field in BackMsg.DESCRIPTOR.oneofs[0].fields]
    assert len(kinds) > 5

    async def talk() -> None:
        tabs = [_Tab(kind, stamp) for kind in kinds]
        passed_on = [tab for tab in tabs if tab.kind in SENT_BY_SCREENS]
        for tab in passed_on:
            assert await tab.socket.receive() is tab.incoming, tab.kind
        await asyncio.to_thread(ENDINGS[ending], staffed.workspace, "sven", token)
        for tab in tabs:
            assert (await tab.socket.receive())["type"] == "websocket.disconnect", tab.kind
            assert [message["type"] for message in tab.sent] == ["websocket.close"], tab.kind

    asyncio.run(talk())


class _Tab:
    """A web socket whose client always sends the same kind of message."""

    def __init__(self, kind: str, stamp: str) -> None:
        message = BackMsg()
        _set(message, kind, True)
        self.kind = kind
        self.incoming: Message = {
            "type": "websocket.receive",
            "bytes": message.SerializeToString(),
        }
        self.sent: list[Message] = []
        self.socket = ScreenSocket(
            1, stamp, message_rate(), OfferedFiles(), self._receive, self._send
        )

    async def _receive(self) -> Message:
        return self.incoming

    async def _send(self, outgoing: Message) -> None:
        self.sent.append(outgoing)
