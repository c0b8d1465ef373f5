"""Administration of batches: who has which, assigning, reassigning and rebalancing."""
