"""Numbers about running campaigns: the dashboard, flagged and skipped attempts, a campaign's state,
and totals for monitoring. Reads projections only.
"""
