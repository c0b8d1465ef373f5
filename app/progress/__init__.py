"""The progress screen: its numbers, computed once per state of the work, and its sections.

Imported by the progress view.
"""
