"""The keys of a screen, as its component gets them."""

from __future__ import annotations

from collections.abc import Sequence

from typing_extensions import TypedDict

from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.key_bindings import (
    KeyBinding,
    ProtocolCondition,
    ScreenCondition,
)


class ScreenKey(TypedDict):
    """One key of a screen; see ``KeyBinding``.

    Attributes:
        key: empty where the screen reads several by itself.
        label: empty for a key that the help prints with another one, or not at all.
    """

    group: str
    label: str
    shown: tuple[str, ...]
    key: str
    command: str | None
    when: tuple[ProtocolCondition | ScreenCondition, ...]
    ctrl: bool
    alt: bool
    shift: bool | None


def screen_keys(bindings: Sequence[KeyBinding]) -> list[ScreenKey]:
    """The bindings of a screen, key by key, in the language of the screen."""
    return [
        {
            "group": gettext(binding.group),
            "label": "" if n else gettext(binding.label),
            "shown": (*binding.modifiers, *binding.printed_keys),
            "key": key,
            "command": command,
            "when": binding.when,
            "ctrl": binding.ctrl,
            "alt": binding.alt,
            "shift": binding.shift,
        }
        for binding in bindings
        for n, (key, command) in enumerate((binding.keys or {"": None}).items())
    ]
