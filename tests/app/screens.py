"""The screens without a browser: Streamlit's AppTest from the entry point, as one person."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.testing.v1 import AppTest

import pagetrail.app.ui.current_user
from pagetrail.app.services.composition import Services
from pagetrail.storage.people.accounts import find_person
from pagetrail.storage.people.roles import is_supervisor

MAIN = Path(pagetrail.app.__file__).parent / "main.py"


def as_person(
    services: Services, name: str | None, monkeypatch: pytest.MonkeyPatch, *, stamp: str = ""
) -> AppTest:
    """The app, opened by that person; None opens it without a session.

    Args:
        stamp: of the signed-in session, for a runner that checks it.
    """
    return at_screen(services, name, monkeypatch, "", stamp=stamp).run()


def at_screen(
    services: Services,
    name: str | None,
    monkeypatch: pytest.MonkeyPatch,
    screen: str,
    *,
    stamp: str = "",
    **query: str,
) -> AppTest:
    """The app at an address, before its first run.

    Args:
        screen: "" is the person's first one.
        query: what follows the screen's name.
    """
    person = None if name is None else find_person(services.workspace, name)
    monkeypatch.setattr(
        pagetrail.app.ui.current_user, "person_of", lambda _services, _cookies: person
    )
    at = AppTest.from_file(str(MAIN), default_timeout=120)
    at.user = {"session": stamp}
    for key, value in query.items():
        at.query_params[key] = value
    first = "progress" if person and is_supervisor(person) else "batches"
    return at.switch_page(f"views/{screen}.py") if screen not in ("", first) else at


def workspace_data(at: AppTest) -> dict[str, Any]:
    """What the workspace component was mounted with."""
    return component_data(at, "pagetrail.workspace")


def component_data(at: AppTest, name: str) -> dict[str, Any]:
    """What the component of that name was mounted with."""
    data: dict[str, Any] = json.loads(_component(at, name).json)
    return data


def outbox(at: AppTest, message: dict[str, Any]) -> AppTest:
    """What a browser does over the fallback transport: set the component's state."""
    states = WidgetStates()
    state = states.widgets.add()
    state.id = _component(at).id
    state.json_value = json.dumps({"outbox": message})
    return at._run(states)


def _component(at: AppTest, name: str = "pagetrail.workspace") -> Any:
    for element in _elements(at._tree):
        proto = getattr(element, "proto", None)
        if getattr(proto, "component_name", None) == name:
            return proto
    raise AssertionError(f"the component {name} is not on the screen")


def _elements(node: Any) -> Iterator[Any]:
    for child in getattr(node, "children", {}).values():
        yield child
        yield from _elements(child)
