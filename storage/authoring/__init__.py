"""What the live checks of question authoring read, and how many questions somebody has written.

Imports ``attempts`` and ``database``.
"""
