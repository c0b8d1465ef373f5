"""Administration of batches: who has which, assigning, moving and rebalancing."""
