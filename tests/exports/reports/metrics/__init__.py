"""Tests of the metrics report."""
