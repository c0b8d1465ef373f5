"""Task records, their gold and what annotators are shown of them; cutting tasks into batches,
distributing and rebalancing batches, and blinding predictions.
"""
