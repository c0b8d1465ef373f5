"""Pilots on the screen: tables, charts, one person's result, and the supervisor's decision.

Its wording is shared with the command line.
"""
