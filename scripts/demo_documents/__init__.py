"""Draws the demo's documents and writes its questions: run ``python -m scripts.demo_documents``.

One module per kind of document; every organisation in them is invented. Needs reportlab, which
is a development dependency. The results are shipped in ``app/demo/files``.
"""
