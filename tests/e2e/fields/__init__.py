"""Fields and page grades in a real browser."""
