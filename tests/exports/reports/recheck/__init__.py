"""Recheck of collected work."""
