"""Preferences of an account: defaults, changes, and what another version has stored."""

from __future__ import annotations

import pytest
from pydantic import ValidationError
from sqlalchemy import select, update

from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import User
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import add_user
from pagetrail.storage.people.preferences import Preferences, preferences_of, set_preferences


def test_preferences_are_changed_one_by_one(workspace: Workspace) -> None:
    """Each person has their own; a wrong value changes nothing."""
    alma = add_user(workspace, "alma", "annotator", "correct horse").id
    bruno = add_user(workspace, "bruno", "annotator", "correct horse").id
    assert preferences_of(workspace, alma) == Preferences(theme="system", language="")
    set_preferences(workspace, alma, theme="dark")
    assert set_preferences(workspace, alma, language="de") == Preferences(
        theme="dark", language="de"
    )
    with pytest.raises(ValidationError):
        set_preferences(workspace, alma, theme="purple")
    assert preferences_of(workspace, alma) == Preferences(theme="dark", language="de")
    assert preferences_of(workspace, bruno) == Preferences()


def test_preferences_of_another_version(workspace: Workspace) -> None:
    """What this version does not know is kept when it changes something else."""
    alma = add_user(workspace, "alma", "annotator", "correct horse").id
    with write_transaction(workspace.engine) as connection:
        connection.execute(update(User).values(preferences={"theme": "sepia", "sound": "off"}))
    assert preferences_of(workspace, alma) == Preferences()
    set_preferences(workspace, alma, theme="light")
    with workspace.engine.connect() as connection:
        stored = connection.execute(select(User.preferences)).scalar_one()
    assert stored == {
        "theme": "light",
        "language": "",
        "keys": {},
        "tour": "first task",
        "identities_seen_at": "",
        "sound": "off",
    }
