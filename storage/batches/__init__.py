"""Who has which batch: assigning, claiming, opening and closing, reassigning, withdrawing and
rebalancing. Imports ``qualification`` and ``attempts``.
"""
