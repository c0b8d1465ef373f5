"""The screens' entry point: who is signed in, and where they may go. No state lives here."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pagetrail.app.server.navigation import pages_for
from pagetrail.app.ui.current_user import signed_in

ICON = Path(__file__).parent / "static" / "icon.png"
# Texts run in the direction of their own letters: Arabic and Hebrew from the right.
QUIET_FRAME = """<style>
  .stMainBlockContainer { padding: 5rem 2rem 3rem; max-width: 72rem; }
  .stText :not(:empty), .stMarkdown :is(p, li), .stTextInput input, .stTextArea textarea {
    unicode-bidi: plaintext;
  }
</style>"""
# Streamlit writes white on the accent, which is a light blue in the dark.
DARK_ACCENT = """<style>
  [data-testid^="stBaseButton-primary"]:not(:disabled),
  [data-testid="stMultiSelect"] [data-tag] * { color: #12161d; }
</style>"""

st.set_page_config(page_title="Pagetrail", page_icon=str(ICON), layout="wide")
st.html(QUIET_FRAME)
if st.context.theme.type == "dark":
    st.html(DARK_ACCENT)

pages_for(signed_in()).run()
