"""The screens' entry point: who is signed in, and where they may go. No state lives here."""

from __future__ import annotations

import streamlit as st

from app.identity import signed_in
from app.navigation import pages_for

st.set_page_config(page_title="Pagetrail", page_icon=":material/find_in_page:", layout="wide")

person = signed_in()
pages_for(person).run()
