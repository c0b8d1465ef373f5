"""Boxes in a real browser: mouse, touch, keys, random sequences."""
