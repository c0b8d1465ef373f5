"""The search engine that people and agents share: the index, its engine, and the processes that
answer and build. The only importer of Whoosh; imports ``corpus`` and ``database``.
"""
