"""The ASGI application: Streamlit's screens and the project's own routes behind one set of headers,
how it is run, and the entry point of the screens. Nothing but the command line imports it.
"""
