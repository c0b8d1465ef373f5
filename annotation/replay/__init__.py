"""Replays: an attempt's events as a readable timeline and as the script that the browser plays.

Reads ``attempts``, ``runs`` and ``timing``; changes nothing.
"""
