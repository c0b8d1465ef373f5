"""An annotator's web socket that asks for supervisors' screens and presses their buttons."""

from __future__ import annotations

from sqlalchemy import func, select
from streamlit.proto.BackMsg_pb2 import BackMsg

from pagetrail.storage.database.tables import EventRow
from pagetrail.storage.database.workspace import Workspace
from tests.app.conftest import PASSWORD
from tests.attacks.requests import sign_in
from tests.attacks.screen_client import ScreenClient
from tests.e2e.support.server_process import ServerProcess

SUPERVISORS_SCREENS = ("administration", "progress", "results", "review", "gold", "pilots")


def _forged(screen: str, buttons: list[str]) -> BackMsg:
    """A rerun with every kind of state for the ids of somebody else's widgets."""
    message = BackMsg()
    message.rerun_script.page_name = screen
    for number, widget in enumerate(buttons):
        state = message.rerun_script.widget_states.widgets.add()
        state.id = widget
        if number % 3 == 0:
            state.trigger_value = True
        elif number % 3 == 1:
            state.json_value = '{"role": "supervisor", "clicked": true}'
        else:
            state.string_value = "supervisor"
    return message


def _rows(workspace: Workspace) -> int:
    with workspace.engine.connect() as connection:
        return int(connection.execute(select(func.count()).select_from(EventRow)).scalar_one())


def test_supervisors_widgets_are_not_an_annotators(
    server: ServerProcess, workspace: Workspace
) -> None:
    """With the ids known: no button and no text of theirs is drawn, and nothing is stored."""
    sven = sign_in(server.url, "sven", PASSWORD)
    annotator_token = sign_in(server.url, "alma", PASSWORD)
    before = _rows(workspace)
    button_count = 0
    for screen in SUPERVISORS_SCREENS:
        with ScreenClient(server.url, sven).open(screen) as supervisor_tab:
            buttons = {label: button.id for label, button in supervisor_tab.buttons.items()}
        button_count += len(buttons)
        with ScreenClient(server.url, annotator_token).open(screen) as tab:
            tab.send(_forged(screen, sorted(buttons.values())))
            tab.read()
            assert not {button.id for button in tab.buttons.values()} & {*buttons.values()}, screen
            assert not {*tab.text} & {*supervisor_tab.text}, screen
    assert button_count
    assert _rows(workspace) == before
