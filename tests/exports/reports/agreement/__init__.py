"""Tests of the agreement report."""
