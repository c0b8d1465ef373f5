"""Review in a real browser."""
