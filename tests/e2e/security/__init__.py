"""Hostile content and missing rights in a real browser."""
