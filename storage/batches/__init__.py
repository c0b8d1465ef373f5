"""Batches and their annotators: assigning, claiming, opening and closing, reassigning, withdrawing
and rebalancing. Imports ``qualification`` and ``attempts``.
"""
