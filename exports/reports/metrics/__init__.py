"""The metrics report: accuracy, attribution, effort, errors, search and comparison of people and
systems, from rows that are read once.
"""
