"""The search engine that people and agents share: index, engine, and worker processes.

Only this package imports Whoosh; it imports ``corpus`` and ``database``.
"""
