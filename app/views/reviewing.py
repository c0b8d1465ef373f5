"""Supervisors only."""

import streamlit as st

from app.identity import signed_in, supervisors_only

person = signed_in()
supervisors_only(person, "reviewing")
st.title("reviewing")
