"""The ASGI application (Streamlit's screens and the project's routes behind common headers), and
the server that runs it. Only the command line imports it.
"""
