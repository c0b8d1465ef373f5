"""Administration in a real browser."""
