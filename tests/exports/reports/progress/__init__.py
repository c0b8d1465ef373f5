"""Tests of the progress report."""
