"""Tests of the pilot report."""
