"""Streamlit's screens in a real browser: the list of batches, focus, theme and language."""
