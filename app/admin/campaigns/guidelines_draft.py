"""The draft of a campaign's guidelines in one browser tab."""

from __future__ import annotations

import streamlit as st

from pagetrail.storage.campaigns.guidelines import Guidelines


class Draft:
    """A draft and the text it started from.

    Attributes:
        base: the guidelines when the editor was opened.
        text: the draft; a text area loses its value while it is off the screen.
        conflicting: what somebody else saved in the meantime, if that blocked saving.
        message: why saving was refused.
        restored: the version the text was restored from.
        saved: time of day when this tab last saved, with its time zone; may be empty.
    """

    def __init__(self, base: Guidelines) -> None:
        self.base = base
        self.text = base.text
        self.conflicting: Guidelines | None = None
        self.message = ""
        self.restored: str | None = None
        self.saved = ""

    @property
    def changed(self) -> bool:
        """Whether there is anything to save."""
        return self.text != self.base.text


def load_into_editor(draft: Draft, key: str, text: str, version: str) -> None:
    """Callback: write an earlier version into the editor; saving makes it current."""
    draft.text, draft.restored = text, version
    st.session_state[key] = text
