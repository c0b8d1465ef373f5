"""The report of a pilot: who meets the mark, which tasks go wrong, and production since.

Read by the pilots screen and ``pagetrail pilot``.
"""
