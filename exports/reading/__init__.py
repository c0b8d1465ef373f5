"""Input of every format and report: one snapshot of a campaign, its attempts and values.

Imports nothing else from `exports`.
"""
