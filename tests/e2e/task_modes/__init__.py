"""Verifying, records, authoring and pilots in a real browser."""
