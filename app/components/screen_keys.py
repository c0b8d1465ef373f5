"""The keys of a screen, as its component gets them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

from typing_extensions import TypedDict

from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.key_bindings import (
    KeyPress,
    ProtocolCondition,
    ScreenCondition,
)
from pagetrail.annotation.protocols.personal_keys import BoundKey, bound_keys, press_name


class PressedKey(TypedDict):
    """What is pressed; see ``KeyPress``.

    Attributes:
        key: empty where the screen reads several by itself.
        name: as titles print it, with its modifiers.
    """

    key: str
    name: str
    ctrl: bool
    alt: bool
    shift: bool | None


class ScreenKey(PressedKey):
    """One key of a screen; see ``KeyBinding``.

    Attributes:
        label: empty for a key that the help prints with another one, or not at all.
        standard: what is pressed unless a person changes it.
    """

    group: str
    label: str
    shown: tuple[str, ...]
    command: str | None
    when: tuple[ProtocolCondition | ScreenCondition, ...]
    standard: PressedKey


def screen_keys(screen: str, chosen: Mapping[str, str]) -> list[ScreenKey]:
    """A person's keys of a screen, in the language of the screen.

    Args:
        screen: a key of ``SCREEN_KEYS``.
        chosen: the keys that the person has changed, by id.
    """
    return [
        {
            **_pressed(key.press),
            "group": gettext(key.binding.group),
            "label": "" if n else gettext(key.binding.label),
            "shown": keycaps,
            "command": key.command,
            "when": key.binding.when,
            "standard": _pressed(key.standard),
        }
        for _, row in groupby(bound_keys(screen, chosen), key=lambda key: id(key.binding))
        for keys in [list(row)]
        for keycaps in [printed_keys(keys)]
        for n, key in enumerate(keys)
    ]


def printed_keys(keys: list[BoundKey]) -> tuple[str, ...]:
    """What the help prints for the keys of one binding."""
    binding = keys[0].binding
    if not any(key.is_changed for key in keys):
        return tuple(map(gettext, (*binding.modifiers, *binding.printed_keys)))
    if len({key.press.modifiers for key in keys}) == 1:
        names = (*keys[0].press.modifiers, *(key.press.keycap for key in keys))
        return tuple(map(gettext, names))
    return tuple(press_name(key.press) for key in keys)


def _pressed(press: KeyPress) -> PressedKey:
    return {
        "key": press.key,
        "name": press_name(press),
        "ctrl": press.ctrl,
        "alt": press.alt,
        "shift": press.shift,
    }
