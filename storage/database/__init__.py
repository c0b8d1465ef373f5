"""The database: tables, engine, workspace and migrations, and the text and JSON that rows hold.

Everything in ``storage`` may import it; it imports nothing else of ``storage``.
"""
