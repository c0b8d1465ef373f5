"""What every format and report reads: one snapshot of a campaign, its attempts, answers and values.

Imports nothing else of `exports`.
"""
