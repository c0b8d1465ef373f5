"""Answers, attribution, effort, errors, search dynamics and comparison (docs/metrics.md)."""
