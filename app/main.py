"""The screens' entry point: who is signed in, and where they may go. No state lives here."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pagetrail.app.server.navigation import pages_for
from pagetrail.app.services.composition import services
from pagetrail.app.ui.connected_identities import tell_of_new_identities
from pagetrail.app.ui.current_user import signed_in

ICON = Path(__file__).parent / "static" / "icon.png"
# Texts run in the direction of their own letters: Arabic and Hebrew from the right.
QUIET_FRAME = """<style>
  .stMainBlockContainer { padding: 5rem 2rem 3rem; max-width: 72rem; }
  .stText :not(:empty), .stMarkdown :is(p, li), .stTextInput input, .stTextArea textarea {
    unicode-bidi: plaintext;
  }
</style>"""
# Streamlit's own indicators are half transparent, or only another shade of grey. This blue has a
# contrast of 3:1 or more to the backgrounds of both themes.
VISIBLE_FOCUS = """<style>
  :is(:focus-visible, [data-focus-visible]) {
    outline: 3px solid #2a78ec !important;
    outline-offset: 2px !important;
  }
  .stDataFrame:has(canvas:focus-visible, td:focus) {
    outline: 3px solid #2a78ec;
    outline-offset: 2px;
  }
  [data-testid="stElementToolbar"]:focus-within { opacity: 1 !important; }
  .stMain { scroll-padding-top: 4.5rem; }
  .stMain:focus-visible { outline-offset: -3px !important; }
</style>"""
# Streamlit writes white on the accent, which is a light blue in the dark.
TEXT_ON_ACCENT = """<style>
  [data-testid^="stBaseButton-primary"]:not(:disabled),
  [data-testid="stMultiSelect"] [data-tag] * { color: light-dark(#ffffff, #12161d); }
</style>"""

st.set_page_config(page_title="Pagetrail", page_icon=str(ICON), layout="wide")
st.html(QUIET_FRAME)
st.html(VISIBLE_FOCUS)
st.html(TEXT_ON_ACCENT)

person = signed_in()
page = pages_for(person)
if page.url_path not in ("task", "reviewing"):  # they have the whole window
    tell_of_new_identities(services(), person)
page.run()
