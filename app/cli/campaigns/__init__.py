"""Commands about campaigns: protocols, campaigns, batches, pilots and the review queue."""
