"""Data on running campaigns: the dashboard, flagged and skipped attempts, campaign states, and
totals for monitoring. Reads projections only.
"""
