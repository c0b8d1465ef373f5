"""Keys that a person chooses: what is accepted, what is refused and why, and what is stored."""

from __future__ import annotations

import pytest

from pagetrail.annotation.protocols.key_bindings import SCREEN_KEYS
from pagetrail.annotation.protocols.personal_keys import (
    BoundKey,
    UnusableKeyError,
    bound_keys,
    changeable_keys,
    parse_press,
    press_text,
    with_key,
)


def key_of(command: str, screen: str = "Workspace") -> BoundKey:
    """The first key of a command, as it is by default."""
    return next(key for key in bound_keys(screen, {}) if key.command == command)


def pressed(chosen: dict[str, str], command: str) -> str:
    """What a person presses for a command of the workspace."""
    return next(
        press_text(k.press) for k in bound_keys("Workspace", chosen) if k.command == command
    )


@pytest.mark.parametrize("screen", SCREEN_KEYS)
def test_every_key_can_be_changed(screen: str) -> None:
    """Except Escape, and keys that a control handles; what is stored can be read back."""
    keys = changeable_keys(screen, {})
    commands = {name for binding in SCREEN_KEYS[screen] for name in binding.keys.values()}
    assert {key.command for key in keys} == commands - {None, "escape"}
    assert len({key.id for key in keys}) == len(keys)
    for key in keys:
        assert key.label
        assert parse_press(press_text(key.standard), key) == key.standard
        chosen = with_key({}, key, "Ctrl+F9")
        (changed,) = [bound for bound in bound_keys(screen, chosen) if bound.is_changed]
        assert (changed.id, press_text(changed.press)) == (key.id, "Ctrl+F9")
        assert with_key(chosen, key, press_text(key.standard)) == {}


@pytest.mark.parametrize(
    ("command", "text", "reason"),
    [
        ("toolBox", "c", "c already means “Add or remove as citation”"),
        ("cite", "Ctrl+F", "Ctrl+F already means “Find in this document”"),
        ("beside", "Shift+D", "Shift+D already means “Swap the two pages”"),
        ("nextStep", "k", "k already means “Play the steps, or stop”"),
        ("cite", "Esc", "belongs to the focused button"),
        ("cite", "Enter", "belongs to the focused button"),
        ("cite", "Ctrl+W", "Browsers keep Ctrl+W"),
        ("cite", "Ctrl+Shift+N", "Browsers keep"),
        ("cite", "Alt+4", "Browsers keep"),
        ("cite", "Ctrl+V", "edits texts"),
        ("cite", "Ctrl+Alt+E", "type characters"),
        ("cite", "4", "Digits choose options"),
        ("nudge", "Shift+Y", "Shift changes what this key does"),
        ("submit", "o", "needs Ctrl, Alt or an F key"),
        ("cite", "", "is not a key"),
        ("cite", "Ctrl+", "is not a key"),
        ("cite", "Hyper+o", "is not a key"),
        ("cite", "oo", "is not a key"),
    ],
)
def test_keys_are_refused_with_a_reason(command: str, text: str, reason: str) -> None:
    """What works at the same time, what browsers and fields need, and what is no key."""
    with pytest.raises(UnusableKeyError, match=reason.replace("+", r"\+")):
        with_key({}, key_of(command), text)


def test_digits_of_the_review_are_annotators() -> None:
    """No command of the review is a digit, but the one that always was."""
    with pytest.raises(UnusableKeyError, match="annotator"):
        with_key({}, key_of("merge", "Review"), "2")
    assert with_key({}, key_of("fit", "Review"), "0") == {}


def test_one_key_may_mean_what_never_works_at_the_same_time() -> None:
    """``j`` is the next box or the next row; so ``n``, a step where there are no boxes, may be."""
    assert with_key({}, key_of("toolBox"), "n") == {"Workspace.toolBox.b": "n"}


def test_keys_are_swapped_by_way_of_a_third() -> None:
    """A key that was given up is free for others, and cannot be reset while it is theirs."""
    chosen = with_key({}, key_of("cite"), "F2")
    chosen = with_key(chosen, key_of("beside"), "c")
    chosen = with_key(chosen, key_of("cite"), "d")
    assert (pressed(chosen, "cite"), pressed(chosen, "beside")) == ("d", "c")
    with pytest.raises(UnusableKeyError, match="c already means “Keep this page beside"):
        with_key(chosen, key_of("cite"), "c")
    assert with_key(with_key(chosen, key_of("beside"), "F2"), key_of("cite"), "c") == {
        "Workspace.beside.d": "F2"
    }


@pytest.mark.parametrize(
    "stored", [{"Workspace.cite.c": "d"}, {"Workspace.cite.c": "??"}, {"Workspace.gone.c": "F2"}]
)
def test_stored_keys_that_no_longer_fit_do_not_apply(stored: dict[str, str]) -> None:
    """The keys by default work instead."""
    assert not [key for key in bound_keys("Workspace", stored) if key.is_changed]
