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
    completed_actions: list[str] = []
    acting.open_dialog("take_back")
    dialog = acting.current_dialog("take_back")
    assert dialog is not None
    acting.run_dialog_action(dialog, completed_actions.append, "first")
    acting.run_dialog_action(dialog, completed_actions.append, "second")
    acting.open_dialog("take_back")
    acting.run_dialog_action(dialog, completed_actions.append, "third")
    assert completed_actions == ["first"]
    assert acting.current_dialog("take_back") is not None
