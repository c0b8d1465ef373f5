"""What people choose for their own screens, kept with their account."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from sqlalchemy import select, update

from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import User
from pagetrail.storage.database.workspace import Workspace

Theme = Literal["system", "light", "dark"]
Tour = Literal["first task", "next task", "done"]


class Preferences(BaseModel):
    """One person's preferences.

    Attributes:
        theme: ``system`` follows the device.
        language: of the interface, such as ``de`` or ``pt_BR``; empty for the browser's.
        keys: keys chosen instead of a screen's own, by id (`personal_keys`).
        tour: when the task screen shows its tour.
        identities_seen_at: when the person was told of the last connected identity, ISO 8601.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")
    theme: Theme = "system"
    language: str = ""
    keys: dict[str, str] = Field(default_factory=dict)
    tour: Tour = "first task"
    identities_seen_at: str = ""


def preferences_of(workspace: Workspace, user_id: int) -> Preferences:
    """A person's preferences; the defaults for what a later version has stored otherwise."""
    with workspace.engine.connect() as connection:
        stored = connection.execute(
            select(User.preferences).where(User.id == user_id)
        ).scalar_one_or_none()
    return _parsed(stored)


def set_preferences(
    workspace: Workspace, user_id: int, **changes: str | Mapping[str, str]
) -> Preferences:
    """Change some of a person's preferences.

    Raises:
        pydantic.ValidationError: a value is none of those that there are.
    """
    with write_transaction(workspace.engine) as connection:
        account = User.id == user_id
        stored = connection.execute(select(User.preferences).where(account)).scalar_one()
        preferences = Preferences.model_validate(_parsed(stored).model_dump() | changes)
        values = {**(stored or {}), **preferences.model_dump()}
        connection.execute(update(User).where(account).values(preferences=values))
    return preferences


def _parsed(stored: Any) -> Preferences:
    try:
        return Preferences.model_validate(stored or {})
    except ValidationError:
        return Preferences()
