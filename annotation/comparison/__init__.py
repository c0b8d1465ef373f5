"""Comparing any two participants of a task (person, gold or system) by answers, values, pages and
boxes, and the results of pilots. Used by ``review``, pilots and reports.
"""
