"""Keys that a person has chosen instead of a screen's own.

They are stored by what they replace, such as ``Workspace.toolBox.b``: screen, command, and the key
by default, since some commands have several.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.key_bindings import (
    KEYCAPS,
    MODIFIERS,
    SCREEN_KEYS,
    KeyBinding,
    KeyPress,
)

_FIXED = frozenset({"escape"})
"""Escape leaves fields and dialogs, so that it can never be lost."""

_TYPED = frozenset({"submit", "accept"})
"""Commands that work while somebody types."""

_SHIFTED = frozenset({"nudge", "readOn", "tabBox"})
"""Commands that Shift changes."""

_NAMES = {name.lower(): key for key, name in KEYCAPS.items()} | {
    name.lower(): name
    for name in (
        *(key for key in KEYCAPS if len(key) > 1),
        *(f"F{number}" for number in range(1, 13)),
    )
}
_OF_CONTROLS = frozenset({"Enter", "Tab", " ", "Escape"})
_OF_BROWSER = frozenset(
    {
        *(KeyPress(key, ctrl=True) for key in "tnwq"),
        *(KeyPress(f"F{number}") for number in (5, 11, 12)),
        *(KeyPress(key, alt=True) for key in ("ArrowLeft", "ArrowRight", "Home", "F4")),
        *(KeyPress(digit, alt=True) for digit in "0123456789"),
        *(KeyPress(digit, ctrl=True) for digit in "0123456789"),
    }
)
_OF_STREAMLIT = frozenset("cr")
_OF_TEXTS = frozenset(KeyPress(key, ctrl=True) for key in "acvx")


class UnusableKeyError(PagetrailError):
    """A key cannot be used for a command."""

    code = "unusable_key"


@dataclass(frozen=True)
class BoundKey:
    """A key of a screen and what it does.

    Attributes:
        default: the key of the binding, without modifiers.
        press: what a person presses for it.
    """

    screen: str
    binding: KeyBinding
    default: str
    press: KeyPress

    @property
    def command(self) -> str | None:
        """None for a key that its control handles."""
        return self.binding.keys.get(self.default)

    @property
    def id(self) -> str:
        """What it is stored by."""
        return f"{self.screen}.{self.command}.{self.default}"

    @property
    def standard(self) -> KeyPress:
        """What is pressed unless a person changes it."""
        return self.binding.press(self.default)

    @property
    def is_changed(self) -> bool:
        """Whether a person has chosen the key."""
        return self.press != self.standard

    @property
    def label(self) -> str:
        """What it does; of a further key of a command, what the first one says."""
        return next(
            binding.label
            for binding in SCREEN_KEYS[self.screen]
            if binding.label and self.command in binding.keys.values()
        )


def bound_keys(screen: str, chosen: Mapping[str, str]) -> list[BoundKey]:
    """The keys of a screen for a person.

    Args:
        screen: a key of ``SCREEN_KEYS``.
        chosen: the person's keys, by id. One that a later version gives to something else, or no
            longer has, does not apply.
    """
    keys = _all_keys(screen, chosen)
    while unusable := next((key for key in keys if key.is_changed and _problem(key, keys)), None):
        keys[keys.index(unusable)] = replace(unusable, press=unusable.standard)
    return keys


def _all_keys(screen: str, chosen: Mapping[str, str]) -> list[BoundKey]:
    """The keys with all choices, those that conflict included."""
    return [
        _with_choice(BoundKey(screen, binding, default, binding.press(default)), chosen)
        for binding in SCREEN_KEYS[screen]
        for default in binding.keys or {"": None}
    ]


def changeable_keys(screen: str, chosen: Mapping[str, str]) -> list[BoundKey]:
    """The keys of a screen that a person may change."""
    return [
        key
        for key in bound_keys(screen, chosen)
        if key.command is not None and key.command not in _FIXED
    ]


def with_key(chosen: Mapping[str, str], key: BoundKey, text: str) -> dict[str, str]:
    """A person's keys after changing one.

    Args:
        text: what was typed, such as ``o``, ``F2`` or ``Ctrl+Shift+O``.

    Raises:
        UnusableKeyError: the text is no key, or the key is taken.
    """
    press = parse_press(text, key)
    others = {id_: name for id_, name in chosen.items() if id_ != key.id}
    changed = others if press == key.standard else others | {key.id: press_text(press)}
    if problem := _problem(replace(key, press=press), _all_keys(key.screen, changed)):
        raise UnusableKeyError(problem)
    return changed


def press_text(press: KeyPress) -> str:
    """A key as it is stored, and as `parse_press` reads it."""
    return "+".join((*press.modifiers, press.keycap))


def press_name(press: KeyPress) -> str:
    """A key as screens print it."""
    return "+".join(map(gettext, (*press.modifiers, press.keycap)))


def parse_press(text: str, key: BoundKey) -> KeyPress:
    """The key that somebody typed the name of, for a command.

    Raises:
        UnusableKeyError: the text is no key.
    """
    *modifiers, name = (part.strip() for part in re.split(r"\+(?!\s*$)", text.strip()))
    english = {gettext(word).lower(): word.lower() for word in (*MODIFIERS, *KEYCAPS.values())}
    held = {english.get(modifier.lower(), modifier.lower()) for modifier in modifiers}
    name = english.get(name.lower(), name.lower())
    typed = _NAMES.get(name) or (name if len(name) == 1 else "")
    if not typed or not held <= {modifier.lower() for modifier in MODIFIERS}:
        raise UnusableKeyError(
            gettext(
                "“{text}” is not a key. Type a character or a name such as F2, Home or ArrowUp, "
                "after Ctrl+, Alt+ or Shift+ if needed.",
                text=text.strip(),
            )
        )
    ctrl, alt, shift = ("ctrl" in held, "alt" in held, "shift" in held)
    standard = key.standard
    if (typed, ctrl, alt, shift) == (
        standard.key,
        standard.ctrl,
        standard.alt,
        bool(standard.shift),
    ):
        return standard
    # Some layouts type characters other than letters with Shift.
    is_symbol = len(typed) == 1 and not typed.isalpha()
    is_either = not shift and (is_symbol or key.command in _SHIFTED)
    return KeyPress(typed, ctrl, alt, None if is_either else shift)


def _with_choice(key: BoundKey, chosen: Mapping[str, str]) -> BoundKey:
    text = chosen.get(key.id)
    if text is None or key.command is None or key.command in _FIXED:
        return key
    try:
        return replace(key, press=parse_press(text, key))
    except UnusableKeyError:
        return key


def _problem(key: BoundKey, keys: Iterable[BoundKey]) -> str | None:
    """Why a key cannot be used, as a sentence."""
    return (_reserved(key) if key.is_changed else None) or _taken(key, keys)


def _taken(key: BoundKey, keys: Iterable[BoundKey]) -> str | None:
    for other in keys:
        is_same = other.id == key.id or (other.command and other.command == key.command)
        if is_same or not (key.is_changed or other.is_changed):
            continue
        if other.command is None or not other.press.overlaps(key.press):
            continue  # a control keeps its keys to itself, while it has the focus
        if other.binding.works_with(key.binding):
            return gettext(
                "{key} already means “{label}”, which works at the same time. Choose another key, "
                "or change that one first.",
                key=press_name(key.press),
                label=gettext(other.label),
            )
    return None


def _is_letter_digit_or_f_key(key: str) -> bool:
    return bool(re.fullmatch(r"\w|F\d+", key))


def _reserved(key: BoundKey) -> str | None:
    press = key.press
    name = press_name(press)
    is_plain = not (press.ctrl or press.alt)
    unshifted = replace(press, shift=None)
    if is_plain and press.key in _OF_CONTROLS:
        return gettext("{key} belongs to the focused button or field.", key=name)
    if unshifted in _OF_BROWSER:
        return gettext("Browsers keep {key} for themselves.", key=name)
    if unshifted in _OF_TEXTS:
        return gettext("{key} edits texts.", key=name)
    if press.alt and (press.ctrl or press.shift):
        return gettext("Many keyboards type characters with {key}.", key=name)
    if is_plain and press.key.isdigit() and key.screen == "Workspace":
        return gettext("Digits choose options and labels.")
    if key.screen == "Batches" and press.key in _OF_STREAMLIT:
        return gettext("The page keeps {key} for itself.", key=name)
    if key.screen == "Batches" and not _is_letter_digit_or_f_key(press.key):
        return gettext("Choose a letter, a digit or an F key.")
    if is_plain and press.key.isdigit() and key.screen == "Review":
        return gettext("Digits take an annotator’s version.")
    if press.shift and key.command in _SHIFTED:
        return gettext("Shift changes what this key does. Choose one without it.")
    if is_plain and key.command in _TYPED and not re.fullmatch(r"F\d+", press.key):
        return gettext("This key works while you type, so it needs Ctrl, Alt or an F key.")
    return None
