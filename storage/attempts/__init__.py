"""Attempts in the database: the event log, typed queries over it, working times, agents' attempts,
and lists to replay. Imports ``campaigns`` and ``people``, nothing above them.
"""
