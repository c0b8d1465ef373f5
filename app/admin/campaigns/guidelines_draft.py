"""What one browser tab is writing of a campaign's guidelines."""

from __future__ import annotations

import streamlit as st

from pagetrail.storage.campaigns.guidelines import Guidelines


class Draft:
    """What one browser tab is writing, and what it began from.

    Attributes:
        base: the guidelines that were there when the editor was opened.
        text: as written; a text area forgets it while it is not on the screen.
        theirs: what somebody else saved meanwhile, once saving was refused for it.
        message: the refusal.
        restored: the version that the text is from.
        saved: when this tab saved last, as a time of the day in UTC; empty before.
    """

    def __init__(self, base: Guidelines) -> None:
        self.base = base
        self.text = base.text
        self.theirs: Guidelines | None = None
        self.message = ""
        self.restored: str | None = None
        self.saved = ""

    @property
    def changed(self) -> bool:
        """Whether there is anything to save."""
        return self.text != self.base.text


def put_into_editor(draft: Draft, key: str, text: str, version: str) -> None:
    """Callback: write a kept version into the box; saving puts it in force."""
    draft.text, draft.restored = text, version
    st.session_state[key] = text
