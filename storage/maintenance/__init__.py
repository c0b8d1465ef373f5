"""Looking after a workspace: who serves it, backup and restore, and checking all that is stored.

Imported by commands and the server; it may import every other package of storage.
"""
