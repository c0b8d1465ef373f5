"""The demo: generated documents with questions, and building a workspace from them."""
