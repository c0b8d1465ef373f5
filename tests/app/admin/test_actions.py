"""Dialogs of the administration: what a button in one of them does."""

from __future__ import annotations

import pytest
import streamlit as st

from pagetrail.app.admin import actions as acting


def test_the_second_of_two_clicks_on_a_confirming_button_does_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The first closes the dialog and acts; the second finds it closed, or another one open."""
    monkeypatch.setattr(st, "session_state", {})
    done: list[str] = []
    acting.ask("take_back")
    dialog = acting.asked("take_back")
    assert dialog is not None
    acting.once(dialog, done.append, "first")
    acting.once(dialog, done.append, "second")
    acting.ask("take_back")
    acting.once(dialog, done.append, "third")
    assert done == ["first"]
    assert acting.asked("take_back") is not None
