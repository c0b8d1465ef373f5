"""Tests of the screens from the entry point, without a browser."""
