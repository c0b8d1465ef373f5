"""Reads pre-annotated elements: one module per format, and shared checks."""
