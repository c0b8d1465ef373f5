"""Typed rows for exports in a stable order, streamed from one snapshot of the database."""
