"""The data behind the live checks of question authoring, and counts of questions written.

Imports ``attempts`` and ``database``.
"""
